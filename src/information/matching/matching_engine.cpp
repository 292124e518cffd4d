/**
 * @file src/information/matching/matching_engine.cpp
 */
#include "information/matching/matching_engine.hpp"

namespace symvi {
namespace information {

template<typename eT>
void MatchingEngine<eT>::RunCluster(const UnitBlocks<eT>& weights,
    const UnitIndex* members, const size_t size, BlockSolver& solver,
    RandomStream& stream, const eT scale, const UnitGradient<eT>* gradient,
    InformationEstimate& estimate, bool& touched)
{
  scores.Compute(weights, members, size, orbits, defaultReach);
  scores.Fold();
  blocks.Build(scores, size, defaultReach, members);
  estimate.value -= blocks.Offset();
  estimate.lower -= blocks.Offset();
  estimate.upper -= blocks.Offset();
  for (size_t k = 0; k < blocks.Count(); ++k)
  {
    const MatchingBlock& block = blocks[k];
    marginals.resize(block.size * block.size);
    const BlockSolution solution = solver.Solve(block, stream,
        gradient ? marginals.data() : nullptr);
    estimate.value -= solution.log;
    estimate.lower -= solution.high;
    estimate.upper -= solution.low;
    estimate.exact &= solution.exact;
    if (gradient)
      touched |= matchingGradient.Add(weights, block, marginals.data(), scale,
          *gradient);
  }
}

template<typename eT>
SYMVI_NOINLINE
InformationEstimate MatchingEngine<eT>::Run(const SymmetricChain<eT>& chain,
    const size_t h, const bool pointwise, BlockSolver& solver,
    RandomStream& stream, const eT scale, InformationGradient<eT>* gradient)
{
  const HiddenUnits& hidden = chain.hidden[h];
  const UnitBlocks<eT> weights = MakeUnitBlocks(chain, h);
  const size_t d = weights.Units();
  orbits.Reset(hidden);
  solver.Reserve(d);
  blocks.Reserve(d, hidden.isSigned);
  marginals.reserve(d * d);
  UnitGradient<eT> arrays;
  if (gradient)
  {
    matchingGradient.Reserve(d, hidden.isSigned);
    arrays = MakeUnitGradient(chain, h, *gradient);
  }

  const double logOrder = orbits.LogOrder();
  InformationEstimate estimate{ logOrder, logOrder, logOrder, true };
  bool touched = false;
  if (pointwise)
  {
    everyone.resize(d);
    orbits.Identity(everyone.data());
    RunCluster(weights, everyone.data(), d, solver, stream, scale,
        gradient ? &arrays : nullptr, estimate, touched);
  }
  else
  {
    scores.Reserve(d, weights.Coordinates(), hidden.isSigned);
    separation.Compute(weights, orbits);
    separation.ForEachTile(scores.TileColumns(),
        [&](const UnitIndex* members, const size_t size)
        {
      RunCluster(weights, members, size, solver, stream, scale,
          gradient ? &arrays : nullptr, estimate, touched);
    });
  }
  if (touched)
    Touch(hidden, *gradient);
  return estimate;
}

template class MatchingEngine<float>;
template class MatchingEngine<double>;

} // namespace information
} // namespace symvi
