/**
 * @file src/io/line_reader.cpp
 */

#include <symvi/require.hpp>

#include "io/number.hpp"
#include "line_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <sys/stat.h>

namespace symvi {
namespace io {

void RefuseToRead(const std::string& path, const int error)
{
  RefuseAt("cannot read '" + path + "'", std::strerror(error));
}

LineReader::LineReader(const std::string& path) : path(path), buffer(1 << 18)
{
  file.reset(std::fopen(path.c_str(), "rb"));
  if (!file)
    RefuseToRead(path, errno);
  struct stat info;
  if (::fstat(::fileno(file.get()), &info) != 0)
    RefuseToRead(path, errno);
  if (S_ISDIR(info.st_mode))
    RefuseToRead(path, EISDIR);
  if (!S_ISREG(info.st_mode))
    SlurpPipe();
}

void LineReader::SlurpPipe()
{
  while (const size_t count = Read(buffer.data(), buffer.size()))
  {
    // /dev/zero never ends.
    if (std::memchr(buffer.data(), '\0', count) != nullptr)
      RefuseFile(path, "is not a text file");
    pipe.append(buffer.data(), count);
  }
  isPipe = true;
}

size_t LineReader::Read(char* to, const size_t size)
{
  if (isPipe)
  {
    const size_t count = std::min(size, pipe.size() - pipePosition);
    std::memcpy(to, pipe.data() + pipePosition, count);
    pipePosition += count;
    return count;
  }
  const size_t count = std::fread(to, 1, size, file.get());
  if (count == 0 && std::ferror(file.get()))
    RefuseToRead(path, errno);
  return count;
}

bool LineReader::Fill()
{
  if (exhausted)
    return false;
  if (begin > 0)
  {
    std::memmove(buffer.data(), buffer.data() + begin, end - begin);
    end -= begin;
    begin = 0;
  }
  if (end == buffer.size())
    buffer.resize(2 * buffer.size());
  const size_t count = Read(buffer.data() + end, buffer.size() - end);
  exhausted = (count == 0);
  end += count;
  return count > 0;
}

bool LineReader::Next(std::string_view& line)
{
  const auto ends = [](const char c) { return c == '\n' || c == '\r'; };
  size_t size = 0;
  do
  {
    const char* from = buffer.data() + begin;
    size = size_t(std::find_if(from + size, from + (end - begin), ends) - from);
    // What follows a CR decides how long the end of the line is.
  }
  while (size + 1 >= end - begin && Fill());
  if (begin == end)
    return false;

  const char* next = buffer.data() + begin + size;
  const size_t rest = end - begin - size;
  const bool both = rest > 1 && next[0] == '\r' && next[1] == '\n';
  line = std::string_view(buffer.data() + begin, size);
  const size_t whole = size + std::min<size_t>(rest, both ? 2 : 1);
  begin += whole;
  bytes += whole;
  ++lineNumber;
  // A byte order mark, as spreadsheets write it.
  if (lineNumber == 1 && line.substr(0, 3) == "\xEF\xBB\xBF")
    line.remove_prefix(3);
  return true;
}

bool LineReader::NextContent(std::string_view& line, const char comment)
{
  while (Next(line))
  {
    if (std::memchr(line.data(), '\0', line.size()) != nullptr)
      RefuseAt(Where(), "this is not a text file");
    const std::string_view content = Trim(line);
    if (!content.empty() && content[0] != comment)
      return true;
  }
  return false;
}

void LineReader::Rewind()
{
  if (!isPipe)
    std::rewind(file.get());
  pipePosition = 0;
  begin = end = 0;
  exhausted = false;
  lineNumber = 0;
  bytes = 0;
}

std::string LineReader::Where() const
{
  return "'" + path + "', line " + std::to_string(lineNumber);
}

} // namespace io
} // namespace symvi
