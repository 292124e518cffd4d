/**
 * @file benchmarks/common/clock.hpp
 *
 * Time and medians.
 */
#ifndef SYMVI_BENCHMARKS_CLOCK_HPP
#define SYMVI_BENCHMARKS_CLOCK_HPP

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

namespace bench {

/**
 * Microseconds: the processor time of the process, which for one thread is the
 * time on the wall of an idle machine and is not disturbed by a busy one; or
 * the time on the wall itself.
 */
inline double Microseconds(const bool wall)
{
  if (!wall)
  {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e6 * double(t.tv_sec) + 1e-3 * double(t.tv_nsec);
  }
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::micro>(now).count();
}

inline double Median(std::vector<double> values)
{
  const size_t half = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + half, values.end());
  return values[half];
}

} // namespace bench

#endif
