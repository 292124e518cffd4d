/**
 * @file src/information/deep/coupled_units.hpp
 *
 * Which hidden layers of a chain have to be treated together.
 */
#ifndef SYMVI_INFORMATION_COUPLED_UNITS_HPP
#define SYMVI_INFORMATION_COUPLED_UNITS_HPP

#include "information/scores/touched.hpp"

#include "symmetry/orbits.hpp"

namespace symvi {
namespace information {

//! Whether some element of the group other than the identity is allowed.
inline bool Movable(const HiddenUnits& units)
{
  if (units.isSigned)
    return true;
  if (units.orbit.empty())
    return units.size > 1;
  for (size_t a = 1; a < units.size; ++a)
    for (size_t b = 0; b < a; ++b)
      if (units.orbit[a] == units.orbit[b])
        return true;
  return false;
}

/**
 * The end of the run of hidden layers that begins at `first`: neighbours both
 * of which can move and which share a weight matrix belong together.
 */
template<typename eT>
inline size_t EndOfRun(const SymmetricChain<eT>& chain, const size_t first)
{
  size_t last = first;
  while (last + 1 < chain.hidden.size() && chain.hidden[last].hasOutgoing &&
      chain.hidden[last + 1].incoming == chain.hidden[last].incoming + 1 &&
      Movable(chain.hidden[last]) && Movable(chain.hidden[last + 1]))
    ++last;
  return last + 1;
}

} // namespace information
} // namespace symvi

#endif
