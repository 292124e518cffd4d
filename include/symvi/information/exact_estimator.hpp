/**
 * @file symvi/information/exact_estimator.hpp
 *
 * I(g; w) by exact permanents.
 */
#ifndef SYMVI_INFORMATION_EXACT_ESTIMATOR_HPP
#define SYMVI_INFORMATION_EXACT_ESTIMATOR_HPP

#include "estimator.hpp"

namespace symvi {

/**
 * I(w) = log q(w) - log q^G(w) itself: *exact*, neither a bound nor an
 * approximation.  Terms below exp(-40) of the largest are left out, and so are
 * permutations between units that the posterior alone keeps apart;
 * Pointwise() = true looks at those too, for weights not sampled from q.
 *
 *   one hidden layer:  I(w) = log d! + tr C - log perm(exp C),
 *   gradient:          dI/dC = Id - M,  M the matching marginals.
 *
 * Units that overlap are found first; a group of m of them takes O(m 2^m)
 * operations, whatever the width of the layer.  Groups of more than Largest()
 * units are refused with std::invalid_argument.  In deeper networks the
 * permutations of all hidden layers before the last of a run are enumerated, up
 * to Enumerations() of them.
 */
class ExactEstimator final : public InformationEstimator
{
 public:
  //! @param largest The largest group of overlapping units.
  explicit ExactEstimator(const size_t largest = 20) : largest(largest) { }

  //! The largest group of overlapping units (default 20, at most 24).
  size_t Largest() const { return largest; }
  //! Modify the largest group of overlapping units.
  size_t& Largest() { return largest; }

  //! The most permutations to enumerate in deeper networks (default 50000).
  size_t Enumerations() const { return enumerations; }
  //! Modify the most permutations to enumerate.
  size_t& Enumerations() { return enumerations; }

  //! Whether the draw alone decides which units can be confused (default
  //! false: the posterior is asked first).
  bool Pointwise() const { return pointwise; }
  //! Modify whether the draw alone decides.
  bool& Pointwise() { return pointwise; }

  std::unique_ptr<InformationEstimator> Clone() const override;
  //! "exact".
  const char* Name() const override { return "exact"; }

  InformationEstimate Evaluate(const SymmetricChain<float>& chain,
      RandomStream& stream) override;
  InformationEstimate Evaluate(const SymmetricChain<double>& chain,
      RandomStream& stream) override;
  InformationEstimate EvaluateWithGradient(const SymmetricChain<float>& chain,
      RandomStream& stream, const float scale,
      InformationGradient<float>& gradient) override;
  InformationEstimate EvaluateWithGradient(const SymmetricChain<double>& chain,
      RandomStream& stream, const double scale,
      InformationGradient<double>& gradient) override;

 private:
  struct Memory;

  template<typename eT>
  InformationEstimate Run(const SymmetricChain<eT>& chain, RandomStream& stream,
      const eT scale, InformationGradient<eT>* gradient);

  size_t largest;
  size_t enumerations = 50000;
  bool pointwise = false;
  information::WorkingMemory<Memory> memory;
};

} // namespace symvi

#endif
