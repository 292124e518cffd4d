/**
 * @file symvi/kernel/sqrt_array.hpp
 *
 * Correctly rounded square roots of an array.  Compilers keep a loop of
 * std::sqrt() scalar, because it may set errno; so this names the instructions.
 */
#ifndef SYMVI_KERNEL_SQRT_ARRAY_HPP
#define SYMVI_KERNEL_SQRT_ARRAY_HPP

#include <cmath>
#include <cstddef>

#if defined(__GNUC__) && defined(__x86_64__)
  #define SYMVI_SQRT_AVX
  #include <immintrin.h>
#endif

namespace symvi {
namespace kernel {

#if defined(SYMVI_SQRT_AVX)

__attribute__((target("avx")))
inline size_t SqrtArrayAVX(const float* x, float* y, const size_t n)
{
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    _mm256_storeu_ps(y + i, _mm256_sqrt_ps(_mm256_loadu_ps(x + i)));
  return i;
}

__attribute__((target("avx")))
inline size_t SqrtArrayAVX(const double* x, double* y, const size_t n)
{
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    _mm256_storeu_pd(y + i, _mm256_sqrt_pd(_mm256_loadu_pd(x + i)));
  return i;
}

#endif

/**
 * y = sqrt(x) for x >= 0.
 *
 * @param x Array of length n.
 * @param y Array of length n (out); may be x.
 * @param n Length.
 */
template<typename eT>
inline void SqrtArray(const eT* x, eT* y, const size_t n)
{
  size_t i = 0;
#if defined(SYMVI_SQRT_AVX)
  if (__builtin_cpu_supports("avx"))
    i = SqrtArrayAVX(x, y, n);
#endif
  for (; i < n; ++i)
    y[i] = std::sqrt(x[i]);
}

} // namespace kernel
} // namespace symvi

#endif
