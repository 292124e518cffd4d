/**
 * @file src/predict/classification_metrics.cpp
 */
#include <symvi/predict/metrics.hpp>

#include "predict/metric_checks.hpp"

#include <algorithm>
#include <cmath>

namespace symvi {
namespace metrics {
namespace {

//! Checks both arguments and returns the labels as class numbers.
template<typename MatType>
arma::uvec CheckClassification(const std::string& where,
    const MatType& probabilities, const Numbers& labels)
{
  CheckProbabilities(where, probabilities);
  return CheckLabels(where, labels, probabilities.n_cols,
      NumClasses(probabilities));
}

//! The most probable class of a column.
template<typename MatType>
size_t PredictedClass(const MatType& probabilities, const size_t column)
{
  const size_t classes = NumClasses(probabilities);
  size_t best = 0;
  for (size_t c = 1; c < classes; ++c)
    if (ClassProbability(probabilities, c, column) >
        ClassProbability(probabilities, best, column))
      best = c;
  return best;
}

} // namespace
} // namespace metrics

template<typename eT>
double Accuracy(const arma::Mat<eT>& probabilities,
    const metrics::Numbers& labels)
{
  const arma::uvec y = metrics::CheckClassification("Accuracy", probabilities,
      labels);
  size_t right = 0;
  for (size_t j = 0; j < y.n_elem; ++j)
    right += (metrics::PredictedClass(probabilities, j) == y(j));
  return double(right) / double(y.n_elem);
}

template<typename eT>
double NegativeLogLikelihood(const arma::Mat<eT>& probabilities,
    const metrics::Numbers& labels)
{
  const arma::uvec y = metrics::CheckClassification("NegativeLogLikelihood",
      probabilities, labels);
  double sum = 0;
  for (size_t j = 0; j < y.n_elem; ++j)
    sum -= std::log(metrics::ClassProbability(probabilities, y(j), j));
  return sum / double(y.n_elem);
}

template<typename eT>
double BrierScore(const arma::Mat<eT>& probabilities,
    const metrics::Numbers& labels)
{
  const arma::uvec y = metrics::CheckClassification("BrierScore", probabilities,
      labels);
  const size_t classes = metrics::NumClasses(probabilities);
  double sum = 0;
  for (size_t j = 0; j < y.n_elem; ++j)
  {
    for (size_t c = 0; c < classes; ++c)
    {
      const double error = metrics::ClassProbability(probabilities, c, j) -
          (y(j) == c ? 1.0 : 0.0);
      sum += error * error;
    }
  }
  return sum / double(y.n_elem);
}

template<typename eT>
ReliabilityDiagram Reliability(const arma::Mat<eT>& probabilities,
    const metrics::Numbers& labels, const size_t bins)
{
  if (bins == 0)
    metrics::Fail("Reliability(): bins must be positive, but is 0.");
  const arma::uvec y = metrics::CheckClassification("Reliability",
      probabilities, labels);

  ReliabilityDiagram result;
  result.edges = arma::linspace<arma::vec>(0, 1, bins + 1);
  result.counts.zeros(bins);
  result.confidence.zeros(bins);
  result.accuracy.zeros(bins);

  // Sums first, means below.
  for (size_t j = 0; j < y.n_elem; ++j)
  {
    const size_t best = metrics::PredictedClass(probabilities, j);
    const double p = metrics::ClassProbability(probabilities, best, j);
    const double bin = std::ceil(p * double(bins)) - 1;
    const size_t b = size_t(std::min(std::max(bin, 0.0), double(bins - 1)));
    ++result.counts(b);
    result.confidence(b) += p;
    result.accuracy(b) += (best == y(j));
  }

  for (size_t b = 0; b < bins; ++b)
  {
    if (result.counts(b) == 0)
      continue;
    const double count = double(result.counts(b));
    result.confidence(b) /= count;
    result.accuracy(b) /= count;
    const double gap = std::abs(result.accuracy(b) - result.confidence(b));
    result.expectedError += gap * count / double(y.n_elem);
    result.maximumError = std::max(result.maximumError, gap);
  }
  return result;
}

template<typename eT>
double ExpectedCalibrationError(const arma::Mat<eT>& probabilities,
    const metrics::Numbers& labels, const size_t bins)
{
  return Reliability(probabilities, labels, bins).expectedError;
}

#define SYMVI_CLASSIFICATION_METRICS(eT) \
  template double Accuracy(const arma::Mat<eT>&, const metrics::Numbers&); \
  template double NegativeLogLikelihood(const arma::Mat<eT>&, \
      const metrics::Numbers&); \
  template double BrierScore(const arma::Mat<eT>&, const metrics::Numbers&); \
  template ReliabilityDiagram Reliability(const arma::Mat<eT>&, \
      const metrics::Numbers&, const size_t); \
  template double ExpectedCalibrationError(const arma::Mat<eT>&, \
      const metrics::Numbers&, const size_t);
SYMVI_CLASSIFICATION_METRICS(double)
SYMVI_CLASSIFICATION_METRICS(float)

} // namespace symvi
