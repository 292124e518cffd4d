/**
 * @file src/io/container.cpp
 */
#include <symvi/io/file.hpp>
#include <symvi/require.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <sys/stat.h>

#include "binary_file.hpp"
#include "container.hpp"
#include "line_reader.hpp"

namespace symvi {
namespace io {

namespace {

//! Version 1 was that of symvi 0.1.
const unsigned formatVersion = 2;

//! Append up to `size` bytes, fewer only at the end of the stream, in pieces,
//! so that memory grows with what is there.
void ReadBytes(std::istream& stream, const std::string& name, uint64_t size,
    std::string& bytes)
{
  char buffer[1 << 16];
  while (size > 0)
  {
    stream.read(buffer,
        std::streamsize(std::min<uint64_t>(size, sizeof(buffer))));
    if (stream.bad())
      RefuseToRead(name, errno);
    bytes.append(buffer, size_t(stream.gcount()));
    if (!stream)
      return;
    size -= uint64_t(stream.gcount());
  }
}

//! How the first line of a file of this kind begins; the version follows.
std::string Header(const std::string& kind)
{
  return "symvi " + kind + " ";
}

//! The kind that the first line, without its end, names.
std::string KindOf(const std::string& path, const std::string& line,
    const std::vector<std::string>& kinds)
{
  const auto kind = std::find_if(kinds.begin(), kinds.end(),
      [&](const std::string& k) { return line.rfind(Header(k), 0) == 0; });
  if (kind == kinds.end())
    RefuseFile(path, "is not a symvi " + kinds.front() + " file");
  const std::string header = Header(*kind);
  const std::string version = line.substr(header.size());
  const bool number = !version.empty() &&
      version.find_first_not_of("0123456789") == std::string::npos;
  if (version != std::to_string(formatVersion))
    RefuseFile(path,
        "has " +
            (number ? "format version " + version :
                      std::string("no format version")) +
            ", but this version of symvi reads version " +
            std::to_string(formatVersion));
  return *kind;
}

//! The content of a file of one of these kinds, and which it is.
std::string Read(std::istream& stream, const std::string& name,
    const std::vector<std::string>& kinds, std::string& kind)
{
  std::string bytes;
  ReadBytes(stream, name, 64, bytes); // More than the frame of any kind.
  if (bytes.empty())
    RefuseFile(name, "is empty");
  const size_t line = bytes.find('\n');
  kind = KindOf(name, bytes.substr(0, line), kinds);
  if (line == std::string::npos || bytes.size() < line + 17)
    RefuseFile(name, "is truncated");
  BinaryReader frame(bytes.substr(line + 1, 16));
  const uint64_t size = frame.Integer(), checksum = frame.Integer();

  bytes.erase(0, line + 17);
  if (size > bytes.size())
    ReadBytes(stream, name, size - bytes.size(), bytes);
  if (bytes.size() < size)
    RefuseFile(name, "is truncated");
  ReadBytes(stream, name, 1, bytes);
  if (bytes.size() != size || Checksum(bytes) != checksum)
    RefuseFile(name, "is damaged");
  return bytes;
}

} // namespace

uint64_t Checksum(const std::string& bytes)
{
  uint64_t hash = 14695981039346656037ull;
  for (const unsigned char byte : bytes)
    hash = (hash ^ byte) * 1099511628211ull;
  return hash;
}

void WriteContainer(std::ostream& stream, const std::string& kind,
    const std::string& content)
{
  BinaryWriter frame;
  frame.Integer(content.size());
  frame.Integer(Checksum(content));
  stream << Header(kind) << formatVersion << '\n' << frame.Bytes() << content;
}

void SaveContainer(const std::string& path, const std::string& kind,
    const std::string& content)
{
  AtomicFile file(path);
  WriteContainer(file.Stream(), kind, content);
  file.Commit();
}

std::string ReadContainer(std::istream& stream, const std::string& name,
    const std::string& kind)
{
  std::string found;
  return Read(stream, name, { kind }, found);
}

std::string LoadContainer(const std::string& path, const std::string& kind)
{
  std::string found;
  return LoadContainer(path, { kind }, found);
}

std::string LoadContainer(const std::string& path,
    const std::vector<std::string>& kinds, std::string& kind)
{
  std::ifstream file(path, std::ios::binary);
  if (!file)
    RefuseToRead(path, errno);
  return Read(file, path, kinds, kind);
}

bool IsContainer(const std::string& path, const std::string& kind)
{
  // A pipe can be read only once, by whoever wants its content.
  struct stat info;
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode))
    return false;
  const std::string header = Header(kind);
  std::string begin(header.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  return file.read(&begin[0], std::streamsize(begin.size())) && begin == header;
}

} // namespace io
} // namespace symvi
