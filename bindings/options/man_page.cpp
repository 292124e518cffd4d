/**
 * @file man_page.cpp
 */
#include "pages.hpp"

namespace symvi {
namespace cli {

namespace {

//! Protect what roff would interpret.
std::string Roff(const std::string& text)
{
  std::string result;
  for (size_t i = 0; i < text.size(); ++i)
  {
    const char c = text[i];
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if ((c == '.' || c == '\'') && (i == 0 || text[i - 1] == '\n'))
      result += std::string("\\&") + c;
    else
      result += c;
  }
  return result;
}

std::string Bold(const std::string& text)
{
  return "\\fB" + Roff(text) + "\\fP";
}

std::string Entry(const Option& option)
{
  std::string text = ".TP\n" + Bold("--" + option.name);
  if (option.alias)
    text += ", " + Bold(std::string("-") + option.alias);
  if (option.kind != Kind::Flag)
    text += " \\fI" + TypeName(option) + "\\fP";
  return text + "\n" + Roff(FullDescription(option)) + "\n";
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
  return text.empty() ? "" : ".SH " + title + "\n" + text;
}

std::string Synopsis(const Program& program)
{
  std::string text = ".SH SYNOPSIS\n.B " + program.name + "\n";
  for (const Option& option : program.options)
  {
    if (option.required)
      text += Bold("--" + option.name) + " \\fI" + TypeName(option) + "\\fP\n";
  }
  return text + "[\\fIoptions\\fP]\n";
}

} // namespace

std::string ManPage(const Program& program, const std::string& version)
{
  std::string text = ".TH " + program.name + " 1 \"\" \"symvi " + version +
      "\" \"symvi user manual\"\n.nh\n.ad l\n.SH NAME\n" + program.name +
      " \\- " + Roff(program.brief) + "\n" + Synopsis(program) +
      ".SH DESCRIPTION\n";
  for (const std::string& paragraph : program.description)
    text += ".PP\n" + Roff(paragraph) + "\n";
  if (!program.examples.empty())
    text += ".SH EXAMPLES\n";
  for (const Example& example : program.examples)
    text += ".PP\n" + Roff(example.text) + "\n.PP\n.RS 4\n" +
        Roff("$ " + example.command) + "\n.RE\n";
  text += Section(program, "REQUIRED INPUT OPTIONS", true, false);
  text += Section(program, "OPTIONAL INPUT OPTIONS", false, false);
  text += Section(program, "REQUIRED OUTPUT OPTIONS", true, true);
  text += Section(program, "OPTIONAL OUTPUT OPTIONS", false, true);
  text += ".SH EXIT STATUS\n0 if all went well, 1 after an error, which is "
          "reported in one sentence on the standard error.\n.SH SEE ALSO\n";
  for (size_t i = 0; i < program.seeAlso.size(); ++i)
    text += std::string(i ? ",\n" : "") + Bold(program.seeAlso[i]) + "(1)";
  return text + "\n";
}

} // namespace cli
} // namespace symvi
