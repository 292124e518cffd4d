/**
 * @file symvi/io/container.hpp
 *
 * The frame of symvi's files: what a file is, how long, whether it is whole.
 */
#ifndef SYMVI_IO_CONTAINER_HPP
#define SYMVI_IO_CONTAINER_HPP

#include <cstdint>
#include <istream>
#include <ostream>
#include <string>

namespace symvi {
namespace io {

//! FNV-1a over 64 bits: finds damage, not forgery.
uint64_t Checksum(const std::string& bytes);

/**
 * Write `content` behind a line "symvi KIND VERSION", its length and its
 * checksum; see docs/file_format.md.
 */
void WriteContainer(std::ostream& stream,
                    const std::string& kind,
                    const std::string& content);

//! The same to a file, completely or not at all; see AtomicFile.
void SaveContainer(const std::string& path,
                   const std::string& kind,
                   const std::string& content);

/**
 * Read the content back, to the end of the stream.  What cannot be read, is of
 * another kind or version, cut short or damaged is a std::invalid_argument that
 * begins with the name.  No more is read or allocated than there is.
 */
std::string ReadContainer(std::istream& stream,
                          const std::string& name,
                          const std::string& kind);

//! The same from a file, whose path is the name.
std::string LoadContainer(const std::string& path, const std::string& kind);

//! Whether a file can be read and begins as one of this kind.
bool IsContainer(const std::string& path, const std::string& kind);

} // namespace io
} // namespace symvi

#endif
