/**
 * @file symvi/symmetry/canonical_form.hpp
 *
 * A fixed ordering of the units of a posterior.
 */
#ifndef SYMVI_SYMMETRY_CANONICAL_FORM_HPP
#define SYMVI_SYMMETRY_CANONICAL_FORM_HPP

#include "permutation_group.hpp"

#include <algorithm>
#include <vector>

namespace symvi {

/**
 * The permutation that brings a posterior to its canonical form, the same for
 * all members of its orbit: g(h . chain) . h . chain = g(chain) . chain, bit
 * for bit.  Hidden layers are ordered from the front, so that the columns of a
 * layer are in their final order when its rows are compared.  Within a layer
 * (and within units of the same label) units are ordered by
 *
 *  1. falling sum of squares of the means of incoming row and bias,
 *  2. falling means of the incoming row, then the bias, then the standard
 *     deviations in the same order,
 *
 * so that strong units come first.  Units that agree in all of that differ at
 * most in their outgoing weights, which decide last (where the hidden layer
 * behind moves as well, such ties stay as they are).
 *
 * @param chain The posterior; draws are not used.
 * @return The permutation; apply it to every array of the chain with Apply().
 */
template<typename eT>
inline Permutation CanonicalForm(const SymmetricChain<eT>& chain)
{
  Permutation g = PermutationGroup(chain).Identity();
  for (size_t h = 0; h < chain.hidden.size(); ++h)
  {
    const HiddenUnits& hidden = chain.hidden[h];
    const size_t d = hidden.size, l = hidden.incoming;
    const PosteriorView<eT>& in = chain.layers[l];
    const size_t before = ColumnUnits(chain, l), after = RowUnits(chain, l + 1);

    // The key of each unit, columns already in order.
    std::vector<std::vector<double>> key(d);
    std::vector<size_t> source(in.Columns());
    for (size_t c = 0; c < in.Columns(); ++c)
      source[(before == noUnits || c == in.inSize) ? c : g(before, c)] = c;
    for (size_t a = 0; a < d; ++a)
    {
      double squares = 0.0;
      key[a].push_back(0.0);
      for (const eT* array : { in.mu, in.sigma })
        for (const size_t c : source)
          key[a].push_back(array[c * d + a]);
      for (size_t k = 1; k <= source.size(); ++k)
        squares += key[a][k] * key[a][k];
      key[a][0] = squares;
      if (hidden.hasOutgoing && after == noUnits)
        for (const eT* array : { chain.layers[l + 1].mu,
            chain.layers[l + 1].sigma })
          for (size_t o = 0; o < chain.layers[l + 1].outSize; ++o)
            key[a].push_back(array[a * chain.layers[l + 1].outSize + o]);
    }

    // Sort units of one label into the places of that label.
    std::vector<size_t> units(d), places(d);
    for (size_t a = 0; a < d; ++a)
      units[a] = places[a] = a;
    const auto label = [&](const size_t a)
    {
      return hidden.orbit.empty() ? size_t(0) : hidden.orbit[a];
    };
    std::stable_sort(places.begin(), places.end(),
        [&](const size_t a, const size_t b) { return label(a) < label(b); });
    std::stable_sort(units.begin(), units.end(),
        [&](const size_t a, const size_t b)
        {
          return label(a) != label(b) ? label(a) < label(b) : key[a] > key[b];
        });
    for (size_t k = 0; k < d; ++k)
      g.Images(h)[units[k]] = UnitIndex(places[k]);
  }
  return g;
}

} // namespace symvi

#endif
