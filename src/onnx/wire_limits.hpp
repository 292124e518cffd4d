/**
 * @file src/onnx/wire_limits.hpp
 *
 * A look at a file before protobuf builds objects from it.
 */
#ifndef SYMVI_SRC_ONNX_WIRE_LIMITS_HPP
#define SYMVI_SRC_ONNX_WIRE_LIMITS_HPP

#include <cstddef>
#include <string>

namespace symvi {
namespace onnx {

/**
 * Walks through the bytes of a ModelProto without storing anything.  Two bytes
 * can stand for an empty node of 150 bytes, so a small file could take much
 * memory; after this check, memory is bounded by a small multiple of the file
 * plus a constant for each of maxObjects objects.
 *
 * @throws ImportError where the bytes are no protobuf message, or messages,
 *     names, lists and unknown fields together are more than maxObjects.
 */
void CheckWire(const std::string& bytes, size_t maxObjects);

} // namespace onnx
} // namespace symvi

#endif
