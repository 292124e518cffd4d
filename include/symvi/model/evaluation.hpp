/**
 * @file symvi/model/evaluation.hpp
 *
 * How good a model is on a data set.
 */
#ifndef SYMVI_MODEL_EVALUATION_HPP
#define SYMVI_MODEL_EVALUATION_HPP

#include <symvi/model/elbo_report.hpp>
#include <symvi/predict/options.hpp>
#include <symvi/predict/prediction.hpp>

#include <armadillo>
#include <string>
#include <vector>

namespace symvi {

//! One number with its name for programs and for people.
struct Metric
{
  std::string key;
  std::string label;
  double value = 0.0;
  //! Negative: there is none.
  double standardError = -1.0;
};

//! How a model is evaluated.
struct EvaluateOptions
{
  //! Weight samples, seed and interval of the predictions.
  PredictOptions predict;
  //! Bins of the calibration error.
  size_t bins = 15;
  //! Estimator of I(g; w), its permutations K, and the weight samples that the
  //! bounds are averaged over; 0 leaves the bounds out.
  std::string estimator = "auto";
  size_t permutations = 20;
  size_t samples = 100;
};

//! What Pipeline::Evaluate() finds, in the units of the data.
struct Evaluation
{
  EvaluateOptions options;
  size_t points = 0;
  //! Scores of the predictions, then the terms of the bounds.
  std::vector<Metric> metrics;

  //! Classification: class numbers and the prediction.
  arma::mat labels;
  ClassificationPrediction<arma::mat> classes;

  //! Regression: responses and the prediction, with quantiles at 0.05, 0.1,
  //! ..., 0.95.
  arma::mat responses;
  RegressionPrediction<arma::mat> regression;

  ElboReport elbo;

  //! The value of a metric; throws std::invalid_argument if there is none.
  double Value(const std::string& key) const;
};

/**
 * Calibration of a regression's intervals: probabilities of central intervals
 * (first row) and the fraction of responses inside them (second row), from
 * (0, 0) to (1, 1).  The prediction must hold quantiles at symmetric levels.
 */
arma::mat CoverageCurve(const RegressionPrediction<arma::mat>& prediction,
    const arma::mat& responses);

} // namespace symvi

#endif
