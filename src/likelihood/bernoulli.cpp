/**
 * @file src/likelihood/bernoulli.cpp
 */
#include <symvi/likelihood/categorical.hpp>

#include "kernel/softplus.hpp"
#include "likelihood/check.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace symvi {

template<typename MatType>
typename MatType::elem_type BernoulliLikelihoodType<MatType>::Forward(
    const MatType& logits, const MatType& targets) const
{
  likelihood::CheckShape("BernoulliLikelihood", targets, logits.n_rows,
      logits.n_cols);
  double sum = 0.0;
  for (size_t i = 0; i < logits.n_cols; ++i)
    sum -= LogDensity(logits, targets, i);
  return ElemType(sum);
}

template<typename MatType>
void BernoulliLikelihoodType<MatType>::Backward(const MatType& logits,
    const MatType& targets, MatType& delta) const
{
  Mean(logits, delta);
  for (size_t j = 0; j < delta.n_elem; ++j)
    delta[j] -= targets[j];
}

template<typename MatType>
double BernoulliLikelihoodType<MatType>::LogDensity(const MatType& logits,
    const MatType& targets, const size_t i) const
{
  double sum = 0.0;
  for (size_t k = 0; k < logits.n_rows; ++k)
  {
    const double a = logits(k, i);
    const double t = targets(k, i);
    CheckTarget(t, i);
    sum += t * a - kernel::Softplus(a);
  }
  return sum;
}

template<typename MatType>
void BernoulliLikelihoodType<MatType>::Mean(const MatType& logits,
    MatType& probabilities) const
{
  probabilities.set_size(logits.n_rows, logits.n_cols);
  for (size_t j = 0; j < logits.n_elem; ++j)
  {
    const ElemType e = std::exp(-std::abs(logits[j]));
    probabilities[j] = (logits[j] >= 0 ? ElemType(1) : e) / (1 + e);
  }
}

template<typename MatType>
void BernoulliLikelihoodType<MatType>::CheckTargets(const MatType& targets,
    const size_t outputs, const size_t numPoints)
{
  likelihood::CheckShape("BernoulliLikelihood", targets, outputs, numPoints);
  for (size_t i = 0; i < targets.n_cols; ++i)
    for (size_t k = 0; k < targets.n_rows; ++k)
      CheckTarget(double(targets(k, i)), i);
}

template<typename MatType>
void BernoulliLikelihoodType<MatType>::CheckTarget(const double target,
    const size_t column)
{
  if (target != 0.0 && target != 1.0)
  {
    likelihood::BadTarget("BernoulliLikelihood", "targets must be 0 or 1",
        column, target);
  }
}

template class BernoulliLikelihoodType<arma::mat>;
template class BernoulliLikelihoodType<arma::fmat>;

} // namespace symvi
