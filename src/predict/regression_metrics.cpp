/**
 * @file src/predict/regression_metrics.cpp
 */
#include <symvi/predict/metrics.hpp>

#include "predict/metric_checks.hpp"

#include <cmath>

namespace symvi {
namespace metrics {
namespace {

//! log N(y; mean, variance).
double LogNormalDensity(const double y, const double mean,
    const double variance)
{
  const double error = y - mean;
  return -0.5 *
      (std::log(2 * arma::datum::pi * variance) + error * error / variance);
}

/**
 * The mixture score with variance(i, j, s) given by a function, shared by the
 * two overloads.
 */
template<typename CubeType, typename VarianceType>
double MixtureScore(const CubeType& means, const arma::mat& targets,
    const VarianceType& variance)
{
  double sum = 0;
  for (size_t j = 0; j < means.n_cols; ++j)
  {
    arma::vec terms(means.n_slices, arma::fill::zeros);
    for (size_t s = 0; s < means.n_slices; ++s)
      for (size_t i = 0; i < means.n_rows; ++i)
        terms(s) += LogNormalDensity(double(targets(i, j)),
            double(means(i, j, s)), variance(i, j, s));
    const double top = terms.max();
    sum -= top + std::log(arma::mean(arma::exp(terms - top)));
  }
  return sum / double(means.n_cols);
}

//! Checks the means and targets of the mixture score.
template<typename CubeType>
void CheckMixture(const std::string& where, const CubeType& means,
    const arma::mat& targets)
{
  if (means.n_slices == 0)
    Fail(where, "(): means must hold at least one draw, but has 0 slices.");
  CheckSameShape(where, "means", means.slice(0), "targets", targets);
  CheckFinite(where, "targets", targets);
  for (size_t s = 0; s < means.n_slices; ++s)
    CheckFinite(where, "means of draw " + std::to_string(s), means.slice(s));
}

//! Checks that lower <= upper everywhere.
void CheckInterval(const std::string& where, const arma::mat& lower,
    const arma::mat& upper)
{
  CheckSameShape(where, "lower", lower, "upper", upper);
  for (size_t j = 0; j < lower.n_cols; ++j)
    for (size_t i = 0; i < lower.n_rows; ++i)
      if (!(lower(i, j) <= upper(i, j)))
        Fail(where, "(): lower must not exceed upper, but is ", lower(i, j),
            " against ", upper(i, j), " in row ", i, ", column ", j, ".");
}

} // namespace
} // namespace metrics

double RootMeanSquaredError(const metrics::Numbers& predictions,
    const metrics::Numbers& targets)
{
  const std::string where = "RootMeanSquaredError";
  metrics::CheckSameShape(where, "predictions", predictions, "targets",
      targets);
  metrics::CheckFinite(where, "predictions", predictions);
  metrics::CheckFinite(where, "targets", targets);

  double sum = 0;
  for (size_t j = 0; j < predictions.n_cols; ++j)
    for (size_t i = 0; i < predictions.n_rows; ++i)
      sum += std::pow(double(predictions(i, j)) - double(targets(i, j)), 2);
  return std::sqrt(sum / double(predictions.n_elem));
}

double GaussianNegativeLogLikelihood(const metrics::Numbers& mean,
    const metrics::Numbers& variance, const metrics::Numbers& targets)
{
  const std::string where = "GaussianNegativeLogLikelihood";
  metrics::CheckSameShape(where, "mean", mean, "variance", variance);
  metrics::CheckSameShape(where, "mean", mean, "targets", targets);
  metrics::CheckFinite(where, "mean", mean);
  metrics::CheckPositive(where, "variance", variance);
  metrics::CheckFinite(where, "targets", targets);

  double sum = 0;
  for (size_t j = 0; j < mean.n_cols; ++j)
    for (size_t i = 0; i < mean.n_rows; ++i)
      sum -= metrics::LogNormalDensity(double(targets(i, j)),
          double(mean(i, j)), double(variance(i, j)));
  return sum / double(mean.n_cols);
}

template<typename eT>
double MixtureNegativeLogLikelihood(const arma::Cube<eT>& means,
    const arma::Cube<eT>& variances, const metrics::Numbers& targets)
{
  const std::string where = "MixtureNegativeLogLikelihood";
  metrics::CheckMixture(where, means, targets);
  if (variances.n_slices != means.n_slices)
    metrics::Fail(where, "(): variances must hold as many draws as means (",
        means.n_slices, "), but has ", variances.n_slices, ".");
  for (size_t s = 0; s < means.n_slices; ++s)
  {
    metrics::CheckSameShape(where, "means", means.slice(s), "variances",
        variances.slice(s));
    metrics::CheckPositive(where, "variances of draw " + std::to_string(s),
        variances.slice(s));
  }
  return metrics::MixtureScore(means, targets,
      [&](const size_t i, const size_t j, const size_t s)
      { return double(variances(i, j, s)); });
}

template<typename eT>
double MixtureNegativeLogLikelihood(const arma::Cube<eT>& means,
    const double noiseStddev, const metrics::Numbers& targets)
{
  const std::string where = "MixtureNegativeLogLikelihood";
  metrics::CheckMixture(where, means, targets);
  if (!(noiseStddev > 0 && std::isfinite(noiseStddev)))
    metrics::Fail(where, "(): noiseStddev must be positive, but is ",
        noiseStddev, ".");
  return metrics::MixtureScore(means, targets,
      [&](size_t, size_t, size_t) { return noiseStddev * noiseStddev; });
}

double IntervalCoverage(const metrics::Numbers& lower,
    const metrics::Numbers& upper, const metrics::Numbers& targets)
{
  const std::string where = "IntervalCoverage";
  metrics::CheckInterval(where, lower, upper);
  metrics::CheckSameShape(where, "lower", lower, "targets", targets);
  metrics::CheckFinite(where, "targets", targets);

  size_t inside = 0;
  for (size_t j = 0; j < lower.n_cols; ++j)
    for (size_t i = 0; i < lower.n_rows; ++i)
      inside += (targets(i, j) >= lower(i, j) && targets(i, j) <= upper(i, j));
  return double(inside) / double(lower.n_elem);
}

double MeanIntervalWidth(const metrics::Numbers& lower,
    const metrics::Numbers& upper)
{
  metrics::CheckInterval("MeanIntervalWidth", lower, upper);
  double sum = 0;
  for (size_t i = 0; i < lower.n_elem; ++i)
    sum += double(upper(i)) - double(lower(i));
  return sum / double(lower.n_elem);
}

#define SYMVI_MIXTURE_METRICS(eT) \
  template double MixtureNegativeLogLikelihood(const arma::Cube<eT>&, \
      const arma::Cube<eT>&, const metrics::Numbers&); \
  template double MixtureNegativeLogLikelihood(const arma::Cube<eT>&, \
      const double, const metrics::Numbers&);
SYMVI_MIXTURE_METRICS(double)
SYMVI_MIXTURE_METRICS(float)

} // namespace symvi
