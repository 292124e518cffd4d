/**
 * @file symvi/symmetry/symmetric_chain.hpp
 *
 * A chain of Bayesian weight matrices and the hidden units between them.
 */
#ifndef SYMVI_SYMMETRY_SYMMETRIC_CHAIN_HPP
#define SYMVI_SYMMETRY_SYMMETRIC_CHAIN_HPP

#include "posterior_view.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace symvi {

//! The units of one hidden layer, which may be permuted among themselves and,
//! behind an odd activation, change their signs.
struct HiddenUnits
{
  //! Index of the layer whose rows and bias belong to these units.
  size_t incoming = 0;
  //! Whether the columns of layer incoming + 1 belong to them; if not, their
  //! outgoing weights are fixed.
  bool hasOutgoing = true;
  //! Number of units.
  size_t size = 0;
  //! A label for each unit; permutations keep labels.  Empty: one orbit, S_d.
  std::vector<size_t> orbit;
  //! Whether every unit may change its sign: its incoming weights, its bias and
  //! its outgoing weights are negated together, which an odd activation,
  //! f(-z) = -f(z), does not notice.
  bool isSigned = false;
};

/**
 * Layers in the order of the network and the hidden units between them, by
 * increasing `incoming`.  The group of the chain is the product of the groups
 * of its hidden units.  A network is a list of independent chains: I(g; w) and
 * log|G| add up over chains.
 */
template<typename eT>
struct SymmetricChain
{
  std::vector<PosteriorView<eT>> layers;
  std::vector<HiddenUnits> hidden;
};

//! What RowUnits() and ColumnUnits() answer for units that stay in place.
constexpr size_t noUnits = size_t(-1);

//! Which hidden units own the rows of the given layer, or noUnits.
template<typename eT>
inline size_t RowUnits(const SymmetricChain<eT>& chain, const size_t layer)
{
  for (size_t h = 0; h < chain.hidden.size(); ++h)
    if (chain.hidden[h].incoming == layer)
      return h;
  return noUnits;
}

//! Which hidden units own the columns of the given layer, or noUnits.
template<typename eT>
inline size_t ColumnUnits(const SymmetricChain<eT>& chain, const size_t layer)
{
  for (size_t h = 0; h < chain.hidden.size(); ++h)
    if (chain.hidden[h].hasOutgoing && chain.hidden[h].incoming + 1 == layer)
      return h;
  return noUnits;
}

namespace detail {

[[noreturn]] inline void RefuseChain(const char* where, const size_t h,
    const std::string& what)
{
  throw std::invalid_argument(std::string(where) + "(): hidden units " +
      std::to_string(h) + ": " + what + ".");
}

} // namespace detail

/**
 * Check that sizes fit together; throws std::invalid_argument if they do not.
 * An empty hidden layer is refused.
 *
 * @param chain The chain to check.
 * @param where Name of the caller, for the message.
 */
template<typename eT>
inline void CheckChain(const SymmetricChain<eT>& chain, const char* where)
{
  for (size_t h = 0; h < chain.hidden.size(); ++h)
  {
    const HiddenUnits& units = chain.hidden[h];
    if (units.size == 0)
      detail::RefuseChain(where, h,
          "the number of units must be positive, but "
          "is 0");
    if (h > 0 && units.incoming <= chain.hidden[h - 1].incoming)
      detail::RefuseChain(where, h,
          "incoming layers must increase, but layer " +
              std::to_string(units.incoming) + " follows layer " +
              std::to_string(chain.hidden[h - 1].incoming));
    if (units.incoming + (units.hasOutgoing ? 1 : 0) >= chain.layers.size())
      detail::RefuseChain(where, h,
          "the layers around them must exist, but "
          "the chain has only " +
              std::to_string(chain.layers.size()));
    if (chain.layers[units.incoming].outSize != units.size)
      detail::RefuseChain(where, h,
          "layer " + std::to_string(units.incoming) + " must have " +
              std::to_string(units.size) + " rows, but has " +
              std::to_string(chain.layers[units.incoming].outSize));
    if (units.hasOutgoing &&
        chain.layers[units.incoming + 1].inSize !=
            units.size * chain.layers[units.incoming + 1].block)
      detail::RefuseChain(where, h,
          "layer " + std::to_string(units.incoming + 1) + " must have " +
              std::to_string(units.size) + " columns, but has " +
              std::to_string(chain.layers[units.incoming + 1].inSize) +
              " in blocks of " +
              std::to_string(chain.layers[units.incoming + 1].block));
    if (!units.orbit.empty() && units.orbit.size() != units.size)
      detail::RefuseChain(where, h,
          "there must be " + std::to_string(units.size) +
              " orbit labels, but there are " +
              std::to_string(units.orbit.size()));
  }
}

} // namespace symvi

#endif
