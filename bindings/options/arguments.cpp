/**
 * @file arguments.cpp
 */
#include "arguments.hpp"

#include <symvi/io/table.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "text.hpp"

namespace symvi {
namespace cli {

namespace {

std::string Flags(const Option& option)
{
  const std::string alias = option.alias ?
      std::string("-") + option.alias + "," :
      "";
  return alias + "--" + option.name;
}

//! What a value must be, as CLI11 checks it and as the user reads it.
CLI::Validator Check(const Option& option, std::string& requirement)
{
  if (!option.choices.empty())
  {
    requirement = "must be " + OneOf(option.choices);
    return CLI::IsMember(option.choices);
  }
  requirement = option.requirement;
  if (option.kind == Kind::Number)
    return CLI::Range(option.minimum, option.maximum);
  if (option.kind != Kind::Integer)
    return CLI::Validator();
  // Whole numbers are exact in double precision up to 2^53.
  const double limit = 9007199254740992.0;
  return CLI::Range(int64_t(std::max(option.minimum, -limit)),
      int64_t(std::min(option.maximum, limit)));
}

[[noreturn]] void Invalid(const Option& option, const std::string& value,
    const std::string& reason)
{
  throw UsageError("invalid value of --" + option.name + " ('" + value +
      "'): " + reason + ".");
}

} // namespace

Arguments::Arguments(const Program& program, const int argc,
    const char* const* argv) :
    program(program)
{
  CLI::App app(program.title, program.name);
  app.set_help_flag();
  app.allow_extras();

  const std::vector<Option> all = program.AllOptions();
  std::map<std::string, std::string> raw;
  for (const Option& option : all)
  {
    if (option.kind == Kind::Flag)
      app.add_flag(Flags(option));
    else
      app.add_option(Flags(option), raw[option.name]);
  }

  try
  {
    app.parse(argc, argv);
  }
  catch (const CLI::ParseError& e)
  {
    throw UsageError(std::string(e.what()) + ".");
  }
  for (const std::string& word : app.remaining())
    Unknown(word);

  for (const Option& option : all)
  {
    if (app.count("--" + option.name) == 0)
      continue;
    values[option.name] = raw[option.name];
    CheckValue(option, raw[option.name]);
  }
}

void Arguments::Unknown(const std::string& word) const
{
  if (word.empty() || word[0] != '-')
    throw UsageError("unexpected argument '" + word +
        "': every value belongs to an option; see --help.");
  const std::string name = word.substr(
      word.find_first_not_of('-') == std::string::npos ?
          0 :
          word.find_first_not_of('-'));
  std::vector<std::string> names;
  for (const Option& option : program.AllOptions())
    names.push_back(option.name);
  const std::string nearest = Nearest(name.substr(0, name.find('=')), names);
  throw UsageError("unknown option '" + word + "'" +
      (nearest.empty() ? "; see --help." :
                         "; did you mean '--" + nearest + "'?"));
}

void Arguments::CheckValue(const Option& option, std::string value) const
{
  if (option.kind == Kind::Flag)
    return;
  if (value.empty())
    Invalid(option, value, "must not be empty");
  std::string requirement;
  const CLI::Validator check = Check(option, requirement);
  if (check(value).empty())
    return;
  int64_t whole;
  if (option.kind == Kind::Integer && !CLI::detail::lexical_cast(value, whole))
    requirement = "must be a whole number";
  Invalid(option, value, requirement);
}

const Option& Arguments::Lookup(const std::string& name) const
{
  const Option* option = program.Find(name);
  if (option == nullptr)
    throw std::logic_error("Arguments: there is no option '" + name + "'.");
  return *option;
}

bool Arguments::Has(const std::string& name) const
{
  return values.count(Lookup(name).name) > 0;
}

std::string Arguments::Text(const std::string& name) const
{
  const Option& option = Lookup(name);
  const auto it = values.find(option.name);
  return (it == values.end()) ? option.defaultValue : it->second;
}

double Arguments::Number(const std::string& name) const
{
  double value = 0.0;
  io::ParseNumber(Text(name), value);
  return value;
}

size_t Arguments::Count(const std::string& name) const
{
  return size_t(Number(name));
}

void Arguments::Forbid(const std::vector<std::string>& names,
    const std::string& reason) const
{
  for (const std::string& name : names)
  {
    if (Has(name))
      throw UsageError("--" + name + " cannot be used " + reason + ".");
  }
}

void Arguments::CheckRequired() const
{
  for (const Option& option : program.options)
  {
    if (option.required && !Has(option.name))
      throw UsageError(
          "required option --" + option.name + " is missing; see --help.");
  }
}

void Arguments::CheckFiles() const
{
  for (const Option& output : program.options)
  {
    if (!output.IsOutput() || !Has(output.name))
      continue;
    for (const Option& other : program.options)
    {
      const bool file = other.IsOutput() || other.kind == Kind::InputFile;
      if (!file || other.name == output.name || !Has(other.name))
        continue;
      std::error_code error;
      const std::string a = Text(output.name), b = Text(other.name);
      const bool regular = std::filesystem::is_regular_file(a, error);
      // A model may be read from and written back to the same file.
      const bool model = !other.IsOutput() && other.name == "input_model_file";
      if (!model &&
          (a == b || (regular && std::filesystem::equivalent(a, b, error))))
        throw UsageError("--" + output.name + " and --" + other.name +
            " are the same file '" + a + "'.");
    }
  }
}

} // namespace cli
} // namespace symvi
