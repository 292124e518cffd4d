/**
 * @file import.hpp
 *
 * ONNX in: multi-layer perceptrons trained anywhere.
 */
#ifndef SYMVI_ONNX_IMPORT_HPP
#define SYMVI_ONNX_IMPORT_HPP

#include <symvi/onnx/mlp_description.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace symvi {
namespace onnx {

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
 * Reads a multi-layer perceptron: Gemm, MatMul and Add (weights as initialisers
 * or constants, transposed or not, raw or typed, float or double), Relu, Tanh,
 * Sigmoid, LeakyRelu, Elu, Softplus, Gelu or its parts, Softmax, LogSoftmax,
 * Flatten, Reshape to two axes, Identity, Dropout at inference, and Sub / Add /
 * Div / Mul by constants on the input.  Of symvi's own exports the modes mean,
 * sampling and noise are read back, the last two with standard deviations.
 *
 * @throws ImportError, naming the node and operator, or the tensor, at fault.
 */
MlpDescription Import(const std::string& path,
    const ImportOptions& options = ImportOptions());

//! Import() of a file's bytes.
MlpDescription Parse(const std::string& bytes,
    const ImportOptions& options = ImportOptions());

} // namespace onnx
} // namespace symvi

#endif
