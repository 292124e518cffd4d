/**
 * @file examples/common/idx.hpp
 *
 * Reads IDX files (the format of MNIST), gzipped or not.
 */
#ifndef SYMVI_EXAMPLES_COMMON_IDX_HPP
#define SYMVI_EXAMPLES_COMMON_IDX_HPP

#include <armadillo>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace examples {

//! A file's name as one word for the shell.
inline std::string Quoted(const std::string& file)
{
  std::string quoted = "'";
  for (char c : file)
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

/**
 * The whole of `folder/name`, or of `folder/name.gz` through gzip.
 */
inline std::vector<unsigned char> ReadMaybeGzipped(const std::string& folder,
    const std::string& name)
{
  std::string file = (std::filesystem::path(folder) / name).string();
  const bool plain = std::filesystem::exists(file);
  if (!plain && !std::filesystem::exists(file + ".gz"))
    throw std::runtime_error("ReadIdx(): neither " + file + " nor " + file +
        ".gz exists; scripts/get_mnist.sh fetches MNIST.");
  file += plain ? "" : ".gz";
  FILE* stream = plain ?
      std::fopen(file.c_str(), "rb") :
      popen(("gzip -dc " + Quoted(file) + " 2>/dev/null").c_str(), "r");
  if (!stream)
    throw std::runtime_error("ReadIdx(): cannot open " + file + ".");
  std::vector<unsigned char> bytes, block(1 << 16);
  while (const size_t n = std::fread(block.data(), 1, block.size(), stream))
    bytes.insert(bytes.end(), block.begin(), block.begin() + n);
  if ((plain ? std::fclose(stream) : pclose(stream)) != 0)
    throw std::runtime_error("ReadIdx(): cannot read " + file +
        (plain ? "." : "; it is damaged, or gzip is not installed."));
  return bytes;
}

/**
 * An IDX file of unsigned bytes as a matrix: one column per item, one row per
 * element of an item (images: pixels row by row; labels: one row), divided by
 * `scale`.  `limit` > 0 keeps only the first items.
 */
template<typename MatType>
MatType ReadIdx(const std::string& folder, const std::string& name,
    double scale = 1.0, size_t limit = 0)
{
  const std::vector<unsigned char> bytes = ReadMaybeGzipped(folder, name);
  auto number = [&](size_t at)
  {
    return (size_t(bytes[at]) << 24) | (size_t(bytes[at + 1]) << 16) |
        (size_t(bytes[at + 2]) << 8) | size_t(bytes[at + 3]);
  };
  const size_t dimensions = bytes.size() > 4 ? bytes[3] : 0;
  const size_t start = 4 + 4 * dimensions;
  if (dimensions == 0 || bytes.size() < start || bytes[2] != 0x08)
    throw std::runtime_error(
        "ReadIdx(): " + name + " is not an IDX file of bytes.");
  size_t items = number(4), size = 1;
  for (size_t d = 1; d < dimensions; ++d)
    size *= number(4 + 4 * d);
  if (bytes.size() != start + items * size)
    throw std::runtime_error("ReadIdx(): " + name + " has " +
        std::to_string(bytes.size()) + " bytes, but its header says " +
        std::to_string(start + items * size) + ".");
  if (limit > 0)
    items = std::min(items, limit);
  MatType data(size, items);
  for (size_t i = 0; i < data.n_elem; ++i)
    data[i] = typename MatType::elem_type(bytes[start + i] / scale);
  return data;
}

} // namespace examples

#endif
