/**
 * @file symvi/symmetry/nearest_modes.hpp
 *
 * The equivalent modes that lie closest to a posterior.
 */
#ifndef SYMVI_SYMMETRY_NEAREST_MODES_HPP
#define SYMVI_SYMMETRY_NEAREST_MODES_HPP

#include "symmetric_chain.hpp"

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
std::vector<EquivalentMode> NearestModes(const SymmetricChain<eT>& chain,
    const size_t count);

} // namespace symvi

#endif
