/**
 * @file help_page.cpp
 *
 * The layout of mlpack's own --help pages.
 */
#include <algorithm>

#include "pages.hpp"
#include "text.hpp"

namespace symvi {
namespace cli {

namespace {

const size_t column = 32;

//! "--name (-n) [type]"
std::string Heading(const Option& option)
{
  const std::string alias = option.alias ?
      std::string(" (-") + option.alias + ")" :
      "";
  return "--" + option.name + alias + " [" + TypeName(option) + "]";
}

std::string Entry(const Option& option)
{
  std::string line = "  " + Heading(option) + "  ";
  if (line.size() > column)
    line += "\n" + std::string(column, ' ');
  else
    line += std::string(column - line.size(), ' ');
  return line + Wrap(FullDescription(option), column) + "\n";
}

std::string Section(const Program& program, const std::string& title,
    const bool required, const bool output)
{
  std::string text;
  for (const Option& option : program.AllOptions())
  {
    if (option.required == required && option.IsOutput() == output)
      text += Entry(option);
  }
  return text.empty() ? "" : title + "\n\n" + text + "\n";
}

} // namespace

std::string TypeName(const Option& option)
{
  switch (option.kind)
  {
  case Kind::Flag: return "flag";
  case Kind::Integer: return "int";
  case Kind::Number: return "double";
  default: return "string";
  }
}

std::string FullDescription(const Option& option)
{
  std::string text = option.description;
  if (!option.choices.empty())
    text += "  One of " + OneOf(option.choices) + ".";
  if (option.kind == Kind::Flag || option.required)
    return text;
  const bool number = option.kind == Kind::Integer ||
      option.kind == Kind::Number;
  if (number && option.defaultValue.empty())
    return text;
  return text + "  Default value " +
      (number ? option.defaultValue : "'" + option.defaultValue + "'") + ".";
}

std::string HelpPage(const Program& program)
{
  std::string text = program.title + "\n\n";
  for (const std::string& paragraph : program.description)
    text += "  " + Wrap(paragraph, 2) + "\n\n";
  for (const Example& example : program.examples)
    text += "  " + Wrap(example.text, 2) + "\n\n  $ " +
        Wrap(example.command, 4) + "\n\n";
  text += Section(program, "Required input options:", true, false);
  text += Section(program, "Optional input options: ", false, false);
  text += Section(program, "Required output options:", true, true);
  text += Section(program, "Optional output options: ", false, true);
  std::string related;
  for (const std::string& name : program.seeAlso)
    related += (related.empty() ? "" : ", ") + name;
  return text +
      Wrap("For further information see the manual page (man " + program.name +
              "), the related programs " + related +
              ", and docs/cli.md of symvi.",
          0) +
      "\n";
}

std::string InfoPage(const Option& option)
{
  return Entry(option);
}

} // namespace cli
} // namespace symvi
