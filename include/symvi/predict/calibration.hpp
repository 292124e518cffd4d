/**
 * @file symvi/predict/calibration.hpp
 *
 * Correct predictions after the fit, on points that were held back: a
 * temperature for class probabilities, a factor for variances.
 */
#ifndef SYMVI_PREDICT_CALIBRATION_HPP
#define SYMVI_PREDICT_CALIBRATION_HPP

#include "metric_checks.hpp"
#include "prediction.hpp"

#include <cmath>

namespace symvi {

/**
 * Temperature scaling (Guo et al., 2017) of predictive probabilities,
 *
 *   p_T(c) = p(c)^(1/T) / sum_k p(k)^(1/T).
 *
 * T > 1 makes predictions less certain; the most probable class stays.
 */
class TemperatureScaling
{
 public:
  explicit TemperatureScaling(const double temperature = 1.0) :
      temperature(temperature)
  {
    if (!(temperature > 0.0) || std::isinf(temperature))
      metrics::Fail("TemperatureScaling(): temperature must be positive and "
          "finite, but is ", temperature, ".");
  }

  /**
   * The temperature in [1/20, 20] that minimises the negative log-likelihood
   * of labels.  It is convex in 1/T, so that bisection of its slope finds the
   * minimum.
   *
   * @param probabilities One row per class, one column per point; none of
   *     these points may have been trained on.
   * @param labels Class numbers.
   */
  template<typename MatType, typename LabelsType>
  static TemperatureScaling Fit(const MatType& probabilities,
                                const LabelsType& labels);

  double Temperature() const { return temperature; }

  //! Scaled probabilities.
  template<typename MatType>
  MatType Apply(const MatType& probabilities) const;

 private:
  double temperature;
};

/**
 * A factor c for predictive variances: N(mean, c v) instead of N(mean, v).  The
 * factor of the greatest likelihood is
 *
 *   c = mean of (y - mean)^2 / v.
 */
class VarianceFactor
{
 public:
  explicit VarianceFactor(const double factor = 1.0) : factor(factor)
  {
    if (!(factor > 0.0) || std::isinf(factor))
      metrics::Fail("VarianceFactor(): factor must be positive and finite, but "
          "is ", factor, ".");
  }

  //! @param targets Responses of points that were not trained on.
  template<typename MatType>
  static VarianceFactor Fit(const RegressionPrediction<MatType>& prediction,
                            const MatType& targets);

  double Factor() const { return factor; }

  //! Both variances times c; intervals and quantiles move away from the mean by
  //! sqrt(c).
  template<typename MatType>
  void Apply(RegressionPrediction<MatType>& prediction) const;

 private:
  double factor;
};

namespace metrics {

//! log p, with a floor where p underflowed.
inline double SafeLog(const double p)
{
  return std::log(std::max(p, 1e-300));
}

} // namespace metrics

template<typename MatType, typename LabelsType>
TemperatureScaling TemperatureScaling::Fit(const MatType& probabilities,
                                           const LabelsType& labels)
{
  metrics::CheckProbabilities("TemperatureScaling::Fit", probabilities);
  if (probabilities.n_rows < 2)
    metrics::Fail("TemperatureScaling::Fit(): probabilities must have a row "
        "per class, but has ", probabilities.n_rows, ".");
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
      const arma::vec weights = arma::exp(beta * (logs.col(i) -
          logs.col(i).max()));
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

template<typename MatType>
MatType TemperatureScaling::Apply(const MatType& probabilities) const
{
  metrics::CheckProbabilities("TemperatureScaling::Apply", probabilities);
  arma::mat scaled = arma::conv_to<arma::mat>::from(probabilities);
  scaled.transform(metrics::SafeLog);
  scaled.each_row() -= arma::max(scaled, 0);
  scaled = arma::exp(scaled / temperature);
  scaled.each_row() /= arma::sum(scaled, 0);
  return arma::conv_to<MatType>::from(scaled);
}

template<typename MatType>
VarianceFactor VarianceFactor::Fit(
    const RegressionPrediction<MatType>& prediction, const MatType& targets)
{
  metrics::CheckSameShape("VarianceFactor::Fit", "mean", prediction.mean,
      "targets", targets);
  metrics::CheckFinite("VarianceFactor::Fit", "targets", targets);
  return VarianceFactor(arma::mean(arma::conv_to<arma::vec>::from(
      arma::vectorise(arma::square(targets - prediction.mean) /
      prediction.Variance()))));
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

} // namespace symvi

#endif
