/**
 * @file src/io/binary_file.cpp
 */
#include "binary_file.hpp"

#include <cstring>
#include <stdexcept>

namespace symvi {
namespace io {

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
  uint64_t value = 0;
  for (size_t i = 1; i <= 8; ++i)
    value = (value << 8) | (unsigned char) bytes[at - i];
  return value;
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

} // namespace io
} // namespace symvi
