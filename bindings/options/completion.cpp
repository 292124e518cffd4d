/**
 * @file completion.cpp
 */
#include "pages.hpp"

namespace symvi {
namespace cli {

namespace {

std::string Pattern(const Option& option)
{
  std::string text = "--" + option.name;
  if (option.alias)
    text += std::string("|-") + option.alias;
  return text;
}

//! What may follow one option.
std::string Values(const Option& option, const Program& program)
{
  const std::string compgen = "COMPREPLY=( $(compgen ";
  if (option.kind == Kind::InputFile || option.kind == Kind::OutputFile)
    return compgen + "-f -- \"$current\") )";
  std::string words;
  for (const std::string& choice : option.choices)
    words += (words.empty() ? "" : " ") + choice;
  if (option.name == "info")
  {
    for (const Option& other : program.AllOptions())
      words += (words.empty() ? "" : " ") + other.name;
  }
  return compgen + "-W \"" + words + "\" -- \"$current\") )";
}

std::string Function(const Program& program)
{
  std::string text = "_" + program.name +
      "()\n{\n"
      "  local current=\"${COMP_WORDS[COMP_CWORD]}\"\n"
      "  local previous=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
      "  COMPREPLY=()\n"
      "  case \"$previous\" in\n";
  std::string names;
  for (const Option& option : program.AllOptions())
  {
    names += (names.empty() ? "--" : " --") + option.name;
    if (option.kind != Kind::Flag)
      text += "    " + Pattern(option) + ")\n      " + Values(option, program) +
          "\n      return ;;\n";
  }
  return text + "  esac\n  COMPREPLY=( $(compgen -W \"" + names +
      "\" -- \"$current\") )\n}\ncomplete -o filenames -F _" + program.name +
      " " + program.name + "\n\n";
}

} // namespace

std::string BashCompletion(const std::vector<Program>& programs)
{
  std::string text = "# bash completion for symvi's programs\n\n";
  for (const Program& program : programs)
    text += Function(program);
  return text;
}

} // namespace cli
} // namespace symvi
