/**
 * @file src/information/matching/matching_gradient.cpp
 */
#include "information/scores/lanes.hpp"
#include "information/matching/matching_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace symvi {
namespace information {

/**
 * One row a of G against a chunk of 32 coordinates c: with n coefficients g_b,
 *
 *   x_c = sum_b g_b precision_bc,     y_c = sum_b g_b precision_bc mean_bc.
 */
template<typename eT>
SYMVI_MULTIVERSION
void GradientRow(const eT* SYMVI_RESTRICT g, const UnitIndex* SYMVI_RESTRICT at,
    const size_t n, const eT* SYMVI_RESTRICT precision,
    const eT* SYMVI_RESTRICT product, eT* SYMVI_RESTRICT x,
    eT* SYMVI_RESTRICT y)
{
  constexpr size_t width = Lanes<eT>::size;
  for (size_t first = 0; first < 32; first += 4 * width)
  {
    Lanes<eT> sumX[4], sumY[4], l;
    for (size_t t = 0; t < 4; ++t)
    {
      sumX[t].Zero();
      sumY[t].Zero();
    }
    for (size_t k = 0; k < n; ++k)
    {
      const size_t from = at[k] * 32 + first;
      for (size_t t = 0; t < 4; ++t)
      {
        l.Load(precision + from + t * width);
        sumX[t].Add(g[k], l);
        l.Load(product + from + t * width);
        sumY[t].Add(g[k], l);
      }
    }
    for (size_t t = 0; t < 4; ++t)
    {
      sumX[t].Store(x + first + t * width);
      sumY[t].Store(y + first + t * width);
    }
  }
}

template<typename eT>
void MatchingGradient<eT>::Reserve(const size_t d, const bool withSigns)
{
  part.reserve(withSigns ? d * d : 0);
  for (std::vector<UnitIndex>* v : { &strangers, &rows, &columns })
    v->reserve(d);
  columnPlace.reserve(d);
  starts.reserve(d + 1);
  for (std::vector<eT>* v : { &precision, &product })
    v->reserve(chunk * d);
  g.reserve(d * d);
  places.reserve(d * d);
}

template<typename eT>
bool MatchingGradient<eT>::Coefficients(const MatchingBlock& block,
    const double* marginals, const eT scale, const bool withOwn)
{
  // What is not above the rounding of eT is left out.
  const size_t m = block.size;
  const double tiny = std::max(negligibleShare,
      double(std::numeric_limits<eT>::epsilon()) / 128.0);
  g.resize(std::max(g.size(), m * m));
  places.resize(std::max(places.size(), m * m));
  rows.clear();
  starts.assign(1, 0);
  strangers.clear();
  columnPlace.assign(m, UnitIndex(0));
  size_t kept = 0;
  for (size_t i = 0; i < m; ++i)
  {
    const size_t own = withOwn ? block.own[i] : noUnits;
    for (size_t j = 0; j < m; ++j)
    {
      const double value = (own == j ? 1.0 : 0.0) - marginals[i * m + j];
      const bool keep = std::abs(value) > tiny;
      g[kept] = eT(scale * value);
      places[kept] = UnitIndex(j);
      columnPlace[j] |= UnitIndex(keep);
      kept += keep;
    }
    if (kept > starts.back())
    {
      rows.push_back(block.rows[i]);
      starts.push_back(kept);
    }
    if (withOwn && own == noUnits)
      strangers.push_back(block.rows[i]);
  }
  // Columns that nobody needs are left out.
  columns.clear();
  for (size_t j = 0; j < m; ++j)
    if (columnPlace[j])
    {
      columnPlace[j] = UnitIndex(columns.size());
      columns.push_back(block.columns[j]);
    }
  if (columns.size() < m)
    for (size_t k = 0; k < kept; ++k)
      places[k] = columnPlace[places[k]];
  return !rows.empty() || !strangers.empty();
}

template<typename eT>
void MatchingGradient<eT>::Pack(const UnitBlocks<eT>& weights,
    const size_t first, const size_t count)
{
  for (size_t c = 0; c < count; ++c)
  {
    const PosteriorView<eT>& layer = weights.Layer(first + c);
    size_t from, to, step;
    weights.Draw(first + c, from, step);
    weights.Posterior(first + c, to, step);
    // Means relative to one of them: what is subtracted later is then of the
    // order of the distance between the units of the block.
    origin[c] = columns.empty() ? eT(0) : layer.mu[to + columns[0] * step];
    for (size_t k = 0; k < columns.size(); ++k)
    {
      const size_t at = to + columns[k] * step;
      const eT sigma = layer.sigma[at];
      const eT p = eT(1) / (sigma * sigma);
      precision[k * chunk + c] = p;
      product[k * chunk + c] = p * (layer.mu[at] - origin[c]);
    }
  }
}

template<typename eT>
void MatchingGradient<eT>::AddPath(const UnitBlocks<eT>& weights,
    const size_t first, const size_t count,
    const UnitGradient<eT>& gradient) const
{
  // -sum_b g (v - mu_b) / sigma_b^2 = y - (v - origin) x.
  eT x[chunk], y[chunk];
  for (size_t r = 0; r < rows.size(); ++r)
  {
    GradientRow(&g[starts[r]], &places[starts[r]], starts[r + 1] - starts[r],
        precision.data(), product.data(), x, y);
    for (size_t c = 0; c < count; ++c)
    {
      const size_t i = first + c;
      size_t from, step;
      weights.Draw(i, from, step);
      const size_t v = from + rows[r] * step;
      gradient.path[i < weights.Incoming() ? 0 : 1][v] += signs[c] *
          (y[c] - (signs[c] * weights.Layer(i).weight[v] - origin[c]) * x[c]);
    }
  }
}

//! The derivatives by mu and sigma at a fixed draw, one coordinate.
template<typename eT>
void MatchingGradient<eT>::AddDirect(const UnitBlocks<eT>& weights,
    const size_t i, const eT s, eT* mu, eT* sigma) const
{
  const PosteriorView<eT>& layer = weights.Layer(i);
  size_t from, to, step;
  weights.Draw(i, from, step);
  weights.Posterior(i, to, step);
  for (size_t r = 0; r < rows.size(); ++r)
    for (size_t k = starts[r]; k < starts[r + 1]; ++k)
    {
      const size_t at = to + columns[places[k]] * step;
      const eT e = (s * layer.weight[from + rows[r] * step] - layer.mu[at]) /
          layer.sigma[at];
      const eT term = g[k] * e / layer.sigma[at];
      if (mu)
        mu[at] += term;
      if (sigma)
        sigma[at] += term * e;
    }
}

//! Units whose own posterior is not among the columns: the part of log q(w).
template<typename eT>
void MatchingGradient<eT>::AddStrangers(const UnitBlocks<eT>& weights,
    const size_t i, const eT scale, const UnitGradient<eT>& gradient) const
{
  const PosteriorView<eT>& layer = weights.Layer(i);
  const size_t which = (i < weights.Incoming()) ? 0 : 1;
  size_t from, to, step;
  weights.Draw(i, from, step);
  weights.Posterior(i, to, step);
  for (const UnitIndex unit : strangers)
  {
    const size_t v = from + unit * step, at = to + unit * step;
    const eT e = (layer.weight[v] - layer.mu[at]) / layer.sigma[at];
    const eT term = scale * e / layer.sigma[at];
    gradient.path[which][v] -= term;
    if (gradient.mu[which])
      gradient.mu[which][at] += term;
    if (gradient.sigma[which])
      gradient.sigma[which][at] += term * e;
  }
}

template<typename eT>
bool MatchingGradient<eT>::Add(const UnitBlocks<eT>& weights,
    const MatchingBlock& block, const double* marginals, const eT scale,
    const UnitGradient<eT>& gradient, const bool withOwn)
{
  if (!block.negated)
    return AddSign(weights, block, marginals, eT(1), scale, gradient, withOwn);
  const size_t n = block.size * block.size;
  part.resize(n);
  for (size_t i = 0; i < n; ++i)
    part[i] = marginals[i] * (1.0 - block.negated[i]);
  const bool any = AddSign(weights, block, part.data(), eT(1), scale, gradient,
      withOwn);
  for (size_t i = 0; i < n; ++i)
    part[i] = marginals[i] * block.negated[i];
  return AddSign(weights, block, part.data(), eT(-1), scale, gradient, false) ||
      any;
}

template<typename eT>
bool MatchingGradient<eT>::AddSign(const UnitBlocks<eT>& weights,
    const MatchingBlock& block, const double* marginals, const eT sign,
    const eT scale, const UnitGradient<eT>& gradient, const bool withOwn)
{
  if (!Coefficients(block, marginals, scale, withOwn))
    return false;
  const size_t n = weights.Coordinates();
  precision.assign(chunk * columns.size(), eT(0));
  product.assign(chunk * columns.size(), eT(0));
  for (size_t first = 0; first < n; first += chunk)
  {
    const size_t count = std::min(chunk, n - first);
    Pack(weights, first, count);
    for (size_t c = 0; c < count; ++c)
      signs[c] = sign * weights.Sign(first + c);
    AddPath(weights, first, count, gradient);
    for (size_t i = first; i < first + count; ++i)
    {
      const size_t which = (i < weights.Incoming()) ? 0 : 1;
      if (gradient.mu[which] || gradient.sigma[which])
        AddDirect(weights, i, signs[i - first], gradient.mu[which],
            gradient.sigma[which]);
      AddStrangers(weights, i, scale, gradient);
    }
  }
  return true;
}

template class MatchingGradient<float>;
template class MatchingGradient<double>;

} // namespace information
} // namespace symvi
