/**
 * @file src/information/scores/score_tile.hpp
 *
 * Sums of squares between units, tile by tile; see UnitScores.
 */
#ifndef SYMVI_INFORMATION_SCORE_TILE_HPP
#define SYMVI_INFORMATION_SCORE_TILE_HPP

#include "information/scores/lanes.hpp"

#include <cstddef>

namespace symvi {
namespace information {

/**
 * Add sum_c (draw_ca * inverse_cb - mean_cb)^2 over some coordinates to a tile
 * of 8 x 16 scores; means are already divided by the deviations.  Sums run in
 * eT over 16 coordinates, then in double; eight of them are in flight at a time.
 */
template<size_t bytes, typename eT>
SYMVI_INLINE void AddTileWith(const eT* SYMVI_RESTRICT draw,
    const eT* SYMVI_RESTRICT mean, const eT* SYMVI_RESTRICT inverse,
    const size_t count, const size_t padded, double* SYMVI_RESTRICT scores)
{
  using Vector = Lanes<eT, bytes>;
  constexpr size_t parts = (Vector::size == 16) ? 1 : 2, rows = 8 / parts;
  constexpr size_t width = parts * Vector::size;
  for (size_t begin = 0; begin < count; begin += 16)
    for (size_t top = 0; top < 8; top += rows)
      for (size_t first = 0; first < 16; first += width)
      {
        Vector sum[rows][parts], s[parts], m[parts];
        for (size_t r = 0; r < rows; ++r)
          for (size_t k = 0; k < parts; ++k)
            sum[r][k].Zero();
        for (size_t c = begin; c < (count < begin + 16 ? count : begin + 16);
             ++c)
        {
          const eT* v = draw + c * padded + top;
          for (size_t k = 0; k < parts; ++k)
          {
            m[k].Load(mean + c * padded + first + k * Vector::size);
            s[k].Load(inverse + c * padded + first + k * Vector::size);
          }
          for (size_t r = 0; r < rows; ++r)
            for (size_t k = 0; k < parts; ++k)
              sum[r][k].AddSquares(v[r], s[k], m[k]);
        }
        for (size_t r = 0; r < rows; ++r)
          for (size_t k = 0; k < parts; ++k)
            sum[r][k].AddTo(
                scores + (top + r) * padded + first + k * Vector::size);
      }
}

template<typename eT>
SYMVI_MULTIVERSION
void AddTile(const eT* SYMVI_RESTRICT draw, const eT* SYMVI_RESTRICT mean,
    const eT* SYMVI_RESTRICT inverse, const size_t count, const size_t padded,
    double* SYMVI_RESTRICT scores)
{
  AddTileWith<32>(draw, mean, inverse, count, padded, scores);
}

#if defined(SYMVI_VERSION_512)
template<typename eT>
SYMVI_VERSION_512 void AddTile512(const eT* SYMVI_RESTRICT draw,
    const eT* SYMVI_RESTRICT mean, const eT* SYMVI_RESTRICT inverse,
    const size_t count, const size_t padded, double* SYMVI_RESTRICT scores)
{
  AddTileWith<64>(draw, mean, inverse, count, padded, scores);
}
#endif

//! The version of AddTile() for this processor.
template<typename eT>
inline auto ChooseAddTile()
{
#if defined(SYMVI_VERSION_512)
  if (kernel::HasVersion512())
    return &AddTile512<eT>;
#endif
  return &AddTile<eT>;
}

} // namespace information
} // namespace symvi

#endif
