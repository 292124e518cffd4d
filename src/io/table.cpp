/**
 * @file src/io/table.cpp
 */
#include <symvi/io/table.hpp>
#include <symvi/require.hpp>

#include <algorithm>
#include <cmath>

#include "io/number.hpp"
#include "layout.hpp"

namespace symvi {
namespace io {

namespace {

//! "'file', line 3, column 2 ('alcohol')"
std::string Cell(const LineReader& reader, const Layout& layout,
    const size_t column)
{
  std::string text = reader.Where() + ", column " + std::to_string(column + 1);
  if (column < layout.names.size() && !layout.names[column].empty())
    text += " ('" + layout.names[column] + "')";
  return text;
}

[[noreturn]] void BadNumber(const std::string& where,
    const std::string_view field)
{
  const std::string text(field.substr(0, 40));
  if (Trim(field).empty())
    RefuseAt(where, "the field is empty");
  if (IsMissing(field))
    RefuseAt(where,
        "'" + text + "' is a missing value, which is not supported");
  RefuseAt(where, "'" + text + "' is not a number");
}

double FiniteNumber(const std::string_view field, const LineReader& reader,
    const Layout& layout, const size_t column)
{
  double value;
  if (!ParseNumber(field, value))
    BadNumber(Cell(reader, layout, column), field);
  // Squares of what is read must not overflow.
  if (!(std::abs(value) <= LargestNumber()))
    RefuseAt(Cell(reader, layout, column),
        "'" + std::string(field.substr(0, 40)) + "' is " +
            (std::isfinite(value) ?
                    "out of range; numbers must be below 1e150 in magnitude" :
                    "not a finite number"));
  return value;
}

//! Which column `target` means.
size_t FindTarget(const std::string& target, const Layout& layout,
    const std::string& path)
{
  if (target == "last")
    return layout.columns - 1;
  if (target == "first")
    return 0;
  const auto it = std::find(layout.names.begin(), layout.names.end(), target);
  if (it != layout.names.end())
    return size_t(it - layout.names.begin());
  double number;
  if (ParseNumber(target, number) && number >= 1.0 &&
      number <= double(layout.columns) && number == std::floor(number))
    return size_t(number) - 1;
  RefuseFile(path,
      "has no column '" + target + "' among its " +
          std::to_string(layout.columns));
}

size_t TargetColumn(const TableOptions& options, const Layout& layout,
    const std::string& path)
{
  if (options.target.empty() ||
      (options.features > 0 && layout.columns == options.features))
    return Layout::none;
  if (options.features > 0 && layout.columns != options.features + 1)
    return Layout::none;
  if (layout.columns < 2)
    RefuseFile(path,
        "has only one column, so that none is left beside the target column");
  return FindTarget(options.target, layout, path);
}

void CheckWidth(const size_t found, const LineReader& reader,
    const Layout& layout)
{
  if (found == layout.columns)
    return;
  RefuseAt(reader.Where(),
      std::to_string(layout.columns) + " columns expected as in line " +
          std::to_string(layout.definedIn) + ", but " + std::to_string(found) +
          " found");
}

void CheckNumeric(const Layout& layout, const size_t target,
    const std::string& path)
{
  for (size_t c = 0; c < layout.isText.size(); ++c)
  {
    if (layout.isText[c] && c != target)
      RefuseAt("'" + path + "'",
          "attribute '" + layout.names[c] + "' is not numeric");
  }
}

void SplitNames(const Layout& layout, const size_t target, Table& table)
{
  for (size_t c = 0; c < layout.names.size(); ++c)
  {
    if (c == target)
      table.targetName = layout.names[c];
    else if (c != layout.left)
      table.names.push_back(layout.names[c]);
  }
}

/**
 * A field takes a byte, and what ends it another (the last of the file may lack
 * it).  Where there are not enough for all, some row is too short: it is named
 * before memory is taken.
 */
void CheckSize(LineReader& reader, const Layout& layout)
{
  const size_t bytes = reader.Bytes() + 1;
  if (layout.columns <= bytes / 2 / layout.points)
    return;
  std::string_view line;
  std::vector<std::string_view> fields;
  reader.Rewind();
  while (reader.NextContent(line, layout.comment))
  {
    if (reader.LineNumber() <= layout.skip)
      continue;
    Split(line, layout.separator, fields);
    CheckWidth(fields.size(), reader, layout);
  }
}

//! The second pass: numbers straight into their final place.
void ReadValues(LineReader& reader, const Layout& layout, const size_t target,
    const bool numericTarget, Table& table)
{
  std::string_view line;
  std::vector<std::string_view> fields;
  double* out = table.values.memptr();
  size_t points = 0;
  while (points < layout.points && reader.NextContent(line, layout.comment))
  {
    if (reader.LineNumber() <= layout.skip)
      continue;
    Split(line, layout.separator, fields);
    CheckWidth(fields.size(), reader, layout);
    for (size_t c = 0; c < fields.size(); ++c)
    {
      if (c == layout.left)
        continue;
      if (c != target)
        *out++ = FiniteNumber(fields[c], reader, layout, c);
      else if (IsMissing(fields[c]))
        BadNumber(Cell(reader, layout, c), fields[c]);
      else
      {
        if (numericTarget)
          FiniteNumber(fields[c], reader, layout, c);
        table.target.push_back(FieldText(fields[c]));
      }
    }
    ++points;
  }
  if (points < layout.points)
    RefuseFile(reader.Path(), "changed while it was read");
}

char SeparatorFor(const std::string& path)
{
  const size_t dot = path.rfind('.');
  const std::string extension = (dot == std::string::npos) ?
      "" :
      path.substr(dot + 1);
  return (extension == "tsv") ? '\t' : (extension == "txt") ? ' ' : ',';
}

} // namespace

Table LoadTable(const std::string& path, const TableOptions& options)
{
  LineReader reader(path);
  const Layout layout = IsArff(path) ?
      DetectArffLayout(reader) :
      DetectLayout(reader, options.hasRowNames);
  const size_t target = TargetColumn(options, layout, path);
  CheckNumeric(layout, target, path);

  CheckSize(reader, layout);

  Table table;
  SplitNames(layout, target, table);
  table.values.set_size(layout.columns - (target == Layout::none ? 0 : 1) -
          (layout.left == Layout::none ? 0 : 1),
      layout.points);
  reader.Rewind();
  ReadValues(reader, layout, target, options.numericTarget, table);
  return table;
}

arma::mat LoadResponses(const std::string& path, const size_t points)
{
  Table table = LoadTable(path);
  if (points > 1 && table.values.n_cols == 1 && table.values.n_rows == points)
    table.values = table.values.t();
  return std::move(table.values);
}

arma::mat ToNumbers(const std::vector<std::string>& text,
    const std::string& source)
{
  arma::mat values(1, text.size());
  for (size_t i = 0; i < text.size(); ++i)
  {
    if (!ParseNumber(text[i], values[i]) || !std::isfinite(values[i]))
      RefuseAt("'" + source + "', point " + std::to_string(i + 1),
          "response '" + text[i] + "' is not a finite number");
  }
  return values;
}

void WriteTable(std::ostream& stream, const std::string& path,
    const arma::mat& values, const std::vector<std::string>& header)
{
  const char separator = SeparatorFor(path);
  for (size_t i = 0; i < header.size(); ++i)
    stream << (i ? std::string(1, separator) : "") << QuoteField(header[i]);
  if (!header.empty())
    stream << '\n';
  for (size_t j = 0; j < values.n_cols; ++j)
  {
    for (size_t i = 0; i < values.n_rows; ++i)
    {
      if (i > 0)
        stream << separator;
      stream << ValueText(values(i, j));
    }
    stream << '\n';
  }
}

} // namespace io
} // namespace symvi
