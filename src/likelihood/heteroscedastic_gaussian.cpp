/**
 * @file src/likelihood/heteroscedastic_gaussian.cpp
 */
#include <symvi/likelihood/gaussian.hpp>
#include <symvi/require.hpp>

#include "kernel/softplus.hpp"
#include "likelihood/check.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace symvi {

template<typename MatType>
HeteroscedasticGaussianLikelihoodType<
    MatType>::HeteroscedasticGaussianLikelihoodType(const double limit) :
    limit(limit)
{
  // Infinity is no limit.
  Require(limit > 0.0, "HeteroscedasticGaussianLikelihood",
      "limit must be positive", limit);
}

template<typename MatType>
typename MatType::elem_type
HeteroscedasticGaussianLikelihoodType<MatType>::Forward(const MatType& outputs,
    const MatType& targets) const
{
  CheckOutputs(outputs.n_rows);
  likelihood::CheckShape("HeteroscedasticGaussianLikelihood", targets,
      outputs.n_rows / 2, outputs.n_cols);
  double sum = 0.0;
  for (size_t i = 0; i < outputs.n_cols; ++i)
    sum -= LogDensity(outputs, targets, i);
  return ElemType(sum);
}

template<typename MatType>
void HeteroscedasticGaussianLikelihoodType<MatType>::Backward(
    const MatType& outputs, const MatType& targets, MatType& delta) const
{
  delta.set_size(outputs.n_rows, outputs.n_cols);
  const size_t k = outputs.n_rows / 2;
  for (size_t i = 0; i < outputs.n_cols; ++i)
  {
    for (size_t r = 0; r < k; ++r)
    {
      const double raw = double(outputs(k + r, i));
      const double u = Noise(raw), s = Limited(u);
      const double z = (double(outputs(r, i)) - double(targets(r, i))) / s;
      delta(r, i) = ElemType(z / s);
      // n'(u) = (s / u)^2 with a limit, and 1 = s / u without.
      delta(k + r, i) = ElemType(
          (1.0 - z * z) / s * (s / u) * (s / u) * Sigmoid(raw));
    }
  }
}

template<typename MatType>
double HeteroscedasticGaussianLikelihoodType<MatType>::LogDensity(
    const MatType& outputs, const MatType& targets, const size_t i) const
{
  const size_t k = outputs.n_rows / 2;
  double sum = 0.0;
  for (size_t r = 0; r < k; ++r)
  {
    const double t = double(targets(r, i));
    if (!std::isfinite(t))
    {
      likelihood::BadTarget("HeteroscedasticGaussianLikelihood",
          "targets must be finite", i, t);
    }
    const double s = Limited(Noise(double(outputs(k + r, i))));
    const double z = (t - double(outputs(r, i))) / s;
    sum -= 0.5 * z * z + std::log(s) + 0.5 * std::log(2 * arma::datum::pi);
  }
  return sum;
}

template<typename MatType>
void HeteroscedasticGaussianLikelihoodType<MatType>::Mean(
    const MatType& outputs, MatType& mean) const
{
  mean = outputs.head_rows(outputs.n_rows / 2);
}

template<typename MatType>
void HeteroscedasticGaussianLikelihoodType<MatType>::Variance(
    const MatType& outputs, MatType& variance) const
{
  const size_t k = outputs.n_rows / 2;
  variance.set_size(k, outputs.n_cols);
  for (size_t i = 0; i < outputs.n_cols; ++i)
  {
    for (size_t r = 0; r < k; ++r)
    {
      const double s = Limited(Noise(double(outputs(k + r, i))));
      variance(r, i) = ElemType(s * s);
    }
  }
}

template<typename MatType>
void HeteroscedasticGaussianLikelihoodType<MatType>::CheckTargets(
    const MatType& targets, const size_t outputs, const size_t numPoints)
{
  CheckOutputs(outputs);
  likelihood::CheckShape("HeteroscedasticGaussianLikelihood", targets,
      outputs / 2, numPoints);
  likelihood::CheckFinite("HeteroscedasticGaussianLikelihood", targets);
}

template<typename MatType>
double HeteroscedasticGaussianLikelihoodType<MatType>::Noise(const double raw)
{
  return kernel::Softplus(raw) + 1e-6;
}

template<typename MatType>
double HeteroscedasticGaussianLikelihoodType<MatType>::Raw(
    const double stddev) const
{
  const double u = std::isinf(limit) ? stddev :
                                       stddev * limit / (limit - stddev);
  return kernel::InverseSoftplus(u);
}

template<typename MatType>
double HeteroscedasticGaussianLikelihoodType<MatType>::Limited(
    const double u) const
{
  return std::isinf(limit) ? u : u * limit / (u + limit);
}

template<typename MatType>
double HeteroscedasticGaussianLikelihoodType<MatType>::Sigmoid(const double a)
{
  const double e = std::exp(-std::abs(a));
  return (a >= 0 ? 1.0 : e) / (1.0 + e);
}

template<typename MatType>
void HeteroscedasticGaussianLikelihoodType<MatType>::CheckOutputs(
    const size_t outputs)
{
  if (outputs == 0 || outputs % 2 != 0)
    Refuse("HeteroscedasticGaussianLikelihood",
        "the network must have two outputs per target",
        "has " + std::to_string(outputs) + " outputs");
}

template class HeteroscedasticGaussianLikelihoodType<arma::mat>;
template class HeteroscedasticGaussianLikelihoodType<arma::fmat>;

} // namespace symvi
