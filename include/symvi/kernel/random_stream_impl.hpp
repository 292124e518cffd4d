/**
 * @file symvi/kernel/random_stream_impl.hpp
 */
#ifndef SYMVI_KERNEL_RANDOM_STREAM_IMPL_HPP
#define SYMVI_KERNEL_RANDOM_STREAM_IMPL_HPP

#include "random_stream.hpp"

#include "normal.hpp"
#include "threefry.hpp"

namespace symvi {

template<typename eT>
void RandomStream::FillNormal(eT* out, const size_t n)
{
  counter += kernel::FillNormal(key, counter, out, n);
}

inline uint64_t RandomStream::NextBits()
{
  const kernel::ThreefryState s = kernel::ThreefryBlock(key, counter++);
  return (uint64_t(s.x1) << 32) | s.x0;
}

inline double RandomStream::NextUniform()
{
  // 52 bits and a half: exact in double, never 0 or 1.
  const double u = double(NextBits() >> 12) + 0.5;
  return u * (1.0 / 4503599627370496.0);
}

inline size_t RandomStream::NextIndex(const size_t n)
{
  // Of the 2^64 values the last 2^64 mod n are refused.
  const uint64_t m = n;
  const uint64_t refused = (UINT64_MAX % m + 1) % m;
  uint64_t bits = NextBits();
  while (bits > UINT64_MAX - refused)
    bits = NextBits();
  return size_t(bits % m);
}

extern template void RandomStream::FillNormal<float>(float*, const size_t);
extern template void RandomStream::FillNormal<double>(double*, const size_t);

} // namespace symvi

#endif
