/**
 * @file symvi/entropy/make_estimator.hpp
 *
 * Every estimator by its name.  Compiled once in src/core for programs that
 * link the library, and included by any_estimator.hpp otherwise.
 */
#ifndef SYMVI_ENTROPY_MAKE_ESTIMATOR_HPP
#define SYMVI_ENTROPY_MAKE_ESTIMATOR_HPP

#include "auto_estimator.hpp"
#include "bethe_estimator.hpp"
#include "erased_estimator.hpp"
#include "exact_estimator.hpp"
#include "importance_estimator.hpp"
#include "soules_estimator.hpp"
#include "uniform_estimator.hpp"

namespace symvi {
namespace entropy {

//! A default estimator of type T if it has the given name, else null.
template<typename T>
inline std::unique_ptr<ErasedEstimator> MakeIf(const std::string& name)
{
  auto made = std::make_unique<EstimatorHolder<T>>();
  return (name == made->Name()) ? std::move(made) : nullptr;
}

//! The first of the types whose estimator has the given name.
template<typename... Types>
inline std::unique_ptr<ErasedEstimator> MakeAny(const std::string& name)
{
  std::unique_ptr<ErasedEstimator> made;
  ((made || (made = MakeIf<Types>(name))), ...);
  return made;
}

#ifndef SYMVI_COMPILED
inline
#endif
std::unique_ptr<ErasedEstimator> MakeEstimator(const std::string& name)
{
  return MakeAny<AutoEstimator, UniformEstimator, ExactEstimator,
      ImportanceEstimator, SoulesEstimator, BetheEstimator>(name);
}

#ifndef SYMVI_COMPILED
inline
#endif
std::vector<std::string> EstimatorNames()
{
  return { AutoEstimator().Name(), UniformEstimator().Name(),
      ExactEstimator().Name(), ImportanceEstimator().Name(),
      SoulesEstimator().Name(), BetheEstimator().Name() };
}

} // namespace entropy
} // namespace symvi

#endif
