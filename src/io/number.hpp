/**
 * @file src/io/number.hpp
 *
 * What may stand in a field of a table.
 */
#ifndef SYMVI_SRC_IO_NUMBER_HPP
#define SYMVI_SRC_IO_NUMBER_HPP

#include <string_view>

namespace symvi {
namespace io {

//! `text` without blanks at its ends.
std::string_view Trim(std::string_view text);

//! Numbers of data are at most this large, so that sums of their squares are
//! finite.
constexpr double LargestNumber()
{
  return 1e150;
}

//! True for the usual spellings of a missing value ("", "?", "NA", ...).
bool IsMissing(std::string_view text);

} // namespace io
} // namespace symvi

#endif
