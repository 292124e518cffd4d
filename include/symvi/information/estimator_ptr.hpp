/**
 * @file symvi/information/estimator_ptr.hpp
 *
 * A pointer to an estimator that copies what it points to.
 */
#ifndef SYMVI_INFORMATION_ESTIMATOR_PTR_HPP
#define SYMVI_INFORMATION_ESTIMATOR_PTR_HPP

#include "estimator.hpp"

#include <cstddef>
#include <utility>

namespace symvi {

/**
 * Owns an estimator, or none.  A copy owns a clone:
 *
 * @code
 * model.Estimator() = symvi::ExactEstimator();
 * model.Estimator() = symvi::MakeEstimator("importance", 50);
 * @endcode
 */
class EstimatorPtr
{
 public:
  //! No estimator.
  EstimatorPtr(std::nullptr_t = nullptr) { }
  //! A clone of the given estimator.
  EstimatorPtr(const InformationEstimator& estimator) :
      estimator(estimator.Clone()) { }
  //! The given estimator.
  EstimatorPtr(std::unique_ptr<InformationEstimator> estimator) :
      estimator(std::move(estimator)) { }

  EstimatorPtr(const EstimatorPtr& other) :
      estimator(other.estimator ? other.estimator->Clone() : nullptr) { }
  EstimatorPtr(EstimatorPtr&& other) = default;
  EstimatorPtr& operator=(EstimatorPtr other)
  {
    estimator = std::move(other.estimator);
    return *this;
  }

  //! Whether there is an estimator.
  explicit operator bool() const { return bool(estimator); }

  InformationEstimator& operator*() const { return *estimator; }
  InformationEstimator* operator->() const { return estimator.get(); }

  //! The estimator if it is of the given type, else a null pointer.
  template<typename EstimatorType>
  EstimatorType* As() const
  {
    return dynamic_cast<EstimatorType*>(estimator.get());
  }

 private:
  std::unique_ptr<InformationEstimator> estimator;
};

} // namespace symvi

#endif
