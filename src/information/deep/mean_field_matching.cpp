/**
 * @file src/information/deep/mean_field_matching.cpp
 */
#include "information/deep/mean_field_matching.hpp"

#include "information/scores/fold_row.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace symvi {
namespace information {

template<typename eT>
void MeanFieldMatching<eT>::SetupLayer(const PosteriorView<eT>& v, Layer& layer)
{
  const size_t rows = v.outSize, n = v.outSize * v.inSize;
  for (arma::mat* m :
      { &layer.weight, &layer.square, &layer.precision, &layer.product })
    m->set_size(rows, v.inSize);
  layer.rowNorm.zeros(rows);
  layer.columnNorm.zeros(v.inSize);
  for (size_t i = 0; i < n; ++i)
  {
    const double w = v.weight[i], mu = v.mu[i], s = v.sigma[i];
    const double p = 1.0 / (s * s);
    const double norm = 0.5 * p * mu * mu + std::log(s);
    layer.weight[i] = w;
    layer.square[i] = w * w;
    layer.precision[i] = p;
    layer.product[i] = p * mu;
    layer.rowNorm[i % rows] += norm;
    layer.columnNorm[i / rows] += norm;
    own -= p * w * (0.5 * w - mu) + norm;
  }
}

template<typename eT>
void MeanFieldMatching<eT>::AddScores(const UnitBlocks<eT>& weights,
    const double reach, Group& group)
{
  unitScores.Compute(weights, group.orbits, reach);
  const size_t d = group.fixed.n_rows;
  for (size_t a = 0; a < d; ++a)
  {
    for (size_t b = 0; b < d && unitScores.Signed(); ++b)
      group.fixedNegated(b, a) += unitScores.Negated(a, b);
    double* out = group.fixed.colptr(a);
    if (const double* row = unitScores.Row(a))
      for (size_t b = 0; b < d; ++b)
        out[b] += row[b];
    else
      for (size_t b = 0; b < d; ++b)
        out[b] = (a == b) ? out[b] : -std::numeric_limits<double>::infinity();
  }
}

template<typename eT>
void MeanFieldMatching<eT>::SetFixed(const SymmetricChain<eT>& chain,
    const size_t g, const double reach)
{
  Group& group = groups[g];
  const size_t d = group.orbits.Size();
  group.fixed.zeros(d, d);
  if (group.orbits.Signed())
    group.fixedNegated.zeros(d, d);
  UnitBlocks<eT> weights = MakeUnitBlocks(chain, runFirst + g);
  const PosteriorView<eT>& in = *weights.incoming;
  if (g == 0)
  {
    weights.outgoing = nullptr;
    AddScores(weights, reach, group);
    return;
  }
  const size_t bias = in.outSize * in.inSize;
  for (size_t a = 0; a < d && in.hasBias; ++a)
    for (size_t b = 0; b < d; ++b)
    {
      const double w = in.weight[bias + a], mu = in.mu[bias + b];
      const double sigma = in.sigma[bias + b];
      const double z = (w - mu) / sigma, y = (w + mu) / sigma;
      const double e = (w - double(in.mu[bias + a])) /
          double(in.sigma[bias + a]);
      group.fixed(b, a) = 0.5 * (e * e - z * z);
      if (group.orbits.Signed())
        group.fixedNegated(b, a) = 0.5 * (e * e - y * y);
    }
  if (g + 1 == count && weights.outgoing)
  {
    weights.incoming = nullptr;
    AddScores(weights, reach, group);
  }
  for (size_t a = 0; a < d && !group.orbits.Single(); ++a)
    for (size_t b = 0; b < d; ++b)
      if (!group.orbits.Same(a, b))
      {
        group.fixed(b, a) = -std::numeric_limits<double>::infinity();
        if (group.orbits.Signed())
          group.fixedNegated(b, a) = group.fixed(b, a);
      }
}

template<typename eT>
void MeanFieldMatching<eT>::Setup(const SymmetricChain<eT>& chain,
    const size_t firstHidden, const size_t end, const double reach)
{
  runFirst = firstHidden;
  count = end - firstHidden;
  if (room < count)
  {
    room = count;
    groups = std::make_unique<Group[]>(room);
    layers = std::make_unique<Layer[]>(room);
  }
  own = 0.0;
  for (size_t g = 0; g < count; ++g)
  {
    const HiddenUnits& hidden = chain.hidden[firstHidden + g];
    groups[g].orbits.Reset(hidden);
    groups[g].matching.eye(hidden.size, hidden.size);
    if (hidden.isSigned)
      groups[g].difference.eye(hidden.size, hidden.size);
    loose.Reserve(hidden.size);
    converged.Reserve(hidden.size);
    matchingGradient.Reserve(hidden.size, hidden.isSigned);
    SetFixed(chain, g, reach);
    if (g > 0)
      SetupLayer(chain.layers[hidden.incoming], layers[g]);
  }
}

template<typename eT>
void MeanFieldMatching<eT>::AddExpected(const Group& group, arma::mat& plus,
    arma::mat& minus) const
{
  plus += even;
  plus += odd;
  if (!group.orbits.Signed())
    return;
  minus += even;
  minus -= odd;
}

template<typename eT>
double MeanFieldMatching<eT>::Match(const size_t g, const double tolerance)
{
  Group& group = groups[g];
  const size_t d = group.orbits.Size();
  const bool isSigned = group.orbits.Signed();
  scores = group.fixed;
  if (isSigned)
    scoresNegated = group.fixedNegated;
  if (g > 0)
  {
    // E[f_g | M_(g-1)] of rows a against rows b.
    const Layer& layer = layers[g];
    first = layer.square * groups[g - 1].matching.t();
    first *= -0.5;
    even = layer.precision * first.t();
    even.each_col() -= layer.rowNorm;
    first = layer.weight * groups[g - 1].Difference().t();
    odd = layer.product * first.t();
    AddExpected(group, scores, scoresNegated);
  }
  total = scores;
  if (isSigned)
    totalNegated = scoresNegated;
  if (g + 1 < count)
  {
    // E[f_(g+1) | M_(g+1)] of columns a against columns b.
    const Layer& layer = layers[g + 1];
    first = groups[g + 1].matching * layer.square;
    first *= -0.5;
    even = layer.precision.t() * first;
    even.each_col() -= layer.columnNorm;
    first = groups[g + 1].Difference() * layer.weight;
    odd = layer.product.t() * first;
    AddExpected(group, total, totalNegated);
  }
  folded = total;
  if (isSigned)
  {
    group.share = totalNegated;
    FoldRow(d * d, folded.memptr(), group.share.memptr());
  }

  marginals.set_size(d, d);
  const ScaledPermanent solution = (tolerance > 0.0) ?
      loose.Solve(folded.memptr(), d, d, tolerance, marginals.memptr()) :
      converged.Solve(folded.memptr(), d, d, 0.0, marginals.memptr());
  // H = log Z - <M+, C+> - <M-, C->.
  group.entropy = solution.log;
  group.expected = 0.0;
  double moved = 0.0;
  for (size_t i = 0; i < d * d; ++i)
  {
    moved = std::max(moved, std::abs(marginals[i] - group.matching[i]));
    const double minus = isSigned ? marginals[i] * group.share[i] : 0.0;
    const double plus = marginals[i] - minus;
    if (plus > 0.0)
    {
      group.entropy -= plus * total[i];
      group.expected += plus * scores[i];
    }
    if (minus > 0.0)
    {
      group.entropy -= minus * totalNegated[i];
      group.expected += minus * scoresNegated[i];
    }
    if (isSigned)
    {
      moved = std::max(moved, std::abs(plus - minus - group.difference[i]));
      group.difference[i] = plus - minus;
    }
  }
  group.matching.swap(marginals);
  return moved;
}

template<typename eT>
void MeanFieldMatching<eT>::AddFixedGradient(const SymmetricChain<eT>& chain,
    const size_t g, const eT scale, InformationGradient<eT>& gradient)
{
  const size_t h = runFirst + g, d = groups[g].orbits.Size();
  UnitBlocks<eT> weights = MakeUnitBlocks(chain, h);
  UnitGradient<eT> arrays = MakeUnitGradient(chain, h, gradient);
  const PosteriorView<eT>& in = *weights.incoming;
  if (g > 0)
  {
    // Biases lie behind the weights of their layer.
    const size_t n = in.outSize * in.inSize;
    for (size_t a = 0; a < d && in.hasBias; ++a)
      for (size_t b = 0; b < d; ++b)
      {
        // dI/dC = Id - M, with M the sum and D the difference of both signs.
        const double m = groups[g].matching(b, a);
        const double half = 0.5 * (m - groups[g].Difference()(b, a));
        const double s = double(in.sigma[n + b]);
        for (const int sign : { 1, -1 })
        {
          const double part = (sign < 0) ? -half :
                                           (a == b ? 1.0 : 0.0) - (m - half);
          const double z = sign * double(in.weight[n + a]) -
              double(in.mu[n + b]);
          const double term = part * z / (s * s);
          arrays.path[0][n + a] -= scale * eT(sign * term);
          if (arrays.mu[0])
            arrays.mu[0][n + b] += scale * eT(term);
          if (arrays.sigma[0])
            arrays.sigma[0][n + b] += scale * eT(term * z / s);
          if (!groups[g].orbits.Signed())
            break;
        }
      }
  }
  (g == 0 ? weights.outgoing : weights.incoming) = nullptr;
  if (!weights.incoming && (g + 1 < count || !weights.outgoing))
    return;
  self.resize(d);
  everyone.resize(d);
  groups[g].orbits.Identity(everyone.data());
  for (size_t a = 0; a < d; ++a)
    self[a] = a;
  matchingGradient.Add(weights,
      { d, everyone.data(), everyone.data(), nullptr, self.data(),
          groups[g].orbits.Signed() ? groups[g].share.memptr() : nullptr },
      groups[g].matching.memptr(), scale, arrays);
}

template<typename eT>
void MeanFieldMatching<eT>::AddGradient(const SymmetricChain<eT>& chain,
    const size_t l, const eT scale, InformationGradient<eT>& gradient)
{
  const size_t at = chain.hidden[runFirst + l].incoming;
  const PosteriorView<eT>& v = chain.layers[at];
  const Layer& layer = layers[l];
  const arma::mat& rows = groups[l].matching;
  const arma::mat& columns = groups[l - 1].matching;
  const size_t n = v.outSize * v.inSize;

  third = rows.t() * layer.precision;
  first = third * columns;
  third = groups[l].Difference().t() * layer.product;
  second = third * groups[l - 1].Difference();
  eT* path = gradient.path[at];
  for (size_t i = 0; i < n; ++i)
    path[i] += scale *
        eT(layer.weight[i] * (first[i] - layer.precision[i]) -
            (second[i] - layer.product[i]));
  eT* mu = gradient.mu.empty() ? nullptr : gradient.mu[at];
  eT* sigma = gradient.sigma.empty() ? nullptr : gradient.sigma[at];
  if (!mu && !sigma)
    return;
  third = groups[l].Difference() * layer.weight;
  first = third * groups[l - 1].Difference().t();
  third = rows * layer.square;
  second = third * columns.t();
  for (size_t i = 0; i < n; ++i)
  {
    const double p = layer.precision[i], m = v.mu[i];
    if (mu)
      mu[i] += scale * eT(p * (layer.weight[i] - first[i]));
    if (sigma)
      sigma[i] += scale *
          eT(p / double(v.sigma[i]) *
              (layer.square[i] - second[i] -
                  2.0 * m * (layer.weight[i] - first[i])));
  }
}

template<typename eT>
InformationEstimate MeanFieldMatching<eT>::Run(const SymmetricChain<eT>& chain,
    const size_t firstHidden, const size_t end, const double tolerance,
    const eT scale, InformationGradient<eT>* gradient)
{
  // Where one side alone keeps units 60 nats apart, a gradient ignores the pair.
  Setup(chain, firstHidden, end,
      (tolerance > 0.0) ? 60.0 : std::numeric_limits<double>::infinity());
  const size_t sweeps = (tolerance > 0.0) ? 2 : 2000;
  const double rest = (tolerance > 0.0) ? tolerance : 1e-11;
  double moved = 1.0;
  for (size_t sweep = 0; sweep < sweeps && moved > rest; ++sweep)
  {
    moved = 0.0;
    for (size_t g = 0; g < count; ++g)
      moved = std::max(moved, Match(g, tolerance));
  }

  // The last sweep has met every E f_l with its final M_(l-1) and M_l.
  double free = 0.0, logOrder = 0.0;
  for (size_t g = 0; g < count; ++g)
  {
    logOrder += groups[g].orbits.LogOrder();
    free += groups[g].entropy + groups[g].expected;
    if (!gradient)
      continue;
    if (g > 0)
      AddGradient(chain, g, scale, *gradient);
    AddFixedGradient(chain, g, scale, *gradient);
    Touch(chain.hidden[firstHidden + g], *gradient);
  }
  InformationEstimate estimate;
  estimate.value = logOrder + own - free;
  estimate.lower = -std::numeric_limits<double>::infinity();
  estimate.upper = std::numeric_limits<double>::infinity();
  estimate.exact = false;
  return estimate;
}

template class MeanFieldMatching<float>;
template class MeanFieldMatching<double>;

} // namespace information
} // namespace symvi
