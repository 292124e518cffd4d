/**
 * @file src/io/layout.cpp
 */

#include "io/number.hpp"
#include "layout.hpp"

#include <symvi/io/table.hpp>
#include <symvi/require.hpp>

#include <algorithm>

namespace symvi {
namespace io {

namespace {

bool IsQuoted(const std::string_view field)
{
  return field.size() >= 2 && field.front() == field.back() &&
      (field.front() == '"' || field.front() == '\'');
}

//! Quotes stay where there are doubled ones inside; see FieldText().
std::string_view Unquote(std::string_view field)
{
  field = Trim(field);
  if (!IsQuoted(field))
    return field;
  const std::string_view inside = field.substr(1, field.size() - 2);
  return (inside.find("\"\"") == std::string_view::npos) ? inside : field;
}

//! End of the field that starts at `begin`.
size_t FieldEnd(std::string_view line, size_t begin, const char separator)
{
  const size_t first = line.find_first_not_of(' ', begin);
  if (first != std::string_view::npos &&
      (line[first] == '"' || line[first] == '\''))
  {
    // A doubled quote is part of the field.
    size_t close = line.find(line[first], first + 1);
    while (close != std::string_view::npos && close + 1 < line.size() &&
        line[close + 1] == line[first])
      close = line.find(line[first], close + 2);
    if (close != std::string_view::npos)
      begin = close + 1;
  }
  if (separator == ' ')
    return std::min(line.find_first_of(" \t", begin), line.size());
  return std::min(line.find(separator, begin), line.size());
}

} // namespace

std::string OutsideQuotes(const std::string_view line)
{
  std::string outside;
  char quote = 0;
  for (const char c : line)
  {
    if (c == quote)
      quote = 0;
    else if (quote == 0 && c == '"')
      quote = c;
    else if (quote == 0)
      outside += c;
  }
  return outside;
}

namespace {

char DetectSeparator(const std::string_view line)
{
  const std::string outside = OutsideQuotes(line);
  for (const char candidate : { '\t', ';', ',' })
  {
    if (Trim(outside).find(candidate) != std::string_view::npos)
      return candidate;
  }
  return ' ';
}

size_t CountContent(LineReader& reader, const char comment)
{
  size_t count = 0;
  std::string_view line;
  while (reader.NextContent(line, comment))
    ++count;
  return count;
}

bool NoNumbers(const std::vector<std::string_view>& fields)
{
  double ignored;
  return std::none_of(fields.begin(), fields.end(),
      [&](std::string_view f)
      { return ParseNumber(f, ignored) || IsMissing(f); });
}

//! "0,1,2,class": numbers that only count the columns, and one name.
bool CountsColumns(const std::vector<std::string_view>& fields)
{
  size_t counting = 0;
  double value;
  for (size_t i = 0; i < fields.size(); ++i)
    counting += ParseNumber(fields[i], value) && value == double(i);
  double ignored;
  const size_t numbers = size_t(std::count_if(fields.begin(), fields.end(),
      [&](std::string_view f) { return ParseNumber(f, ignored); }));
  return numbers >= 2 && counting == numbers && numbers + 1 == fields.size();
}

//! "150,4,setosa,...": scikit-learn's points, features, class names.
bool CountsData(const std::vector<std::string_view>& fields,
    const size_t points, const size_t columns)
{
  double n, d;
  return fields.size() >= 3 && ParseNumber(fields[0], n) &&
      ParseNumber(fields[1], d) && n == double(points) &&
      d + 1.0 == double(columns) &&
      NoNumbers({ fields.begin() + 2, fields.end() });
}

//! "0,1,2": numbers of the columns, from 0.
bool NumbersColumns(const std::vector<std::string_view>& fields)
{
  double value;
  for (size_t i = 0; i < fields.size(); ++i)
    if (!ParseNumber(fields[i], value) || value != double(i))
      return false;
  return fields.size() > 1;
}

//! ",a,b" or ",0,1": names or numbers of the columns behind one without.
bool NamesFrame(const std::vector<std::string_view>& fields)
{
  if (fields.size() < 2 || !Trim(fields[0]).empty())
    return false;
  const std::vector<std::string_view> rest(fields.begin() + 1, fields.end());
  return NoNumbers(rest) || NumbersColumns(rest);
}

} // namespace

void Split(std::string_view line, const char separator,
    std::vector<std::string_view>& fields)
{
  fields.clear();
  if (separator == ' ')
    line = Trim(line);
  for (size_t begin = 0; begin <= line.size();)
  {
    const size_t end = FieldEnd(line, begin, separator);
    fields.push_back(Unquote(line.substr(begin, end - begin)));
    begin = end + 1;
    if (separator == ' ')
      begin = std::min(line.find_first_not_of(" \t", end), line.size() + 1);
  }
}

std::string FieldText(const std::string_view field)
{
  if (!IsQuoted(field) || field.front() != '"')
    return std::string(field);
  std::string text(field.substr(1, field.size() - 2));
  for (size_t at = 0; (at = text.find("\"\"", at)) != std::string::npos; ++at)
    text.erase(at, 1);
  return text;
}

Layout DetectLayout(LineReader& reader, const bool isFrame)
{
  Layout layout;
  std::string_view line;
  if (!reader.NextContent(line))
    RefuseFile(reader.Path(), "is empty");

  // Copies, because the reader's buffer moves on.
  const std::string first(line);
  const size_t firstLine = reader.LineNumber();
  layout.separator = DetectSeparator(first);
  std::vector<std::string_view> fields;
  Split(first, layout.separator, fields);

  std::vector<std::string_view> second;
  const bool hasSecond = reader.NextContent(line);
  const std::string secondText(line);
  const size_t secondLine = reader.LineNumber();
  if (hasSecond)
    Split(secondText, layout.separator, second);
  const size_t after = hasSecond ? 1 + CountContent(reader, '#') : 0;

  const bool counts = hasSecond && CountsData(fields, after, second.size());
  const bool names = isFrame && NamesFrame(fields);
  const bool header = NoNumbers(fields) || CountsColumns(fields) || counts ||
      names || (isFrame && NumbersColumns(fields));
  if (header && !hasSecond)
    RefuseFile(reader.Path(), "has a header line but no data");

  layout.columns = counts ? second.size() : fields.size();
  layout.definedIn = counts ? secondLine : firstLine;
  layout.skip = header ? firstLine : 0;
  layout.points = after + (header ? 0 : 1);
  layout.left = names ? 0 : Layout::none;
  if (header && !counts)
  {
    for (const std::string_view field : fields)
      layout.names.push_back(FieldText(field));
  }
  return layout;
}

} // namespace io
} // namespace symvi
