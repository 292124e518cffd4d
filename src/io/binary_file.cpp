/**
 * @file binary_file.cpp
 */
#include "binary_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace symvi {
namespace io {

namespace {

//! Version 1 was that of symvi 0.1.
const unsigned formatVersion = 2;

//! FNV-1a over 64 bits: finds damage, not forgery.
uint64_t Checksum(const std::string& bytes)
{
  uint64_t hash = 14695981039346656037ull;
  for (const unsigned char byte : bytes)
    hash = (hash ^ byte) * 1099511628211ull;
  return hash;
}

uint64_t IntegerAt(const std::string& bytes, const size_t at)
{
  uint64_t value = 0;
  for (int i = 7; i >= 0; --i)
    value = (value << 8) | (unsigned char) bytes[at + i];
  return value;
}

} // namespace

std::string ReadBytes(const std::string& path)
{
  struct Closer { void operator()(std::FILE* f) const { std::fclose(f); } };
  const std::unique_ptr<std::FILE, Closer> file(
      std::fopen(path.c_str(), "rb"));
  std::string bytes;
  char buffer[1 << 16];
  size_t count = 0;
  while (file && (count = std::fread(buffer, 1, sizeof(buffer), file.get())))
    bytes.append(buffer, count);
  if (!file || std::ferror(file.get()))
    throw std::invalid_argument("cannot read '" + path + "': " +
        std::strerror(errno) + ".");
  return bytes;
}

void BinaryWriter::Integer(uint64_t value)
{
  for (int i = 0; i < 8; ++i, value >>= 8)
    bytes += char(value & 0xff);
}

void BinaryWriter::Real(const double value)
{
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  Integer(bits);
}

void BinaryWriter::Text(const std::string& value)
{
  Integer(value.size());
  bytes += value;
}

void BinaryWriter::Integers(const std::vector<uint64_t>& values)
{
  Integer(values.size());
  for (const uint64_t value : values)
    Integer(value);
}

void BinaryWriter::Reals(const std::vector<double>& values)
{
  Integer(values.size());
  for (const double value : values)
    Real(value);
}

void BinaryWriter::Texts(const std::vector<std::string>& values)
{
  Integer(values.size());
  for (const std::string& value : values)
    Text(value);
}

uint64_t BinaryReader::Integer()
{
  if (bytes.size() - at < 8)
    throw std::invalid_argument("the content ends too early");
  at += 8;
  return IntegerAt(bytes, at - 8);
}

double BinaryReader::Real()
{
  const uint64_t bits = Integer();
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

size_t BinaryReader::Count(const size_t size)
{
  const uint64_t count = Integer();
  if (count > (bytes.size() - at) / size)
    throw std::invalid_argument("a size is larger than the file");
  return size_t(count);
}

std::string BinaryReader::Text()
{
  const size_t length = Count(1);
  at += length;
  return bytes.substr(at - length, length);
}

std::vector<uint64_t> BinaryReader::Integers()
{
  std::vector<uint64_t> values(Count(8));
  for (uint64_t& value : values)
    value = Integer();
  return values;
}

std::vector<double> BinaryReader::Reals()
{
  std::vector<double> values(Count(8));
  for (double& value : values)
    value = Real();
  return values;
}

std::vector<std::string> BinaryReader::Texts()
{
  std::vector<std::string> values(Count(8));
  for (std::string& value : values)
    value = Text();
  return values;
}

void BinaryReader::RequireEnd() const
{
  if (at != bytes.size())
    throw std::invalid_argument("the content is longer than it should be");
}

void WriteBinary(std::ostream& stream,
                 const std::string& kind,
                 const std::string& content)
{
  BinaryWriter frame;
  frame.Integer(content.size());
  frame.Integer(Checksum(content));
  stream << "symvi " << kind << ' ' << formatVersion << '\n' <<
      frame.Bytes() << content;
}

bool IsKind(const std::string& bytes, const std::string& kind)
{
  const std::string header = "symvi " + kind + " ";
  return bytes.compare(0, header.size(), header) == 0;
}

std::string ReadBinary(const std::string& path, const std::string& kind)
{
  return OpenFrame(ReadBytes(path), path, kind);
}

std::string OpenFrame(std::string bytes,
                      const std::string& path,
                      const std::string& kind)
{
  const std::string header = "symvi " + kind + " ";
  if (bytes.empty())
    throw std::invalid_argument("'" + path + "' is empty.");
  if (!IsKind(bytes, kind))
    throw std::invalid_argument("'" + path + "' is not a symvi " + kind +
        " file.");

  const size_t line = bytes.find('\n');
  std::string version = bytes.substr(header.size(),
      std::min(line, header.size() + 10) - header.size());
  if (line != std::string::npos && version != std::to_string(formatVersion))
  {
    const bool number = !version.empty() &&
        version.find_first_not_of("0123456789") == std::string::npos;
    throw std::invalid_argument("'" + path + "' has " + (number ?
        "format version " + version : "no format version") + ", but this "
        "version of symvi reads version " + std::to_string(formatVersion) +
        ".");
  }
  const size_t start = line + 17;
  if (line == std::string::npos || bytes.size() < start ||
      bytes.size() - start < IntegerAt(bytes, line + 1))
    throw std::invalid_argument("'" + path + "' is truncated.");

  const uint64_t size = IntegerAt(bytes, line + 1);
  const uint64_t checksum = IntegerAt(bytes, line + 9);
  bytes.erase(0, start);
  if (bytes.size() != size || Checksum(bytes) != checksum)
    throw std::invalid_argument("'" + path + "' is damaged.");
  return bytes;
}

} // namespace io
} // namespace symvi
