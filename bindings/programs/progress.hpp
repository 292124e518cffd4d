/**
 * @file progress.hpp
 *
 * How far training is.
 */
#ifndef SYMVI_BINDINGS_PROGRAMS_PROGRESS_HPP
#define SYMVI_BINDINGS_PROGRAMS_PROGRESS_HPP

#include <symvi/train/fit_options.hpp>

#include <chrono>
#include <string>

namespace symvi {
namespace cli {

/**
 * A bar on the standard error if that is a terminal; one line per epoch on
 * the standard output with --verbose; otherwise nothing.
 */
class Progress
{
 public:
  //! @param timeLimit Seconds that training may take; 0 for no limit.
  explicit Progress(bool verbose, double timeLimit = 0.0);
  ~Progress();

  //! An epoch of so many has ended.
  void Update(const EpochRecord& record, size_t epochs);

 private:
  std::string Bar(const EpochRecord& record, size_t epochs) const;

  bool verbose;
  double timeLimit;
  bool terminal;
  bool shown = false;
  size_t firstEpoch = 0;
  std::chrono::steady_clock::time_point start;
  std::chrono::steady_clock::time_point last;
};

//! "ELBO -40.21, log-likelihood -12.20, KL 53.10, I(g;w) 25.09"
std::string DescribeRecord(const EpochRecord& record);

} // namespace cli
} // namespace symvi

#endif
