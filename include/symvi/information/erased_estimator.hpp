/**
 * @file symvi/information/erased_estimator.hpp
 *
 * The contract of an estimator as virtual functions.
 */
#ifndef SYMVI_INFORMATION_ERASED_ESTIMATOR_HPP
#define SYMVI_INFORMATION_ERASED_ESTIMATOR_HPP

#include "estimator.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

namespace symvi {

class AutoEstimator;

namespace information {

class TypedEstimator;

/**
 * Any estimator; see estimator.hpp.
 *
 * Virtual functions are compiled whether they are called or not.  Those that
 * evaluate chains of float and of double are therefore set apart in
 * TypedEstimator, and the default estimator goes without: it is called by its
 * type, see EvaluateDefault(), so that a program which does not name another
 * one compiles it alone, and for the element types in use.
 */
class ErasedEstimator
{
 public:
  virtual ~ErasedEstimator() { }

  virtual std::unique_ptr<ErasedEstimator> Clone() const = 0;
  virtual const char* Name() const = 0;
  virtual size_t& Permutations() = 0;

  //! The type of the estimator, and the estimator.
  virtual const std::type_info& Type() const = 0;
  virtual void* Get() = 0;

  //! What evaluates chains; null for the default estimator.
  virtual TypedEstimator* Typed() = 0;
};

//! What evaluates chains of float and double.
class TypedEstimator
{
 public:
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

 protected:
  //! Nobody owns an estimator through this class.
  ~TypedEstimator() { }
};

//! An estimator behind these interfaces.
template<typename EstimatorType>
class EstimatorHolder final : public ErasedEstimator, private TypedEstimator
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
  const std::type_info& Type() const override { return typeid(EstimatorType); }
  void* Get() override { return &estimator; }
  TypedEstimator* Typed() override { return this; }

 private:
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

//! The default estimator.
std::unique_ptr<ErasedEstimator> MakeDefaultEstimator();

//! What the default estimator says.
template<typename eT>
InformationEstimate EvaluateDefault(AutoEstimator& estimator,
                                    const SymmetricChain<eT>& chain,
                                    RandomStream& stream);

//! The same with the gradient.
template<typename eT>
InformationEstimate EvaluateDefaultWithGradient(
    AutoEstimator& estimator,
    const SymmetricChain<eT>& chain,
    RandomStream& stream,
    const eT scale,
    InformationGradient<eT>& gradient);

//! The estimator of the given name, or null if there is none.  A template, so
//! that a program which does not call it does not compile all estimators.
template<typename StringType = std::string>
std::unique_ptr<ErasedEstimator> MakeEstimator(const StringType& name);

//! All names, the default first.
std::vector<std::string> EstimatorNames();

} // namespace information
} // namespace symvi

#endif
