/**
 * @file symvi/symmetry/alignment.hpp
 *
 * Equivalent posteriors: the one closest to another posterior, the canonical
 * one, and those closest to the posterior itself.
 */
#ifndef SYMVI_SYMMETRY_ALIGNMENT_HPP
#define SYMVI_SYMMETRY_ALIGNMENT_HPP

#include <symvi/symmetry/permutation_group.hpp>
#include <symvi/symmetry/symmetric_chain.hpp>

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
Permutation CanonicalForm(const SymmetricChain<eT>& chain);

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
std::vector<EquivalentMode> NearestModes(const SymmetricChain<eT>& chain,
    const size_t count);

} // namespace symvi

#endif
