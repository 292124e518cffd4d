/**
 * @file symvi/symmetry/canonical_form.hpp
 *
 * A fixed ordering of the units of a posterior.
 */
#ifndef SYMVI_SYMMETRY_CANONICAL_FORM_HPP
#define SYMVI_SYMMETRY_CANONICAL_FORM_HPP

#include "permutation_group.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace symvi {
namespace canonical_form {

/**
 * Whether the mean of largest magnitude among the first n (the first of them
 * where there are several) is negative; if those are all zero, whether the
 * first other mean that is not zero is.
 */
inline bool IsNegative(const std::vector<double>& means, const size_t n)
{
  double largest = 0.0;
  for (size_t k = 0; k < means.size() && (k < n || largest == 0.0); ++k)
    if (std::abs(means[k]) > std::abs(largest))
      largest = means[k];
  return largest < 0.0;
}

} // namespace canonical_form

/**
 * The permutation that brings a posterior to its canonical form, the same for
 * all members of its orbit: g(h . chain) . h . chain = g(chain) . chain, bit
 * for bit.  Hidden layers are ordered from the front, so that the columns of a
 * layer are in their final order, with their final signs, when its rows are
 * compared.  Signed units get the sign that makes the largest of the means of
 * incoming row and bias positive.  Within a layer (and within units of the same
 * label) units are ordered by
 *
 *  1. falling sum of squares of the means of incoming row and bias,
 *  2. falling means of the incoming row, then the bias, then the standard
 *     deviations in the same order,
 *
 * so that strong units come first.  Units that agree in all of that differ at
 * most in their outgoing weights, which decide last (where the hidden layer
 * behind moves as well, such ties stay as they are, and so does the sign of a
 * unit whose incoming means are all zero).
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
    std::vector<int> sign(in.Columns(), 1);
    for (size_t c = 0; c < in.Columns(); ++c)
    {
      const bool moves = (before != noUnits && c != in.inSize);
      const size_t to = moves ? g(before, c) : c;
      source[to] = c;
      sign[to] = moves ? g.Sign(before, c) : 1;
    }
    for (size_t a = 0; a < d; ++a)
    {
      std::vector<double> means, deviations;
      for (size_t k = 0; k < source.size(); ++k)
      {
        means.push_back(sign[k] * double(in.mu[source[k] * d + a]));
        deviations.push_back(in.sigma[source[k] * d + a]);
      }
      if (hidden.hasOutgoing && after == noUnits)
        for (size_t o = 0; o < chain.layers[l + 1].outSize; ++o)
        {
          const size_t i = a * chain.layers[l + 1].outSize + o;
          means.push_back(chain.layers[l + 1].mu[i]);
          deviations.push_back(chain.layers[l + 1].sigma[i]);
        }
      if (hidden.isSigned && canonical_form::IsNegative(means, source.size()))
      {
        g.Signs(h)[a] = UnitSign(-1);
        for (double& mean : means)
          mean = -mean;
      }

      double squares = 0.0;
      for (size_t k = 0; k < source.size(); ++k)
        squares += means[k] * means[k];
      key[a].push_back(squares);
      for (const bool incoming : { true, false })
        for (const std::vector<double>* list : { &means, &deviations })
          key[a].insert(key[a].end(),
              incoming ? list->begin() : list->begin() + source.size(),
              incoming ? list->begin() + source.size() : list->end());
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
