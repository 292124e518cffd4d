/**
 * @file any_estimator.cpp
 *
 * Every estimator of I(g; w), compiled once.
 */
#include <symvi/information/make_estimator.hpp>

#define SYMVI_DEFAULT_ESTIMATOR(eT) \
    template InformationEstimate EvaluateDefault<eT>(AutoEstimator&, \
        const SymmetricChain<eT>&, RandomStream&); \
    template InformationEstimate EvaluateDefaultWithGradient<eT>( \
        AutoEstimator&, const SymmetricChain<eT>&, RandomStream&, const eT, \
        InformationGradient<eT>&);

namespace symvi {
namespace information {

template std::unique_ptr<ErasedEstimator> MakeEstimator<std::string>(
    const std::string&);
SYMVI_DEFAULT_ESTIMATOR(float)
SYMVI_DEFAULT_ESTIMATOR(double)

} // namespace information
} // namespace symvi
