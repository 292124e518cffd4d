/**
 * @file src/io/number.cpp
 */
#include "io/number.hpp"

#include <symvi/io/table.hpp>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace symvi {
namespace io {

std::string_view Trim(std::string_view text)
{
  const char* blanks = " \t\r\f\v";
  const size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos)
    return std::string_view();
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool ParseNumber(std::string_view text, double& value)
{
  text = Trim(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-')
    text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const std::from_chars_result result = std::from_chars(text.data(), end,
      value);
  if (result.ptr != end || text.empty())
    return false;
  if (result.ec == std::errc::result_out_of_range)
  {
    // from_chars() leaves the value alone: 1e-400 is zero, 1e400 infinite.
    value = std::strtod(std::string(text).c_str(), nullptr);
    return true;
  }
  return result.ec == std::errc();
}

std::string QuoteField(const std::string& text)
{
  double ignored;
  const std::string_view first = std::string_view(text).substr(0,
      text.find(' '));
  const bool plain = text.find_first_of(",;\t\r\n\"'") == std::string::npos &&
      Trim(text).size() == text.size() && !IsMissing(text) && text[0] != '#' &&
      (first.size() == text.size() || !ParseNumber(first, ignored));
  if (plain)
    return text;
  std::string quoted = "\"";
  for (const char c : text)
    quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

bool IsMissing(std::string_view text)
{
  text = Trim(text);
  for (const char* name : { "", "?", "NA", "N/A", "na", "n/a", "null", "NULL",
           "None", "missing", "*" })
  {
    if (text == name)
      return true;
  }
  return false;
}

} // namespace io
} // namespace symvi
