/**
 * @file information/deep/mean_field_matching.cpp
 */
#include "information/deep/mean_field_matching.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace symvi {
namespace information {

template<typename eT>
void MeanFieldMatching<eT>::Setup(const SymmetricChain<eT>& chain,
                                  const size_t firstHidden, const size_t end)
{
  runFirst = firstHidden;
  count = end - firstHidden;
  if (room < count)
  {
    room = count;
    groups = std::make_unique<Group[]>(room);
    layers = std::make_unique<Layer[]>(room + 1);
  }
  squares = 0.0;
  numLayers = count + (chain.hidden[end - 1].hasOutgoing ? 1 : 0);
  for (size_t g = 0; g < count; ++g)
  {
    const HiddenUnits& hidden = chain.hidden[firstHidden + g];
    groups[g].orbits.Reset(hidden);
    groups[g].matching.eye(hidden.size, hidden.size);
    loose.Reserve(hidden.size);
    converged.Reserve(hidden.size);
  }
  for (size_t l = 0; l < numLayers; ++l)
  {
    const PosteriorView<eT>& v =
        chain.layers[chain.hidden[firstHidden].incoming + l];
    Layer& layer = layers[l];
    const size_t n = v.outSize * v.inSize;
    // Biases behind the last hidden layer do not move.
    const size_t biases = (v.hasBias && l < count) ? v.outSize : 0;
    for (arma::mat* m : { &layer.weight, &layer.square, &layer.precision,
        &layer.product })
      m->set_size(v.outSize, v.inSize);
    layer.rowNorm.zeros(v.outSize);
    layer.columnNorm.zeros(v.inSize);
    for (size_t i = 0; i < n; ++i)
    {
      const double w = v.weight[i], mu = v.mu[i], s = v.sigma[i];
      const double p = 1.0 / (s * s), norm = p * mu * mu;
      layer.weight[i] = w;
      layer.square[i] = w * w;
      layer.precision[i] = p;
      layer.product[i] = p * mu;
      layer.rowNorm[i % v.outSize] += norm;
      layer.columnNorm[i / v.outSize] += norm;
      squares += p * (w - mu) * (w - mu);
    }
    layer.bias.set_size(biases);
    layer.biasMean.set_size(biases);
    layer.biasPrecision.set_size(biases);
    for (size_t r = 0; r < biases; ++r)
    {
      const double s = v.sigma[n + r];
      layer.bias[r] = v.weight[n + r];
      layer.biasMean[r] = v.mu[n + r];
      layer.biasPrecision[r] = 1.0 / (s * s);
      squares += std::pow((layer.bias[r] - layer.biasMean[r]) / s, 2);
    }
  }
}

//! Add E[f_l | M_(l-1)] for all pairs of rows r, r'.
template<typename eT>
void MeanFieldMatching<eT>::AddRowScores(const size_t l, arma::mat& scores)
{
  const Layer& layer = layers[l];
  const arma::mat* m = ColumnMatching(l);
  if (m)
  {
    first = layer.square * *m;
    second = layer.weight * *m;
  }
  third = (m ? first : layer.square) * layer.precision.t();
  scores -= 0.5 * third;
  third = (m ? second : layer.weight) * layer.product.t();
  scores += third;
  scores.each_row() -= 0.5 * layer.rowNorm.t();
  for (size_t b = 0; b < layer.bias.n_elem; ++b)
    for (size_t a = 0; a < layer.bias.n_elem; ++a)
    {
      const double z = layer.bias[a] - layer.biasMean[b];
      scores(a, b) -= 0.5 * z * z * layer.biasPrecision[b];
    }
}

//! Add E[f_l | M_l] for all pairs of columns c, c'.
template<typename eT>
void MeanFieldMatching<eT>::AddColumnScores(const size_t l, arma::mat& scores)
{
  const Layer& layer = layers[l];
  const arma::mat* m = RowMatching(l);
  if (m)
  {
    first = m->t() * layer.square;
    second = m->t() * layer.weight;
  }
  third = (m ? first : layer.square).t() * layer.precision;
  scores -= 0.5 * third;
  third = (m ? second : layer.weight).t() * layer.product;
  scores += third;
  scores.each_row() -= 0.5 * layer.columnNorm.t();
}

//! The best M_g given the others; how far it moved.
template<typename eT>
double MeanFieldMatching<eT>::Match(const size_t g, const double tolerance)
{
  Group& group = groups[g];
  const size_t d = group.matching.n_rows;
  group.scores.zeros(d, d);
  AddRowScores(g, group.scores);
  if (g + 1 < numLayers)
    AddColumnScores(g + 1, group.scores);
  for (size_t b = 0; b < d && !group.orbits.Single(); ++b)
    for (size_t a = 0; a < d; ++a)
      if (!group.orbits.Same(a, b))
        group.scores(a, b) = -std::numeric_limits<double>::infinity();

  // Scaling takes rows, relative to the diagonal.
  rowMajor = group.scores.t();
  double own = 0.0;
  for (size_t a = 0; a < d; ++a)
  {
    const double diagonal = rowMajor(a, a);
    own += diagonal;
    rowMajor.col(a) -= diagonal;
  }
  marginals.set_size(d, d);
  const ScaledPermanent solution = (tolerance > 0.0) ?
      loose.Solve(rowMajor.memptr(), d, d, tolerance, marginals.memptr()) :
      converged.Solve(rowMajor.memptr(), d, d, 0.0, marginals.memptr());
  // H = log Z - <M, C>.
  group.entropy = solution.log;
  for (size_t i = 0; i < d * d; ++i)
    if (marginals[i] > 0.0)
      group.entropy -= marginals[i] * rowMajor[i];
  double moved = 0.0;
  for (size_t b = 0; b < d; ++b)
    for (size_t a = 0; a < d; ++a)
    {
      const double m = marginals(b, a);
      moved = std::max(moved, std::abs(m - group.matching(a, b)));
      group.matching(a, b) = m;
    }
  return moved;
}

template<typename eT>
void MeanFieldMatching<eT>::AddGradient(const SymmetricChain<eT>& chain,
                                        const size_t l, const eT scale,
                                        InformationGradient<eT>& gradient)
{
  const size_t at = chain.hidden[runFirst].incoming + l;
  const PosteriorView<eT>& v = chain.layers[at];
  const Layer& layer = layers[l];
  const arma::mat* rows = RowMatching(l);
  const arma::mat* columns = ColumnMatching(l);
  const size_t n = v.outSize * v.inSize;
  gradient.touched[at] = true;
  // M_l X M_(l-1)^T, or M_l^T X M_(l-1).
  const auto spread = [&](const arma::mat& x, const bool back,
                          arma::mat& out) -> const arma::mat&
  {
    const arma::mat* from = &x;
    if (rows)
    {
      if (back)
        third = rows->t() * x;
      else
        third = *rows * x;
      from = &third;
    }
    if (columns && back)
      out = *from * *columns;
    else if (columns)
      out = *from * columns->t();
    else
      out = *from;
    return out;
  };

  spread(layer.precision, false, first);
  spread(layer.product, false, second);
  eT* path = gradient.path[at];
  for (size_t i = 0; i < n; ++i)
    path[i] += scale * eT(layer.weight[i] * (first[i] - layer.precision[i]) -
        (second[i] - layer.product[i]));
  eT* mu = gradient.mu.empty() ? nullptr : gradient.mu[at];
  eT* sigma = gradient.sigma.empty() ? nullptr : gradient.sigma[at];
  if (mu || sigma)
  {
    spread(layer.weight, true, first);
    spread(layer.square, true, second);
    for (size_t i = 0; i < n; ++i)
    {
      const double p = layer.precision[i], m = v.mu[i];
      if (mu)
        mu[i] += scale * eT(p * (layer.weight[i] - first[i]));
      if (sigma)
        sigma[i] += scale * eT(p / double(v.sigma[i]) * (layer.square[i] -
            second[i] - 2.0 * m * (layer.weight[i] - first[i])));
    }
  }
  for (size_t a = 0; a < layer.bias.n_elem; ++a)
    for (size_t b = 0; b < layer.bias.n_elem; ++b)
    {
      // Id - M, row a against posterior b.
      const double g = (a == b ? 1.0 : 0.0) - (*rows)(a, b);
      const double z = layer.bias[a] - layer.biasMean[b];
      const double term = g * z * layer.biasPrecision[b];
      path[n + a] -= scale * eT(term);
      if (mu)
        mu[n + b] += scale * eT(term);
      if (sigma)
        sigma[n + b] += scale * eT(term * z / double(v.sigma[n + b]));
    }
}

template<typename eT>
InformationEstimate MeanFieldMatching<eT>::Run(
    const SymmetricChain<eT>& chain, const size_t firstHidden,
    const size_t end, const double tolerance, const eT scale,
    InformationGradient<eT>* gradient)
{
  Setup(chain, firstHidden, end);
  const size_t sweeps = (tolerance > 0.0) ? 2 : 2000;
  const double rest = (tolerance > 0.0) ? tolerance : 1e-11;
  double moved = 1.0;
  for (size_t sweep = 0; sweep < sweeps && moved > rest; ++sweep)
  {
    moved = 0.0;
    for (size_t g = 0; g < count; ++g)
      moved = std::max(moved, Match(g, tolerance));
  }

  // E f_l is part of the scores of the group behind layer l.
  double free = 0.0, logOrder = 0.0;
  for (size_t g = 0; g < count; ++g)
  {
    Group& group = groups[g];
    logOrder += group.orbits.LogOrder();
    free += group.entropy;
    group.scores.zeros();
    AddRowScores(g, group.scores);
    if (g + 1 == count && g + 1 < numLayers)
      AddColumnScores(g + 1, group.scores);
    free += arma::accu(group.scores % group.matching);
  }
  if (gradient)
    for (size_t l = 0; l < numLayers; ++l)
      AddGradient(chain, l, scale, *gradient);
  InformationEstimate estimate;
  estimate.value = logOrder - 0.5 * squares - free;
  estimate.lower = -std::numeric_limits<double>::infinity();
  estimate.upper = std::numeric_limits<double>::infinity();
  estimate.exact = false;
  return estimate;
}

template class MeanFieldMatching<float>;
template class MeanFieldMatching<double>;

} // namespace information
} // namespace symvi
