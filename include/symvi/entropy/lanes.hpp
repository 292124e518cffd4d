/**
 * @file symvi/entropy/lanes.hpp
 *
 * A few numbers side by side.
 */
#ifndef SYMVI_ENTROPY_LANES_HPP
#define SYMVI_ENTROPY_LANES_HPP

#include <symvi/kernel/multiversion.hpp>

#include <cstddef>
#include <cstring>

namespace symvi {
namespace entropy {

/**
 * 32 bytes of numbers that are added and multiplied together, for kernels that
 * compilers do not turn into vector code on their own.
 */
template<typename eT>
struct Lanes
{
  //! How many numbers.
  static constexpr size_t size = 32 / sizeof(eT);

#if defined(__GNUC__)
  typedef eT Vector __attribute__((vector_size(32)));
  Vector x;
#else
  eT x[size];
#endif

  SYMVI_INLINE void Zero() { std::memset(&x, 0, sizeof(x)); }
  SYMVI_INLINE void Load(const eT* from) { std::memcpy(&x, from, sizeof(x)); }
  SYMVI_INLINE void Store(eT* to) const { std::memcpy(to, &x, sizeof(x)); }

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

} // namespace entropy
} // namespace symvi

#endif
