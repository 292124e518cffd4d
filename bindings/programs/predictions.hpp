/**
 * @file predictions.hpp
 *
 * Predictions as files.
 */
#ifndef SYMVI_BINDINGS_PROGRAMS_PREDICTIONS_HPP
#define SYMVI_BINDINGS_PROGRAMS_PREDICTIONS_HPP

#include "outputs.hpp"

namespace symvi {
namespace cli {

/**
 * Compute and write --predictions_file, --probabilities_file,
 * --uncertainty_file and --draws_file, as far as they were asked for.
 */
void WritePredictions(const Pipeline& model,
                      const arma::mat& points,
                      const PredictOptions& options,
                      Outputs& outputs);

} // namespace cli
} // namespace symvi

#endif
