/**
 * @file symvi/entropy/erased_estimator.hpp
 *
 * The contract of an estimator as virtual functions.
 */
#ifndef SYMVI_ENTROPY_ERASED_ESTIMATOR_HPP
#define SYMVI_ENTROPY_ERASED_ESTIMATOR_HPP

#include "estimator.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace symvi {
namespace entropy {

//! Any estimator, for float and double chains; see estimator.hpp.
class ErasedEstimator
{
 public:
  virtual ~ErasedEstimator() { }

  virtual std::unique_ptr<ErasedEstimator> Clone() const = 0;
  virtual const char* Name() const = 0;
  virtual size_t& Permutations() = 0;

  virtual InformationEstimate Evaluate(const SymmetricChain<float>& chain,
                                       RandomStream& stream) = 0;
  virtual InformationEstimate Evaluate(const SymmetricChain<double>& chain,
                                       RandomStream& stream) = 0;
  virtual InformationEstimate EvaluateWithGradient(
      const SymmetricChain<float>& chain,
      RandomStream& stream,
      const float scale,
      InformationGradient<float>& gradient) = 0;
  virtual InformationEstimate EvaluateWithGradient(
      const SymmetricChain<double>& chain,
      RandomStream& stream,
      const double scale,
      InformationGradient<double>& gradient) = 0;
};

//! An estimator behind that interface.
template<typename EstimatorType>
class EstimatorHolder final : public ErasedEstimator
{
 public:
  explicit EstimatorHolder(const EstimatorType& estimator = EstimatorType()) :
      estimator(estimator)
  { }

  std::unique_ptr<ErasedEstimator> Clone() const override
  {
    return std::make_unique<EstimatorHolder>(estimator);
  }

  const char* Name() const override { return estimator.Name(); }
  size_t& Permutations() override { return estimator.Permutations(); }

  InformationEstimate Evaluate(const SymmetricChain<float>& chain,
                               RandomStream& stream) override
  {
    return estimator.Evaluate(chain, stream);
  }

  InformationEstimate Evaluate(const SymmetricChain<double>& chain,
                               RandomStream& stream) override
  {
    return estimator.Evaluate(chain, stream);
  }

  InformationEstimate EvaluateWithGradient(
      const SymmetricChain<float>& chain,
      RandomStream& stream,
      const float scale,
      InformationGradient<float>& gradient) override
  {
    return estimator.EvaluateWithGradient(chain, stream, scale, gradient);
  }

  InformationEstimate EvaluateWithGradient(
      const SymmetricChain<double>& chain,
      RandomStream& stream,
      const double scale,
      InformationGradient<double>& gradient) override
  {
    return estimator.EvaluateWithGradient(chain, stream, scale, gradient);
  }

  EstimatorType estimator;
};

//! The estimator of the given name, or null if there is none.
std::unique_ptr<ErasedEstimator> MakeEstimator(const std::string& name);

//! All names, the default first.
std::vector<std::string> EstimatorNames();

} // namespace entropy
} // namespace symvi

#endif
