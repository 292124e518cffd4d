/**
 * @file symvi/predict/calibration.hpp
 *
 * Correct predictions after the fit, on points that were held back: a
 * temperature for class probabilities, a factor for variances, and
 * split-conformal sets and intervals, whose coverage is guaranteed whatever the
 * model.
 */
#ifndef SYMVI_PREDICT_CALIBRATION_HPP
#define SYMVI_PREDICT_CALIBRATION_HPP

#include <symvi/predict/metrics.hpp>
#include <symvi/predict/prediction.hpp>

#include <vector>

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
  explicit TemperatureScaling(const double temperature = 1.0);

  /**
   * The temperature in [1/20, 20] that minimises the negative log-likelihood
   * of labels.  It is convex in 1/T, so that bisection of its slope finds the
   * minimum.
   *
   * @param probabilities One row per class, one column per point; none of
   *     these points may have been trained on.
   * @param labels Class numbers.
   */
  template<typename eT>
  static TemperatureScaling Fit(const arma::Mat<eT>& probabilities,
      const metrics::Numbers& labels);

  double Temperature() const { return temperature; }

  //! Scaled probabilities.
  template<typename eT>
  arma::Mat<eT> Apply(const arma::Mat<eT>& probabilities) const;

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
  explicit VarianceFactor(const double factor = 1.0);

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
 * threshold.  The conformal points must not have been used for anything else:
 * neither for training, nor for early stopping, nor for a temperature.
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
 * points must not have been used for anything else.
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
