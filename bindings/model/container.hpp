/**
 * @file container.hpp
 *
 * The frame of a binary file: what it is, how long, and whether it is whole.
 */
#ifndef SYMVI_BINDINGS_MODEL_CONTAINER_HPP
#define SYMVI_BINDINGS_MODEL_CONTAINER_HPP

#include <cstdint>
#include <ostream>
#include <string>

namespace symvi {
namespace cli {

/**
 * Write `payload` behind a line "symvi KIND VERSION", its length and a
 * checksum.
 */
void WriteContainer(std::ostream& stream,
                    const std::string& kind,
                    const std::string& payload);

/**
 * Read the payload back.  A file that cannot be read, is of another kind, of a
 * newer version, cut short or damaged is a std::invalid_argument that says so.
 */
std::string ReadContainer(const std::string& path, const std::string& kind);

//! All bytes of a file; std::invalid_argument if it cannot be read.
std::string ReadBytes(const std::string& path);

} // namespace cli
} // namespace symvi

#endif
