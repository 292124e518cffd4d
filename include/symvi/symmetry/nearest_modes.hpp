/**
 * @file symvi/symmetry/nearest_modes.hpp
 *
 * The equivalent modes that lie closest to a posterior.
 */
#ifndef SYMVI_SYMMETRY_NEAREST_MODES_HPP
#define SYMVI_SYMMETRY_NEAREST_MODES_HPP

#include "permutation_group.hpp"
#include "unit_distances.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace symvi {

//! The mode in which units a and b of one hidden layer are exchanged, or, if
//! a = b, the sign of the unit is changed.
struct EquivalentMode
{
  //! Hidden layer of the chain.
  size_t layer = 0;
  //! The two units, a <= b.
  size_t a = 0, b = 0;
  //! Whether they change their signs.
  bool negated = false;
  //! ||mu - g . mu||.
  double distance = 0.0;
  //! Bhattacharyya distance of the two modes in nats: -log int sqrt(q q'), with
  //! q' the permuted posterior.
  double separation = 0.0;
};

/**
 * The transpositions that move the means of a posterior least, closest first;
 * where units are signed, also those that negate the two units, and changes of
 * the sign of one unit.
 *
 * With v_a the incoming row, bias and outgoing column of unit a,
 *
 *   ||mu - g . mu||^2 = 2 ||v_a - v_b||^2    for g = (a b),
 *                       2 ||v_a + v_b||^2    for (a b) with both signs changed,
 *                       4 ||v_a||^2          for the sign of a,
 *
 * and no other element of the group is closer than the closest of these when
 * there is one hidden layer: a permutation that moves k units moves each by at
 * least the smallest distance, and k >= 2 unless it changes the sign of a unit
 * in its place.  The closest transposition is at most 2 ||mu|| / sqrt(d - 1)
 * away.
 *
 * @param chain The posterior; draws are not used.
 * @param count How many modes to return at most.
 */
template<typename eT>
inline std::vector<EquivalentMode> NearestModes(
    const SymmetricChain<eT>& chain, const size_t count)
{
  CheckChain(chain, "NearestModes");
  const Permutation identity = PermutationGroup(chain).Identity();
  std::vector<EquivalentMode> modes;
  for (size_t h = 0; h < chain.hidden.size(); ++h)
  {
    const size_t d = chain.hidden[h].size;
    const Orbits orbits(chain.hidden[h]);
    for (const int sign : { 1, -1 })
    {
      if (sign < 0 && !orbits.Signed())
        continue;
      const std::vector<double> distances = SignedUnitDistances(chain, chain,
          h, identity, UnitMetric::Euclidean, sign);
      for (size_t a = 0; a < d; ++a)
        for (size_t b = a + (sign > 0 ? 1 : 0); b < d; ++b)
          if (orbits.Same(a, b))
            modes.push_back(EquivalentMode{ h, a, b, sign < 0,
                std::sqrt((a == b ? 1.0 : 2.0) * distances[a * d + b]), 0.0 });
    }
  }
  const size_t kept = std::min(count, modes.size());
  std::partial_sort(modes.begin(), modes.begin() + kept, modes.end(),
      [](const EquivalentMode& x, const EquivalentMode& y)
      { return x.distance < y.distance; });
  modes.resize(kept);

  // Where two units change places, the sum over a block counts twice.
  for (EquivalentMode& mode : modes)
  {
    const double times = (mode.a == mode.b) ? 1.0 : 2.0;
    const size_t l = chain.hidden[mode.layer].incoming;
    const PosteriorView<eT>& in = chain.layers[l];
    const auto add = [&](const PosteriorView<eT>& v, const size_t i,
                         const size_t j)
    {
      const double s = v.sigma[i], t = v.sigma[j];
      mode.separation += times * (0.25 * WeightDistance(v, i, v, j,
          UnitMetric::Standardized, mode.negated ? -1 : 1) +
          0.5 * std::log((s * s + t * t) / (2.0 * s * t)));
    };
    for (size_t c = 0; c < in.Columns(); ++c)
      add(in, c * in.outSize + mode.a, c * in.outSize + mode.b);
    if (!chain.hidden[mode.layer].hasOutgoing)
      continue;
    const PosteriorView<eT>& out = chain.layers[l + 1];
    for (size_t o = 0; o < out.outSize; ++o)
      add(out, mode.a * out.outSize + o, mode.b * out.outSize + o);
  }
  return modes;
}

} // namespace symvi

#endif
