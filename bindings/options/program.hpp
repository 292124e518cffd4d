/**
 * @file program.hpp
 *
 * The option table of a program: the one source of its parser, help page,
 * manual page and shell completion.
 */
#ifndef SYMVI_BINDINGS_OPTIONS_PROGRAM_HPP
#define SYMVI_BINDINGS_OPTIONS_PROGRAM_HPP

#include <limits>
#include <string>
#include <vector>

namespace symvi {
namespace cli {

//! What an option takes.
enum class Kind
{
  Flag,
  Integer,
  Number,
  Text,
  InputFile,
  OutputFile
};

//! One option of a program; setters return the object.
struct Option
{
  std::string name;
  char alias = 0;
  Kind kind = Kind::Flag;
  std::string description;
  std::string defaultValue;
  std::vector<std::string> choices;
  bool required = false;
  // A number must lie in this range, and how to say so.
  double minimum = std::numeric_limits<double>::lowest();
  double maximum = std::numeric_limits<double>::max();
  std::string requirement = "must be a number";

  Option(const Kind kind, const std::string& name, const char alias,
      const std::string& description, const std::string& defaultValue = "") :
      name(name),
      alias(alias),
      kind(kind),
      description(description),
      defaultValue(defaultValue)
  { }

  Option& Choices(const std::vector<std::string>& list)
  {
    choices = list;
    return *this;
  }
  Option& AtLeast(const int value)
  {
    minimum = value;
    requirement = "must be at least " + std::to_string(value);
    return *this;
  }
  //! Strictly between 0 and 1.
  Option& Fraction()
  {
    minimum = std::numeric_limits<double>::min();
    maximum = 1.0 - std::numeric_limits<double>::epsilon() / 2;
    requirement = "must be between 0 and 1";
    return *this;
  }
  //! The same, or 0.
  Option& FractionOrZero()
  {
    Fraction().minimum = 0.0;
    requirement = "must be at least 0 and below 1";
    return *this;
  }
  Option& Positive()
  {
    minimum = std::numeric_limits<double>::min();
    requirement = "must be positive";
    return *this;
  }
  Option& Required()
  {
    required = true;
    return *this;
  }

  bool IsOutput() const { return kind == Kind::OutputFile; }
};

//! An example call with what it does.
struct Example
{
  std::string text;
  std::string command;
};

//! Everything a user can know about a program.
struct Program
{
  std::string name;                     // symvi_bnn
  std::string title;                    // Bayesian neural network
  std::string brief;                    // One sentence.
  std::vector<std::string> description; // Paragraphs.
  std::vector<Example> examples;
  std::vector<Option> options; // Without the common ones.
  std::vector<std::string> seeAlso;

  //! Option of that name, or nullptr; knows the common ones too.
  const Option* Find(const std::string& name) const;

  //! All options in the order of the help page, the common ones included.
  std::vector<Option> AllOptions() const;
};

//! --help, --info, --verbose and --version, which every program has.
const std::vector<Option>& CommonOptions();

} // namespace cli
} // namespace symvi

#endif
