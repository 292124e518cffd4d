/**
 * @file symvi/predict/conformal.hpp
 *
 * Split-conformal sets and intervals: coverage that is guaranteed whatever the
 * model.
 */
#ifndef SYMVI_PREDICT_CONFORMAL_HPP
#define SYMVI_PREDICT_CONFORMAL_HPP

#include "metric_checks.hpp"
#include "prediction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace symvi {

/**
 * The ceil((n + 1) coverage)-th smallest of n scores; infinite if there is no
 * such score.  If the n scores and that of a new point are exchangeable, the
 * new one is at most this threshold with a probability of at least `coverage`,
 * and, without ties, of at most coverage + 1 / (n + 1).
 */
inline double ConformalThreshold(std::vector<double> scores,
                                 const double coverage)
{
  if (!(coverage > 0.0 && coverage < 1.0))
    metrics::Fail("ConformalThreshold(): coverage must lie in (0, 1), but is ",
        coverage, ".");
  for (const double score : scores)
    if (std::isnan(score))
      metrics::Fail("ConformalThreshold(): scores must be numbers, but one is "
          "NaN.");
  // Rounding must not ask for one point more: 20 * 0.95 is 19.
  const size_t rank = size_t(std::ceil(double(scores.size() + 1) * coverage -
      1e-9));
  if (rank > scores.size())
    return std::numeric_limits<double>::infinity();
  std::nth_element(scores.begin(), scores.begin() + (rank - 1), scores.end());
  return scores[rank - 1];
}

/**
 * Sets of classes that hold the label of a new point with a probability of at
 * least `coverage`, on average over points and over the conformal points
 * (Sadinle, Lei and Wasserman, 2019): all classes with 1 - p(class) at most the
 * threshold.  The conformal points must have served nothing else: neither
 * training, nor stopping, nor a temperature.
 */
class ConformalSets
{
 public:
  /**
   * @param probabilities Predictions of the conformal points, one row per
   *     class.
   * @param labels Their class numbers.
   */
  template<typename MatType, typename LabelsType>
  ConformalSets(const MatType& probabilities, const LabelsType& labels,
                const double coverage = 0.95) : classes(probabilities.n_rows)
  {
    metrics::CheckProbabilities("ConformalSets", probabilities);
    const arma::uvec known = metrics::CheckLabels("ConformalSets", labels,
        probabilities.n_cols, classes);
    std::vector<double> scores;
    for (size_t i = 0; i < known.n_elem; ++i)
      scores.push_back(1.0 - double(probabilities(known[i], i)));
    threshold = ConformalThreshold(std::move(scores), coverage);
  }

  //! Largest 1 - p(class) of a class in a set; infinite if there were too few
  //! conformal points, and all classes are in all sets.
  double Threshold() const { return threshold; }

  //! Which classes (rows) are in the set of every point (column).
  template<typename MatType>
  arma::umat Apply(const MatType& probabilities) const
  {
    if (probabilities.n_rows != classes)
      metrics::Fail("ConformalSets::Apply(): probabilities must have ", classes,
          " rows, but has ", probabilities.n_rows, ".");
    return 1.0 - arma::conv_to<arma::mat>::from(probabilities) <= threshold;
  }

 private:
  size_t classes;
  double threshold;
};

/**
 * Intervals that hold the response of a new point with a probability of at
 * least `coverage`, on average over points and over the conformal points:
 * mean -+ threshold * sqrt(variance), the threshold being that of
 * |y - mean| / sqrt(variance).  Each response has its own.  The conformal
 * points must have served nothing else.
 */
class ConformalIntervals
{
 public:
  /**
   * @param prediction Predictions of the conformal points.
   * @param targets Their responses.
   */
  template<typename MatType>
  ConformalIntervals(const RegressionPrediction<MatType>& prediction,
                     const MatType& targets,
                     const double coverage = 0.95) : coverage(coverage)
  {
    metrics::CheckSameShape("ConformalIntervals", "mean", prediction.mean,
        "targets", targets);
    const MatType scores = arma::abs(targets - prediction.mean) /
        arma::sqrt(prediction.Variance());
    for (size_t r = 0; r < scores.n_rows; ++r)
      thresholds.push_back(ConformalThreshold(arma::conv_to<
          std::vector<double>>::from(scores.row(r)), coverage));
  }

  //! Standard deviations from the mean to the ends, of every response; infinite
  //! if there were too few conformal points.
  const std::vector<double>& Thresholds() const { return thresholds; }

  //! Replace the interval of a prediction.
  template<typename MatType>
  void Apply(RegressionPrediction<MatType>& prediction) const
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

 private:
  double coverage;
  std::vector<double> thresholds;
};

} // namespace symvi

#endif
