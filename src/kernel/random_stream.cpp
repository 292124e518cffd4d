/**
 * @file src/kernel/random_stream.cpp
 */
#include <symvi/kernel/random_stream.hpp>

#include "kernel/normal.hpp"

namespace symvi {

template<typename eT>
void RandomStream::FillNormal(eT* out, const size_t n)
{
  counter += kernel::FillNormal(key, counter, out, n);
}

template void RandomStream::FillNormal<float>(float*, size_t);
template void RandomStream::FillNormal<double>(double*, size_t);

uint64_t RandomStream::NextBits()
{
  const threefry4x32_ctr_t block = kernel::RandomBlock(key, counter++);
  return (uint64_t(block.v[1]) << 32) | block.v[0];
}

double RandomStream::NextUniform()
{
  // 52 bits and a half: exact in double, never 0 or 1.
  const double u = double(NextBits() >> 12) + 0.5;
  return u * (1.0 / 4503599627370496.0);
}

size_t RandomStream::NextIndex(const size_t n)
{
  // Of the 2^64 values the last 2^64 mod n are refused.
  const uint64_t m = n;
  const uint64_t refused = (UINT64_MAX % m + 1) % m;
  uint64_t bits = NextBits();
  while (bits > UINT64_MAX - refused)
    bits = NextBits();
  return size_t(bits % m);
}

// The finaliser of SplitMix64.
uint64_t kernel::KeyFromSeed(const uint64_t seed)
{
  uint64_t z = seed + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

} // namespace symvi
