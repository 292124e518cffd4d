/**
 * @file run.hpp
 *
 * What main() of every program does.
 */
#ifndef SYMVI_BINDINGS_OPTIONS_RUN_HPP
#define SYMVI_BINDINGS_OPTIONS_RUN_HPP

#include <functional>
#include <string>

#include "arguments.hpp"

namespace symvi {
namespace cli {

/**
 * Parse the command line, answer --help, --info and --version, and otherwise
 * call `body`, which returns the exit code.  Every exception becomes one line
 * "[FATAL] ..." on the standard error and exit code 1; so does a standard
 * output that cannot be written.
 *
 * @param table Makes the option table.
 */
int Run(const Program& (*table)(), int argc, const char* const* argv,
    const std::function<int(const Arguments&)>& body);

//! "[INFO ] text" on the standard output, if --verbose was given.
void Info(const std::string& text);

//! "[WARN ] text" on the standard error.
void Warn(const std::string& text);

} // namespace cli
} // namespace symvi

#endif
