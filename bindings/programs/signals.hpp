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
 * From now on SIGINT and SIGTERM are only noted; a second one ends the program
 * as usual, and after SIGTERM so do two seconds.
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
