/**
 * @file symvi/onnx/file.hpp
 *
 * ONNX files: a network, or a whole posterior, as one file for any runtime; and
 * networks trained anywhere, read back.
 */
#ifndef SYMVI_ONNX_FILE_HPP
#define SYMVI_ONNX_FILE_HPP

#include <symvi/onnx/network_description.hpp>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
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
  //! Write the numbers as float32, whatever the description's element type;
  //! draws are the same, rounded.
  bool isFloat = false;
};

/**
 * Writes the network as an ONNX file (opset 13, or 17 with LayerNorm; dynamic
 * batch axis `N`): input `x`, N x InSize(), or N x maps x height x width where
 * the network takes images, which are then in mlpack's order; outputs by mode and output kind, see docs/onnx.md.  The
 * file passes ONNX's checker with strict shape inference and appears under its
 * name complete or not at all.
 *
 * @throws std::invalid_argument where the description contradicts itself or has
 *     no posterior for a mode that needs one; std::runtime_error where the file
 *     cannot be written.
 */
void Export(const NetworkDescription& description, const std::string& path,
    const ExportOptions& options = ExportOptions());

//! The bytes that Export() writes.
std::string Serialize(const NetworkDescription& description,
    const ExportOptions& options = ExportOptions());

/**
 * Several posteriors, such as those of an Ensemble, in one graph of the mode
 * Ensemble: samples / M draws, rounded up, of each of the M members, which must
 * differ by their weights alone.  It predicts what Ensemble does for
 * PredictOptions(samples, seed).
 */
std::string Serialize(const std::vector<NetworkDescription>& members,
    ExportOptions options);

/**
 * The weight sets that an ensemble of that size and seed holds, as networks of
 * points: w_s = mu + sigma % eps_s, in the description's element type.  They
 * are the draws that BayesianFFN::Predict() averages for
 * PredictOptions(samples, seed).
 */
std::vector<NetworkDescription> DrawMembers(
    const NetworkDescription& description, size_t samples, uint64_t seed);

//! Throws std::invalid_argument unless the parts of a description fit together.
void Validate(const NetworkDescription& description);

//! A file that is no ONNX model, is damaged, or holds what symvi cannot take.
class ImportError : public std::runtime_error
{
 public:
  using std::runtime_error::runtime_error;
};

//! Options of Import(); the limits are checked before memory is taken.
struct ImportOptions
{
  //! Largest file, in bytes.
  size_t maxFileBytes = size_t(1) << 30;
  //! Largest size along one axis of a tensor.
  size_t maxDimension = size_t(1) << 24;
  //! Largest number of protobuf objects (nodes, tensors, names ...) in a file.
  size_t maxObjects = size_t(1) << 18;
  //! Largest number of weights and biases.
  size_t maxParameters = size_t(1) << 27;
  //! Which graph output to read; empty: the only one.
  std::string output;
  //! Accept the exact GELU (with erf) as mlpack's GELU (with tanh), from which
  //! it differs by up to 5e-4.
  bool approximateGelu = false;
};

/**
 * Reads a network of layers in a row: Gemm, MatMul and Add (weights as
 * initialisers or constants, transposed or not, raw or typed, float or double),
 * Conv with one group, MaxPool, AveragePool and their global kin, Pad with
 * zeros, BatchNormalization, LayerNormalization, Relu, Tanh, Sigmoid, LeakyRelu,
 * Elu, Softplus, Gelu or its parts, Softmax, LogSoftmax, Flatten, Reshape,
 * Squeeze, Transpose, Identity, Cast and Dropout at inference as far as mlpack
 * needs no layer for them, and Sub / Add / Div / Mul by constants on the input.
 * Images are mlpack's, the width fastest and the maps slowest, also where the
 * file begins with a Transpose from another order.  Of symvi's own exports the modes mean,
 * sampling and noise are read back, the last two with standard deviations.
 *
 * @throws ImportError, naming the node and operator, or the tensor, at fault.
 */
NetworkDescription Import(const std::string& path,
    const ImportOptions& options = ImportOptions());

//! Import() of a file's bytes.
NetworkDescription Parse(const std::string& bytes,
    const ImportOptions& options = ImportOptions());

} // namespace onnx
} // namespace symvi

#endif
