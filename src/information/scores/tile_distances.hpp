/**
 * @file src/information/scores/tile_distances.hpp
 *
 * Distances between posteriors of units, tile by tile; see Separation.
 */
#ifndef SYMVI_INFORMATION_TILE_DISTANCES_HPP
#define SYMVI_INFORMATION_TILE_DISTANCES_HPP

#include "information/scores/lanes.hpp"

#include "kernel/multiversion.hpp"

#include <cstddef>
#include <limits>

namespace symvi {
namespace information {

//! One side of a tile of distances: y of 16 units, coordinate after coordinate
//! (or of 8 of them), the sums N of their squares, and s^2.
struct TileSide
{
  const float* y;
  const float* norm;
  const float* spread;
};

/**
 * Add a lower bound of 1/4 sum_c (y_ca - y_cb)^2 / (s_a^2 + s_b^2) to a tile of
 * 8 x 16 distances (to zero, if it is fresh) and return the smallest of them.
 * With signs, a lower bound of that and of 1/4 sum_c (y_ca + y_cb)^2 / (...).
 *
 * With N_a = sum_c y_ca^2 the sum is N_a + N_b - 2 sum_c y_ca y_cb: one product
 * for a coordinate.  Rounding changes N_a, N_b and twice the product together
 * by less than 200 u (N_a + N_b), u = 2^-24, for batches of 64; that is taken
 * off.
 */
template<size_t bytes>
SYMVI_INLINE float AddDistancesWith(const TileSide& rows,
    const TileSide& columns, const size_t count, const bool fresh,
    const size_t padded, float* SYMVI_RESTRICT distance, const bool isSigned)
{
  using Vector = Lanes<float, bytes>;
  constexpr size_t size = Vector::size, parts = 16 / size, high = 8 / parts;
  const float* SYMVI_RESTRICT rowY = rows.y;
  const float* SYMVI_RESTRICT y = columns.y;
  const float kept = 1.0f - float(200.0 / 16777216.0);
  float least[16];
  for (size_t k = 0; k < 16; ++k)
    least[k] = std::numeric_limits<float>::max();
  for (size_t top = 0; top < 8; top += high)
  {
    Vector sum[high][parts], v;
    for (size_t r = 0; r < high; ++r)
      for (size_t k = 0; k < parts; ++k)
        sum[r][k].Zero();
    for (size_t c = 0; c < count; ++c)
      for (size_t k = 0; k < parts; ++k)
      {
        v.Load(y + c * 16 + k * size);
        for (size_t r = 0; r < high; ++r)
          sum[r][k].Add(rowY[c * 16 + top + r], v);
      }
    for (size_t r = 0; r < high; ++r)
    {
      float dots[16];
      for (size_t k = 0; k < parts; ++k)
        sum[r][k].Store(dots + k * size);
      if (isSigned)
        for (size_t k = 0; k < 16; ++k)
          dots[k] = dots[k] < 0.0f ? -dots[k] : dots[k];
      const float norm = rows.norm[top + r], spread = rows.spread[top + r];
      float* q = distance + (top + r) * padded;
      for (size_t k = 0; k < 16; ++k)
      {
        const float square = (norm + columns.norm[k]) * kept - 2.0f * dots[k];
        const float sure = square > 0.0f ? square : 0.0f;
        const float sum = (fresh ? 0.0f : q[k]) +
            sure / (4.0f * (spread + columns.spread[k]));
        q[k] = sum;
        least[k] = sum < least[k] ? sum : least[k];
      }
    }
  }
  float all = least[0];
  for (size_t k = 1; k < 16; ++k)
    all = least[k] < all ? least[k] : all;
  return all;
}

SYMVI_MULTIVERSION
inline float AddDistances(const TileSide& rows, const TileSide& columns,
    const size_t count, const bool fresh, const size_t padded,
    float* SYMVI_RESTRICT distance, const bool isSigned = false)
{
  return AddDistancesWith<32>(rows, columns, count, fresh, padded, distance,
      isSigned);
}

#if defined(SYMVI_VERSION_512)
SYMVI_VERSION_512
inline float AddDistances512(const TileSide& rows, const TileSide& columns,
    const size_t count, const bool fresh, const size_t padded,
    float* SYMVI_RESTRICT distance, const bool isSigned = false)
{
  return AddDistancesWith<64>(rows, columns, count, fresh, padded, distance,
      isSigned);
}
#endif

using AddDistancesType = decltype(&AddDistances);

//! The version of AddDistances() for this processor.
inline AddDistancesType ChooseAddDistances()
{
#if defined(SYMVI_VERSION_512)
  if (kernel::HasVersion512())
    return &AddDistances512;
#endif
  return &AddDistances;
}

} // namespace information
} // namespace symvi

#endif
