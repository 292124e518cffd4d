/**
 * @file symvi/entropy/peeling.hpp
 *
 * Hidden layers whose units are told apart beyond doubt.
 */
#ifndef SYMVI_ENTROPY_PEELING_HPP
#define SYMVI_ENTROPY_PEELING_HPP

#include "matching_blocks.hpp"
#include "unit_scores.hpp"

#include <tuple>
#include <vector>

namespace symvi {
namespace entropy {

/**
 * In a run of neighbouring hidden layers, a layer is at rest if the weights
 * between it and units at rest (inputs, outputs, or layers already at rest)
 * alone put every permutation of it more than `reach` nats below the identity.
 * Its neighbours can then use the weights they share with it, and so on until
 * nothing changes.  Trained networks usually come to rest altogether: I(g; w)
 * is then log|G|.
 *
 * What is neglected are permutations that those weights call exp(-reach) times
 * less likely; weights between two moving layers would have to make up for
 * that, while their expectation points the same way.
 */
class Peeling
{
 public:
  //! @param reach How far apart, in nats.
  explicit Peeling(const double reach = 60.0) : reach(reach) { }

  /**
   * Find the hidden layers first, ..., end - 1 that are at rest.
   */
  template<typename eT>
  void Run(const SymmetricChain<eT>& chain, const size_t first,
           const size_t end)
  {
    rest.assign(end - first, 0);
    tried.assign(end - first, 0);
    for (bool progress = true; progress; )
    {
      progress = false;
      for (size_t h = first; h < end; ++h)
      {
        const bool before = (h == first) || rest[h - 1 - first];
        const bool after = (h + 1 == end) || rest[h + 1 - first];
        const char known = char(before + 2 * after);
        if (rest[h - first] || known == tried[h - first])
          continue;
        tried[h - first] = known;
        if (Separated(chain, h, before, after))
          rest[h - first] = progress = true;
      }
    }
  }

  //! Whether hidden layer first + i is at rest.
  bool AtRest(const size_t i) const { return rest[i]; }

 private:
  template<typename eT>
  bool Separated(const SymmetricChain<eT>& chain, const size_t h,
                 const bool before, const bool after)
  {
    UnitBlocks<eT> weights = MakeUnitBlocks(chain, h);
    if (!before)
      weights.incoming = nullptr;
    if (!after)
      weights.outgoing = nullptr;
    if (!weights.incoming && !weights.outgoing)
      return false;
    auto& scores = std::get<UnitScores<eT>>(typed);
    orbits.Reset(chain.hidden[h]);
    scores.Compute(weights, orbits, reach);
    blocks.Build(scores, [&](const size_t a)
        { return scores.StripAlive(a / scores.StripRows()); },
        weights.Units(), reach);
    return blocks.Count() == 0;
  }

  double reach;
  std::vector<char> rest, tried;
  Orbits orbits;
  MatchingBlocks blocks;
  std::tuple<UnitScores<float>, UnitScores<double>> typed;
};

} // namespace entropy
} // namespace symvi

#endif
