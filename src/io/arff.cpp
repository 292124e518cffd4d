/**
 * @file src/io/arff.cpp
 *
 * The header of Weka's attribute-relation file format.
 */

#include <symvi/require.hpp>

#include <algorithm>
#include <cctype>

#include "io/number.hpp"
#include "layout.hpp"

namespace symvi {
namespace io {

namespace {

std::string Lower(std::string_view text)
{
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
      [](unsigned char c) { return char(std::tolower(c)); });
  return result;
}

bool StartsWith(const std::string& text, const char* prefix)
{
  return text.rfind(prefix, 0) == 0;
}

//! "@attribute 'a name' numeric" -> name and type.
void ParseAttribute(std::string_view line, const LineReader& reader,
    Layout& layout)
{
  std::string_view rest = Trim(line.substr(10));
  size_t nameEnd = rest.find_first_of(" \t{");
  if (!rest.empty() && (rest[0] == '"' || rest[0] == '\''))
  {
    nameEnd = rest.find(rest[0], 1);
    nameEnd += (nameEnd == std::string_view::npos) ? 0 : 1;
  }
  if (rest.empty() || nameEnd >= rest.size())
    RefuseAt(reader.Where(), "an attribute needs a name and a type");

  std::vector<std::string_view> name;
  Split(rest.substr(0, nameEnd), ',', name);
  const std::string type = Lower(Trim(rest.substr(nameEnd)));
  layout.names.emplace_back(name[0]);
  layout.isText.push_back(
      type != "numeric" && type != "real" && type != "integer");
}

} // namespace

bool IsArff(const std::string& path)
{
  const std::string name = Lower(path);
  return name.size() >= 5 && name.compare(name.size() - 5, 5, ".arff") == 0;
}

Layout DetectArffLayout(LineReader& reader)
{
  Layout layout;
  layout.comment = '%';
  std::string_view line;
  bool data = false;
  while (!data && reader.NextContent(line, '%'))
  {
    const std::string keyword = Lower(Trim(line));
    if (StartsWith(keyword, "@attribute"))
      ParseAttribute(Trim(line), reader, layout);
    else if (StartsWith(keyword, "@data"))
      data = true;
    else if (!StartsWith(keyword, "@relation"))
      RefuseAt(reader.Where(),
          "'@relation', '@attribute' or '@data' expected, but '" +
              keyword.substr(0, 20) + "' found");
  }
  if (reader.LineNumber() == 0)
    RefuseFile(reader.Path(), "is empty");
  if (!data || layout.names.empty())
    RefuseFile(reader.Path(),
        std::string("has no ") + (data ? "'@attribute'" : "'@data'") + " line");

  layout.columns = layout.names.size();
  layout.definedIn = layout.skip = reader.LineNumber();
  while (reader.NextContent(line, '%'))
  {
    if (Trim(line)[0] == '{')
      RefuseAt(reader.Where(), "sparse ARFF rows are not supported");
    ++layout.points;
  }
  if (layout.points == 0)
    RefuseFile(reader.Path(), "has no data after '@data'");
  return layout;
}

} // namespace io
} // namespace symvi
