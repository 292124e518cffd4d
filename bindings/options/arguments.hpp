/**
 * @file arguments.hpp
 *
 * What a user gave on the command line, checked against the option table.
 */
#ifndef SYMVI_BINDINGS_OPTIONS_ARGUMENTS_HPP
#define SYMVI_BINDINGS_OPTIONS_ARGUMENTS_HPP

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "program.hpp"

namespace symvi {
namespace cli {

//! A mistake on the command line.
class UsageError : public std::invalid_argument
{
 public:
  using std::invalid_argument::invalid_argument;
};

/**
 * Values by option name.  Every value has been checked against the option's
 * type, limits and choices when the object exists.
 */
class Arguments
{
 public:
  //! Parse with CLI11; throws UsageError with one sentence.
  Arguments(const Program& program, int argc, const char* const* argv);

  //! True if the user gave the option.
  bool Has(const std::string& name) const;

  //! Value as text: given or default ("" if neither).
  std::string Text(const std::string& name) const;
  double Number(const std::string& name) const;
  size_t Count(const std::string& name) const;
  bool Flag(const std::string& name) const { return Has(name); }

  //! Throws UsageError if one of `names` was given, as `reason` says.
  void Forbid(const std::vector<std::string>& names,
      const std::string& reason) const;

  //! Throws UsageError unless a required option was given.
  void CheckRequired() const;

  //! Throws UsageError if two outputs, or an output and an input, are one file.
  void CheckFiles() const;

  const Program& Table() const { return program; }

 private:
  const Option& Lookup(const std::string& name) const;
  void CheckValue(const Option& option, std::string value) const;
  void Unknown(const std::string& word) const;

  const Program& program;
  std::map<std::string, std::string> values;
};

} // namespace cli
} // namespace symvi

#endif
