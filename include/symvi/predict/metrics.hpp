/**
 * @file symvi/predict/metrics.hpp
 *
 * Scores of predictions: of class probabilities against labels, of means,
 * densities and intervals against targets, and of rankings by uncertainty.
 *
 * `probabilities` holds one column per point: either one row per class, columns
 * summing to one, or one row holding P(label = 1).  `labels` holds one class
 * number per point, in any Armadillo vector or 1 x n matrix, as mlpack stores
 * them.  Scores of labels are *means over points*.  Matrices of means,
 * variances and targets hold one row per output and one column per point.
 *
 * Wrong shapes and numbers that make no sense are a std::invalid_argument that
 * names the argument, its column and its value.
 */
#ifndef SYMVI_PREDICT_METRICS_HPP
#define SYMVI_PREDICT_METRICS_HPP

#include <armadillo>

namespace symvi {
namespace metrics {

//! Labels, targets or scores: any vector or matrix of Armadillo, as doubles.
struct Numbers : public arma::mat
{
  template<typename ValuesType>
  Numbers(const ValuesType& values) :
      arma::mat(arma::conv_to<arma::mat>::from(values))
  { }
};

} // namespace metrics

/**
 * Fraction of points whose most probable class is the label.  Ties go to the
 * lower class number, as in arma::index_max.
 */
template<typename eT>
double Accuracy(const arma::Mat<eT>& probabilities,
    const metrics::Numbers& labels);

/**
 * Mean negative log-likelihood in nats, -(1/n) sum_j log p(y_j | x_j).
 * Nothing is clipped: a label that was given probability 0 makes it infinite.
 */
template<typename eT>
double NegativeLogLikelihood(const arma::Mat<eT>& probabilities,
    const metrics::Numbers& labels);

/**
 * Brier score over all classes, (1/n) sum_j sum_c (p_cj - [y_j = c])^2, in
 * [0, 2].  A row of P(label = 1) counts as two classes too.
 */
template<typename eT>
double BrierScore(const arma::Mat<eT>& probabilities,
    const metrics::Numbers& labels);

/**
 * What a reliability diagram draws: points grouped by confidence (the
 * probability of the predicted class) into bins of equal width, bin b being
 * (b / B, (b + 1) / B].
 */
struct ReliabilityDiagram
{
  //! Edges of the bins; size bins + 1.
  arma::vec edges;
  //! Number of points of each bin.
  arma::uvec counts;
  //! Mean confidence of each bin; 0 where the bin is empty.
  arma::vec confidence;
  //! Fraction of correct predictions of each bin; 0 where the bin is empty.
  arma::vec accuracy;
  //! Expected calibration error, sum_b (n_b / n) |accuracy_b - confidence_b|.
  double expectedError = 0;
  //! Maximum calibration error, max_b |accuracy_b - confidence_b|.
  double maximumError = 0;
};

//! The reliability diagram of the predictions, with `bins` bins.
template<typename eT>
ReliabilityDiagram Reliability(const arma::Mat<eT>& probabilities,
    const metrics::Numbers& labels, const size_t bins = 15);

//! The expected calibration error alone.
template<typename eT>
double ExpectedCalibrationError(const arma::Mat<eT>& probabilities,
    const metrics::Numbers& labels, const size_t bins = 15);

/**
 * Root mean squared error over all elements,
 * sqrt((1 / (n m)) sum_ij (f_ij - y_ij)^2).
 */
double RootMeanSquaredError(const metrics::Numbers& predictions,
    const metrics::Numbers& targets);

/**
 * Mean over points (sum over outputs) of the negative log-density in nats of
 * independent Gaussians, 1/2 log(2 pi v) + (y - m)^2 / (2 v).
 *
 * @param mean Predicted means.
 * @param variance Predicted variances, of the same shape.
 * @param targets Observed values.
 */
double GaussianNegativeLogLikelihood(const metrics::Numbers& mean,
    const metrics::Numbers& variance, const metrics::Numbers& targets);

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
template<typename eT>
double MixtureNegativeLogLikelihood(const arma::Cube<eT>& means,
    const arma::Cube<eT>& variances, const metrics::Numbers& targets);

//! The same with one noise standard deviation for everything.
template<typename eT>
double MixtureNegativeLogLikelihood(const arma::Cube<eT>& means,
    const double noiseStddev, const metrics::Numbers& targets);

//! Fraction of all targets with lower <= target <= upper.
double IntervalCoverage(const metrics::Numbers& lower,
    const metrics::Numbers& upper, const metrics::Numbers& targets);

//! Mean of upper - lower over all elements.
double MeanIntervalWidth(const metrics::Numbers& lower,
    const metrics::Numbers& upper);

/**
 * Area under the ROC curve of a score that should be larger for points out of
 * distribution,
 *
 *   P(out > in) + 1/2 P(out = in)
 *
 * over all pairs of one point inside and one outside; 0.5 is chance.
 *
 * @param inside, outside Scores of the points of either kind.
 */
double Auroc(const metrics::Numbers& inside, const metrics::Numbers& outside);

/**
 * Fraction of the points inside that are flagged by the threshold which detects
 * at least the fraction `detected` of the points outside (FPR95 by default).  A
 * point is flagged if its score is at least the threshold.
 */
double FalsePositiveRate(const metrics::Numbers& inside,
    const metrics::Numbers& outside, const double detected = 0.95);

/**
 * Area under the risk-coverage curve: the mean over k = 1 ... n of the mean
 * loss of the k points with the least uncertainty.  Points of equal
 * uncertainty count as if in random order: each has their mean loss.
 *
 * @param uncertainty One number per point.
 * @param losses Loss of every point: 0 or 1 for a classifier's errors.
 */
double Aurc(const metrics::Numbers& uncertainty,
    const metrics::Numbers& losses);

} // namespace symvi

#endif
