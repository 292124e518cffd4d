/**
 * @file symvi/entropy/matching_gradient_impl.hpp
 */
#ifndef SYMVI_ENTROPY_MATCHING_GRADIENT_IMPL_HPP
#define SYMVI_ENTROPY_MATCHING_GRADIENT_IMPL_HPP

#include "matching_gradient.hpp"

#include <symvi/kernel/multiversion.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace symvi {
namespace entropy {

//! sum_a = -sum_b g[b][a] (draw_a - mean_b) precision_b, one coordinate.
template<typename eT>
SYMVI_MULTIVERSION
void PathTerm(const eT* SYMVI_RESTRICT g, const eT* SYMVI_RESTRICT draw,
              const eT* SYMVI_RESTRICT mean, const eT* SYMVI_RESTRICT precision,
              const size_t m, const size_t padded, eT* SYMVI_RESTRICT sum)
{
  for (size_t a = 0; a < padded; a += 8)
  {
    eT part[8] = { };
    for (size_t b = 0; b < m; ++b)
    {
      const eT* column = g + b * padded + a;
      for (size_t k = 0; k < 8; ++k)
        part[k] -= column[k] * ((draw[a + k] - mean[b]) * precision[b]);
    }
    for (size_t k = 0; k < 8; ++k)
      sum[a + k] = part[k];
  }
}

template<typename eT>
void MatchingGradient<eT>::Reserve(const size_t d)
{
  const size_t wide = (d + 7) / 8 * 8;
  g.reserve(wide * d);
  for (std::vector<UnitIndex>* v : { &strangers, &rows, &columns })
    v->reserve(d);
  for (std::vector<size_t>* v : { &rowPlace, &columnPlace })
    v->reserve(d);
  for (std::vector<eT>* v : { &draw, &mean, &deviation, &precision, &sum })
    v->reserve(wide);
}

template<typename eT>
bool MatchingGradient<eT>::Coefficients(const MatchingBlock& block,
                                        const double* marginals, const eT scale,
                                        const bool withOwn)
{
  const size_t m = block.size;
  const auto value = [&](const size_t i, const size_t j)
  {
    return (withOwn && block.own[i] == j ? 1.0 : 0.0) - marginals[i * m + j];
  };

  // Rows and columns with nothing above the rounding of eT are left out.
  const double tiny = std::max(negligibleShare,
      double(std::numeric_limits<eT>::epsilon()) / 128.0);
  rows.clear();
  columns.clear();
  strangers.clear();
  rowPlace.clear();
  columnPlace.clear();
  for (size_t i = 0; i < m; ++i)
  {
    bool row = false, column = false;
    for (size_t j = 0; j < m; ++j)
    {
      row |= std::abs(value(i, j)) > tiny;
      column |= std::abs(value(j, i)) > tiny;
    }
    if (row)
    {
      rows.push_back(block.rows[i]);
      rowPlace.push_back(i);
    }
    if (column)
    {
      columns.push_back(block.columns[i]);
      columnPlace.push_back(i);
    }
    if (withOwn && block.own[i] == noUnits)
      strangers.push_back(block.rows[i]);
  }

  padded = (rows.size() + 7) / 8 * 8;
  g.assign(padded * columns.size(), eT(0));
  for (size_t j = 0; j < columns.size(); ++j)
    for (size_t i = 0; i < rows.size(); ++i)
      g[j * padded + i] = eT(scale * value(rowPlace[i], columnPlace[j]));
  return !rows.empty() || !strangers.empty();
}

template<typename eT>
bool MatchingGradient<eT>::Add(const UnitBlocks<eT>& weights,
                               const MatchingBlock& block,
                               const double* marginals, const eT scale,
                               const UnitGradient<eT>& gradient,
                               const bool withOwn)
{
  if (!Coefficients(block, marginals, scale, withOwn))
    return false;
  const size_t m = columns.size();
  draw.assign(padded, eT(0));
  sum.assign(padded, eT(0));
  for (std::vector<eT>* v : { &mean, &deviation, &precision })
    v->assign(m, eT(0));
  for (size_t i = 0; i < weights.Coordinates(); ++i)
  {
    const PosteriorView<eT>& layer = weights.Layer(i);
    const size_t which = (i < weights.Incoming()) ? 0 : 1;
    size_t from, to, step;
    weights.Draw(i, from, step);
    weights.Posterior(i, to, step);
    for (size_t k = 0; k < rows.size(); ++k)
      draw[k] = layer.weight[from + rows[k] * step];
    for (size_t k = 0; k < m; ++k)
    {
      const size_t column = to + columns[k] * step;
      mean[k] = layer.mu[column];
      deviation[k] = layer.sigma[column];
      precision[k] = eT(1) / (deviation[k] * deviation[k]);
    }
    PathTerm(g.data(), draw.data(), mean.data(), precision.data(), m, padded,
        sum.data());
    eT* path = gradient.path[which];
    eT* mu = gradient.mu[which];
    eT* sigma = gradient.sigma[which];
    for (size_t k = 0; k < rows.size(); ++k)
      path[from + rows[k] * step] += sum[k];
    if (mu || sigma)
      for (size_t b = 0; b < m; ++b)
      {
        eT first = 0, second = 0;
        for (size_t a = 0; a < rows.size(); ++a)
        {
          const eT term = g[b * padded + a] * (draw[a] - mean[b]);
          first += term;
          second += term * (draw[a] - mean[b]);
        }
        const size_t at = to + columns[b] * step;
        if (mu)
          mu[at] += first * precision[b];
        if (sigma)
          sigma[at] += second * precision[b] / deviation[b];
      }
    for (const UnitIndex unit : strangers)
    {
      const size_t v = from + unit * step;
      const size_t at = to + unit * step;
      const eT e = (layer.weight[v] - layer.mu[at]) / layer.sigma[at];
      const eT term = scale * e / layer.sigma[at];
      path[v] -= term;
      if (mu)
        mu[at] += term;
      if (sigma)
        sigma[at] += term * e;
    }
  }
  return true;
}

} // namespace entropy
} // namespace symvi

#endif
