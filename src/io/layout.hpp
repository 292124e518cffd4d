/**
 * @file src/io/layout.hpp
 *
 * What a text table looks like before its numbers are read.
 */
#ifndef SYMVI_SRC_IO_LAYOUT_HPP
#define SYMVI_SRC_IO_LAYOUT_HPP

#include <string>
#include <string_view>
#include <vector>

#include "line_reader.hpp"

namespace symvi {
namespace io {

//! Columns and lines of a text table.
struct Layout
{
  static constexpr size_t none = size_t(-1);

  char separator = ','; // ' ' stands for any run of blanks.
  char comment = '#';
  size_t columns = 0;
  size_t definedIn = 0; // The line that fixed `columns`.
  size_t skip = 0;      // Lines up to this number hold no data.
  size_t points = 0;    // Lines with data.
  size_t left = none;   // The column that is left out.
  std::vector<std::string> names;
  std::vector<bool> isText; // ARFF: attributes that are no numbers.
};

//! Split a line into fields without quotes and surrounding blanks.
void Split(std::string_view line, char separator,
    std::vector<std::string_view>& fields);

//! The text of a field that Split() found, doubled quotes resolved.
std::string FieldText(std::string_view field);

//! A line without what stands in double quotes.
std::string OutsideQuotes(std::string_view line);

//! Find out the layout of a file with separators; counts its points.  `isFrame`:
//! see TableOptions::hasRowNames.
Layout DetectLayout(LineReader& reader, bool isFrame = false);

//! Read the header of an ARFF file; counts its points.
Layout DetectArffLayout(LineReader& reader);

//! True if `path` ends in .arff.
bool IsArff(const std::string& path);

} // namespace io
} // namespace symvi

#endif
