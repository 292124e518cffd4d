/**
 * @file predictions.hpp
 *
 * Predictions as files.
 */
#ifndef SYMVI_BINDINGS_PROGRAMS_PREDICTIONS_HPP
#define SYMVI_BINDINGS_PROGRAMS_PREDICTIONS_HPP

#include "corrections.hpp"
#include "outputs.hpp"

namespace symvi {
namespace cli {

/**
 * Compute and write --predictions_file, --probabilities_file, --sets_file,
 * --uncertainty_file and --draws_file, as far as they were asked for.
 */
void WritePredictions(const Ensemble& model,
                      const arma::mat& points,
                      const PredictOptions& options,
                      const Corrections& corrections,
                      Outputs& outputs);

} // namespace cli
} // namespace symvi

#endif
