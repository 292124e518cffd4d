/**
 * @file symvi/entropy/matching_engine_impl.hpp
 */
#ifndef SYMVI_ENTROPY_MATCHING_ENGINE_IMPL_HPP
#define SYMVI_ENTROPY_MATCHING_ENGINE_IMPL_HPP

#include "matching_engine.hpp"

namespace symvi {
namespace entropy {

template<typename eT, typename SolverType>
InformationEstimate MatchingEngine::Run(const SymmetricChain<eT>& chain,
                                        const size_t h, SolverType& solver,
                                        RandomStream& stream, const eT scale,
                                        InformationGradient<eT>* gradient)
{
  auto& r = std::get<UnitScores<eT>>(scores);
  auto& collector = std::get<MatchingGradient<eT>>(gradients);
  const UnitBlocks<eT> weights = MakeUnitBlocks(chain, h);
  const size_t d = weights.Units();
  orbits.Reset(chain.hidden[h]);
  solver.Reserve(d);
  marginals.reserve(d * d);
  if (gradient)
    collector.Reserve(d);

  r.Compute(weights, orbits, defaultReach);
  blocks.Build(r, [&](const size_t a)
      { return r.StripAlive(a / r.StripRows()); }, d, defaultReach);

  const double logOrder = orbits.LogOrder() - blocks.Offset();
  InformationEstimate estimate{ logOrder, logOrder, logOrder, true };
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
    if (!gradient)
      continue;
    if (collector.Add(weights, block, marginals.data(), scale,
        MakeUnitGradient(chain, h, *gradient)))
    {
      gradient->touched[chain.hidden[h].incoming] = true;
      if (chain.hidden[h].hasOutgoing)
        gradient->touched[chain.hidden[h].incoming + 1] = true;
    }
  }
  return estimate;
}

} // namespace entropy
} // namespace symvi

#endif
