/**
 * @file src/information/matching/training_engine.cpp
 */
#include "information/matching/training_engine.hpp"

#include "information/deep/coupled_units.hpp"

#include <symvi/kernel/threads.hpp>

#include <algorithm>
#include <limits>

namespace symvi {
namespace information {

//! Pairs below exp(-25) of the identity change a gradient by less than rounding.
constexpr double trainingReach = 25.0;

//! With fewer weights per unit, scores are no dearer than a look at what the
//! posterior keeps apart.
constexpr size_t fewCoordinates = 32;

template<typename eT>
bool TrainingEngine<eT>::RunCluster(const UnitBlocks<eT>& weights,
    const UnitIndex* members, const size_t size, const eT scale,
    const UnitGradient<eT>* gradient, InformationEstimate& estimate)
{
  scores.Compute(weights, members, size, orbits, trainingReach);
  scores.Fold();
  // Units that nothing came near to are on their own.
  const double* matrix = scores.Row(0);
  size_t step = scores.Stride(), near = 0;
  for (size_t a = 0; a < size; ++a)
    near += (scores.Row(a) != nullptr);
  if (near == 0)
    return false;
  if (near < size)
  {
    local.assign(size * size, -std::numeric_limits<double>::infinity());
    for (size_t a = 0; a < size; ++a)
    {
      if (const double* row = scores.Row(a))
        std::copy_n(row, size, &local[a * size]);
      else
        local[a * size + a] = 0.0;
    }
    matrix = local.data();
    step = size;
  }

  marginals.resize(size * size);
  double* m = gradient ? marginals.data() : nullptr;
  const ScaledPermanent solution = (tolerance > 0.0) ?
      loose.Solve(matrix, size, step, tolerance, m) :
      converged.Solve(matrix, size, step, 0.0, m);
  estimate.value -= solution.log;
  estimate.lower -= solution.log + solution.above;
  estimate.upper -= solution.log - solution.below;
  estimate.exact &= solution.Exact();
  if (!gradient)
    return false;
  own.resize(size);
  for (size_t a = 0; a < size; ++a)
    own[a] = a;
  shares.resize(scores.Signed() ? size * size : 0);
  for (size_t i = 0; i < shares.size(); ++i)
    shares[i] = scores.Negated(i / size, i % size);
  const MatchingBlock block = { size, members, members, nullptr, own.data(),
    scores.Signed() ? shares.data() : nullptr };
  return matchingGradient.Add(weights, block, marginals.data(), scale,
      *gradient);
}

template<typename eT>
InformationEstimate TrainingEngine<eT>::RunLayer(
    const SymmetricChain<eT>& chain, const size_t h, const eT scale,
    InformationGradient<eT>* gradient)
{
  const HiddenUnits& hidden = chain.hidden[h];
  const UnitBlocks<eT> weights = MakeUnitBlocks(chain, h);
  const size_t d = weights.Units();
  orbits.Reset(hidden);
  scores.Reserve(d, weights.Coordinates(), hidden.isSigned);
  shares.reserve(hidden.isSigned ? d * d : 0);
  local.reserve(d * d);
  marginals.reserve(d * d);
  own.reserve(d);
  loose.Reserve(d);
  converged.Reserve(d);
  UnitGradient<eT> arrays;
  if (gradient)
  {
    matchingGradient.Reserve(d, hidden.isSigned);
    arrays = MakeUnitGradient(chain, h, *gradient);
  }

  const double logOrder = orbits.LogOrder();
  InformationEstimate estimate{ logOrder, logOrder, logOrder, true };
  bool touched = false;
  const UnitGradient<eT>* const to = gradient ? &arrays : nullptr;
  if (weights.Coordinates() < fewCoordinates)
  {
    everyone.resize(d);
    orbits.Identity(everyone.data());
    touched = RunCluster(weights, everyone.data(), d, scale, to, estimate);
  }
  else
  {
    separation.Compute(weights, orbits);
    separation.ForEachTile(scores.TileColumns(),
        [&](const UnitIndex* members, const size_t size) {
      touched |= RunCluster(weights, members, size, scale, to, estimate);
    });
  }
  if (touched)
    Touch(hidden, *gradient);
  return estimate;
}

template<typename eT>
InformationEstimate TrainingEngine<eT>::Run(const SymmetricChain<eT>& chain,
    const double newTolerance, const eT scale,
    InformationGradient<eT>* gradient)
{
  const kernel::FlushDenormals flush;
  CheckChain(chain, "AutoEstimator");
  if (gradient)
    ResetTouched(chain, *gradient);
  tolerance = newTolerance;
  InformationEstimate sum;
  for (size_t h = 0; h < chain.hidden.size();)
  {
    const size_t end = EndOfRun(chain, h);
    const auto layer = [&](const size_t g)
    { return RunLayer(chain, g, scale, gradient); };
    const auto neighbours = [&](const size_t first, const size_t last)
    { return coupled.Run(chain, first, last, tolerance, scale, gradient); };
    sum += (end == h + 1) ? layer(h) :
                            peeling.Sum(chain, h, end, layer, neighbours);
    h = end;
  }
  return sum;
}

template<typename eT>
double TrainingEngine<eT>::Work(const SymmetricChain<eT>& chain)
{
  // One layer: distances and scores of all pairs, their exponentials, some 20
  // rounds of scaling and the gradient; factors from measured times.  A run of
  // layers: two sweeps, each with four products per weight matrix and side, and
  // the gradient.
  double work = 0.0;
  for (size_t h = 0; h < chain.hidden.size();)
  {
    const size_t end = EndOfRun(chain, h);
    for (size_t g = h; g < end; ++g)
    {
      const UnitBlocks<eT> blocks = MakeUnitBlocks(chain, g);
      const double d = double(blocks.Units());
      const double signs = chain.hidden[g].isSigned ? 2.0 : 1.0;
      work += d * d * (signs * 10.0 * double(blocks.Coordinates()) + 110.0) +
          2000.0 * d;
      for (const PosteriorView<eT>* v : { blocks.incoming, blocks.outgoing })
        if (v && end > h + 1)
          work += 8.0 * double(v->outSize * v->inSize) *
              double(v->outSize + v->InUnits());
    }
    h = end;
  }
  return work;
}

template class TrainingEngine<float>;
template class TrainingEngine<double>;

} // namespace information
} // namespace symvi
