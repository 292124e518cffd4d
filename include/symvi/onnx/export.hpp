/**
 * @file export.hpp
 *
 * ONNX out: a network, or a whole posterior, as one file for any runtime.
 */
#ifndef SYMVI_ONNX_EXPORT_HPP
#define SYMVI_ONNX_EXPORT_HPP

#include <symvi/onnx/mlp_description.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace symvi {
namespace onnx {

//! What becomes of the posterior q(w) = N(mu, diag(sigma^2)) in the graph.
enum class ExportMode
{
  Mean,     //!< f(x; mu): plain Gemm and activation nodes.
  Ensemble, //!< S weight sets, drawn at export time, held by the graph.
  Sampling, //!< Weights drawn by the graph; the input `samples` is S.
  Noise     //!< w = mu + sigma % eps with the input `noise`, S x P, as eps.
};

//! "mean", "ensemble", "sampling" or "noise".
const char* Name(ExportMode mode);

//! The mode of that name; std::invalid_argument where there is none.
ExportMode ParseExportMode(const std::string& name);

//! Options of Export(); every one has a default.
struct ExportOptions
{
  ExportMode mode = ExportMode::Mean;
  //! S, the number of weight sets of an ensemble.
  size_t samples = 32;
  //! Seed of the ensemble's draws, and of the sampling graph's generator.
  uint64_t seed = 0;
  //! Adds the output `members` (S x N x outputs), what every draw predicts.
  bool members = false;
  //! Mean mode: fold the input's standardisation into the first layer instead
  //! of writing nodes for it (some readers know dense layers only).
  bool foldInput = false;
};

/**
 * Writes the network as an ONNX file (opset 13, dynamic batch axis `N`): input
 * `x`, N x InSize(); outputs by mode and output kind, see docs/onnx.md.  The
 * file passes ONNX's checker with strict shape inference and appears under its
 * name complete or not at all.
 *
 * @throws std::invalid_argument where the description contradicts itself or has
 *     no posterior for a mode that needs one; std::runtime_error where the file
 *     cannot be written.
 */
void Export(const MlpDescription& description, const std::string& path,
    const ExportOptions& options = ExportOptions());

//! The bytes that Export() writes.
std::string Serialize(const MlpDescription& description,
    const ExportOptions& options = ExportOptions());

/**
 * Several posteriors, such as those of an Ensemble, in one graph of the mode
 * Ensemble: samples / M draws, rounded up, of each of the M members, which must
 * differ by their weights alone.  It predicts what Ensemble does for
 * PredictOptions(samples, seed).
 */
std::string Serialize(const std::vector<MlpDescription>& members,
    ExportOptions options);

/**
 * The weight sets that an ensemble of that size and seed holds, as networks of
 * points: w_s = mu + sigma % eps_s, in the description's element type.  They
 * are the draws that BayesianFFN::Predict() averages for
 * PredictOptions(samples, seed).
 */
std::vector<MlpDescription> DrawMembers(const MlpDescription& description,
    size_t samples, uint64_t seed);

//! Throws std::invalid_argument unless the parts of a description fit together.
void Validate(const MlpDescription& description);

} // namespace onnx
} // namespace symvi

#endif
