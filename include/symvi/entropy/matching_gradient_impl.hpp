/**
 * @file symvi/entropy/matching_gradient_impl.hpp
 */
#ifndef SYMVI_ENTROPY_MATCHING_GRADIENT_IMPL_HPP
#define SYMVI_ENTROPY_MATCHING_GRADIENT_IMPL_HPP

#include "matching_gradient.hpp"

#include <symvi/kernel/multiversion.hpp>

#include <algorithm>
#include <cmath>

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
  strangers.reserve(d);
  for (std::vector<eT>* v : { &draw, &mean, &deviation, &precision, &sum })
    v->reserve(wide);
}

template<typename eT>
bool MatchingGradient<eT>::Coefficients(const MatchingBlock& block,
                                        const double* marginals, const eT scale,
                                        const bool withOwn)
{
  const size_t m = block.size;
  padded = (m + 7) / 8 * 8;
  g.assign(padded * m, eT(0));
  strangers.clear();
  double most = 0.0;
  for (size_t i = 0; i < m; ++i)
  {
    for (size_t j = 0; j < m; ++j)
    {
      const double value = (withOwn && block.own[i] == j ? 1.0 : 0.0) -
          marginals[i * m + j];
      most = std::max(most, std::abs(value));
      g[j * padded + i] = eT(scale * value);
    }
    if (withOwn && block.own[i] == noUnits)
      strangers.push_back(i);
  }
  return most > negligibleShare;
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
  const size_t m = block.size;
  for (std::vector<eT>* v : { &draw, &mean, &deviation, &precision, &sum })
    v->assign(padded, eT(0));
  for (size_t i = 0; i < weights.Coordinates(); ++i)
  {
    const PosteriorView<eT>& layer = weights.Layer(i);
    const size_t which = (i < weights.Incoming()) ? 0 : 1;
    size_t from, to, step;
    weights.Draw(i, from, step);
    weights.Posterior(i, to, step);
    for (size_t k = 0; k < m; ++k)
    {
      const size_t column = to + block.columns[k] * step;
      draw[k] = layer.weight[from + block.rows[k] * step];
      mean[k] = layer.mu[column];
      deviation[k] = layer.sigma[column];
      precision[k] = eT(1) / (deviation[k] * deviation[k]);
    }
    PathTerm(g.data(), draw.data(), mean.data(), precision.data(), m, padded,
        sum.data());
    eT* path = gradient.path[which];
    eT* mu = gradient.mu[which];
    eT* sigma = gradient.sigma[which];
    for (size_t k = 0; k < m; ++k)
      path[from + block.rows[k] * step] += sum[k];
    if (mu || sigma)
      for (size_t b = 0; b < m; ++b)
      {
        eT first = 0, second = 0;
        for (size_t a = 0; a < m; ++a)
        {
          const eT term = g[b * padded + a] * (draw[a] - mean[b]);
          first += term;
          second += term * (draw[a] - mean[b]);
        }
        const size_t at = to + block.columns[b] * step;
        if (mu)
          mu[at] += first * precision[b];
        if (sigma)
          sigma[at] += second * precision[b] / deviation[b];
      }
    for (const size_t k : strangers)
    {
      const size_t v = from + block.rows[k] * step;
      const size_t at = to + block.rows[k] * step;
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
