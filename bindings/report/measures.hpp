/**
 * @file measures.hpp
 *
 * What symvi_evaluate finds out, and how it is printed.
 */
#ifndef SYMVI_BINDINGS_REPORT_MEASURES_HPP
#define SYMVI_BINDINGS_REPORT_MEASURES_HPP

#include <symvi/model/elbo_report.hpp>
#include <symvi/predict/prediction.hpp>

#include <armadillo>
#include <string>
#include <vector>

#include "model/spec.hpp"

namespace symvi {
namespace cli {

//! One number with its name for people and for programs.
struct Measure
{
  std::string key;
  std::string label;
  double value = 0;
  double standardError = -1;  // Negative: none.
};

//! Everything that was computed for one model on one data set.
struct Evaluation
{
  Model model;
  std::string modelPath, dataPath;
  size_t points = 0;
  size_t draws = 0;
  size_t bins = 15;
  double interval = 0.95;
  std::vector<Measure> measures;

  // Classification.
  arma::mat labels;
  ClassificationPrediction<arma::mat> classes;

  // Regression, in the responses' own units.
  arma::mat responses;
  RegressionPrediction<arma::mat> regression;

  ElboReport elbo;
};

/**
 * Calibration of a regression's intervals: probabilities of central intervals
 * (first row) and the fraction of responses inside them (second row), from
 * (0, 0) to (1, 1).  The prediction must hold quantiles at symmetric levels.
 */
arma::mat CoverageCurve(const RegressionPrediction<arma::mat>& prediction,
                        const arma::mat& responses);

//! A table for people.
std::string AsTable(const Evaluation& evaluation);

//! One JSON object; what is not finite is null.
std::string AsJson(const Evaluation& evaluation);

//! A self-contained page with diagrams.
std::string AsHtml(const Evaluation& evaluation);

//! "4 - 30 - 3, relu"
std::string DescribeLayers(const NetworkSpec& spec);

} // namespace cli
} // namespace symvi

#endif
