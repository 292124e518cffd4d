/**
 * @file src/kernel/normal.hpp
 *
 * Standard normal numbers from random blocks, by Box and Muller:
 *
 *   z1 = sqrt(-2 log u) cos(a),  z2 = sqrt(-2 log u) sin(a),
 *
 * u uniform in (0, 1), a uniform on the circle.
 */
#ifndef SYMVI_SRC_KERNEL_NORMAL_HPP
#define SYMVI_SRC_KERNEL_NORMAL_HPP

#include "kernel/multiversion.hpp"
#include "kernel/vector_math.hpp"

#include <Random123/threefry.h>

#include <cstddef>
#include <cstdint>

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

//! Block number counter + i of the stream with the given key, with 32 bit
//! arithmetic only, for loops over i.
SYMVI_INLINE threefry4x32_ctr_t RandomBlock(const uint64_t key,
    const uint64_t counter, const uint32_t i = 0)
{
  const uint32_t low = uint32_t(counter) + i;
  const uint32_t high = uint32_t(counter >> 32) + (low < i ? 1u : 0u);
  const threefry4x32_ctr_t number = { { low, high, 0, 0 } };
  const threefry4x32_key_t words = { { uint32_t(key), uint32_t(key >> 32), 0,
      0 } };
  return threefry4x32_R(13, number, words);
}

/**
 * The bits of blocks counter ... counter + 15: word j of block i is bits[j][i].
 * Two blocks at a time, as each is one long chain of operations.
 */
SYMVI_INLINE void RandomWords(const uint64_t key, const uint64_t counter,
    uint32_t bits[4][normalBlocks])
{
  constexpr uint32_t half = normalBlocks / 2;
  for (uint32_t i = 0; i < half; ++i)
  {
    const threefry4x32_ctr_t a = RandomBlock(key, counter, i);
    const threefry4x32_ctr_t b = RandomBlock(key, counter, i + half);
    for (size_t j = 0; j < 4; ++j)
    {
      bits[j][i] = a.v[j];
      bits[j][i + half] = b.v[j];
    }
  }
}

//! -2 log u, float: u is an odd multiple of 2^-32, made of 31 bits.
SYMVI_INLINE float SquaredRadius(const uint32_t a)
{
  const float u = (float(int32_t(a >> 1)) + 0.5f) * (1.0f / 2147483648.0f);
  return -2.0f * Log(u);
}

//! -2 log u, double: u is an odd multiple of 2^-53, made of 52 bits.
SYMVI_INLINE double SquaredRadius(const uint64_t a)
{
  constexpr uint64_t one = 0x3ff0000000000000;
  const double u = BitCast<double>((a >> 12) | one) - 0.99999999999999988898;
  return -2.0 * Log(u);
}

/**
 * A point on the circle: 30 bits make an angle t in [-pi/4, pi/4]; of the last
 * two, one exchanges sine and cosine and one turns the sign of the cosine, which
 * covers the circle.
 */
SYMVI_INLINE void CirclePoint(const uint32_t b, float& x, float& y)
{
  const float t = float(int32_t(b & ~3u)) *
      float(0.785398163397448309616 / 2147483648.0);
  float sine, cosine;
  SinCos(t, sine, cosine);
  const uint32_t c = BitCast<uint32_t>(cosine) ^ ((b & 2u) << 30);
  const uint32_t s = BitCast<uint32_t>(sine);
  const uint32_t exchange = (c ^ s) & (0u - (b & 1u));
  x = BitCast<float>(c ^ exchange);
  y = BitCast<float>(s ^ exchange);
}

//! The same with 52 bits for the angle.
SYMVI_INLINE void CirclePoint(const uint64_t b, double& x, double& y)
{
  constexpr uint64_t one = 0x3ff0000000000000;
  const double t = (BitCast<double>((b >> 12) | one) - 1.5) *
      1.57079632679489661923;
  double sine, cosine;
  SinCos(t, sine, cosine);
  const uint64_t c = BitCast<uint64_t>(cosine) ^ ((b & 2u) << 62);
  const uint64_t s = BitCast<uint64_t>(sine);
  const uint64_t exchange = (c ^ s) & (uint64_t(0) - (b & 1u));
  x = BitCast<double>(c ^ exchange);
  y = BitCast<double>(s ^ exchange);
}

/**
 * Normal numbers out[0 ... 2 n - 1] from n words for the radius and n for the
 * point on the circle.
 */
template<typename eT, typename Word, size_t n>
SYMVI_INLINE void BoxMuller(const Word (&a)[n], const Word (&b)[n],
    eT* SYMVI_RESTRICT out)
{
  eT square[n];
  for (size_t i = 0; i < n; ++i)
    square[i] = SquaredRadius(a[i]);
  for (size_t i = 0; i < n; ++i)
  {
    eT x, y;
    CirclePoint(b[i], x, y);
    const eT radius = Sqrt(square[i]);
    out[i] = radius * x;
    out[i + n] = radius * y;
  }
}

//! One chunk of float numbers: blocks counter ... counter + 15.
SYMVI_INLINE void NormalBlock(const uint64_t key, const uint64_t counter,
    float* SYMVI_RESTRICT out)
{
  uint32_t bits[4][normalBlocks];
  RandomWords(key, counter, bits);
  BoxMuller(bits[0], bits[1], out);
  BoxMuller(bits[2], bits[3], out + 2 * normalBlocks);
}

//! One chunk of double numbers: blocks counter ... counter + 15.
SYMVI_INLINE void NormalBlock(const uint64_t key, const uint64_t counter,
    double* SYMVI_RESTRICT out)
{
  uint32_t bits[4][normalBlocks];
  RandomWords(key, counter, bits);
  uint64_t a[normalBlocks], b[normalBlocks];
  for (size_t i = 0; i < normalBlocks; ++i)
  {
    a[i] = (uint64_t(bits[1][i]) << 32) | bits[0][i];
    b[i] = (uint64_t(bits[3][i]) << 32) | bits[2][i];
  }
  BoxMuller(a, b, out);
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
