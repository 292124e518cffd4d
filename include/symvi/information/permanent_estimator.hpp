/**
 * @file symvi/information/permanent_estimator.hpp
 *
 * What the estimators that go through the permanent have in common.
 */
#ifndef SYMVI_INFORMATION_PERMANENT_ESTIMATOR_HPP
#define SYMVI_INFORMATION_PERMANENT_ESTIMATOR_HPP

#include "coupled_units.hpp"
#include "matching_engine.hpp"
#include "per_element.hpp"

#include <symvi/kernel/flush_denormals.hpp>

namespace symvi {
namespace information {

/**
 * Walks over a chain: hidden layers that do not share a weight matrix with
 * another one go through MatchingEngine with the solver of the estimator; runs
 * of neighbours are handed to the estimator's RunCoupled().
 *
 * DerivedType has Solver() and RunCoupled(chain, first, last, stream, scale,
 * gradient).
 */
template<typename DerivedType>
class PermanentEstimator
{
 public:
  //! @param pointwise See MatchingEngine.
  explicit PermanentEstimator(const bool pointwise) : pointwise(pointwise) { }

  //! Whether the draw alone decides which units can be confused; if not, the
  //! posterior is asked first.  See MatchingEngine.
  bool Pointwise() const { return pointwise; }
  //! Modify that.
  bool& Pointwise() { return pointwise; }

  //! The estimate for the draw that the chain holds.
  template<typename eT>
  InformationEstimate Evaluate(const SymmetricChain<eT>& chain,
                               RandomStream& stream)
  {
    return Run<eT>(chain, stream, eT(0), nullptr);
  }

  //! The estimate, and scale times its gradient added to `gradient`.
  template<typename eT>
  InformationEstimate EvaluateWithGradient(const SymmetricChain<eT>& chain,
                                           RandomStream& stream,
                                           const eT scale,
                                           InformationGradient<eT>& gradient)
  {
    ResetTouched(chain, gradient);
    return Run(chain, stream, scale, &gradient);
  }

 private:
  template<typename eT>
  SYMVI_NOINLINE
  InformationEstimate Run(const SymmetricChain<eT>& chain, RandomStream& stream,
                          const eT scale, InformationGradient<eT>* gradient)
  {
    const kernel::FlushDenormals flush;
    DerivedType& self = static_cast<DerivedType&>(*this);
    CheckChain(chain, self.Name());
    InformationEstimate sum;
    for (size_t h = 0; h < chain.hidden.size(); )
    {
      const size_t end = EndOfRun(chain, h);
      const InformationEstimate part = (end == h + 1) ?
          engines.template Get<eT>().Run(chain, h, pointwise, self.Solver(),
              stream, scale, gradient) :
          self.RunCoupled(chain, h, end, stream, scale, gradient);
      sum.value += part.value;
      sum.lower += part.lower;
      sum.upper += part.upper;
      sum.exact &= part.exact;
      h = end;
    }
    return sum;
  }

  bool pointwise;
  PerElement<MatchingEngine> engines;
};

} // namespace information
} // namespace symvi

#endif
