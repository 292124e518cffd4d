/**
 * @file symvi/likelihood/categorical.hpp
 *
 * Likelihoods for classification: one label of several classes (softmax), or
 * independent events (sigmoid).
 */
#ifndef SYMVI_LIKELIHOOD_CATEGORICAL_HPP
#define SYMVI_LIKELIHOOD_CATEGORICAL_HPP

#include <symvi/likelihood/traits.hpp>

#include <cstdint>

namespace symvi {

/**
 * -log p(Y_B | X_B, w) of logits a, *summed* over the batch:
 *
 *   Forward  = sum_i ( log sum_k exp(a_ki) - a_{y_i i} )
 *   Backward = softmax(a_i) - onehot(y_i)
 *
 * The network ends in its logits: no Softmax or LogSoftmax layer.  Labels are a
 * row of class numbers 0 .. C - 1, as mlpack stores them.
 */
template<typename MatType = arma::mat>
class CategoricalLikelihoodType
{
 public:
  using ElemType = typename MatType::elem_type;

  //! Negative log-likelihood, summed over the batch.
  ElemType Forward(const MatType& logits, const MatType& labels) const;

  //! Derivative of Forward() with respect to the logits.
  void Backward(const MatType& logits, const MatType& labels,
      MatType& delta) const;

  //! log p(y_i | logits of column i).
  double LogDensity(const MatType& logits, const MatType& labels,
      const size_t i) const;

  //! E[y]: the class probabilities, softmax of each column.
  void Mean(const MatType& logits, MatType& probabilities) const;

  //! Labels must be a row of whole numbers 0 .. outputs - 1.
  static void CheckTargets(const MatType& labels, const size_t outputs,
      const size_t numPoints);

  template<typename Archive>
  void serialize(Archive& /* ar */, const uint32_t /* version */)
  { }

 private:
  static void CheckLabel(const double label, const size_t column,
      const size_t classes);
};

using CategoricalLikelihood = CategoricalLikelihoodType<arma::mat>;

namespace likelihood {

template<typename MatType>
inline constexpr ClassLink linkOf<CategoricalLikelihoodType<MatType>> =
    ClassLink::Softmax;

} // namespace likelihood

extern template class CategoricalLikelihoodType<arma::mat>;
extern template class CategoricalLikelihoodType<arma::fmat>;

/**
 * -log p(Y_B | X_B, w) of logits a and targets t in {0, 1}, *summed* over the
 * outputs and the batch:
 *
 *   Forward  = sum ( softplus(a) - t a )
 *   Backward = sigmoid(a) - t
 */
template<typename MatType = arma::mat>
class BernoulliLikelihoodType
{
 public:
  using ElemType = typename MatType::elem_type;

  //! Negative log-likelihood, summed over the batch.
  ElemType Forward(const MatType& logits, const MatType& targets) const;

  //! Derivative of Forward() with respect to the logits.
  void Backward(const MatType& logits, const MatType& targets,
      MatType& delta) const;

  //! log p(y_i | logits of column i), summed over the outputs.
  double LogDensity(const MatType& logits, const MatType& targets,
      const size_t i) const;

  //! E[y] = sigmoid(a).
  void Mean(const MatType& logits, MatType& probabilities) const;

  //! Targets must be zeros and ones, as many rows as outputs.
  static void CheckTargets(const MatType& targets, const size_t outputs,
      const size_t numPoints);

  template<typename Archive>
  void serialize(Archive& /* ar */, const uint32_t /* version */)
  { }

 private:
  static void CheckTarget(const double target, const size_t column);
};

using BernoulliLikelihood = BernoulliLikelihoodType<arma::mat>;

namespace likelihood {

template<typename MatType>
inline constexpr ClassLink linkOf<BernoulliLikelihoodType<MatType>> =
    ClassLink::Sigmoid;

} // namespace likelihood

extern template class BernoulliLikelihoodType<arma::mat>;
extern template class BernoulliLikelihoodType<arma::fmat>;

} // namespace symvi

#endif
