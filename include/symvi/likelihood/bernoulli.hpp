/**
 * @file likelihood/bernoulli.hpp
 *
 * Logistic likelihood for binary targets.
 */
#ifndef SYMVI_LIKELIHOOD_BERNOULLI_HPP
#define SYMVI_LIKELIHOOD_BERNOULLI_HPP

#include "check.hpp"

#include <algorithm>
#include <cstdint>

namespace symvi {

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
  ElemType Forward(const MatType& logits, const MatType& targets) const
  {
    likelihood::CheckShape("BernoulliLikelihood", targets, logits.n_rows,
        logits.n_cols);
    double sum = 0.0;
    for (size_t i = 0; i < logits.n_cols; ++i)
      sum -= LogDensity(logits, targets, i);
    return ElemType(sum);
  }

  //! Derivative of Forward() with respect to the logits.
  void Backward(const MatType& logits,
                const MatType& targets,
                MatType& delta) const
  {
    Mean(logits, delta);
    for (size_t j = 0; j < delta.n_elem; ++j)
      delta[j] -= targets[j];
  }

  //! log p(y_i | logits of column i), summed over the outputs.
  double LogDensity(const MatType& logits,
                    const MatType& targets,
                    const size_t i) const
  {
    double sum = 0.0;
    for (size_t k = 0; k < logits.n_rows; ++k)
    {
      const double a = logits(k, i);
      const double t = targets(k, i);
      CheckTarget(t, i);
      sum += t * a - std::max(a, 0.0) - std::log1p(std::exp(-std::abs(a)));
    }
    return sum;
  }

  //! E[y] = sigmoid(a).
  void Mean(const MatType& logits, MatType& probabilities) const
  {
    probabilities.set_size(logits.n_rows, logits.n_cols);
    for (size_t j = 0; j < logits.n_elem; ++j)
    {
      const ElemType e = std::exp(-std::abs(logits[j]));
      probabilities[j] = (logits[j] >= 0 ? ElemType(1) : e) / (1 + e);
    }
  }

  //! Targets must be zeros and ones, as many rows as outputs.
  static void CheckTargets(const MatType& targets,
                           const size_t outputs,
                           const size_t numPoints)
  {
    likelihood::CheckShape("BernoulliLikelihood", targets, outputs, numPoints);
    for (size_t i = 0; i < targets.n_cols; ++i)
      for (size_t k = 0; k < targets.n_rows; ++k)
        CheckTarget(double(targets(k, i)), i);
  }

  template<typename Archive>
  void serialize(Archive& /* ar */, const uint32_t /* version */) { }

 private:
  static void CheckTarget(const double target, const size_t column)
  {
    if (target != 0.0 && target != 1.0)
    {
      likelihood::BadTarget("BernoulliLikelihood", "targets must be 0 or 1",
          column, target);
    }
  }
};

using BernoulliLikelihood = BernoulliLikelihoodType<arma::mat>;

} // namespace symvi

#endif
