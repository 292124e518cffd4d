/**
 * @file arguments.cpp
 */
#include "arguments.hpp"

#include <CLI/CLI.hpp>
#include <symvi/io/number.hpp>

#include <cmath>
#include <filesystem>

#include "text.hpp"

namespace symvi {
namespace cli {

namespace {

std::string Flags(const Option& option)
{
  const std::string alias =
      option.alias ? std::string("-") + option.alias + "," : "";
  return alias + "--" + option.name;
}

//! "must be at least 1", "must be positive", "must be between 0 and 1"
std::string Limits(const Option& option)
{
  const bool upper = std::isfinite(option.maximum);
  if (upper)
    return "must be between " + io::FormatNumber(option.minimum) + " and " +
        io::FormatNumber(option.maximum);
  if (option.open && option.minimum == 0.0)
    return "must be positive";
  return "must be at least " + io::FormatNumber(option.minimum);
}

[[noreturn]] void Invalid(const Option& option,
                          const std::string& value,
                          const std::string& reason)
{
  throw UsageError("invalid value of --" + option.name + " ('" + value +
      "'): " + reason + ".");
}

} // namespace

Arguments::Arguments(const Program& program,
                     const int argc,
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
    Check(option, raw[option.name]);
  }
}

void Arguments::Unknown(const std::string& word) const
{
  if (word.empty() || word[0] != '-')
    throw UsageError("unexpected argument '" + word + "': every value belongs "
        "to an option; see --help.");
  const std::string name =
      word.substr(word.find_first_not_of('-') == std::string::npos ? 0 :
                  word.find_first_not_of('-'));
  std::vector<std::string> names;
  for (const Option& option : program.AllOptions())
    names.push_back(option.name);
  const std::string nearest = Nearest(name.substr(0, name.find('=')), names);
  throw UsageError("unknown option '" + word + "'" + (nearest.empty() ?
      "; see --help." : "; did you mean '--" + nearest + "'?"));
}

void Arguments::Check(const Option& option, const std::string& value) const
{
  if (option.kind == Kind::Flag)
    return;
  if (value.empty())
    Invalid(option, value, "must not be empty");
  if (!option.choices.empty())
  {
    for (const std::string& choice : option.choices)
      if (choice == value)
        return;
    Invalid(option, value, "must be " + OneOf(option.choices));
  }
  if (option.kind != Kind::Integer && option.kind != Kind::Number)
    return;

  double number;
  if (!io::ParseNumber(value, number) || !std::isfinite(number))
    Invalid(option, value, "must be a number");
  if (option.kind == Kind::Integer &&
      (number != std::floor(number) || std::abs(number) > 9007199254740992.0))
    Invalid(option, value, "must be a whole number");
  const bool inside = option.open ?
      (number > option.minimum && number < option.maximum) :
      (number >= option.minimum && number <= option.maximum);
  if (!inside)
    Invalid(option, value, Limits(option));
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
      throw UsageError("required option --" + option.name + " is missing; "
          "see --help.");
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
      const bool model = !other.IsOutput() &&
          other.name == "input_model_file";
      if (!model && (a == b || (regular &&
          std::filesystem::equivalent(a, b, error))))
        throw UsageError("--" + output.name + " and --" + other.name +
            " are the same file '" + a + "'.");
    }
  }
}

} // namespace cli
} // namespace symvi
