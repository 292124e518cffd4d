/**
 * @file binary_file.hpp
 *
 * The frame of symvi's binary files: what a file is, how long, whether it is
 * whole; and numbers and text inside it.
 */
#ifndef SYMVI_SRC_IO_BINARY_FILE_HPP
#define SYMVI_SRC_IO_BINARY_FILE_HPP

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace symvi {
namespace io {

//! Collects the content of a file, little-endian.
class BinaryWriter
{
 public:
  void Integer(uint64_t value);
  void Real(double value);
  void Text(const std::string& value);
  void Integers(const std::vector<uint64_t>& values);
  void Reals(const std::vector<double>& values);
  void Texts(const std::vector<std::string>& values);

  const std::string& Bytes() const { return bytes; }

 private:
  std::string bytes;
};

/**
 * Reads what a BinaryWriter wrote.  Before anything is allocated its size is
 * compared with the bytes that are left; std::invalid_argument if they do not
 * suffice.
 */
class BinaryReader
{
 public:
  explicit BinaryReader(std::string bytes) : bytes(std::move(bytes)) { }

  uint64_t Integer();
  double Real();
  std::string Text();
  std::vector<uint64_t> Integers();
  std::vector<double> Reals();
  std::vector<std::string> Texts();

  //! The number of elements that follow, each of at least `size` bytes.
  size_t Count(size_t size);

  //! Throws unless everything was read.
  void RequireEnd() const;

 private:
  std::string bytes;
  size_t at = 0;
};

/**
 * Write `content` behind a line "symvi KIND VERSION", its length and its
 * checksum.
 */
void WriteBinary(std::ostream& stream,
                 const std::string& kind,
                 const std::string& content);

/**
 * Read the content back.  A file that cannot be read, is of another kind or
 * version, cut short or damaged is a std::invalid_argument that says so.
 */
std::string ReadBinary(const std::string& path, const std::string& kind);

//! The same in two steps: all bytes of a file, and the content of the frame
//! that they are; `path` is for error messages.
std::string ReadBytes(const std::string& path);
std::string OpenFrame(std::string bytes,
                      const std::string& path,
                      const std::string& kind);

//! Whether bytes begin like a file of that kind.
bool IsKind(const std::string& bytes, const std::string& kind);

} // namespace io
} // namespace symvi

#endif
