/**
 * @file predict.hpp
 *
 * Predictions in the units of the user's data.
 */
#ifndef SYMVI_BINDINGS_DATA_PREDICT_HPP
#define SYMVI_BINDINGS_DATA_PREDICT_HPP

#include "data/outputs.hpp"
#include "model/network.hpp"

namespace symvi {
namespace cli {

//! The posterior predictive of a classifier.
ClassificationPrediction<arma::mat> PredictClasses(const Network& network,
    const arma::mat& points, const PredictOptions& options);

//! The posterior predictive of a regression, in the responses' own units.
RegressionPrediction<arma::mat> PredictResponses(const Network& network,
    const Model& model,
    const arma::mat& points,
    const PredictOptions& options);

//! The most probable class of every point.
arma::urowvec MostProbable(const arma::mat& probabilities);

/**
 * Compute and write --predictions_file, --probabilities_file,
 * --uncertainty_file and --draws_file, as far as they were asked for.
 */
void WritePredictions(const Network& network,
                      const Model& model,
                      const arma::mat& points,
                      const PredictOptions& options,
                      Outputs& outputs);

} // namespace cli
} // namespace symvi

#endif
