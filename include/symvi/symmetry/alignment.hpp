/**
 * @file symvi/symmetry/alignment.hpp
 *
 * Bring one posterior as close as possible to another by permuting its units.
 */
#ifndef SYMVI_SYMMETRY_ALIGNMENT_HPP
#define SYMVI_SYMMETRY_ALIGNMENT_HPP

#include "assignment.hpp"
#include "permutation_group.hpp"
#include "unit_distances.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace symvi {

/**
 * Weight matching: find g that makes the squared distance of g . from to `to`
 * small,
 *
 *   g = argmin_g sum_i d( (g . from)_i, to_i ).
 *
 * With one hidden layer this is a linear assignment problem over units and the
 * result is optimal.  With more, hidden layers are assigned in turn, each given
 * its neighbours, until nothing improves (Ainsworth, Hayase, Srinivasa: "Git
 * Re-Basin", 2023); every step is optimal, the result a local optimum.  It is
 * the better one of two starts: the identity, and a first sweep in which each
 * layer looks only at the layers before it.
 *
 * Where units are signed, each also takes the sign that brings it closer.
 * Labels of units (orbits) are respected.  Draws are not used.
 */
class Alignment
{
 public:
  //! @param metric How weights are compared.
  explicit Alignment(const UnitMetric metric = UnitMetric::Euclidean) :
      metric(metric) { }

  //! How weights are compared.
  UnitMetric Metric() const { return metric; }
  //! Modify that.
  UnitMetric& Metric() { return metric; }

  //! Largest number of sweeps over the hidden layers.
  size_t MaxSweeps() const { return maxSweeps; }
  //! Modify that.
  size_t& MaxSweeps() { return maxSweeps; }

  /**
   * @param from The posterior to be permuted.
   * @param to The posterior to be matched; the same shape.
   * @return The permutation; apply it to every array of `from` with Apply().
   */
  template<typename eT>
  Permutation Match(const SymmetricChain<eT>& from,
                    const SymmetricChain<eT>& to)
  {
    CheckSameShape(from, to, "Alignment::Match");
    const Permutation identity = PermutationGroup(from).Identity();
    Permutation best = Descend(from, to, identity);
    if (from.hidden.size() < 2)
      return best;
    Permutation other = identity;
    for (size_t h = 0; h < from.hidden.size(); ++h)
      Assign(from, to, h, true, other);
    other = Descend(from, to, other);
    return SquaredDistance(other, from, to, metric) <
        SquaredDistance(best, from, to, metric) ? other : best;
  }

 private:
  //! Assign hidden layers in turn until nothing changes.
  template<typename eT>
  Permutation Descend(const SymmetricChain<eT>& from,
                      const SymmetricChain<eT>& to, Permutation g)
  {
    for (size_t sweep = 0; sweep < maxSweeps; ++sweep)
    {
      bool changed = false;
      for (size_t h = 0; h < from.hidden.size(); ++h)
        changed |= Assign(from, to, h, false, g);
      if (!changed)
        break;
    }
    return g;
  }

  //! The best permutation of one hidden layer given the others.
  template<typename eT>
  bool Assign(const SymmetricChain<eT>& from, const SymmetricChain<eT>& to,
              const size_t h, const bool incomingOnly, Permutation& g)
  {
    SymmetricChain<eT> x = from, y = to;
    // Without the columns that a later layer still has to order.
    if (incomingOnly && h + 1 < from.hidden.size())
      x.hidden[h].hasOutgoing = y.hidden[h].hasOutgoing = false;
    const std::vector<double> plus = SignedUnitDistances(x, y, h, g, metric, 1);
    const std::vector<double> minus = from.hidden[h].isSigned ?
        SignedUnitDistances(x, y, h, g, metric, -1) : plus;
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

  UnitMetric metric;
  size_t maxSweeps = 100;
  Assignment assignment;
};

} // namespace symvi

#endif
