/**
 * @file src/information/scores/unit_scores.cpp
 */
#include "information/scores/coordinate_order.hpp"
#include "information/scores/fold_row.hpp"
#include "information/scores/score_tile.hpp"
#include "information/scores/unit_scores.hpp"
#include "kernel/share_blocks.hpp"

#include "kernel/round_up.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace symvi {
namespace information {

/**
 * One coordinate of all units: add the squared noise of each unit to `sums` and
 * return sum_b (mu_b - mu_(b-1))^2 / sigma_b^2, which says how well the
 * coordinate tells units apart.
 */
template<typename eT>
SYMVI_MULTIVERSION
float AddNoise(const eT* SYMVI_RESTRICT draw, const eT* SYMVI_RESTRICT mean,
    const eT* SYMVI_RESTRICT sigma, const size_t d, double* SYMVI_RESTRICT sums)
{
  eT merit[8] = {};
  size_t b = 0;
  for (; b + 8 < d; b += 8)
    for (size_t k = 0; k < 8; ++k)
    {
      const eT inverse = eT(1) / sigma[b + k];
      const eT e = (draw[b + k] - mean[b + k]) * inverse;
      const eT f = (mean[b + k] - mean[b + k + 1]) * inverse;
      sums[b + k] += double(e * e);
      merit[k] += f * f;
    }
  for (; b < d; ++b)
  {
    const eT inverse = eT(1) / sigma[b];
    const eT e = (draw[b] - mean[b]) * inverse;
    const eT f = (mean[b] - mean[b + 1 < d ? b + 1 : 0]) * inverse;
    sums[b] += double(e * e);
    merit[0] += f * f;
  }
  for (size_t k = 1; k < 8; ++k)
    merit[0] += merit[k];
  return float(merit[0]);
}

//! x -= mu_0, m = (m - mu_0) / s, s = 1 / s.
template<typename eT>
SYMVI_MULTIVERSION
void Standardize(const size_t d, eT* SYMVI_RESTRICT x, eT* SYMVI_RESTRICT m,
    eT* SYMVI_RESTRICT s)
{
  const eT origin = m[0];
  for (size_t a = 0; a < d; ++a)
  {
    const eT inverse = eT(1) / s[a];
    x[a] -= origin;
    m[a] = (m[a] - origin) * inverse;
    s[a] = inverse;
  }
}

//! The least of n numbers.
SYMVI_MULTIVERSION
double LeastScore(const double* SYMVI_RESTRICT q, const size_t n)
{
  double part[8];
  std::fill(part, part + 8, std::numeric_limits<double>::infinity());
  size_t b = 0;
  for (; b + 8 <= n; b += 8)
    for (size_t k = 0; k < 8; ++k)
      part[k] = q[b + k] < part[k] ? q[b + k] : part[k];
  for (; b < n; ++b)
    part[0] = std::min(part[0], q[b]);
  return *std::min_element(part, part + 8);
}

//! r = (diagonal - q) / 2, or -infinity where that is below -margin.
SYMVI_MULTIVERSION
void RelativeScores(const double diagonal, const double margin, const size_t n,
    double* SYMVI_RESTRICT q)
{
  for (size_t b = 0; b < n; ++b)
  {
    const double value = 0.5 * (diagonal - q[b]);
    q[b] = value >= -margin ? value : -std::numeric_limits<double>::infinity();
  }
}

template<typename eT>
void UnitScores<eT>::Reserve(const size_t count, const size_t coordinates,
    const bool withSigns)
{
  const size_t wide = kernel::RoundUp(count, columns);
  const size_t sides = withSigns ? 2 : 1;
  scores.reserve(sides * wide * wide);
  opposite.reserve(withSigns ? depth * wide : 0);
  for (std::vector<double>* v : { &diagonal, &start, &products })
    v->reserve(wide);
  merit.reserve(coordinates);
  order.reserve(coordinates);
  for (std::vector<eT>* v : { &draw, &mean, &inverse })
    v->reserve(depth * wide);
  tiles.reserve(sides * (wide / rows) * (wide / columns));
  strips.reserve(sides * (wide / rows));
  units.reserve(count);
}

template<typename eT>
void UnitScores<eT>::Resize(const size_t coordinates)
{
  padded = kernel::RoundUp(d, columns);
  scores.resize(Sides() * padded * padded);
  diagonal.resize(padded);
  start.resize(padded);
  products.resize(padded);
  merit.resize(coordinates);
  order.resize(coordinates);
  draw.resize(depth * padded);
  opposite.resize(isSigned ? depth * padded : 0);
  mean.resize(depth * padded);
  inverse.resize(depth * padded);
  tiles.resize(Sides() * (padded / rows) * (padded / columns));
  strips.resize(Sides() * (padded / rows));
}

template<typename eT>
void UnitScores<eT>::Gather(const UnitBlocks<eT>& blocks, const size_t i, eT* x,
    eT* m, eT* s) const
{
  const PosteriorView<eT>& v = blocks.Layer(i);
  size_t from = 0, to = 0, step = 1;
  blocks.Draw(i, from, step);
  blocks.Posterior(i, to, step);
  if (step == 1 && adjacent)
  {
    std::copy(v.weight + from, v.weight + from + d, x);
    std::copy(v.mu + to, v.mu + to + d, m);
    std::copy(v.sigma + to, v.sigma + to + d, s);
  }
  else
    for (size_t a = 0; a < d; ++a)
    {
      x[a] = v.weight[from + units[a] * step];
      m[a] = v.mu[to + units[a] * step];
      s[a] = v.sigma[to + units[a] * step];
    }
  if (blocks.Sign(i) < eT(0))
    for (size_t a = 0; a < d; ++a)
      x[a] = -x[a];
}

template<typename eT>
void UnitScores<eT>::Diagonals(const UnitBlocks<eT>& blocks)
{
  std::fill(diagonal.begin(), diagonal.end(), 0.0);
  std::fill(start.begin(), start.end(), 0.0);
  std::fill(products.begin(), products.end(), 1.0);
  const size_t n = blocks.Coordinates();
  for (size_t i = 0; i < n; ++i)
  {
    Gather(blocks, i, draw.data(), mean.data(), inverse.data());
    merit[i] = AddNoise(draw.data(), mean.data(), inverse.data(), d,
        diagonal.data());
    // Products of eight deviations, so that logarithms are rare.
    const double tiny = 1e-36, huge = 1e36;
    for (size_t a = 0; a < d; ++a)
      products[a] *= std::min(std::max(double(inverse[a]), tiny), huge);
    if (i % 8 != 7 && i + 1 != n)
      continue;
    for (size_t a = 0; a < d; ++a)
    {
      start[a] += 2.0 * std::log(products[a]);
      products[a] = 1.0;
    }
  }
  for (size_t a = 0; a < d; ++a)
    diagonal[a] += start[a];
}

template<typename eT>
void UnitScores<eT>::Pack(const UnitBlocks<eT>& blocks, const size_t first,
    const size_t count)
{
  for (size_t c = 0; c < count; ++c)
  {
    eT* x = draw.data() + c * padded;
    eT* m = mean.data() + c * padded;
    eT* s = inverse.data() + c * padded;
    Gather(blocks, order[first + c], x, m, s);
    if (isSigned)
    {
      eT* y = opposite.data() + c * padded;
      for (size_t a = 0; a < d; ++a)
        y[a] = -x[a] - m[0];
      std::fill(y + d, y + padded, eT(0));
    }
    // Relative to one of the means, so that nothing is lost by dividing before
    // taking the difference: units that are close have small numbers.
    Standardize(d, x, m, s);
    for (size_t a = d; a < padded; ++a)
      x[a] = m[a] = s[a] = eT(0);
  }
}

template<typename eT>
bool UnitScores<eT>::TileAlive(const size_t s, const size_t t,
    const Orbits& orbits, const double margin) const
{
  const bool negated = (s >= padded / rows);
  const size_t first = s * rows - (negated ? padded : 0);
  for (size_t a = first; a < std::min(d, first + rows); ++a)
  {
    const double limit = diagonal[a] + 2.0 * margin;
    const double* q = scores.data() + (negated ? padded + a : a) * padded;
    for (size_t b = t * columns; b < std::min(d, (t + 1) * columns); ++b)
      if (q[b] < limit && (a != b || negated) && Same(orbits, a, b))
        return true;
  }
  return false;
}

template<typename eT>
void UnitScores<eT>::Advance(const size_t count, const Orbits& orbits,
    const double margin)
{
  // A strip belongs to one thread, so that the threads do not matter.
  const size_t wide = padded / columns;
  const auto addTile = ChooseAddTile<eT>();
  work += alive * rows * columns * count;
  std::atomic<size_t> left(0);
  kernel::ShareBlocks(strips.size(), 8,
      [&](const size_t first, const size_t some)
      {
    size_t mine = 0;
    for (size_t s = first; s < first + some; ++s)
    {
      const eT* x = (s < padded / rows) ? draw.data() + s * rows :
                                          opposite.data() + (s * rows - padded);
      bool any = false;
      for (size_t t = 0; t < wide && strips[s]; ++t)
      {
        char& tile = tiles[s * wide + t];
        if (!tile)
          continue;
        if (count > 0)
          addTile(x, mean.data() + t * columns, inverse.data() + t * columns,
              count, padded, scores.data() + s * rows * padded + t * columns);
        tile = TileAlive(s, t, orbits, margin);
        mine += tile;
        any |= tile;
      }
      strips[s] = any;
    }
    left += mine;
  });
  alive = left;
}

template<typename eT>
double UnitScores<eT>::Slack(const Orbits& orbits) const
{
  const size_t wide = padded / columns;
  double slack = 0.0;
  for (size_t a = 0; a < d; ++a)
  {
    double least = diagonal[a];
    for (size_t row = a; row < Sides() * padded; row += padded)
      if (whole && orbits.Single())
        least = std::min(least, LeastScore(&scores[row * padded], d));
      else
        for (size_t b = 0; b < d && strips[row / rows]; ++b)
          if (tiles[(row / rows) * wide + b / columns] && Same(orbits, a, b))
            least = std::min(least, scores[row * padded + b]);
    slack += 0.5 * (diagonal[a] - least);
  }
  return slack;
}

template<typename eT>
void UnitScores<eT>::FinishRow(const size_t a, const bool negated,
    const Orbits& orbits, const double margin)
{
  const double none = -std::numeric_limits<double>::infinity();
  const size_t wide = padded / columns, row = negated ? padded + a : a;
  double* r = &scores[row * padded];
  if (whole && orbits.Single())
    RelativeScores(diagonal[a], margin, d, r);
  else if (strips[row / rows])
    for (size_t b = 0; b < d; ++b)
    {
      const bool kept = tiles[(row / rows) * wide + b / columns] &&
          Same(orbits, a, b);
      const double value = 0.5 * (diagonal[a] - r[b]);
      r[b] = (kept && value >= -margin) ? value : none;
    }
  else if (isSigned)
    std::fill(r, r + d, none);
  if (!negated && (whole || isSigned || strips[row / rows]))
    r[a] = 0.0;
}

template<typename eT>
void UnitScores<eT>::Finish(const Orbits& orbits, const double margin)
{
  for (size_t a = 0; a < d; ++a)
    for (size_t side = 0; side < Sides(); ++side)
      FinishRow(a, side == 1, orbits, margin);
  // Rows are kept or dropped with both signs.
  for (size_t s = 0; s < padded / rows && isSigned; ++s)
    strips[s] = strips[s] || strips[padded / rows + s];
  folded = false;
}

template<typename eT>
void UnitScores<eT>::Fold()
{
  for (size_t a = 0; a < d && isSigned && !folded; ++a)
    if (strips[a / rows])
      FoldRow(d, &scores[a * padded], &scores[(padded + a) * padded]);
  folded = true;
}

template<typename eT>
void UnitScores<eT>::Compute(const UnitBlocks<eT>& blocks, const Orbits& orbits,
    const double reach)
{
  everyone.resize(blocks.Units());
  orbits.Identity(everyone.data());
  Compute(blocks, everyone.data(), everyone.size(), orbits, reach);
}

template<typename eT>
void UnitScores<eT>::Compute(const UnitBlocks<eT>& blocks,
    const UnitIndex* members, const size_t count, const Orbits& orbits,
    const double reach)
{
  const size_t n = blocks.Coordinates();
  d = count;
  isSigned = orbits.Signed();
  units.assign(members, members + count);
  adjacent = (count == blocks.Units()) &&
      std::is_sorted(units.begin(), units.end());
  Resize(n);
  Diagonals(blocks);
  SortByMerit(merit.data(), n, order.data());
  work = 0;
  double slack = 16.0, needed = 0.0;
  do
  {
    slack = std::max(slack, 2.0 * needed);
    for (size_t row = 0; row < Sides() * padded; ++row)
      std::copy(start.begin(), start.end(), scores.begin() + row * padded);
    std::fill(tiles.begin(), tiles.end(), 1);
    std::fill(strips.begin(), strips.end(), 1);
    Advance(0, orbits, std::numeric_limits<double>::infinity());
    const size_t all = alive;
    for (size_t first = 0; first < n && alive > 0; first += depth)
    {
      const size_t chunk = std::min(depth, n - first);
      Pack(blocks, first, chunk);
      Advance(chunk, orbits, reach + slack);
    }
    whole = (alive == all);
    needed = Slack(orbits);
    if (whole)
      slack = std::max(slack, needed);
  }
  while (needed > slack);
  Finish(orbits, reach + slack);
}

template class UnitScores<float>;
template class UnitScores<double>;

} // namespace information
} // namespace symvi
