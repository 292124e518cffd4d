/**
 * @file src/likelihood/gaussian.cpp
 */
#include <symvi/likelihood/gaussian.hpp>
#include <symvi/require.hpp>

#include "likelihood/check.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace symvi {

template<typename MatType>
GaussianLikelihoodType<MatType>::GaussianLikelihoodType(
    const double noiseStddev) :
    noiseStddev(noiseStddev)
{
  RequirePositive("GaussianLikelihood", "noiseStddev", noiseStddev);
}

template<typename MatType>
typename MatType::elem_type GaussianLikelihoodType<MatType>::Forward(
    const MatType& outputs, const MatType& targets) const
{
  if (IsLearned())
  {
    RequireNoise(outputs, targets);
    return learned.Forward(outputs, targets);
  }
  likelihood::CheckShape("GaussianLikelihood", targets, outputs.n_rows,
      outputs.n_cols);
  double sum = 0.0;
  for (size_t i = 0; i < outputs.n_cols; ++i)
    sum -= LogDensity(outputs, targets, i);
  return ElemType(sum);
}

template<typename MatType>
void GaussianLikelihoodType<MatType>::Backward(const MatType& outputs,
    const MatType& targets, MatType& delta) const
{
  if (IsLearned())
  {
    learned.Backward(outputs, targets, delta);
    return;
  }
  delta.set_size(outputs.n_rows, outputs.n_cols);
  const ElemType precision = ElemType(1.0 / (noiseStddev * noiseStddev));
  for (size_t j = 0; j < outputs.n_elem; ++j)
    delta[j] = (outputs[j] - targets[j]) * precision;
}

template<typename MatType>
double GaussianLikelihoodType<MatType>::LogDensity(const MatType& outputs,
    const MatType& targets, const size_t i) const
{
  if (IsLearned())
  {
    RequireNoise(outputs, targets);
    return learned.LogDensity(outputs, targets, i);
  }
  const double constant = std::log(noiseStddev) +
      0.5 * std::log(2 * arma::datum::pi);
  double sum = 0.0;
  for (size_t k = 0; k < outputs.n_rows; ++k)
  {
    const double t = double(targets(k, i));
    if (!std::isfinite(t))
    {
      likelihood::BadTarget("GaussianLikelihood", "targets must be finite", i,
          t);
    }
    const double z = (t - double(outputs(k, i))) / noiseStddev;
    sum -= 0.5 * z * z + constant;
  }
  return sum;
}

template<typename MatType>
void GaussianLikelihoodType<MatType>::Mean(const MatType& outputs,
    MatType& mean) const
{
  if (IsLearned())
    learned.Mean(outputs, mean);
  else
    mean = outputs;
}

template<typename MatType>
void GaussianLikelihoodType<MatType>::Variance(const MatType& outputs,
    MatType& variance) const
{
  if (IsLearned())
  {
    learned.Variance(outputs, variance);
    return;
  }
  variance.set_size(outputs.n_rows, outputs.n_cols);
  variance.fill(ElemType(noiseStddev * noiseStddev));
}

template<typename MatType>
void GaussianLikelihoodType<MatType>::CheckTargets(const MatType& targets,
    const size_t outputs, const size_t numPoints)
{
  const bool hasNoise = (2 * targets.n_rows == outputs);
  likelihood::CheckShape("GaussianLikelihood", targets,
      hasNoise ? outputs / 2 : outputs, numPoints);
  likelihood::CheckFinite("GaussianLikelihood", targets);
}

template<typename MatType>
void GaussianLikelihoodType<MatType>::RequireNoise(const MatType& outputs,
    const MatType& targets)
{
  if (outputs.n_rows == 2 * targets.n_rows)
    return;
  Refuse("GaussianLikelihood", "the noise must be given or learned",
      "no noise level was given; write GaussianLikelihood(noiseStddev), or end "
      "the network in a symvi::LearnedNoise layer");
}

template class GaussianLikelihoodType<arma::mat>;
template class GaussianLikelihoodType<arma::fmat>;

} // namespace symvi
