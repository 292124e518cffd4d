/**
 * @file symvi/io/number.hpp
 *
 * Text to number and back, independent of the locale.
 */
#ifndef SYMVI_IO_NUMBER_HPP
#define SYMVI_IO_NUMBER_HPP

#include <string>
#include <string_view>

namespace symvi {
namespace io {

/**
 * Parse all of `text` (surrounding blanks allowed) as a number; false if it is
 * none.  "nan" and "inf" are numbers here: the caller decides about them.
 */
bool ParseNumber(std::string_view text, double& value);

//! The shortest text that reads back as exactly `value`.
std::string FormatNumber(double value);

//! `text` without blanks at its ends.
std::string_view Trim(std::string_view text);

//! Numbers of data are at most this large, so that sums of their squares are
//! finite.
constexpr double LargestNumber() { return 1e150; }

/**
 * `text` as a field of a table: in double quotes, with those inside doubled, if
 * it could be read as something else without.
 */
std::string QuoteField(const std::string& text);

//! True for the usual spellings of a missing value ("", "?", "NA", ...).
bool IsMissing(std::string_view text);

} // namespace io
} // namespace symvi

#endif
