/**
 * @file src/information/deep/peeling.hpp
 *
 * Hidden layers whose permutation is beyond doubt.
 */
#ifndef SYMVI_INFORMATION_PEELING_HPP
#define SYMVI_INFORMATION_PEELING_HPP

#include "information/matching/matching_blocks.hpp"
#include "information/scores/separation.hpp"
#include "information/scores/unit_scores.hpp"

#include <symvi/information/estimator.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace symvi {
namespace information {

/**
 * In a run of neighbouring hidden layers, a layer h is at rest (has a fixed
 * order) if the weights w' between it and units at rest (inputs, outputs, or
 * layers already at rest) alone determine its permutation, and all signs of
 * signed units.  Its neighbours can then use the weights they share with it, and
 * so on until nothing changes.  In trained networks usually all layers end at
 * rest: I(g; w) is then log|G|.
 *
 * This is the chain rule: I(g; w) = I(g_h; w) + I(g_rest; w | g_h), where
 *
 *   log|G_h| >= I(g_h; w) >= I(g_h; w') >= log|G_h| - 1e-12
 *
 * by Separation, and the second term is that of a network in which layer h does
 * not move.  Units that Separation leaves together are compared at the draw,
 * and the layer is at rest if all permutations are `reach` nats below the
 * identity.
 */
template<typename eT>
class Peeling
{
 public:
  //! @param reach How far apart, in nats.
  explicit Peeling(const double reach = 60.0) : reach(reach) { }

  /**
   * Sum of the estimates of hidden layers first, ..., end - 1: log|G_h| of those
   * at rest, layer(h) of one between them, neighbours(h, last) of several.
   */
  template<typename LayerFunction, typename NeighboursFunction>
  InformationEstimate Sum(const SymmetricChain<eT>& chain, const size_t first,
      const size_t end, const LayerFunction& layer,
      const NeighboursFunction& neighbours)
  {
    Run(chain, first, end);
    resting.resize(std::max(resting.size(), end));
    InformationEstimate sum;
    for (size_t h = first; h < end;)
    {
      size_t last = h + 1;
      if (rest[h - first])
      {
        resting[h].Reset(chain.hidden[h]);
        const double logOrder = resting[h].LogOrder();
        sum += InformationEstimate{ logOrder, logOrder, logOrder, true };
      }
      else
      {
        while (last < end && !rest[last - first])
          ++last;
        sum += (last == h + 1) ? layer(h) : neighbours(h, last);
      }
      h = last;
    }
    return sum;
  }

 private:
  //! Find the hidden layers first, ..., end - 1 that are at rest.
  SYMVI_NOINLINE
  void Run(const SymmetricChain<eT>& chain, const size_t first,
      const size_t end)
  {
    rest.assign(end - first, 0);
    tried.assign(end - first, 0);
    for (bool progress = true; progress;)
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
    orbits.Reset(chain.hidden[h]);
    scores.Reserve(weights.Units(), weights.Coordinates(), orbits.Signed());
    blocks.Reserve(weights.Units(), orbits.Signed());
    separation.Compute(weights, orbits);
    for (size_t k = 0; k < separation.Count(); ++k)
    {
      const size_t size = separation.Size(k);
      scores.Compute(weights, separation.Members(k), size, orbits, reach);
      scores.Fold();
      if (CanMove(size))
        return false;
      blocks.Build(scores, size, reach);
      if (blocks.Count() > 0)
        return false;
    }
    return true;
  }

  //! Whether a unit can change its sign, or two can change places: the usual
  //! reasons not to be at rest, and much cheaper to find than a longer cycle.
  bool CanMove(const size_t size) const
  {
    for (size_t a = 0; a < size; ++a)
    {
      // R[a,a] = log(1 + exp N[a,a]).
      const double* row = scores.Row(a);
      if (row && row[a] > std::exp(-reach))
        return true;
      for (size_t b = 0; b < a && row; ++b)
        if (row[b] + scores(b, a) > -reach)
          return true;
    }
    return false;
  }

  double reach;
  std::vector<char> rest, tried;
  //! Of every layer at rest, so that no call but the first allocates.
  std::vector<Orbits> resting;
  Orbits orbits;
  MatchingBlocks blocks;
  UnitScores<eT> scores;
  Separation<eT> separation;
};

} // namespace information
} // namespace symvi

#endif
