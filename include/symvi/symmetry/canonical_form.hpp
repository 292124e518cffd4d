/**
 * @file symvi/symmetry/canonical_form.hpp
 *
 * A fixed ordering of the units of a posterior.
 */
#ifndef SYMVI_SYMMETRY_CANONICAL_FORM_HPP
#define SYMVI_SYMMETRY_CANONICAL_FORM_HPP

#include "permutation_group.hpp"

namespace symvi {

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

} // namespace symvi

#endif
