/**
 * @file signals.cpp
 */
#include "signals.hpp"

#include <csignal>

#include <signal.h>

namespace symvi {
namespace cli {

namespace {

volatile std::sig_atomic_t caught = 0;

void Note(const int signal)
{
  caught = signal;
}

} // namespace

void CatchInterrupts()
{
  struct sigaction action = {};
  action.sa_handler = Note;
  sigemptyset(&action.sa_mask);
  // The next one of the same kind ends the program.
  action.sa_flags = SA_RESTART | int(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void ReleaseInterrupts()
{
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

int CaughtInterrupt()
{
  return caught;
}

const char* SignalName(const int signal)
{
  return (signal == SIGINT) ? "SIGINT" : "SIGTERM";
}

} // namespace cli
} // namespace symvi
