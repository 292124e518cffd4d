/**
 * @file symvi/kernel/philox.hpp
 *
 * The Philox4x32-10 block function.
 */
#ifndef SYMVI_KERNEL_PHILOX_HPP
#define SYMVI_KERNEL_PHILOX_HPP

#include <cstdint>

#include "multiversion.hpp"

namespace symvi {
namespace kernel {

/**
 * Ten rounds of Philox4x32.  One round, with the constants M0, M1 and a key
 * that grows by the Weyl constants W0, W1 from round to round, is
 *
 *   (x0, x1, x2, x3) <- (hi(M1 x2) ^ x1 ^ k0, lo(M1 x2),
 *                        hi(M0 x0) ^ x3 ^ k1, lo(M0 x0)).
 *
 * @param key 64 bit key.
 * @param x Counter on entry, 128 random bits on exit.
 */
SYMVI_INLINE void Philox(const uint64_t key, uint32_t x[4])
{
  uint32_t k0 = uint32_t(key), k1 = uint32_t(key >> 32);
  for (int round = 0; round < 10; ++round)
  {
    const uint64_t p0 = uint64_t(0xD2511F53u) * x[0];
    const uint64_t p1 = uint64_t(0xCD9E8D57u) * x[2];
    const uint32_t y0 = uint32_t(p1 >> 32) ^ x[1] ^ k0;
    const uint32_t y2 = uint32_t(p0 >> 32) ^ x[3] ^ k1;
    x[0] = y0;
    x[1] = uint32_t(p1);
    x[2] = y2;
    x[3] = uint32_t(p0);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
}

} // namespace kernel
} // namespace symvi

#endif
