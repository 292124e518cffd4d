/**
 * @file src/symmetry/alignment.cpp
 */
#include <symvi/symmetry/alignment.hpp>

#include "symmetry/assignment.hpp"
#include "symmetry/orbits.hpp"
#include "symmetry/unit_distances.hpp"

#include <algorithm>
#include <limits>

namespace symvi {
namespace {

//! The best permutation of one hidden layer given the others; whether it is
//! better than that of g, which it replaces then.
template<typename eT>
bool Assign(const SymmetricChain<eT>& from, const SymmetricChain<eT>& to,
    const size_t h, const UnitMetric metric, const bool incomingOnly,
    Permutation& g)
{
  SymmetricChain<eT> x = from, y = to;
  // Without the columns that a later layer still has to order.
  if (incomingOnly && h + 1 < from.hidden.size())
    x.hidden[h].hasOutgoing = y.hidden[h].hasOutgoing = false;
  const std::vector<double> plus = SignedUnitDistances(x, y, h, g, metric, 1);
  const std::vector<double> minus = from.hidden[h].isSigned ?
      SignedUnitDistances(x, y, h, g, metric, -1) :
      plus;
  const size_t d = from.hidden[h].size;
  const Orbits orbits(from.hidden[h]);
  std::vector<double> scores(d * d);
  double before = 0.0, after = 0.0;
  for (size_t a = 0; a < d; ++a)
  {
    before += (g.Sign(h, a) < 0 ? minus : plus)[a * d + g(h, a)];
    for (size_t b = 0; b < d; ++b)
      scores[a * d + b] = orbits.Same(a, b) ?
          -std::min(plus[a * d + b], minus[a * d + b]) :
          -std::numeric_limits<double>::infinity();
  }
  Assignment assignment;
  assignment.Solve(scores.data(), d);
  for (size_t a = 0; a < d; ++a)
    after -= scores[a * d + assignment.Match()[a]];
  if (!(after < before * (1.0 - 1e-12)))
    return false;
  for (size_t a = 0; a < d; ++a)
  {
    const size_t b = assignment.Match()[a];
    g.Images(h)[a] = UnitIndex(b);
    g.Signs(h)[a] = UnitSign(minus[a * d + b] < plus[a * d + b] ? -1 : 1);
  }
  return true;
}

//! Assign hidden layers in turn until nothing changes.
template<typename eT>
Permutation Descend(const SymmetricChain<eT>& from,
    const SymmetricChain<eT>& to, const UnitMetric metric,
    const size_t maxSweeps, Permutation g)
{
  bool changed = true;
  for (size_t sweep = 0; sweep < maxSweeps && changed; ++sweep)
  {
    changed = false;
    for (size_t h = 0; h < from.hidden.size(); ++h)
      changed |= Assign(from, to, h, metric, false, g);
  }
  return g;
}

} // namespace

template<typename eT>
Permutation Alignment::Match(const SymmetricChain<eT>& from,
    const SymmetricChain<eT>& to) const
{
  CheckSameShape(from, to, "Alignment::Match");
  const Permutation identity = PermutationGroup(from).Identity();
  Permutation best = Descend(from, to, metric, maxSweeps, identity);
  if (from.hidden.size() < 2)
    return best;
  Permutation other = identity;
  for (size_t h = 0; h < from.hidden.size(); ++h)
    Assign(from, to, h, metric, true, other);
  other = Descend(from, to, metric, maxSweeps, other);
  return SquaredDistance(other, from, to, metric) <
          SquaredDistance(best, from, to, metric) ?
      other :
      best;
}

template<typename eT>
std::vector<double> UnitDistances(const SymmetricChain<eT>& from,
    const SymmetricChain<eT>& to, const size_t h, const Permutation& g,
    const UnitMetric metric)
{
  std::vector<double> distance = SignedUnitDistances(from, to, h, g, metric, 1);
  if (!from.hidden[h].isSigned)
    return distance;
  const std::vector<double> negated = SignedUnitDistances(from, to, h, g,
      metric, -1);
  for (size_t i = 0; i < distance.size(); ++i)
    distance[i] = std::min(distance[i], negated[i]);
  return distance;
}

template<typename eT>
double SquaredDistance(const Permutation& g, const SymmetricChain<eT>& from,
    const SymmetricChain<eT>& to, const UnitMetric metric)
{
  CheckSameShape(from, to, "SquaredDistance");
  double sum = 0.0;
  for (size_t l = 0; l < from.layers.size(); ++l)
  {
    const PosteriorView<eT>& v = from.layers[l];
    const size_t rows = RowUnits(from, l), columns = ColumnUnits(from, l);
    for (size_t c = 0; c < v.Columns(); ++c)
    {
      const bool moves = (columns != noUnits && c != v.inSize);
      const size_t e = moves ? v.Moved(c, g(columns, c / v.block)) : c;
      const int sign = moves ? g.Sign(columns, c / v.block) : 1;
      for (size_t r = 0; r < v.outSize; ++r)
        sum += WeightDistance(v, c * v.outSize + r, to.layers[l],
            e * v.outSize + (rows == noUnits ? r : g(rows, r)), metric,
            rows == noUnits ? sign : sign * g.Sign(rows, r));
    }
  }
  return sum;
}

size_t Transpositions(const Permutation& g)
{
  size_t count = 0;
  for (size_t h = 0; h < g.Layers(); ++h)
  {
    std::vector<bool> seen(g.Size(h), false);
    for (size_t a = 0; a < g.Size(h); ++a)
    {
      // The other units of its cycle.
      for (size_t b = g(h, a); b != a && !seen[a]; b = g(h, b))
      {
        seen[b] = true;
        ++count;
      }
    }
  }
  return count;
}

size_t SignChanges(const Permutation& g)
{
  size_t count = 0;
  for (size_t h = 0; h < g.Layers(); ++h)
    count += size_t(
        std::count(g.Signs(h).begin(), g.Signs(h).end(), UnitSign(-1)));
  return count;
}

#define SYMVI_ALIGNMENT(eT) \
  template Permutation Alignment::Match(const SymmetricChain<eT>&, \
      const SymmetricChain<eT>&) const; \
  template std::vector<double> UnitDistances(const SymmetricChain<eT>&, \
      const SymmetricChain<eT>&, const size_t, const Permutation&, \
      const UnitMetric); \
  template double SquaredDistance(const Permutation&, \
      const SymmetricChain<eT>&, const SymmetricChain<eT>&, const UnitMetric)
SYMVI_ALIGNMENT(float);
SYMVI_ALIGNMENT(double);
#undef SYMVI_ALIGNMENT

} // namespace symvi
