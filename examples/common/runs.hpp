/**
 * @file examples/common/runs.hpp
 *
 * Independent runs over the cores, with a progress line; checks of claims;
 * means and paired differences.
 */
#ifndef SYMVI_EXAMPLES_COMMON_RUNS_HPP
#define SYMVI_EXAMPLES_COMMON_RUNS_HPP

#include <symvi/kernel/threads.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#if defined(__GNUC__)
extern "C" void openblas_set_num_threads(int) __attribute__((weak));
#endif

namespace examples {

//! Each run uses one thread; the cores are shared out among runs.
inline void UseOneBlasThread()
{
#if defined(__GNUC__)
  if (openblas_set_num_threads)
    openblas_set_num_threads(1);
#endif
}

//! A line on standard error: how many runs are done, and how long is left.
class Progress
{
 public:
  Progress(const std::string& what, size_t total) :
      what(what),
      total(total),
      start(std::chrono::steady_clock::now())
  { }

  ~Progress()
  {
    if (total > 0)
      std::fprintf(stderr, "\n");
  }

  void Step()
  {
    const std::lock_guard<std::mutex> lock(mutex);
    ++done;
    const std::chrono::duration<double> passed =
        std::chrono::steady_clock::now() - start;
    std::fprintf(stderr, "\r%s: %zu of %zu, %.0f s left   ", what.c_str(), done,
        total, passed.count() * double(total - done) / double(done));
    std::fflush(stderr);
  }

 private:
  std::string what;
  size_t total, done = 0;
  std::chrono::steady_clock::time_point start;
  std::mutex mutex;
};

/**
 * Calls run(0), ..., run(count - 1), at most `jobs` at a time.  The first
 * exception ends the loop and is thrown again.
 */
template<typename Run>
void ForEachRun(const std::string& what, size_t count, size_t jobs, Run run)
{
  UseOneBlasThread();
  Progress progress(what, count);
  symvi::kernel::InParallel(count, jobs,
      [&](const size_t i)
      {
    run(i);
    progress.Step();
  });
}

//! Collects the claims of a program; ExitCode() is 1 if one is violated.
class Claims
{
 public:
  void Check(bool holds, const std::string& claim)
  {
    std::cout << (holds ? "holds:    " : "VIOLATED: ") << claim << "\n";
    violated = violated || !holds;
  }

  int ExitCode() const { return violated ? 1 : 0; }

 private:
  bool violated = false;
};

//! Mean, standard deviation and standard error of a sample.
struct Summary
{
  double mean = 0, stddev = 0, error = 0;

  explicit Summary(const std::vector<double>& sample)
  {
    const double n = double(sample.size());
    for (double x : sample)
      mean += x / n;
    for (double x : sample)
      stddev += (x - mean) * (x - mean);
    stddev = n > 1 ? std::sqrt(stddev / (n - 1)) : 0.0;
    error = stddev / std::sqrt(n);
  }

  //! Of the differences a[i] - b[i]: runs with common random numbers.
  static Summary Paired(std::vector<double> a, const std::vector<double>& b)
  {
    for (size_t i = 0; i < a.size(); ++i)
      a[i] -= b[i];
    return Summary(a);
  }
};

//! A number with so many digits behind the point.
inline std::string Fixed(double value, int digits)
{
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", digits, value);
  return text;
}

//! "mean +- spread", for tables.
inline std::string PlusMinus(double mean, double spread, int digits)
{
  return Fixed(mean, digits) + " +- " + Fixed(spread, digits);
}

} // namespace examples

#endif
