/**
 * @file symvi/predict/vector_exp.hpp
 *
 * An exponential without branches or table look-ups, which compilers turn into
 * vector instructions.
 */
#ifndef SYMVI_PREDICT_VECTOR_EXP_HPP
#define SYMVI_PREDICT_VECTOR_EXP_HPP

#include <symvi/kernel/multiversion.hpp>

#include <cstdint>
#include <cstring>

namespace symvi {
namespace predict {

/**
 * exp(x) for x <= 0: with x = n log 2 + r, |r| <= (log 2) / 2,
 *
 *   exp(x) = 2^n exp(r),  exp(r) by its Taylor polynomial of degree 7.
 *
 * n is found by adding 1.5 * 2^23, which leaves it in the low bits of the sum.
 * Relative error below 3e-7; below -87 the result is that of -87, 1.6e-38.
 */
SYMVI_INLINE float VectorExp(const float value)
{
  const float x = value > -87.0f ? value : -87.0f;
  const float shifted = x * 1.44269504f + 12582912.0f;
  const float n = shifted - 12582912.0f;
  const float r = (x - n * 0.693145752f) - n * 1.42860677e-6f;
  float e = 1.0f / 5040;
  e = e * r + 1.0f / 720;
  e = e * r + 1.0f / 120;
  e = e * r + 1.0f / 24;
  e = e * r + 1.0f / 6;
  e = e * r + 0.5f;
  e = e * r + 1.0f;
  e = e * r + 1.0f;
  uint32_t bits;
  std::memcpy(&bits, &shifted, sizeof(bits));
  bits = (bits << 23) + (127u << 23);
  float scale;
  std::memcpy(&scale, &bits, sizeof(scale));
  return e * scale;
}

/**
 * The same in double precision: Taylor polynomial of degree 13, relative error
 * below 1e-15; below -708 the result is that of -708, 3e-308.
 */
SYMVI_INLINE double VectorExp(const double value)
{
  const double x = value > -708.0 ? value : -708.0;
  const double shifted = x * 1.4426950408889634 + 6755399441055744.0;
  const double n = shifted - 6755399441055744.0;
  const double r = (x - n * 0.69314718036912382) - n * 1.9082149292705877e-10;
  double e = 1.0 / 6227020800;
  e = e * r + 1.0 / 479001600;
  e = e * r + 1.0 / 39916800;
  e = e * r + 1.0 / 3628800;
  e = e * r + 1.0 / 362880;
  e = e * r + 1.0 / 40320;
  e = e * r + 1.0 / 5040;
  e = e * r + 1.0 / 720;
  e = e * r + 1.0 / 120;
  e = e * r + 1.0 / 24;
  e = e * r + 1.0 / 6;
  e = e * r + 0.5;
  e = e * r + 1.0;
  e = e * r + 1.0;
  uint64_t bits;
  std::memcpy(&bits, &shifted, sizeof(bits));
  bits = (bits << 52) + (uint64_t(1023) << 52);
  double scale;
  std::memcpy(&scale, &bits, sizeof(scale));
  return e * scale;
}

} // namespace predict
} // namespace symvi

#endif
