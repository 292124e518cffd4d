/**
 * @file src/io/label_file.cpp
 *
 * Files of class names: text that must not be taken for a broken table.
 */
#include <symvi/io/table.hpp>
#include <symvi/require.hpp>

#include <algorithm>

#include "io/number.hpp"
#include "layout.hpp"

namespace symvi {
namespace io {

namespace {

//! Blanks separate numbers but may be part of a name; '\n' never occurs.
char LabelSeparator(std::string_view line)
{
  const std::string outside = OutsideQuotes(line);
  for (const char candidate : { '\t', ';', ',' })
  {
    if (Trim(outside).find(candidate) != std::string_view::npos)
      return candidate;
  }
  line = Trim(outside);
  double ignored;
  const size_t blank = line.find(' ');
  const bool number = blank != std::string_view::npos &&
      ParseNumber(line.substr(0, blank), ignored);
  return number ? ' ' : '\n';
}

//! Append the labels of one line; a row of several must be the only line.
void AppendLabels(const LineReader& reader,
    const std::vector<std::string_view>& fields, const size_t lines,
    std::vector<std::string>& labels)
{
  const size_t before = (lines == 1) ? 0 : labels.size();
  if (before != lines - 1 || (lines > 1 && fields.size() > 1))
    RefuseAt(reader.Where(),
        "one label per line expected, but " +
            std::to_string(std::max(fields.size(), before)) + " found in " +
            (before != lines - 1 ? "line 1" : "this one"));
  for (const std::string_view field : fields)
  {
    if (IsMissing(field))
      RefuseAt(reader.Where(), "the label is missing");
    labels.push_back(FieldText(field));
  }
}

} // namespace

std::vector<std::string> LoadLabels(const std::string& path,
    const size_t points)
{
  if (IsArff(path))
  {
    TableOptions options;
    options.target = "last";
    return LoadTable(path, options).target;
  }

  LineReader reader(path);
  std::vector<std::string> labels;
  std::vector<std::string_view> fields;
  std::string_view line;
  for (size_t lines = 1; reader.NextContent(line); ++lines)
  {
    Split(line, LabelSeparator(line), fields);
    AppendLabels(reader, fields, lines, labels);
  }
  if (labels.empty())
    RefuseFile(path, "is empty");

  const bool headed = points > 0 && labels.size() == points + 1 &&
      std::count(labels.begin(), labels.end(), labels[0]) == 1;
  if (headed)
    labels.erase(labels.begin());
  return labels;
}

} // namespace io
} // namespace symvi
