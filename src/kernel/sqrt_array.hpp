/**
 * @file src/kernel/sqrt_array.hpp
 *
 * Correctly rounded square roots of an array.  Compilers keep a loop of
 * std::sqrt() scalar, because it may set errno; so this names the instructions.
 */
#ifndef SYMVI_SRC_KERNEL_SQRT_ARRAY_HPP
#define SYMVI_SRC_KERNEL_SQRT_ARRAY_HPP

#include <cmath>
#include <cstddef>

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
  #define SYMVI_SQRT_AVX
#endif

namespace symvi {
namespace kernel {

#if defined(SYMVI_SQRT_AVX)

// Vector types and builtins of the compiler: <immintrin.h> would be a seventh
// of all that a program with symvi.hpp has to parse.
using Floats = float __attribute__((vector_size(32), aligned(4), may_alias));
using Doubles = double __attribute__((vector_size(32), aligned(8), may_alias));

__attribute__((target("avx"))) inline size_t SqrtArrayAVX(const float* x,
    float* y, const size_t n)
{
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    *(Floats*) (y + i) = __builtin_ia32_sqrtps256(*(const Floats*) (x + i));
  return i;
}

__attribute__((target("avx"))) inline size_t SqrtArrayAVX(const double* x,
    double* y, const size_t n)
{
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    *(Doubles*) (y + i) = __builtin_ia32_sqrtpd256(*(const Doubles*) (x + i));
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
