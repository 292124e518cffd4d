/**
 * @file src/onnx/proto.hpp
 *
 * ONNX's protobuf classes, and the assumption that symvi makes on the machine.
 */
#ifndef SYMVI_SRC_ONNX_PROTO_HPP
#define SYMVI_SRC_ONNX_PROTO_HPP

// The generated classes raise warnings of their own.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <onnx/onnx_pb.h>
#pragma GCC diagnostic pop

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
    "ONNX stores raw tensors in little-endian order, and symvi copies them.");

#endif
