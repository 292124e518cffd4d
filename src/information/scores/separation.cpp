/**
 * @file src/information/scores/separation.cpp
 */
#include "information/scores/coordinate_order.hpp"
#include "information/scores/separation.hpp"
#include "kernel/share_blocks.hpp"

#include "kernel/round_up.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace symvi {
namespace information {

//! Copy a coordinate: variances, and means less an origin, of all units.
template<typename eT>
SYMVI_MULTIVERSION
float CopyCoordinate(const eT* SYMVI_RESTRICT mu,
    const eT* SYMVI_RESTRICT sigma, const size_t step, const size_t d,
    const eT origin, float* SYMVI_RESTRICT mean, float* SYMVI_RESTRICT variance)
{
  float part[8] = {};
  if (step == 1)
    for (size_t a = 0; a < d; ++a)
    {
      mean[a] = float(mu[a] - origin);
      variance[a] = std::max(float(sigma[a] * sigma[a]), 1e-30f);
    }
  else
    for (size_t a = 0; a < d; ++a)
    {
      mean[a] = float(mu[a * step] - origin);
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

/**
 * How well a coordinate tells the first few units apart: the sum of (mu_a -
 * mu_(a+1))^2 over that of the variances.
 */
template<typename eT>
SYMVI_MULTIVERSION
float SampleMerit(const eT* SYMVI_RESTRICT mu, const eT* SYMVI_RESTRICT sigma,
    const size_t step, const size_t count)
{
  eT squares = eT(0), variances = eT(1e-30);
  for (size_t a = 0; a + 1 < count; ++a)
  {
    const eT difference = mu[a * step] - mu[(a + 1) * step];
    squares += difference * difference;
    variances += sigma[a * step] * sigma[a * step];
  }
  return float(squares / variances);
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
 * mean_a /= t, where t^2 is the largest variance_a * inverse_a.  Beyond 1e17
 * means are cut off, which brings none farther apart.
 */
template<typename eT>
SYMVI_MULTIVERSION
void ScaleMeans(const eT* SYMVI_RESTRICT variance,
    const eT* SYMVI_RESTRICT inverse, const size_t d, eT* SYMVI_RESTRICT mean)
{
  eT most[16] = {};
  size_t a = 0;
  for (; a + 16 <= d; a += 16)
    for (size_t k = 0; k < 16; ++k)
    {
      const eT x = variance[a + k] * inverse[a + k];
      most[k] = most[k] > x ? most[k] : x;
    }
  for (; a < d; ++a)
    most[0] = std::max(most[0], variance[a] * inverse[a]);
  for (size_t k = 1; k < 16; ++k)
    most[0] = std::max(most[0], most[k]);
  const eT factor = eT(1) / std::sqrt(most[0]);
  for (a = 0; a < d; ++a)
  {
    const eT x = mean[a] * factor, y = x < eT(1e17) ? x : eT(1e17);
    mean[a] = y > eT(-1e17) ? y : eT(-1e17);
  }
}

//! norm_a = sum_c y_ca^2 for the y of 16 units, coordinate after coordinate.
template<typename eT>
SYMVI_MULTIVERSION
void SumSquares(const eT* SYMVI_RESTRICT y, const size_t count,
    eT* SYMVI_RESTRICT norm)
{
  eT sum[16] = {};
  for (size_t c = 0; c < count; ++c)
    for (size_t k = 0; k < 16; ++k)
      sum[k] += y[c * 16 + k] * y[c * 16 + k];
  for (size_t k = 0; k < 16; ++k)
    norm[k] = sum[k];
}

template<typename eT>
void Separation<eT>::Reserve(const UnitBlocks<eT>& blocks)
{
  const size_t incoming = blocks.Incoming(), n = blocks.Coordinates();
  d = blocks.Units();
  padded = kernel::RoundUp(d, columns);
  distance.resize(padded * padded);
  tiles.resize((padded / rows) * (padded / columns));
  y.resize(batch * padded);
  variance.resize(batch * padded);
  spread.resize(2 * padded);
  norms.resize(padded);
  packed.resize(batch * padded);
  ownDistance.reserve(padded);
  logs.resize(d);
  products.resize(d);
  parent.resize(d);
  members.resize(d);
  starts.reserve(d + 1);
  for (std::vector<uint32_t>* v : { &chosen, &sorted })
    v->resize(n);
  merit.resize(n);

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
  // Threads share the coordinates; what one of them does is the same whoever
  // does it.
  const size_t share = std::max<size_t>(8, 8192 / padded);
  kernel::ShareBlocks(count, share,
      [&](const size_t begin, const size_t some)
      {
    for (size_t c = begin; c < begin + some; ++c)
    {
      const size_t i = chosen[first + c];
      const PosteriorView<eT>& v = blocks.Layer(i);
      size_t at = 0, step = 1;
      blocks.Draw(i, at, step);
      const float mean = CopyCoordinate(v.mu + at, v.sigma + at, step, d,
          isSigned ? eT(0) : v.mu[at], y.data() + c * padded,
          variance.data() + c * padded);
      weights[c] = 1.0f / (mean * float(count));
    }
  });
  // s^2 and its inverse.
  float* s = spread.data();
  float* inverse = s + padded;
  std::fill(s, s + d, 0.0f);
  std::fill(s + d, s + padded, 1.0f);
  for (size_t c = 0; c < count; ++c)
    AddSpread(variance.data() + c * padded, weights[c], d, s);
  for (size_t a = 0; a < d; ++a)
    inverse[a] = 1.0f / s[a];
  kernel::ShareBlocks(count, share,
      [&](const size_t begin, const size_t some)
      {
    for (size_t c = begin; c < begin + some; ++c)
    {
      float* mean = y.data() + c * padded;
      ScaleMeans(variance.data() + c * padded, inverse, d, mean);
      // Units that only fill up the last tile are far from all others.
      std::fill(mean + d, mean + padded, (c % 2 == 0) ? 1e17f : -1e17f);
      for (size_t a = 0; a < padded; a += columns)
        std::copy(mean + a, mean + a + columns,
            &packed[a * batch + c * columns]);
    }
  });
  for (size_t a = 0; a < padded; a += columns)
    SumSquares(&packed[a * batch], count, norms.data() + a);
  // Rounding of the sums is less than one part in a thousand.
  for (size_t a = 0; a < d && isSigned; ++a)
    ownDistance[a] += 0.499f * norms[a] / spread[a];
}

template<typename eT>
bool Separation<eT>::AdvanceTile(const size_t row, const size_t column,
    const size_t count, const Orbits& orbits)
{
  float* tile = distance.data() + row * padded + column;
  const TileSide rowSide = {
    &packed[row / columns * columns * batch + row % columns],
    norms.data() + row, spread.data() + row
  };
  const TileSide columnSide = { &packed[column * batch], norms.data() + column,
    spread.data() + column };
  const float least = addDistances(rowSide, columnSide, count, used == 0,
      padded, tile, isSigned);
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
  kernel::ShareBlocks(padded / rows, 8,
      [&](const size_t first, const size_t strips)
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
void Separation<eT>::Sort(const UnitBlocks<eT>& blocks)
{
  const size_t n = chosen.size();
  for (size_t k = used; k < n; ++k)
  {
    const PosteriorView<eT>& v = blocks.Layer(order[k]);
    size_t at = 0, step = 1;
    blocks.Draw(order[k], at, step);
    merit[k] = SampleMerit(v.mu + at, v.sigma + at, step,
        std::min<size_t>(d, 16));
  }
  SortByMerit(merit.data() + used, n - used, sorted.data());
  for (size_t k = used; k < n; ++k)
    chosen[k] = order[used + sorted[k - used]];
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
      if (!(distance[a * padded + b] < need) || !orbits.Same(a, b) ||
          Root(a) == Root(b))
        continue;
      // log cosh x <= x^2 / 2 spares most of the logarithms.
      const double x = std::abs(logs[a] - logs[b]) / n;
      const double left = need - distance[a * padded + b];
      if (0.25 * n * x * x < left ||
          0.5 * n * (x + std::log1p(std::exp(-2.0 * x)) - std::log(2.0)) < left)
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
    if (filled == begin + 1 && !(isSigned && CanFlip(a)))
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
  isSigned = orbits.Signed();
  if (d < 2 && !isSigned)
    return;
  // A bit more than needed, for rounding.
  need = float(15.05 + std::log(double(isSigned ? 2 * d : d)));
  ownNeed = need + 15.0f;
  ownDistance.assign(isSigned ? d : 0, 0.0f);
  std::fill(tiles.begin(), tiles.end(), 1);
  std::copy(order.begin(), order.end(), chosen.begin());
  size_t alive = 1;
  bool unsure = isSigned;
  while (used < n && (alive > 0 || unsure))
  {
    if (used == batch)
      Sort(blocks);
    const size_t count = std::min(batch, n - used);
    Pack(blocks, used, count);
    alive = Advance(count, orbits);
    used += count;
    unsure = false;
    for (size_t a = 0; a < d && isSigned; ++a)
      unsure = unsure || CanFlip(a);
    if (Hopeless(n))
      break;
  }
  if (alive > 0 || unsure)
    Cluster(blocks, orbits);
}

template class Separation<float>;
template class Separation<double>;

} // namespace information
} // namespace symvi
