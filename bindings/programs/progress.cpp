/**
 * @file progress.cpp
 */
#include "progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

#include <sys/ioctl.h>
#include <unistd.h>

namespace symvi {
namespace cli {

namespace {

std::string Format(const char* format, const double value)
{
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), format, value);
  return buffer;
}

//! Columns of the terminal; a line that is longer could not be overwritten.
size_t TerminalWidth()
{
  struct winsize size = {};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0;
  return (known && size.ws_col > 1) ? size.ws_col : 1000;
}

} // namespace

std::string DescribeRecord(const EpochRecord& record)
{
  std::string text = "ELBO " + Format("%.2f", record.elbo) +
      ", log-likelihood " + Format("%.2f", record.logLikelihood) + ", KL " +
      Format("%.2f", record.kl) + ", I(g;w) " +
      Format("%.2f", record.information);
  if (!std::isnan(record.validation))
    text += ", validation NLL " + Format("%.4f", record.validation);
  return text;
}

Progress::Progress(const bool verbose, const double timeLimit) :
    verbose(verbose),
    timeLimit(timeLimit),
    terminal(::isatty(STDERR_FILENO) == 1),
    start(std::chrono::steady_clock::now()),
    last(start - std::chrono::hours(1))
{ }

Progress::~Progress()
{
  if (shown)
    std::fputc('\n', stderr);
}

std::string Progress::Bar(const EpochRecord& record, const size_t epochs) const
{
  const size_t width = 10;
  const double done = double(record.epoch) / double(epochs);
  const size_t full = std::min(width, size_t(done * double(width)));
  const size_t rest = width - full;
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  const double rate = elapsed.count() /
      std::max(1.0, double(record.epoch - firstEpoch) + 1.0);
  double left = rate * double(epochs - record.epoch);
  if (timeLimit > 0.0)
    left = std::max(0.0, std::min(left, timeLimit - elapsed.count()));
  // All of it fits into 80 columns as long as numbers have few digits.
  std::string line = "[" + std::string(full, '=') +
      (rest > 0 ? ">" + std::string(rest - 1, ' ') : "") + "] " +
      std::to_string(record.epoch) + "/" + std::to_string(epochs) + ", " +
      Format("%.0f s left: ", left) + Format("ELBO %.1f", record.elbo) +
      Format(", log-lik %.1f", record.logLikelihood) +
      Format(", KL %.1f", record.kl) + Format(", I %.1f", record.information);
  if (!std::isnan(record.validation))
    line += Format(", held out %.3f", record.validation);
  return "\r" + line.substr(0, TerminalWidth() - 1) + "\033[K";
}

void Progress::Update(const EpochRecord& record, const size_t epochs)
{
  if (firstEpoch == 0)
    firstEpoch = record.epoch;
  if (verbose && !terminal)
    std::cout << "[INFO ] Epoch " << record.epoch << '/' << epochs << ": "
              << DescribeRecord(record) << '\n';
  const auto now = std::chrono::steady_clock::now();
  const bool due = now - last > std::chrono::milliseconds(100) ||
      record.epoch == epochs;
  if (!terminal || !due)
    return;
  std::fputs(Bar(record, epochs).c_str(), stderr);
  std::fflush(stderr);
  shown = true;
  last = now;
}

} // namespace cli
} // namespace symvi
