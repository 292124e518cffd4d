/**
 * @file symvi/predict/regression_metrics.hpp
 *
 * Scores of predicted means, densities and intervals against targets.  All
 * matrices hold a row per output and a column per point.
 */
#ifndef SYMVI_PREDICT_REGRESSION_METRICS_HPP
#define SYMVI_PREDICT_REGRESSION_METRICS_HPP

#include "metric_checks.hpp"

namespace symvi {

/**
 * Root mean squared error over all elements,
 * sqrt((1 / (n m)) sum_ij (f_ij - y_ij)^2).
 */
template<typename MatType, typename TargetsType>
double RootMeanSquaredError(const MatType& predictions,
                            const TargetsType& targets);

/**
 * Mean over points (sum over outputs) of the negative log-density in nats of
 * independent Gaussians, 1/2 log(2 pi v) + (y - m)^2 / (2 v).
 *
 * @param mean Predicted means.
 * @param variance Predicted variances, of the same shape.
 * @param targets Observed values.
 */
template<typename MatType, typename TargetsType>
double GaussianNegativeLogLikelihood(const MatType& mean,
                                     const MatType& variance,
                                     const TargetsType& targets);

/**
 * Mean over points of the negative log-density in nats of the predictive
 * mixture, -log (1/S) sum_s prod_i N(y_i; m_is, v_is), by log-sum-exp over the
 * draws.  One draw drives all outputs of a point, so that the mixture is over
 * whole columns.
 *
 * @param means Means: outputs x points x draws.
 * @param variances Noise variances, of the same shape.
 * @param targets Observed values: outputs x points.
 */
template<typename CubeType, typename TargetsType>
double MixtureNegativeLogLikelihood(const CubeType& means,
                                    const CubeType& variances,
                                    const TargetsType& targets);

//! The same with one noise standard deviation for everything.
template<typename CubeType, typename TargetsType>
double MixtureNegativeLogLikelihood(const CubeType& means,
                                    const double noiseStddev,
                                    const TargetsType& targets);

//! Fraction of all targets with lower <= target <= upper.
template<typename MatType, typename TargetsType>
double IntervalCoverage(const MatType& lower,
                        const MatType& upper,
                        const TargetsType& targets);

//! Mean of upper - lower over all elements.
template<typename MatType>
double MeanIntervalWidth(const MatType& lower, const MatType& upper);

} // namespace symvi

#include "regression_metrics_impl.hpp"

#endif
