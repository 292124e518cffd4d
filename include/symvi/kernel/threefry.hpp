/**
 * @file symvi/kernel/threefry.hpp
 *
 * The Threefry4x32-13 block function: 128 random bits from a key and a counter
 * (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3",
 * 2011).  It adds, rotates and exchanges 32 bit words, which every vector unit
 * does; the authors find 12 rounds to pass all of BigCrush.
 */
#ifndef SYMVI_KERNEL_THREEFRY_HPP
#define SYMVI_KERNEL_THREEFRY_HPP

#include <cstdint>

#include "multiversion.hpp"

namespace symvi {
namespace kernel {

//! Four words: a counter on its way to 128 random bits.
struct ThreefryState { uint32_t x0, x1, x2, x3; };

SYMVI_INLINE uint32_t RotateLeft(const uint32_t x, const int by)
{
  return (x << by) | (x >> (32 - by));
}

//! Add to (a, b) and (c, d), rotate and mix: half of the words change.
SYMVI_INLINE void ThreefryMix(uint32_t& a, uint32_t& b, const int rotateB,
                              uint32_t& c, uint32_t& d, const int rotateD)
{
  a += b;
  b = RotateLeft(b, rotateB) ^ a;
  c += d;
  d = RotateLeft(d, rotateD) ^ c;
}

//! Rounds 0 to 3 of every 8.
SYMVI_INLINE void ThreefryEarly(ThreefryState& s)
{
  ThreefryMix(s.x0, s.x1, 10, s.x2, s.x3, 26);
  ThreefryMix(s.x0, s.x3, 11, s.x2, s.x1, 21);
  ThreefryMix(s.x0, s.x1, 13, s.x2, s.x3, 27);
  ThreefryMix(s.x0, s.x3, 23, s.x2, s.x1, 5);
}

//! Rounds 4 to 7 of every 8.
SYMVI_INLINE void ThreefryLate(ThreefryState& s)
{
  ThreefryMix(s.x0, s.x1, 6, s.x2, s.x3, 20);
  ThreefryMix(s.x0, s.x3, 17, s.x2, s.x1, 11);
  ThreefryMix(s.x0, s.x1, 25, s.x2, s.x3, 10);
  ThreefryMix(s.x0, s.x3, 18, s.x2, s.x1, 20);
}

//! Add key words and the number of the injection.
SYMVI_INLINE void ThreefryKey(ThreefryState& s, const uint32_t a,
                              const uint32_t b, const uint32_t c,
                              const uint32_t d, const uint32_t number)
{
  s.x0 += a;
  s.x1 += b;
  s.x2 += c;
  s.x3 += d + number;
}

/**
 * Thirteen rounds, written out so that a loop around it has no loop inside.
 *
 * @param s Counter on entry, random bits on exit.
 * @param k0, k1, k2, k3 The key.
 */
SYMVI_INLINE void Threefry(ThreefryState& s, const uint32_t k0,
                           const uint32_t k1, const uint32_t k2,
                           const uint32_t k3)
{
  const uint32_t k4 = 0x1BD11BDAu ^ k0 ^ k1 ^ k2 ^ k3;
  ThreefryKey(s, k0, k1, k2, k3, 0);
  ThreefryEarly(s);
  ThreefryKey(s, k1, k2, k3, k4, 1);
  ThreefryLate(s);
  ThreefryKey(s, k2, k3, k4, k0, 2);
  ThreefryEarly(s);
  ThreefryKey(s, k3, k4, k0, k1, 3);
  ThreefryMix(s.x0, s.x1, 6, s.x2, s.x3, 20);
}

/**
 * Block number counter + i of the stream with the given key, with 32 bit
 * arithmetic only, for loops over i.
 */
SYMVI_INLINE ThreefryState ThreefryBlock(const uint64_t key,
                                         const uint64_t counter,
                                         const uint32_t i = 0)
{
  ThreefryState s;
  s.x0 = uint32_t(counter) + i;
  s.x1 = uint32_t(counter >> 32) + (s.x0 < i ? 1u : 0u);
  s.x2 = s.x3 = 0;
  Threefry(s, uint32_t(key), uint32_t(key >> 32), 0, 0);
  return s;
}

} // namespace kernel
} // namespace symvi

#endif
