/**
 * @file likelihood/bernoulli.hpp
 *
 * Logistic likelihood for binary targets.
 */
#ifndef SYMVI_LIKELIHOOD_BERNOULLI_HPP
#define SYMVI_LIKELIHOOD_BERNOULLI_HPP

#include "traits.hpp"

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
