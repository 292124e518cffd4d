/**
 * @file src/predict/calibration.cpp
 */
#include <symvi/predict/calibration.hpp>

#include "predict/metric_checks.hpp"

#include <algorithm>
#include <cmath>

namespace symvi {
namespace metrics {
namespace {

//! log p, with a floor where p underflowed.
double SafeLog(const double p)
{
  return std::log(std::max(p, 1e-300));
}

} // namespace
} // namespace metrics

TemperatureScaling::TemperatureScaling(const double temperature) :
    temperature(temperature)
{
  if (!(temperature > 0.0) || std::isinf(temperature))
    metrics::Fail("TemperatureScaling(): temperature must be positive and "
                  "finite, but is ",
        temperature, ".");
}

VarianceFactor::VarianceFactor(const double factor) : factor(factor)
{
  if (!(factor > 0.0) || std::isinf(factor))
    metrics::Fail("VarianceFactor(): factor must be positive and finite, but "
                  "is ",
        factor, ".");
}

template<typename eT>
TemperatureScaling TemperatureScaling::Fit(const arma::Mat<eT>& probabilities,
    const metrics::Numbers& labels)
{
  metrics::CheckProbabilities("TemperatureScaling::Fit", probabilities);
  if (probabilities.n_rows < 2)
    metrics::Fail("TemperatureScaling::Fit(): probabilities must have a row "
                  "per class, but has ",
        probabilities.n_rows, ".");
  const arma::uvec classes = metrics::CheckLabels("TemperatureScaling::Fit",
      labels, probabilities.n_cols, probabilities.n_rows);
  arma::mat logs = arma::conv_to<arma::mat>::from(probabilities);
  logs.transform(metrics::SafeLog);
  // d NLL / d beta = sum_i (E_beta log p_i - log p_i(y_i)), beta = 1 / T.
  const auto slope = [&](const double beta)
  {
    double sum = 0.0;
    for (size_t i = 0; i < logs.n_cols; ++i)
    {
      const arma::vec weights = arma::exp(
          beta * (logs.col(i) - logs.col(i).max()));
      sum += arma::dot(weights, logs.col(i)) / arma::accu(weights) -
          logs(classes[i], i);
    }
    return sum;
  };
  double low = 1.0 / 20.0, high = 20.0;
  for (size_t i = 0; i < 60; ++i)
  {
    const double middle = std::sqrt(low * high);
    (slope(middle) < 0.0 ? low : high) = middle;
  }
  return TemperatureScaling(1.0 / std::sqrt(low * high));
}

template<typename eT>
arma::Mat<eT> TemperatureScaling::Apply(
    const arma::Mat<eT>& probabilities) const
{
  metrics::CheckProbabilities("TemperatureScaling::Apply", probabilities);
  arma::mat scaled = arma::conv_to<arma::mat>::from(probabilities);
  scaled.transform(metrics::SafeLog);
  scaled.each_row() -= arma::max(scaled, 0);
  scaled = arma::exp(scaled / temperature);
  scaled.each_row() /= arma::sum(scaled, 0);
  return arma::conv_to<arma::Mat<eT>>::from(scaled);
}

template<typename MatType>
VarianceFactor VarianceFactor::Fit(
    const RegressionPrediction<MatType>& prediction, const MatType& targets)
{
  metrics::CheckSameShape("VarianceFactor::Fit", "mean", prediction.mean,
      "targets", targets);
  metrics::CheckFinite("VarianceFactor::Fit", "targets", targets);
  return VarianceFactor(
      arma::mean(arma::conv_to<arma::vec>::from(arma::vectorise(
          arma::square(targets - prediction.mean) / prediction.Variance()))));
}

template<typename MatType>
void VarianceFactor::Apply(RegressionPrediction<MatType>& prediction) const
{
  using ElemType = typename MatType::elem_type;
  const ElemType root = ElemType(std::sqrt(factor));
  prediction.epistemicVariance *= ElemType(factor);
  prediction.aleatoricVariance *= ElemType(factor);
  const auto widen = [&](MatType& values)
  {
    if (!values.is_empty())
      values = prediction.mean + root * (values - prediction.mean);
  };
  widen(prediction.lower);
  widen(prediction.upper);
  for (MatType& quantile : prediction.quantiles)
    widen(quantile);
}

#define SYMVI_CALIBRATION(eT) \
  template TemperatureScaling TemperatureScaling::Fit(const arma::Mat<eT>&, \
      const metrics::Numbers&); \
  template arma::Mat<eT> TemperatureScaling::Apply(const arma::Mat<eT>&) \
      const; \
  template VarianceFactor VarianceFactor::Fit( \
      const RegressionPrediction<arma::Mat<eT>>&, const arma::Mat<eT>&); \
  template void VarianceFactor::Apply(RegressionPrediction<arma::Mat<eT>>&) \
      const;
SYMVI_CALIBRATION(double)
SYMVI_CALIBRATION(float)

} // namespace symvi
