/**
 * @file symvi/kernel/normal.hpp
 *
 * Standard normal numbers from Philox blocks.
 */
#ifndef SYMVI_KERNEL_NORMAL_HPP
#define SYMVI_KERNEL_NORMAL_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "philox.hpp"

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

//! Two normal numbers from two uniform ones, u in (0, 1), v in [0, 1).
template<typename eT>
SYMVI_INLINE void BoxMuller(const eT u, const eT v, eT& z1, eT& z2)
{
  const eT radius = std::sqrt(eT(-2) * std::log(u));
  const eT angle = eT(6.283185307179586476925) * v;
  z1 = radius * std::cos(angle);
  z2 = radius * std::sin(angle);
}

//! One chunk of float numbers: blocks counter ... counter + 15.
SYMVI_INLINE void NormalBlock(const uint64_t key, const uint64_t counter,
                              float* out)
{
  for (size_t i = 0; i < normalBlocks; ++i)
  {
    const uint64_t c = counter + i;
    uint32_t x[4] = { uint32_t(c), uint32_t(c >> 32), 0, 0 };
    Philox(key, x);
    const float scale = 1.0f / 4294967296.0f;
    BoxMuller((float(x[0]) + 0.5f) * scale, float(x[1] >> 8) / 16777216.0f,
        out[i], out[i + 16]);
    BoxMuller((float(x[2]) + 0.5f) * scale, float(x[3] >> 8) / 16777216.0f,
        out[i + 32], out[i + 48]);
  }
}

//! One chunk of double numbers: blocks counter ... counter + 15.
SYMVI_INLINE void NormalBlock(const uint64_t key, const uint64_t counter,
                              double* out)
{
  for (size_t i = 0; i < normalBlocks; ++i)
  {
    const uint64_t c = counter + i;
    uint32_t x[4] = { uint32_t(c), uint32_t(c >> 32), 0, 0 };
    Philox(key, x);
    const double scale = 1.0 / 4503599627370496.0;
    const uint64_t a = (uint64_t(x[1]) << 32) | x[0];
    const uint64_t b = (uint64_t(x[3]) << 32) | x[2];
    BoxMuller((double(a >> 12) + 0.5) * scale, double(b >> 12) * scale,
        out[i], out[i + 16]);
  }
}

/**
 * Fill out with n standard normal numbers from the blocks counter, ... .
 *
 * @return The number of blocks used.
 */
template<typename eT>
uint64_t FillNormal(const uint64_t key, const uint64_t counter, eT* out,
                    const size_t n)
{
  constexpr size_t chunk = NormalChunk<eT>();
  uint64_t used = 0;
  for (size_t i = 0; i < n; i += chunk, used += normalBlocks)
  {
    eT z[chunk];
    NormalBlock(key, counter + used, z);
    for (size_t j = 0; j < chunk && i + j < n; ++j)
      out[i + j] = z[j];
  }
  return used;
}

} // namespace kernel
} // namespace symvi

#endif
