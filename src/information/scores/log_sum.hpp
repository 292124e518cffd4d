/**
 * @file src/information/scores/log_sum.hpp
 */
#ifndef SYMVI_INFORMATION_LOG_SUM_HPP
#define SYMVI_INFORMATION_LOG_SUM_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace symvi {
namespace information {

//! log sum_j exp(x_j), without overflow; -infinity for no terms.
inline double LogSum(const double* x, const size_t n)
{
  double most = -std::numeric_limits<double>::infinity();
  for (size_t j = 0; j < n; ++j)
    most = std::max(most, x[j]);
  if (!(most > -std::numeric_limits<double>::infinity()))
    return most;
  double sum = 0.0;
  for (size_t j = 0; j < n; ++j)
    sum += std::exp(x[j] - most);
  return most + std::log(sum);
}

//! log(exp x + exp y); -infinity if both are.
inline double LogAdd(const double x, const double y)
{
  const double most = std::max(x, y);
  return (most > -std::numeric_limits<double>::infinity()) ?
      most + std::log1p(std::exp(std::min(x, y) - most)) :
      most;
}

/**
 * sum_i log x_i, with one logarithm for eight numbers; numbers are clamped to
 * [1e-36, 1e36].
 */
template<typename eT>
inline double SumLog(const eT* x, const size_t n)
{
  double sum = 0.0, product = 1.0;
  for (size_t i = 0; i < n; ++i)
  {
    product *= std::min(std::max(double(x[i]), 1e-36), 1e36);
    if (i % 8 == 7 || i + 1 == n)
    {
      sum += std::log(product);
      product = 1.0;
    }
  }
  return sum;
}

//! Multiply a running product by x > 0; its logarithm goes to `log` in time.
inline void MultiplyInto(const double x, double& product, double& log)
{
  product *= x;
  if (product < 1e-100 || product > 1e100)
  {
    log += std::log(product);
    product = 1.0;
  }
}

} // namespace information
} // namespace symvi

#endif
