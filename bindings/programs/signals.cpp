/**
 * @file signals.cpp
 */
#include "signals.hpp"

#include <csignal>

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

namespace symvi {
namespace cli {

namespace {

volatile std::sig_atomic_t caught = 0;

//! Milliseconds that a run has after SIGTERM to save what it has.
const long patience = 1700;

void Note(const int signal)
{
  caught = signal;
  if (signal != SIGTERM)
    return;
  // A step, or OpenBLAS without memory, may not come back in time.
  struct itimerval timer = {};
  timer.it_value.tv_sec = patience / 1000;
  timer.it_value.tv_usec = 1000 * (patience % 1000);
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

//! Only what is allowed in a handler.
void GiveUp(int)
{
  const char text[] =
      "[FATAL] ended by SIGTERM before what was trained could be "
      "saved; a checkpoint stays as it was.\n";
  if (::write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
    ::_exit(128 + SIGTERM);
  ::_exit(128 + SIGTERM);
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
  action.sa_handler = GiveUp;
  sigaction(SIGALRM, &action, nullptr);
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
