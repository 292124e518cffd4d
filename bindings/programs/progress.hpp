/**
 * @file progress.hpp
 *
 * How far training is.
 */
#ifndef SYMVI_BINDINGS_PROGRAMS_PROGRESS_HPP
#define SYMVI_BINDINGS_PROGRAMS_PROGRESS_HPP

#include <chrono>
#include <string>

#include "model/spec.hpp"

namespace symvi {
namespace cli {

/**
 * A bar on the standard error if that is a terminal; a line an epoch on the
 * standard output with --verbose; otherwise nothing.
 */
class Progress
{
 public:
  Progress(size_t epochs, bool verbose);
  ~Progress();

  void Update(const HistoryRow& row);

 private:
  std::string Bar(const HistoryRow& row) const;

  size_t epochs;
  bool verbose;
  bool terminal;
  bool shown = false;
  size_t firstEpoch = 0;
  std::chrono::steady_clock::time_point start;
  std::chrono::steady_clock::time_point last;
};

//! "ELBO -40.21, log-likelihood -12.20, KL 53.10, I(g;w) 25.09"
std::string DescribeRow(const HistoryRow& row);

} // namespace cli
} // namespace symvi

#endif
