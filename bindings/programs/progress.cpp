/**
 * @file progress.cpp
 */
#include "progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

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

} // namespace

std::string DescribeRow(const HistoryRow& row)
{
  std::string text = "ELBO " + Format("%.2f", row.elbo) + ", log-likelihood " +
      Format("%.2f", row.logLikelihood) + ", KL " + Format("%.2f", row.kl) +
      ", I(g;w) " + Format("%.2f", row.information);
  if (!std::isnan(row.validation))
    text += ", validation NLL " + Format("%.4f", row.validation);
  return text;
}

Progress::Progress(const size_t epochs, const bool verbose) :
    epochs(epochs),
    verbose(verbose),
    terminal(::isatty(STDERR_FILENO) == 1),
    start(std::chrono::steady_clock::now()),
    last(start - std::chrono::hours(1))
{ }

Progress::~Progress()
{
  if (shown)
    std::fputc('\n', stderr);
}

std::string Progress::Bar(const HistoryRow& row) const
{
  const size_t width = 24;
  const double done = row.epoch / double(epochs);
  const size_t full = std::min(width, size_t(done * double(width)));
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  const double rate = elapsed.count() /
      std::max(1.0, row.epoch - double(firstEpoch) + 1.0);
  return "\r[" + std::string(full, '=') + (full < width ? ">" : "") +
      std::string(full < width ? width - full - 1 : 0, ' ') + "] epoch " +
      Format("%.0f", row.epoch) + "/" + std::to_string(epochs) + ", " +
      Format("%.0f s left, ", rate * (double(epochs) - row.epoch)) +
      DescribeRow(row) + "\033[K";
}

void Progress::Update(const HistoryRow& row)
{
  if (firstEpoch == 0)
    firstEpoch = size_t(row.epoch);
  if (verbose && !terminal)
    std::printf("[INFO ] Epoch %.0f/%zu: %s\n", row.epoch, epochs,
        DescribeRow(row).c_str());
  const auto now = std::chrono::steady_clock::now();
  const bool due = now - last > std::chrono::milliseconds(100) ||
      size_t(row.epoch) == epochs;
  if (!terminal || !due)
    return;
  std::fputs(Bar(row).c_str(), stderr);
  std::fflush(stderr);
  shown = true;
  last = now;
}

} // namespace cli
} // namespace symvi
