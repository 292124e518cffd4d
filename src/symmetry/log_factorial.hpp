/**
 * @file src/symmetry/log_factorial.hpp
 *
 * log n!, for the order of a group of permutations.
 */
#ifndef SYMVI_SRC_SYMMETRY_LOG_FACTORIAL_HPP
#define SYMVI_SRC_SYMMETRY_LOG_FACTORIAL_HPP

#include <cstddef>

#include <math.h>

namespace symvi {

//! log n!.  std::lgamma() would write the global signgam: a race of threads.
inline double LogFactorial(const size_t n)
{
  int sign;
  return ::lgamma_r(double(n) + 1.0, &sign);
}

} // namespace symvi

#endif
