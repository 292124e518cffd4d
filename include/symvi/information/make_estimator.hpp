/**
 * @file symvi/information/make_estimator.hpp
 *
 * Every estimator by its name.  Compiled once in src/core for programs that
 * link the library, and included by any_estimator.hpp otherwise.
 */
#ifndef SYMVI_INFORMATION_MAKE_ESTIMATOR_HPP
#define SYMVI_INFORMATION_MAKE_ESTIMATOR_HPP

#include "auto_estimator.hpp"
#include "bethe_estimator.hpp"
#include "erased_estimator.hpp"
#include "exact_estimator.hpp"
#include "importance_estimator.hpp"
#include "soules_estimator.hpp"
#include "uniform_estimator.hpp"

#ifdef SYMVI_COMPILED
  #define SYMVI_ONCE
#else
  #define SYMVI_ONCE inline
#endif

namespace symvi {
namespace information {

//! The default estimator behind ErasedEstimator.
class DefaultHolder final : public ErasedEstimator
{
 public:
  std::unique_ptr<ErasedEstimator> Clone() const override
  {
    return std::make_unique<DefaultHolder>(*this);
  }

  const char* Name() const override { return estimator.Name(); }
  size_t& Permutations() override { return estimator.Permutations(); }
  const std::type_info& Type() const override { return typeid(AutoEstimator); }
  void* Get() override { return &estimator; }
  TypedEstimator* Typed() override { return nullptr; }

 private:
  AutoEstimator estimator;
};

SYMVI_ONCE std::unique_ptr<ErasedEstimator> MakeDefaultEstimator()
{
  return std::make_unique<DefaultHolder>();
}

template<typename eT>
SYMVI_NOINLINE
InformationEstimate EvaluateDefault(AutoEstimator& estimator,
                                    const SymmetricChain<eT>& chain,
                                    RandomStream& stream)
{
  return estimator.Evaluate(chain, stream);
}

template<typename eT>
SYMVI_NOINLINE
InformationEstimate EvaluateDefaultWithGradient(
    AutoEstimator& estimator, const SymmetricChain<eT>& chain,
    RandomStream& stream, const eT scale, InformationGradient<eT>& gradient)
{
  return estimator.EvaluateWithGradient(chain, stream, scale, gradient);
}

//! A default estimator of type T if it has the given name, else null.
template<typename T>
inline std::unique_ptr<ErasedEstimator> MakeIf(const std::string& name)
{
  return (name == T().Name()) ? std::make_unique<EstimatorHolder<T>>() :
      nullptr;
}

//! The first of the types whose estimator has the given name.
template<typename... Types>
inline std::unique_ptr<ErasedEstimator> MakeAny(const std::string& name)
{
  std::unique_ptr<ErasedEstimator> made;
  ((made || (made = MakeIf<Types>(name))), ...);
  return made;
}

template<typename StringType>
std::unique_ptr<ErasedEstimator> MakeEstimator(const StringType& name)
{
  std::unique_ptr<ErasedEstimator> made = MakeDefaultEstimator();
  return (name == made->Name()) ? std::move(made) : MakeAny<UniformEstimator,
      ExactEstimator, ImportanceEstimator, SoulesEstimator, BetheEstimator>(
      name);
}

SYMVI_ONCE std::vector<std::string> EstimatorNames()
{
  return { "auto", "uniform", "exact", "importance", "soules", "bethe" };
}

} // namespace information
} // namespace symvi

#undef SYMVI_ONCE

#endif
