/**
 * @file src/io/line_reader.hpp
 *
 * Lines of a text file through one buffer of fixed size.
 */
#ifndef SYMVI_SRC_IO_LINE_READER_HPP
#define SYMVI_SRC_IO_LINE_READER_HPP

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace symvi {
namespace io {

//! Throws "cannot read 'PATH': REASON.", the system's reason for `error`.
[[noreturn]] void RefuseToRead(const std::string& path, int error);

/**
 * Reads a file line by line without ever holding more of it than a buffer.
 * A pipe, which cannot be read twice, is kept in memory.
 */
class LineReader
{
 public:
  //! Open `path`; std::invalid_argument if that is not possible.
  explicit LineReader(const std::string& path);

  //! The next line without its end (LF, CR LF or CR); false at the end of the
  //! file.
  bool Next(std::string_view& line);

  //! Like Next(), but skips blank lines and those that start with `comment`.
  bool NextContent(std::string_view& line, char comment = '#');

  //! Number of the line that Next() returned last, from 1.
  size_t LineNumber() const { return lineNumber; }

  //! Bytes of the lines that Next() returned, with their ends.
  size_t Bytes() const { return bytes; }

  //! Start again with the first line.
  void Rewind();

  //! "'path', line n"
  std::string Where() const;

  const std::string& Path() const { return path; }

 private:
  bool Fill();
  size_t Read(char* to, size_t size);
  void SlurpPipe();

  struct Closer
  {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };

  std::string path;
  std::unique_ptr<std::FILE, Closer> file;
  std::string pipe;
  bool isPipe = false;
  size_t pipePosition = 0;
  std::vector<char> buffer;
  size_t begin = 0;
  size_t end = 0;
  bool exhausted = false;
  size_t lineNumber = 0;
  size_t bytes = 0;
};

} // namespace io
} // namespace symvi

#endif
