/**
 * @file src/io/binary_file.hpp
 *
 * Numbers and text as bytes, for the content of io/file.hpp.
 */
#ifndef SYMVI_SRC_IO_BINARY_FILE_HPP
#define SYMVI_SRC_IO_BINARY_FILE_HPP

#include <cstdint>
#include <string>
#include <utility>
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

} // namespace io
} // namespace symvi

#endif
