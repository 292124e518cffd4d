/**
 * @file predictions.hpp
 *
 * Predictions as files.
 */
#ifndef SYMVI_BINDINGS_PROGRAMS_PREDICTIONS_HPP
#define SYMVI_BINDINGS_PROGRAMS_PREDICTIONS_HPP

#include <symvi/kernel/communicator.hpp>

#include "corrections.hpp"
#include "outputs.hpp"

namespace symvi {
namespace cli {

//! What a model predicts for some points; one of both is empty.
struct Predictions
{
  EnsembleClassification classes;
  EnsembleRegression responses;
};

//! Predict the points of rank 0, over all ranks.
Predictions Predict(const Ensemble& model, const arma::mat& points,
    const PredictOptions& options, Communicator& ranks);

/**
 * Write --predictions_file, --probabilities_file, --sets_file,
 * --uncertainty_file and --draws_file, as far as they were asked for.
 */
void WritePredictions(const Ensemble& model, const arma::mat& points,
    Predictions predictions, const PredictOptions& options,
    const Corrections& corrections, Outputs& outputs);

} // namespace cli
} // namespace symvi

#endif
