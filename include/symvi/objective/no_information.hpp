/**
 * @file objective/no_information.hpp
 *
 * The estimator of plain mean-field VI: I(g; w) = 0.
 */
#ifndef SYMVI_OBJECTIVE_NO_INFORMATION_HPP
#define SYMVI_OBJECTIVE_NO_INFORMATION_HPP

#include <symvi/information/estimator.hpp>

namespace symvi {

/**
 * Leaves I(g; w) out, which makes SymmetrizedELBO the plain ELBO.  It is what a
 * network without any symmetry has.
 */
class NoInformation
{
 public:
  size_t Permutations() const { return permutations; }
  size_t& Permutations() { return permutations; }
  const char* Name() const { return "none"; }

  template<typename eT>
  InformationEstimate Evaluate(const SymmetricChain<eT>& /* chain */,
                               RandomStream& /* stream */)
  {
    return InformationEstimate();
  }

  template<typename eT>
  InformationEstimate EvaluateWithGradient(const SymmetricChain<eT>& chain,
                                           RandomStream& /* stream */,
                                           const eT /* scale */,
                                           InformationGradient<eT>& gradient)
  {
    information::ResetTouched(chain, gradient);
    return InformationEstimate();
  }

 private:
  size_t permutations = 1;
};

} // namespace symvi

#endif
