/**
 * @file symvi/symmetry/symmetric_chain.hpp
 *
 * Bayesian weight matrices as the estimators of I(g; w) see them: one, and a
 * chain of them with the hidden units in between.
 */
#ifndef SYMVI_SYMMETRY_SYMMETRIC_CHAIN_HPP
#define SYMVI_SYMMETRY_SYMMETRIC_CHAIN_HPP

#include <symvi/require.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace symvi {

/**
 * The mean-field posterior q = N(mu, diag(sigma^2)) of one weight matrix W and
 * its bias b, and a draw w = mu + sigma % eps from it.  It does not own the
 * memory.
 *
 * Every array holds W (outSize x inSize, column-major) followed by b (outSize)
 * if hasBias.  Row r of W and b[r] belong to output unit r, column c of W to
 * input unit c / block: a unit may have several columns, one for every place of
 * a filter if it is an input map of a convolution, or one for every pixel if it
 * is a map in front of a dense layer.
 */
template<typename eT>
struct PosteriorView
{
  //! Rows of W: units behind this layer.
  size_t outSize = 0;
  //! Columns of W.
  size_t inSize = 0;
  //! Whether a bias follows W.
  bool hasBias = false;
  //! Means.
  const eT* mu = nullptr;
  //! Standard deviations, all positive.
  const eT* sigma = nullptr;
  //! The draw; may be null where only the posterior matters.
  const eT* weight = nullptr;
  //! Neighbouring columns of W that belong to one unit in front of this layer.
  size_t block = 1;

  //! Length of every array.
  size_t Elements() const { return outSize * (inSize + (hasBias ? 1 : 0)); }

  //! Units in front of this layer.
  size_t InUnits() const { return inSize / block; }

  //! Where column c lies when the columns of its unit lie where those of unit
  //! `unit` are now.
  size_t Moved(const size_t c, const size_t unit) const
  {
    return unit * block + c % block;
  }

  //! Weights of W that belong to one unit in front; they lie side by side.
  size_t Outgoing() const { return block * outSize; }

  //! Columns of W and the bias: how many arrays of outSize numbers there are.
  size_t Columns() const { return inSize + (hasBias ? 1 : 0); }
};

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
  const auto refuse =
      [where](const size_t h, const std::string& what, const std::string& found)
  { Refuse(where, "hidden units " + std::to_string(h) + ": " + what, found); };

  for (size_t h = 0; h < chain.hidden.size(); ++h)
  {
    const HiddenUnits& units = chain.hidden[h];
    if (units.size == 0)
      refuse(h, "the number of units must be positive", "is 0");
    if (h > 0 && units.incoming <= chain.hidden[h - 1].incoming)
      refuse(h, "incoming layers must increase",
          "layer " + std::to_string(units.incoming) + " follows layer " +
              std::to_string(chain.hidden[h - 1].incoming));
    if (units.incoming + (units.hasOutgoing ? 1 : 0) >= chain.layers.size())
      refuse(h, "the layers around them must exist",
          "the chain has only " + std::to_string(chain.layers.size()));
    if (chain.layers[units.incoming].outSize != units.size)
      refuse(h,
          "layer " + std::to_string(units.incoming) + " must have " +
              std::to_string(units.size) + " rows",
          "has " + std::to_string(chain.layers[units.incoming].outSize));
    if (units.hasOutgoing &&
        chain.layers[units.incoming + 1].inSize !=
            units.size * chain.layers[units.incoming + 1].block)
      refuse(h,
          "layer " + std::to_string(units.incoming + 1) + " must have " +
              std::to_string(units.size) + " columns",
          "has " + std::to_string(chain.layers[units.incoming + 1].inSize) +
              " in blocks of " +
              std::to_string(chain.layers[units.incoming + 1].block));
    if (!units.orbit.empty() && units.orbit.size() != units.size)
      refuse(h, "there must be " + std::to_string(units.size) + " orbit labels",
          "there are " + std::to_string(units.orbit.size()));
  }
}

} // namespace symvi

#endif
