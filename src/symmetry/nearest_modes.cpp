/**
 * @file src/symmetry/nearest_modes.cpp
 */
#include <symvi/symmetry/alignment.hpp>

#include "symmetry/orbits.hpp"
#include "symmetry/unit_distances.hpp"

#include <algorithm>
#include <cmath>

namespace symvi {

template<typename eT>
std::vector<EquivalentMode> NearestModes(const SymmetricChain<eT>& chain,
    const size_t count)
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
      const std::vector<double> distances = SignedUnitDistances(chain, chain, h,
          identity, UnitMetric::Euclidean, sign);
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
    const auto add =
        [&](const PosteriorView<eT>& v, const size_t i, const size_t j)
    {
      const double s = v.sigma[i], t = v.sigma[j];
      mode.separation += times *
          (0.25 *
                  WeightDistance(v, i, v, j, UnitMetric::Standardized,
                      mode.negated ? -1 : 1) +
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

template std::vector<EquivalentMode> NearestModes(const SymmetricChain<float>&,
    const size_t);
template std::vector<EquivalentMode> NearestModes(const SymmetricChain<double>&,
    const size_t);

} // namespace symvi
