/**
 * @file src/onnx/check_model.hpp
 *
 * ONNX's own opinion of a model.
 */
#ifndef SYMVI_SRC_ONNX_CHECK_MODEL_HPP
#define SYMVI_SRC_ONNX_CHECK_MODEL_HPP

#include "proto.hpp"

namespace symvi {
namespace onnx {

//! Runs ONNX's checker, then strict shape inference with type checks and data
//! propagation, whose shapes the model keeps; throws what those throw.
void CheckModel(::onnx::ModelProto& model);

} // namespace onnx
} // namespace symvi

#endif
