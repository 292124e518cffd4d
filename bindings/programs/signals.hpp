/**
 * @file signals.hpp
 *
 * Ctrl-C and SIGTERM as a question that training asks after every step.
 */
#ifndef SYMVI_BINDINGS_PROGRAMS_SIGNALS_HPP
#define SYMVI_BINDINGS_PROGRAMS_SIGNALS_HPP

namespace symvi {
namespace cli {

/**
 * From now on SIGINT and SIGTERM are only noted.  A second one ends the program
 * as usual, and so does the end of two seconds after a SIGTERM.
 */
void CatchInterrupts();

//! From now on they end the program again.
void ReleaseInterrupts();

//! The signal that was caught, or 0.
int CaughtInterrupt();

//! "SIGINT" or "SIGTERM".
const char* SignalName(int signal);

} // namespace cli
} // namespace symvi

#endif
