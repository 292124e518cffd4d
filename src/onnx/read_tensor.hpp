/**
 * @file src/onnx/read_tensor.hpp
 *
 * Constants of a graph as numbers, checked before memory is taken.
 */
#ifndef SYMVI_SRC_ONNX_READ_TENSOR_HPP
#define SYMVI_SRC_ONNX_READ_TENSOR_HPP

#include "proto.hpp"

#include <symvi/onnx/file.hpp>

#include <vector>

namespace symvi {
namespace onnx {

//! A constant: row-major data of the given shape.
struct Constant
{
  std::string name;
  std::vector<size_t> shape;
  std::vector<double> data;
  int type = 0; //!< ONNX's code of the element type.
};

//! A tensor of float, double or int64 numbers; ImportError names the tensor.
Constant ReadTensor(const ::onnx::TensorProto& tensor, const std::string& name,
    const ImportOptions& options);

//! Rows and columns of a matrix exchanged.
Constant Transpose(const Constant& matrix);

} // namespace onnx
} // namespace symvi

#endif
