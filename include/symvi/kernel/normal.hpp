/**
 * @file symvi/kernel/normal.hpp
 *
 * Standard normal numbers from random blocks, by Box and Muller:
 *
 *   z1 = sqrt(-2 log u) cos(a),  z2 = sqrt(-2 log u) sin(a),
 *
 * u uniform in (0, 1), a uniform on the circle.
 */
#ifndef SYMVI_KERNEL_NORMAL_HPP
#define SYMVI_KERNEL_NORMAL_HPP

#include <cstddef>
#include <cstdint>

#include "multiversion.hpp"
#include "threefry.hpp"
#include "vector_math.hpp"

namespace symvi {
namespace kernel {

//! Blocks of 128 bits that are turned into numbers together.
constexpr size_t normalBlocks = 16;

//! How many normal numbers normalBlocks blocks give.
template<typename eT>
constexpr size_t NormalChunk()
{
  return normalBlocks * 16 / sizeof(eT);
}

/**
 * Two float numbers from 64 bits.  31 bits make u, an odd multiple of 2^-32; 30
 * make an angle t in [-pi/4, pi/4]; one of the last two exchanges sine and
 * cosine and the other turns the cosine's sign, which covers the circle.
 */
SYMVI_INLINE void BoxMuller(const uint32_t a, const uint32_t b, float& z1,
                            float& z2)
{
  const float u = (float(int32_t(a >> 1)) + 0.5f) * (1.0f / 2147483648.0f);
  const float radius = Sqrt(-2.0f * Log(u));
  const float t = float(int32_t(b & ~3u)) *
      float(0.785398163397448309616 / 2147483648.0);
  float sine, cosine;
  SinCos(t, sine, cosine);
  const uint32_t x = BitCast<uint32_t>(cosine) ^ ((b & 2u) << 30);
  const uint32_t y = BitCast<uint32_t>(sine);
  const uint32_t exchange = (x ^ y) & (0u - (b & 1u));
  z1 = radius * BitCast<float>(x ^ exchange);
  z2 = radius * BitCast<float>(y ^ exchange);
}

/**
 * Two double numbers from 128 bits, in the same way: 52 bits make u, an odd
 * multiple of 2^-53, and 52 the angle.
 */
SYMVI_INLINE void BoxMuller(const uint64_t a, const uint64_t b, double& z1,
                            double& z2)
{
  constexpr uint64_t one = 0x3ff0000000000000;
  const double u = BitCast<double>((a >> 12) | one) - 0.99999999999999988898;
  const double radius = Sqrt(-2.0 * Log(u));
  const double t = (BitCast<double>((b >> 12) | one) - 1.5) *
      1.57079632679489661923;
  double sine, cosine;
  SinCos(t, sine, cosine);
  const uint64_t x = BitCast<uint64_t>(cosine) ^ ((b & 2u) << 62);
  const uint64_t y = BitCast<uint64_t>(sine);
  const uint64_t exchange = (x ^ y) & (uint64_t(0) - (b & 1u));
  z1 = radius * BitCast<double>(x ^ exchange);
  z2 = radius * BitCast<double>(y ^ exchange);
}

//! One chunk of float numbers: blocks counter ... counter + 15.
SYMVI_INLINE void NormalBlock(const uint64_t key, const uint64_t counter,
                              float* SYMVI_RESTRICT out)
{
  for (uint32_t i = 0; i < normalBlocks; ++i)
  {
    const ThreefryState s = ThreefryBlock(key, counter, i);
    BoxMuller(s.x0, s.x1, out[i], out[i + 16]);
    BoxMuller(s.x2, s.x3, out[i + 32], out[i + 48]);
  }
}

//! One chunk of double numbers: blocks counter ... counter + 15.
SYMVI_INLINE void NormalBlock(const uint64_t key, const uint64_t counter,
                              double* SYMVI_RESTRICT out)
{
  uint32_t bits[4][normalBlocks];
  for (uint32_t i = 0; i < normalBlocks; ++i)
  {
    const ThreefryState s = ThreefryBlock(key, counter, i);
    bits[0][i] = s.x0;
    bits[1][i] = s.x1;
    bits[2][i] = s.x2;
    bits[3][i] = s.x3;
  }
  for (uint32_t i = 0; i < normalBlocks; ++i)
  {
    const uint64_t a = (uint64_t(bits[1][i]) << 32) | bits[0][i];
    const uint64_t b = (uint64_t(bits[3][i]) << 32) | bits[2][i];
    BoxMuller(a, b, out[i], out[i + 16]);
  }
}

/**
 * Fill out with n standard normal numbers from the blocks counter, ... .
 *
 * @return The number of blocks used.
 */
template<typename eT>
SYMVI_MULTIVERSION
uint64_t FillNormal(const uint64_t key, const uint64_t counter, eT* out,
                    const size_t n)
{
  constexpr size_t chunk = NormalChunk<eT>();
  uint64_t used = 0;
  size_t i = 0;
  for (; i + chunk <= n; i += chunk, used += normalBlocks)
    NormalBlock(key, counter + used, out + i);
  if (i < n)
  {
    eT z[chunk];
    NormalBlock(key, counter + used, z);
    for (size_t j = 0; i + j < n; ++j)
      out[i + j] = z[j];
    used += normalBlocks;
  }
  return used;
}

} // namespace kernel
} // namespace symvi

#endif
