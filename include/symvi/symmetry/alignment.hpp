/**
 * @file symvi/symmetry/alignment.hpp
 *
 * Bring one posterior as close as possible to another by permuting its units.
 */
#ifndef SYMVI_SYMMETRY_ALIGNMENT_HPP
#define SYMVI_SYMMETRY_ALIGNMENT_HPP

#include "permutation_group.hpp"

#include <vector>

namespace symvi {

//! How the distance between two weights is measured.
enum class UnitMetric
{
  //! (mu - mu')^2: means only.
  Euclidean,
  //! (mu - mu')^2 / (sigma^2 + sigma'^2): in units of the joint uncertainty.
  Standardized
};

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
      metric(metric)
  { }

  //! How weights are compared.
  UnitMetric Metric() const { return metric; }
  //! Modify how weights are compared.
  UnitMetric& Metric() { return metric; }

  //! Largest number of sweeps over the hidden layers.
  size_t MaxSweeps() const { return maxSweeps; }
  //! Modify the largest number of sweeps.
  size_t& MaxSweeps() { return maxSweeps; }

  /**
   * @param from The posterior to be permuted.
   * @param to The posterior to be matched; the same shape.
   * @return The permutation; apply it to every array of `from` with Apply().
   */
  template<typename eT>
  Permutation Match(const SymmetricChain<eT>& from,
      const SymmetricChain<eT>& to) const;

 private:
  UnitMetric metric;
  size_t maxSweeps = 100;
};

/**
 * The squared distance between unit a of `from` and unit b of `to` in hidden
 * layer h, over incoming row, bias and outgoing column, with the neighbouring
 * hidden layers of `from` moved by g:
 *
 *   D[a,b] = sum_c d(s(c) W_in[a,c], W_in'[b,g(c)]) + d(b[a], b'[b])
 *          + sum_o d(s(o) W_out[o,a], W_out'[g(o),b]),
 *
 * or, if that is less and units are signed, the same for unit a negated.
 *
 * @return D, row-major, d x d.
 */
template<typename eT>
std::vector<double> UnitDistances(const SymmetricChain<eT>& from,
    const SymmetricChain<eT>& to, const size_t h, const Permutation& g,
    const UnitMetric metric);

//! The squared distance of g . from to `to`, over all weights.
template<typename eT>
double SquaredDistance(const Permutation& g, const SymmetricChain<eT>& from,
    const SymmetricChain<eT>& to,
    const UnitMetric metric = UnitMetric::Euclidean);

/**
 * The least number of exchanges of two units that bring all units to their
 * places, signs aside: units minus cycles, over all hidden layers.
 */
size_t Transpositions(const Permutation& g);

//! The number of units that change their signs.
size_t SignChanges(const Permutation& g);

} // namespace symvi

#endif
