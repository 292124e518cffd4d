/**
 * @file src/model/pareto_smoothing.hpp
 *
 * Pareto-smoothed importance sampling: how heavy the tail of some weights is,
 * and the weights with a smooth tail.
 */
#ifndef SYMVI_SRC_MODEL_PARETO_SMOOTHING_HPP
#define SYMVI_SRC_MODEL_PARETO_SMOOTHING_HPP

#include <cstddef>
#include <vector>

namespace symvi {

//! Shape k and scale sigma of a generalised Pareto distribution,
//! P(x > t) = (1 + k t / sigma)^(-1/k); moments of order 1/k and up are
//! infinite.
struct GeneralizedPareto
{
  double k;
  double sigma;

  //! The p-quantile, sigma ((1 - p)^(-k) - 1) / k.
  double Quantile(const double p) const;
};

/**
 * The estimator of Zhang and Stephens ("A new and efficient estimation method
 * for the generalized Pareto distribution", Technometrics 51, 2009): with
 * theta = -k / sigma and its profile likelihood
 *
 *   k(theta) = 1/n sum_i log(1 - theta x_i),
 *   l(theta) = n (log(-theta / k(theta)) - k(theta) - 1),
 *
 * theta is the mean of a grid of quantiles of a prior that the data scale,
 * weighted by exp l(theta); then k = k(theta) and sigma = -k / theta.
 *
 * @param sorted At least five numbers that are not negative, in increasing
 *     order.
 * @return k is infinite if more than a quarter of the numbers are zero.
 */
GeneralizedPareto FitGeneralizedPareto(const std::vector<double>& sorted);

//! Importance weights after smoothing.
struct SmoothedWeights
{
  //! Pareto shape of the largest weights: NaN for fewer than 25 weights or if
  //! all are zero; -infinity if the largest are equal (there is no tail);
  //! infinity if the tail cannot be fitted.
  double k;
  //! In the order in which they came; the same as before unless k is finite.
  std::vector<double> logWeights;
};

/**
 * Replace the M = min(S / 5, 3 sqrt(S)) largest of S weights by the expected
 * order statistics of a generalised Pareto distribution that is fitted to them,
 * at most the largest weight [Vehtari et al., "Pareto smoothed importance
 * sampling", J. Mach. Learn. Res. 25, 2024].  As there, k is drawn to 1/2 as by
 * ten observations: k = (M k' + 5) / (M + 10).
 *
 * @param logWeights Logarithms of weights, up to a constant; -infinity is a
 *     weight of zero.  NaN and infinity are a std::invalid_argument.
 */
SmoothedWeights SmoothWeights(std::vector<double> logWeights);

//! k below which S weights can be relied on: min(1 - 1 / log10(S), 0.7).
double ParetoThreshold(const size_t samples);

} // namespace symvi

#endif
