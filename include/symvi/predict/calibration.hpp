/**
 * @file symvi/predict/calibration.hpp
 *
 * Correct predictions after the fit, on points that were held back: a
 * temperature for class probabilities, a factor for variances.
 */
#ifndef SYMVI_PREDICT_CALIBRATION_HPP
#define SYMVI_PREDICT_CALIBRATION_HPP

#include "metrics.hpp"
#include "prediction.hpp"

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

} // namespace symvi

#endif
