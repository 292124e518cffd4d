/**
 * @file symvi/kernel/seed_key.hpp
 *
 * From a user's seed to the key of a RandomStream.
 */
#ifndef SYMVI_KERNEL_SEED_KEY_HPP
#define SYMVI_KERNEL_SEED_KEY_HPP

#include <cstdint>

namespace symvi {
namespace kernel {

//! A well-mixed key from a seed (the finaliser of SplitMix64), so that small
//! seeds do not name streams that somebody else uses.
inline uint64_t KeyFromSeed(const uint64_t seed)
{
  uint64_t z = seed + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

} // namespace kernel
} // namespace symvi

#endif
