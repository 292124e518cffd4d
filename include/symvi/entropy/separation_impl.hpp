/**
 * @file symvi/entropy/separation_impl.hpp
 */
#ifndef SYMVI_ENTROPY_SEPARATION_IMPL_HPP
#define SYMVI_ENTROPY_SEPARATION_IMPL_HPP

#include "lanes.hpp"
#include "separation.hpp"

#include <symvi/kernel/share_blocks.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace symvi {
namespace entropy {

/**
 * Add a lower bound of 1/4 sum_c (y_ca - y_cb)^2 / (s_a^2 + s_b^2) to a tile of
 * 4 x 16 distances and return the smallest of them.
 *
 * With N_a = sum_c y_ca^2 the sum is N_a + N_b - 2 sum_c y_ca y_cb: one product
 * for a coordinate.  Rounding changes N_a, N_b and twice the product together
 * by less than 200 u (N_a + N_b), u = 2^-24, for batches of 64; that is taken
 * off.  The y of sixteen units lie together, coordinate after coordinate.
 */
template<typename eT>
SYMVI_MULTIVERSION
eT AddDistances(const eT* SYMVI_RESTRICT rowY, const eT* SYMVI_RESTRICT y,
                const eT* SYMVI_RESTRICT rowNorm,
                const eT* SYMVI_RESTRICT norm,
                const eT* SYMVI_RESTRICT rowSpread,
                const eT* SYMVI_RESTRICT spread, const size_t count,
                const size_t padded, eT* SYMVI_RESTRICT distance)
{
  constexpr size_t size = Lanes<eT>::size, parts = 16 / size;
  Lanes<eT> sum[4][parts], v;
  for (size_t r = 0; r < 4; ++r)
    for (size_t k = 0; k < parts; ++k)
      sum[r][k].Zero();
  for (size_t c = 0; c < count; ++c)
    for (size_t k = 0; k < parts; ++k)
    {
      v.Load(y + c * 16 + k * size);
      for (size_t r = 0; r < 4; ++r)
        sum[r][k].Add(rowY[c * 16 + r], v);
    }
  eT least[16];
  for (size_t k = 0; k < 16; ++k)
    least[k] = std::numeric_limits<eT>::max();
  const eT kept = eT(1) - eT(200.0 / 16777216.0);
  for (size_t r = 0; r < 4; ++r)
  {
    eT dots[16];
    for (size_t k = 0; k < parts; ++k)
      sum[r][k].Store(dots + k * size);
    eT* q = distance + r * padded;
    for (size_t k = 0; k < 16; ++k)
    {
      const eT square = (rowNorm[r] + norm[k]) * kept - eT(2) * dots[k];
      const eT sure = square > eT(0) ? square : eT(0);
      const eT sum = q[k] + sure / (eT(4) * (rowSpread[r] + spread[k]));
      q[k] = sum;
      least[k] = sum < least[k] ? sum : least[k];
    }
  }
  eT all = least[0];
  for (size_t k = 1; k < 16; ++k)
    all = least[k] < all ? least[k] : all;
  return all;
}

//! Copy a coordinate: variances, and means, of all units.
template<typename eT>
SYMVI_MULTIVERSION
float CopyCoordinate(const eT* SYMVI_RESTRICT mu,
                     const eT* SYMVI_RESTRICT sigma, const size_t step,
                     const size_t d, float* SYMVI_RESTRICT mean,
                     float* SYMVI_RESTRICT variance)
{
  float part[8] = { };
  if (step == 1)
    for (size_t a = 0; a < d; ++a)
    {
      mean[a] = float(mu[a] - mu[0]);
      variance[a] = std::max(float(sigma[a] * sigma[a]), 1e-30f);
    }
  else
    for (size_t a = 0; a < d; ++a)
    {
      mean[a] = float(mu[a * step] - mu[0]);
      variance[a] = std::max(float(sigma[a * step] * sigma[a * step]), 1e-30f);
    }
  size_t a = 0;
  for (; a + 8 <= d; a += 8)
    for (size_t k = 0; k < 8; ++k)
      part[k] += variance[a + k];
  for (; a < d; ++a)
    part[0] += variance[a];
  for (size_t k = 1; k < 8; ++k)
    part[0] += part[k];
  return part[0] / float(d);
}

//! spread_a += variance_a * inverse.
template<typename eT>
SYMVI_MULTIVERSION
void AddSpread(const eT* SYMVI_RESTRICT variance, const eT inverse,
               const size_t d, eT* SYMVI_RESTRICT spread)
{
  for (size_t a = 0; a < d; ++a)
    spread[a] += variance[a] * inverse;
}

/**
 * mean_a /= t, where t^2 is the largest variance_a / spread_a, and norm_a +=
 * mean_a^2.  Beyond 1e17 means are cut off, which brings none farther apart.
 */
template<typename eT>
SYMVI_MULTIVERSION
void ScaleMeans(const eT* SYMVI_RESTRICT variance,
                const eT* SYMVI_RESTRICT spread, const size_t d,
                eT* SYMVI_RESTRICT mean, eT* SYMVI_RESTRICT norm)
{
  eT most[8] = { };
  size_t a = 0;
  for (; a + 8 <= d; a += 8)
    for (size_t k = 0; k < 8; ++k)
    {
      const eT x = variance[a + k] * spread[a + k];
      most[k] = most[k] > x ? most[k] : x;
    }
  for (; a < d; ++a)
    most[0] = std::max(most[0], variance[a] * spread[a]);
  for (size_t k = 1; k < 8; ++k)
    most[0] = std::max(most[0], most[k]);
  const eT inverse = eT(1) / std::sqrt(most[0]);
  for (a = 0; a < d; ++a)
  {
    const eT x = mean[a] * inverse, y = x < eT(1e17) ? x : eT(1e17);
    mean[a] = y > eT(-1e17) ? y : eT(-1e17);
    norm[a] += mean[a] * mean[a];
  }
}

template<typename eT>
void Separation<eT>::Reserve(const UnitBlocks<eT>& blocks)
{
  const size_t incoming = blocks.Incoming(), n = blocks.Coordinates();
  d = blocks.Units();
  padded = (d + columns - 1) / columns * columns;
  distance.resize(padded * padded);
  tiles.resize((padded / rows) * (padded / columns));
  y.resize(batch * padded);
  variance.resize(batch * padded);
  spread.resize(2 * padded);
  norms.resize(padded);
  packed.resize(batch * padded);
  logs.resize(d);
  products.resize(d);
  parent.resize(d);
  members.resize(d);
  starts.reserve(d + 1);

  // Outgoing weights first, then the others in steps of the golden section.
  if (order.size() == n && (n == incoming || order[0] == incoming))
    return;
  order.resize(n);
  for (size_t k = incoming; k < n; ++k)
    order[k - incoming] = uint32_t(k);
  if (incoming == 0)
    return;
  size_t step = size_t(0.6180339887 * double(incoming)) | 1;
  const auto divides = [](size_t a, size_t b)
  {
    while (b != 0)
      std::swap(a %= b, b);
    return a;
  };
  while (divides(step, incoming) != 1)
    ++step;
  for (size_t k = 0; k < incoming; ++k)
    order[n - incoming + k] = uint32_t((k + 1) * step % incoming);
}

template<typename eT>
void Separation<eT>::Pack(const UnitBlocks<eT>& blocks, const size_t first,
                          const size_t count)
{
  float* s = spread.data();
  std::fill(spread.begin(), spread.end(), 0.0f);
  for (size_t c = 0; c < count; ++c)
  {
    const size_t i = order[first + c];
    const PosteriorView<eT>& v = blocks.Layer(i);
    size_t at = 0, step = 1;
    blocks.Draw(i, at, step);
    const float mean = CopyCoordinate(v.mu + at, v.sigma + at, step, d,
        y.data() + c * padded, variance.data() + c * padded);
    AddSpread(variance.data() + c * padded, 1.0f / (mean * float(count)), d, s);
  }
  // s^2 and its inverse.
  float* inverse = s + padded;
  for (size_t a = 0; a < d; ++a)
    inverse[a] = 1.0f / s[a];
  for (size_t a = d; a < padded; ++a)
    s[a] = 1.0f;
  // Units that only fill up the last tile are far from all others.
  const float far = 1e17f;
  std::fill(norms.begin(), norms.begin() + d, 0.0f);
  std::fill(norms.begin() + d, norms.end(), far * far * float(count));
  for (size_t c = 0; c < count; ++c)
  {
    ScaleMeans(variance.data() + c * padded, inverse, d,
        y.data() + c * padded, norms.data());
    std::fill(y.begin() + c * padded + d, y.begin() + (c + 1) * padded,
        (c % 2 == 0) ? far : -far);
    for (size_t a = 0; a < padded; a += columns)
      std::copy(&y[c * padded + a], &y[c * padded + a] + columns,
          &packed[a * batch + c * columns]);
  }
}

template<typename eT>
bool Separation<eT>::AdvanceTile(const size_t row, const size_t column,
                                 const size_t count, const Orbits& orbits)
{
  float* tile = distance.data() + row * padded + column;
  const float least = AddDistances(
      &packed[row / columns * columns * batch + row % columns],
      &packed[column * batch], norms.data() + row, norms.data() + column,
      spread.data() + row, spread.data() + column, count, padded, tile);
  if (least >= need)
    return false;
  if (column > row && orbits.Single())
    return true;
  // Pairs a >= b or of two orbits do not keep a tile alive.
  for (size_t a = row; a < row + rows; ++a)
    for (size_t b = std::max(column, a + 1); b < std::min(column + columns, d);
        ++b)
      if (tile[(a - row) * padded + b - column] < need && orbits.Same(a, b))
        return true;
  return false;
}

template<typename eT>
size_t Separation<eT>::Advance(const size_t count, const Orbits& orbits)
{
  // Rows a of a tile against columns b; a < b somewhere in the tile.  A tile
  // belongs to one thread, so that the threads do not matter.
  const size_t wide = padded / columns;
  std::atomic<size_t> alive(0);
  kernel::ShareBlocks(padded / rows, 16, [&](const size_t first,
                                             const size_t strips)
  {
    size_t left = 0;
    for (size_t s = first; s < first + strips; ++s)
      for (size_t t = s * rows / columns; t < wide; ++t)
      {
        char& tile = tiles[s * wide + t];
        tile = tile && AdvanceTile(s * rows, t * columns, count, orbits);
        left += tile;
      }
    alive += left;
  });
  return alive;
}

template<typename eT>
bool Separation<eT>::Hopeless(const size_t n) const
{
  // Whether neighbours, as far as can be seen, will stay together.
  if (used < batch)
    return false;
  double sum = 0.0;
  for (size_t a = 0; a + 1 < d; ++a)
    sum += std::min(distance[a * padded + a + 1], need);
  return sum * double(n) < 0.7 * need * double(d - 1) * double(used);
}

template<typename eT>
void Separation<eT>::LogDeviations(const UnitBlocks<eT>& blocks)
{
  // Products of eight, so that a logarithm is needed only now and then.
  const double tiny = 1e-36, huge = 1e36;
  std::fill(logs.begin(), logs.end(), 0.0);
  std::fill(products.begin(), products.end(), 1.0);
  const size_t n = blocks.Coordinates();
  for (size_t i = 0; i < n; ++i)
  {
    const PosteriorView<eT>& v = blocks.Layer(i);
    size_t at = 0, step = 1;
    blocks.Draw(i, at, step);
    for (size_t a = 0; a < d; ++a)
      products[a] *= std::min(std::max(double(v.sigma[at + a * step]), tiny),
          huge);
    if (i % 8 == 7 || i + 1 == n)
      for (size_t a = 0; a < d; ++a)
      {
        logs[a] += std::log(products[a]);
        products[a] = 1.0;
      }
  }
}

template<typename eT>
size_t Separation<eT>::Root(size_t a)
{
  while (parent[a] != a)
    a = parent[a] = parent[parent[a]];
  return a;
}

template<typename eT>
void Separation<eT>::Cluster(const UnitBlocks<eT>& blocks, const Orbits& orbits)
{
  LogDeviations(blocks);
  const double n = double(blocks.Coordinates());
  const size_t wide = padded / columns;
  for (size_t a = 0; a < d; ++a)
    parent[a] = a;
  for (size_t a = 0; a < d; ++a)
    for (size_t b = a + 1; b < d; ++b)
    {
      if (!tiles[(a / rows) * wide + b / columns])
      {
        b |= columns - 1;
        continue;
      }
      if (!(distance[a * padded + b] < need) || !orbits.Same(a, b))
        continue;
      const double x = std::abs(logs[a] - logs[b]) / n;
      const double logCosh = x + std::log1p(std::exp(-2.0 * x)) - std::log(2.0);
      if (distance[a * padded + b] + 0.5 * n * logCosh < need)
        parent[Root(a)] = Root(b);
    }

  // Units sorted by cluster, those that are alone left out.
  std::vector<UnitIndex>& list = members;
  size_t filled = 0;
  for (size_t a = 0; a < d; ++a)
  {
    if (Root(a) != a)
      continue;
    const size_t begin = filled;
    for (size_t b = 0; b < d; ++b)
      if (Root(b) == a)
        list[filled++] = UnitIndex(b);
    if (filled == begin + 1)
      filled = begin;
    else
      starts.push_back(begin);
  }
  if (!starts.empty())
    starts.push_back(filled);
}

template<typename eT>
void Separation<eT>::Compute(const UnitBlocks<eT>& blocks, const Orbits& orbits)
{
  const size_t n = blocks.Coordinates();
  Reserve(blocks);
  starts.clear();
  used = 0;
  if (d < 2)
    return;
  // A tenth more than needed, for rounding.
  need = float(30.1 + 2.0 * std::log(double(d)));
  std::fill(distance.begin(), distance.end(), 0.0f);
  std::fill(tiles.begin(), tiles.end(), 1);
  size_t alive = 1;
  while (used < n && alive > 0)
  {
    const size_t count = std::min(batch, n - used);
    Pack(blocks, used, count);
    alive = Advance(count, orbits);
    used += count;
    if (Hopeless(n))
      break;
  }
  if (alive > 0)
    Cluster(blocks, orbits);
}

} // namespace entropy
} // namespace symvi

#endif
