/**
 * @file pages.hpp
 *
 * What the option table is turned into.
 */
#ifndef SYMVI_BINDINGS_OPTIONS_PAGES_HPP
#define SYMVI_BINDINGS_OPTIONS_PAGES_HPP

#include <string>
#include <vector>

#include "program.hpp"

namespace symvi {
namespace cli {

//! The page of --help, laid out as mlpack's.
std::string HelpPage(const Program& program);

//! The answer to --info: one option.
std::string InfoPage(const Option& option);

//! The manual page, in man(7) format.
std::string ManPage(const Program& program, const std::string& version);

//! A bash completion script for all programs.
std::string BashCompletion(const std::vector<Program>& programs);

//! "int", "double", "string" or "flag", as mlpack names types.
std::string TypeName(const Option& option);

//! Description with its default value, as one line.
std::string FullDescription(const Option& option);

} // namespace cli
} // namespace symvi

#endif
