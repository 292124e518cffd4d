/**
 * @file symvi/predict/conformal.hpp
 *
 * Split-conformal sets and intervals: coverage that is guaranteed whatever the
 * model.
 */
#ifndef SYMVI_PREDICT_CONFORMAL_HPP
#define SYMVI_PREDICT_CONFORMAL_HPP

#include "metrics.hpp"
#include "prediction.hpp"

#include <vector>

namespace symvi {

/**
 * The ceil((n + 1) coverage)-th smallest of n scores; infinite if there is no
 * such score.  If the n scores and that of a new point are exchangeable, the
 * new one is at most this threshold with a probability of at least `coverage`,
 * and, without ties, of at most coverage + 1 / (n + 1).
 */
double ConformalThreshold(std::vector<double> scores, const double coverage);

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
  template<typename eT>
  ConformalSets(const arma::Mat<eT>& probabilities,
      const metrics::Numbers& labels, const double coverage = 0.95);

  //! Largest 1 - p(class) of a class in a set; infinite if there were too few
  //! conformal points, and all classes are in all sets.
  double Threshold() const { return threshold; }

  //! Which classes (rows) are in the set of every point (column).
  arma::umat Apply(const metrics::Numbers& probabilities) const;

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
      const MatType& targets, const double coverage = 0.95);

  //! Standard deviations from the mean to the ends, of every response; infinite
  //! if there were too few conformal points.
  const std::vector<double>& Thresholds() const { return thresholds; }

  //! Replace the interval of a prediction.
  template<typename MatType>
  void Apply(RegressionPrediction<MatType>& prediction) const;

 private:
  double coverage;
  std::vector<double> thresholds;
};

} // namespace symvi

#endif
