/**
 * @file src/information/scores/coordinate_order.hpp
 *
 * Which coordinates of the units to look at first.
 */
#ifndef SYMVI_INFORMATION_COORDINATE_ORDER_HPP
#define SYMVI_INFORMATION_COORDINATE_ORDER_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace symvi {
namespace information {

/**
 * Sort coordinates by how well they tell units apart, roughly: into buckets by
 * the binary exponent of their merit relative to the mean, the best one first;
 * within a bucket they keep their order.
 *
 * @param merit The merit of each coordinate, not negative.
 * @param n Number of coordinates.
 * @param order Filled with 0 ... n - 1.
 */
inline void SortByMerit(const float* merit, const size_t n, uint32_t* order)
{
  constexpr int buckets = 12;
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i)
    sum += merit[i];
  const float unit = float(16.0 * double(n) / std::max(sum, 1e-300));
  size_t start[buckets + 1] = {};
  const auto bucket = [&](const float m)
  {
    const float x = m * unit;
    if (!(x >= 1.0f))
      return buckets - 1;
    return (x < 2048.0f) ? std::max(buckets - 2 - std::ilogb(x), 0) : 0;
  };
  for (size_t i = 0; i < n; ++i)
    ++start[bucket(merit[i]) + 1];
  for (int k = 1; k < buckets; ++k)
    start[k] += start[k - 1];
  for (size_t i = 0; i < n; ++i)
    order[start[bucket(merit[i])]++] = uint32_t(i);
}

} // namespace information
} // namespace symvi

#endif
