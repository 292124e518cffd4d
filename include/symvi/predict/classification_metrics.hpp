/**
 * @file symvi/predict/classification_metrics.hpp
 *
 * Scores of predicted class probabilities against labels.
 *
 * `probabilities` holds a column per point: either a row per class, columns
 * summing to one, or one row holding P(label = 1).  `labels` holds one class
 * number per point, in any Armadillo vector or 1 x n matrix, as mlpack stores
 * them.  All scores are *means over points*.
 */
#ifndef SYMVI_PREDICT_CLASSIFICATION_METRICS_HPP
#define SYMVI_PREDICT_CLASSIFICATION_METRICS_HPP

#include "metric_checks.hpp"

namespace symvi {

/**
 * Fraction of points whose most probable class is the label.  Ties go to the
 * lower class number, as in arma::index_max.
 */
template<typename MatType, typename LabelsType>
double Accuracy(const MatType& probabilities, const LabelsType& labels);

/**
 * Mean negative log-likelihood in nats, -(1/n) sum_j log p(y_j | x_j).
 * Nothing is clipped: a label that was given probability 0 makes it infinite.
 */
template<typename MatType, typename LabelsType>
double NegativeLogLikelihood(const MatType& probabilities,
                             const LabelsType& labels);

/**
 * Brier score over all classes, (1/n) sum_j sum_c (p_cj - [y_j = c])^2, in
 * [0, 2].  A row of P(label = 1) counts as two classes too.
 */
template<typename MatType, typename LabelsType>
double BrierScore(const MatType& probabilities, const LabelsType& labels);

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
  //! Fraction of right predictions of each bin; 0 where the bin is empty.
  arma::vec accuracy;
  //! Expected calibration error, sum_b (n_b / n) |accuracy_b - confidence_b|.
  double expectedError = 0;
  //! Maximum calibration error, max_b |accuracy_b - confidence_b|.
  double maximumError = 0;
};

//! The reliability diagram of the predictions, with `bins` bins.
template<typename MatType, typename LabelsType>
ReliabilityDiagram Reliability(const MatType& probabilities,
                               const LabelsType& labels,
                               const size_t bins = 15);

//! The expected calibration error alone.
template<typename MatType, typename LabelsType>
double ExpectedCalibrationError(const MatType& probabilities,
                                const LabelsType& labels,
                                const size_t bins = 15);

} // namespace symvi

#include "classification_metrics_impl.hpp"

#endif
