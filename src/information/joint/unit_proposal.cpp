/**
 * @file src/information/joint/unit_proposal.cpp
 */
#include "information/joint/unit_proposal.hpp"

#include "kernel/softplus.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace symvi {
namespace information {

namespace {

constexpr double none = -std::numeric_limits<double>::infinity();

double LogAdd(const double a, const double b)
{
  const double most = std::max(a, b);
  return most == none ? none :
                        most + std::log1p(std::exp(std::min(a, b) - most));
}

} // namespace

UnitProposal::UnitProposal(const WeightSymmetry& symmetry) :
    symmetry(symmetry),
    group(symmetry.chain),
    layers(symmetry.chain.hidden.size())
{
  const SymmetricChain<double>& chain = symmetry.chain;
  for (size_t h = 0; h < layers.size(); ++h)
  {
    const HiddenUnits& units = chain.hidden[h];
    const size_t in = units.incoming, out = in + 1;
    const bool both = units.hasOutgoing && RowUnits(chain, out) == noUnits;
    for (size_t b = 0; b < units.size; ++b)
    {
      std::vector<arma::uword> own;
      for (size_t c = 0; c < chain.layers[in].Columns(); ++c)
        own.push_back(symmetry.positions[in][c * units.size + b]);
      const size_t n = both ? chain.layers[out].Outgoing() : 0;
      for (size_t i = 0; i < n; ++i)
        own.push_back(symmetry.positions[out][b * n + i]);
      layers[h].weights.push_back(arma::uvec(own));
    }
    layers[h].proposal.Reserve(units.size);
    assignment.Reserve(units.size);
  }
}

void UnitProposal::Prepare(const JointGaussian& q)
{
  scored.reset();
  for (Layer& layer : layers)
  {
    const size_t d = layer.weights.size();
    layer.means.resize(d);
    layer.factors.resize(d);
    layer.logDiagonals.resize(d);
    for (size_t b = 0; b < d; ++b)
    {
      layer.means[b] = q.Mean().elem(layer.weights[b]);
      const arma::mat covariance = q.Covariance(layer.weights[b]);
      // Any law will do: where rounding spoils the covariance, its diagonal.
      if (!arma::chol(layer.factors[b], covariance, "lower"))
        layer.factors[b] = arma::diagmat(arma::sqrt(covariance.diag()));
      layer.logDiagonals[b] = arma::accu(arma::log(layer.factors[b].diag()));
    }
  }
}

void UnitProposal::Score(const size_t h, const arma::vec& w,
    const Permutation& g)
{
  Layer& layer = layers[h];
  const HiddenUnits& units = symmetry.chain.hidden[h];
  const size_t d = units.size, size = layer.weights[0].n_elem;
  const size_t columns = symmetry.chain.layers[units.incoming].Columns();

  // The weights of the units of w, as they are under g of the layers in front.
  Permutation front = g;
  for (size_t a = 0; a < d; ++a)
  {
    front.Images(h)[a] = UnitIndex(a);
    front.Signs(h)[a] = UnitSign(1);
  }
  arma::mat own(size, d);
  for (size_t a = 0; a < d; ++a)
  {
    for (size_t c = 0; c < columns; ++c)
      own(c, a) = Moved(w.memptr(),
          symmetry.Source(front, units.incoming, a, c));
    for (size_t i = columns; i < size; ++i)
      own(i, a) = w[layer.weights[a][i]];
  }

  layer.scores.assign(d * d, none);
  layer.negated.assign(d * d, none);
  layer.reduced.resize(d * d);
  const size_t sides = units.isSigned ? 2 : 1;
  for (size_t b = 0; b < d; ++b)
  {
    arma::mat residuals(size, sides * d);
    residuals.head_cols(d) = own;
    if (units.isSigned)
      residuals.tail_cols(d) = -own;
    residuals.each_col() -= layer.means[b];
    const arma::mat white = arma::solve(arma::trimatl(layer.factors[b]),
        residuals, arma::solve_opts::fast);
    for (size_t a = 0; a < d; ++a)
    {
      if (!units.orbit.empty() && units.orbit[a] != units.orbit[b])
        continue;
      const auto log = [&](const size_t column)
      {
        return -0.5 * arma::dot(white.col(column), white.col(column)) -
            layer.logDiagonals[b];
      };
      layer.scores[a * d + b] = log(a);
      if (units.isSigned)
        layer.negated[a * d + b] = log(d + a);
    }
  }
  for (size_t i = 0; i < d * d; ++i)
    layer.reduced[i] = LogAdd(layer.scores[i], layer.negated[i]);
  assignment.Solve(layer.reduced.data(), d);
  for (size_t a = 0; a < d; ++a)
  {
    for (size_t b = 0; b < d; ++b)
      layer.reduced[a * d + b] = std::min(0.0,
          layer.reduced[a * d + b] - assignment.RowDual(a) -
              assignment.ColumnDual(b));
    layer.reduced[a * d + assignment.Match()[a]] = 0.0;
  }
  // The floor keeps weights finite where the marginals mislead.
  for (double& score : layer.reduced)
    score = score == none ? -1e6 : std::max(score, -50.0);
  layer.proposal.Prepare(layer.reduced.data(), d, 0);
}

double UnitProposal::LogOdds(const Layer& layer, const size_t a,
    const size_t b) const
{
  const size_t at = a * layer.weights.size() + b;
  return std::min(std::max(layer.scores[at] - layer.negated[at], -50.0), 50.0);
}

double UnitProposal::Place(const arma::vec& w, RandomStream* stream,
    Permutation& g)
{
  double log = 0.0;
  for (size_t h = 0; h < layers.size(); ++h)
  {
    Layer& layer = layers[h];
    const size_t d = layer.weights.size();
    // Nothing stands in front of the first layer.
    const bool known = h == 0 && scored.n_elem == w.n_elem &&
        std::equal(w.begin(), w.end(), scored.begin());
    if (!known)
      Score(h, w, g);
    if (h == 0)
      scored = w;
    tau.resize(d);
    if (stream)
      log += layer.proposal.Sample(tau.data(), *stream);
    else
    {
      for (size_t b = 0; b < d; ++b)
        tau[g(h, b)] = b;
      log += layer.proposal.LogProbability(tau.data());
    }
    if (!std::isfinite(log))
      return log;
    for (size_t a = 0; a < d; ++a)
    {
      const size_t b = tau[a];
      if (stream)
      {
        g.Images(h)[b] = UnitIndex(a);
        g.Signs(h)[b] = UnitSign(1);
      }
      if (!group.Signed(h))
        continue;
      const double odds = LogOdds(layer, a, b);
      if (stream && stream->NextUniform() < 1.0 / (1.0 + std::exp(odds)))
        g.Signs(h)[b] = UnitSign(-1);
      log -= kernel::Softplus(g.Sign(h, b) < 0 ? odds : -odds);
    }
  }
  return log;
}

double UnitProposal::Sample(const arma::vec& w, RandomStream& stream,
    Permutation& g)
{
  g = group.Identity();
  return Place(w, &stream, g);
}

double UnitProposal::LogProbability(const arma::vec& w, Permutation g)
{
  return Place(w, nullptr, g);
}

} // namespace information
} // namespace symvi
