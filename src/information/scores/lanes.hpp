/**
 * @file src/information/scores/lanes.hpp
 *
 * A few numbers side by side.
 */
#ifndef SYMVI_INFORMATION_LANES_HPP
#define SYMVI_INFORMATION_LANES_HPP

#include "kernel/multiversion.hpp"

#include <cstddef>
#include <cstring>

namespace symvi {
namespace information {

/**
 * Some bytes of numbers that are added and multiplied together, for kernels
 * that compilers do not turn into vector code on their own.
 */
template<typename eT, size_t bytes = 32>
struct Lanes
{
  //! How many numbers.
  static constexpr size_t size = bytes / sizeof(eT);

#if defined(__GNUC__)
  typedef eT Vector __attribute__((vector_size(bytes)));
  Vector x;
#else
  eT x[size];
#endif

#if defined(__GNUC__)
  // Copied as a vector, not by memcpy(), so that sums stay in registers and
  // compilers see that a product is added to them.
  typedef eT Unaligned
      __attribute__((vector_size(bytes), aligned(alignof(eT)), may_alias));
  SYMVI_INLINE void Zero()
  {
    x = Vector{};
  }
  SYMVI_INLINE void Load(const eT* from)
  {
    x = *reinterpret_cast<const Unaligned*>(from);
  }
  SYMVI_INLINE void Store(eT* to) const
  {
    *reinterpret_cast<Unaligned*>(to) = x;
  }
#else
  SYMVI_INLINE void Zero()
  {
    std::memset(&x, 0, sizeof(x));
  }
  SYMVI_INLINE void Load(const eT* from)
  {
    std::memcpy(&x, from, sizeof(x));
  }
  SYMVI_INLINE void Store(eT* to) const
  {
    std::memcpy(to, &x, sizeof(x));
  }
#endif

  //! Add the products of a and b.
  SYMVI_INLINE void Add(const Lanes& a, const Lanes& b)
  {
#if defined(__GNUC__)
    x += a.x * b.x;
#else
    for (size_t k = 0; k < size; ++k)
      x[k] += a.x[k] * b.x[k];
#endif
  }

  //! Add the squares of v * s - m.
  SYMVI_INLINE void AddSquares(const eT v, const Lanes& s, const Lanes& m)
  {
#if defined(__GNUC__)
    const Vector z = v * s.x - m.x;
    x += z * z;
#else
    for (size_t k = 0; k < size; ++k)
    {
      const eT z = v * s.x[k] - m.x[k];
      x[k] += z * z;
    }
#endif
  }

  //! Add the numbers to an array.
  SYMVI_INLINE void AddTo(double* to) const
  {
#if defined(__GNUC__)
    typedef double Wide __attribute__((vector_size(size * sizeof(double)),
        aligned(alignof(double)), may_alias));
    *reinterpret_cast<Wide*>(to) += __builtin_convertvector(x, Wide);
#else
    for (size_t k = 0; k < size; ++k)
      to[k] += double(x[k]);
#endif
  }

  //! Add a multiple of b.
  SYMVI_INLINE void Add(const eT a, const Lanes& b)
  {
#if defined(__GNUC__)
    x += a * b.x;
#else
    for (size_t k = 0; k < size; ++k)
      x[k] += a * b.x[k];
#endif
  }
};

} // namespace information
} // namespace symvi

#endif
