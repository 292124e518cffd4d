/**
 * @file src/predict/conformal.cpp
 */
#include <symvi/predict/calibration.hpp>

#include "predict/metric_checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace symvi {

double ConformalThreshold(std::vector<double> scores, const double coverage)
{
  if (!(coverage > 0.0 && coverage < 1.0))
    metrics::Fail("ConformalThreshold(): coverage must lie in (0, 1), but is ",
        coverage, ".");
  for (const double score : scores)
    if (std::isnan(score))
      metrics::Fail("ConformalThreshold(): scores must be numbers, but one is "
                    "NaN.");
  // Rounding must not ask for one point more: 20 * 0.95 is 19.
  const size_t rank = size_t(
      std::ceil(double(scores.size() + 1) * coverage - 1e-9));
  if (rank > scores.size())
    return std::numeric_limits<double>::infinity();
  std::nth_element(scores.begin(), scores.begin() + (rank - 1), scores.end());
  return scores[rank - 1];
}

template<typename eT>
ConformalSets::ConformalSets(const arma::Mat<eT>& probabilities,
    const metrics::Numbers& labels, const double coverage) :
    classes(probabilities.n_rows)
{
  metrics::CheckProbabilities("ConformalSets", probabilities);
  const arma::uvec known = metrics::CheckLabels("ConformalSets", labels,
      probabilities.n_cols, classes);
  std::vector<double> scores;
  for (size_t i = 0; i < known.n_elem; ++i)
    scores.push_back(1.0 - double(probabilities(known[i], i)));
  threshold = ConformalThreshold(std::move(scores), coverage);
}

arma::umat ConformalSets::Apply(const metrics::Numbers& probabilities) const
{
  if (probabilities.n_rows != classes)
    metrics::Fail("ConformalSets::Apply(): probabilities must have ", classes,
        " rows, but has ", probabilities.n_rows, ".");
  return 1.0 - static_cast<const arma::mat&>(probabilities) <= threshold;
}

template<typename MatType>
ConformalIntervals::ConformalIntervals(
    const RegressionPrediction<MatType>& prediction, const MatType& targets,
    const double coverage) :
    coverage(coverage)
{
  metrics::CheckSameShape("ConformalIntervals", "mean", prediction.mean,
      "targets", targets);
  const MatType scores = arma::abs(targets - prediction.mean) /
      arma::sqrt(prediction.Variance());
  for (size_t r = 0; r < scores.n_rows; ++r)
    thresholds.push_back(ConformalThreshold(
        arma::conv_to<std::vector<double>>::from(scores.row(r)), coverage));
}

template<typename MatType>
void ConformalIntervals::Apply(RegressionPrediction<MatType>& prediction) const
{
  if (prediction.mean.n_rows != thresholds.size())
    metrics::Fail("ConformalIntervals::Apply(): the prediction must have ",
        thresholds.size(), " rows, but has ", prediction.mean.n_rows, ".");
  MatType half = arma::sqrt(prediction.Variance());
  for (size_t r = 0; r < half.n_rows; ++r)
    half.row(r) *= typename MatType::elem_type(thresholds[r]);
  prediction.interval = coverage;
  prediction.lower = prediction.mean - half;
  prediction.upper = prediction.mean + half;
}

#define SYMVI_CONFORMAL(eT) \
  template ConformalSets::ConformalSets(const arma::Mat<eT>&, \
      const metrics::Numbers&, const double); \
  template ConformalIntervals::ConformalIntervals( \
      const RegressionPrediction<arma::Mat<eT>>&, const arma::Mat<eT>&, \
      const double); \
  template void ConformalIntervals::Apply( \
      RegressionPrediction<arma::Mat<eT>>&) const;
SYMVI_CONFORMAL(double)
SYMVI_CONFORMAL(float)

} // namespace symvi
