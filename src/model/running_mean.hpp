/**
 * @file src/model/running_mean.hpp
 */
#ifndef SYMVI_MODEL_RUNNING_MEAN_HPP
#define SYMVI_MODEL_RUNNING_MEAN_HPP

#include <cmath>
#include <cstddef>
#include <limits>

namespace symvi {

//! Mean and standard error of the mean, updated one number at a time.
class RunningMean
{
 public:
  //! Once an infinite number was added, the mean is that infinity.
  void Add(const double x)
  {
    ++count;
    if (std::isinf(x) || std::isinf(mean))
    {
      mean = std::isinf(x) ? x : mean;
      return;
    }
    const double delta = x - mean;
    mean += delta / double(count);
    squares += delta * (x - mean);
  }

  size_t Count() const { return count; }
  double Mean() const { return mean; }

  double StandardError() const
  {
    if (count < 2)
      return std::numeric_limits<double>::quiet_NaN();
    return std::sqrt(squares / double(count - 1) / double(count));
  }

 private:
  size_t count = 0;
  double mean = 0.0;
  double squares = 0.0;
};

} // namespace symvi

#endif
