/**
 * @file src/symmetry/canonical_form.cpp
 */
#include <symvi/symmetry/alignment.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace symvi {
namespace {

/**
 * Whether the mean of largest magnitude among the first n (the first of them
 * where there are several) is negative; if those are all zero, whether the
 * first other mean that is not zero is.
 */
bool IsNegative(const std::vector<double>& means, const size_t n)
{
  double largest = 0.0;
  for (size_t k = 0; k < means.size() && (k < n || largest == 0.0); ++k)
    if (std::abs(means[k]) > std::abs(largest))
      largest = means[k];
  return largest < 0.0;
}

} // namespace

template<typename eT>
Permutation CanonicalForm(const SymmetricChain<eT>& chain)
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
      if (hidden.isSigned && IsNegative(means, source.size()))
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
    { return hidden.orbit.empty() ? size_t(0) : hidden.orbit[a]; };
    std::stable_sort(places.begin(), places.end(),
        [&](const size_t a, const size_t b) { return label(a) < label(b); });
    std::stable_sort(units.begin(), units.end(),
        [&](const size_t a, const size_t b) {
      return label(a) != label(b) ? label(a) < label(b) : key[a] > key[b];
    });
    for (size_t k = 0; k < d; ++k)
      g.Images(h)[units[k]] = UnitIndex(places[k]);
  }
  return g;
}

template Permutation CanonicalForm(const SymmetricChain<float>&);
template Permutation CanonicalForm(const SymmetricChain<double>&);

} // namespace symvi
