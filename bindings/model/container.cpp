/**
 * @file container.cpp
 */
#include "container.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace symvi {
namespace cli {

namespace {

const unsigned formatVersion = 1;

//! FNV-1a over 64 bits: finds damage, not forgery.
uint64_t Checksum(const std::string& bytes)
{
  uint64_t hash = 14695981039346656037ull;
  for (const unsigned char byte : bytes)
    hash = (hash ^ byte) * 1099511628211ull;
  return hash;
}

std::string Header(const std::string& kind)
{
  return "symvi " + kind + " ";
}

std::string Integer(uint64_t value)
{
  std::string bytes;
  for (int i = 0; i < 8; ++i, value >>= 8)
    bytes += char(value & 0xff);
  return bytes;
}

uint64_t Integer(const std::string& bytes, const size_t at)
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

void WriteContainer(std::ostream& stream,
                    const std::string& kind,
                    const std::string& payload)
{
  stream << Header(kind) << formatVersion << '\n' << Integer(payload.size()) <<
      Integer(Checksum(payload)) << payload;
}

std::string ReadContainer(const std::string& path, const std::string& kind)
{
  std::string bytes = ReadBytes(path);
  const std::string header = Header(kind);
  if (bytes.empty())
    throw std::invalid_argument("'" + path + "' is empty.");
  if (bytes.compare(0, header.size(), header) != 0)
    throw std::invalid_argument("'" + path + "' is not a symvi " + kind +
        " file.");

  const size_t line = bytes.find('\n');
  const std::string version = bytes.substr(header.size(),
      std::min(line, header.size() + 10) - header.size());
  if (line != std::string::npos && version != std::to_string(formatVersion))
    throw std::invalid_argument("'" + path + "' has format version " + version +
        ", but this program reads version " + std::to_string(formatVersion) +
        ".");
  const size_t start = line + 17;
  if (line == std::string::npos || bytes.size() < start ||
      bytes.size() - start < Integer(bytes, line + 1))
    throw std::invalid_argument("'" + path + "' is truncated.");

  const uint64_t checksum = Integer(bytes, line + 9);
  const uint64_t size = Integer(bytes, line + 1);
  bytes.erase(0, start);
  if (bytes.size() != size || Checksum(bytes) != checksum)
    throw std::invalid_argument("'" + path + "' is damaged.");
  return bytes;
}

} // namespace cli
} // namespace symvi
