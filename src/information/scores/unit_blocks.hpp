/**
 * @file src/information/scores/unit_blocks.hpp
 *
 * The weights that belong to the units of one hidden layer.
 */
#ifndef SYMVI_INFORMATION_UNIT_BLOCKS_HPP
#define SYMVI_INFORMATION_UNIT_BLOCKS_HPP

#include "information/scores/touched.hpp"

#include "symmetry/orbits.hpp"

namespace symvi {
namespace information {

/**
 * Unit a of a hidden layer owns the block v_a = (incoming row, bias, outgoing
 * column) of the draw, and unit b the block n_b = (mu_b, sigma_b) of the
 * posterior.  Coordinate i of all blocks together is one array of d numbers:
 * first the columns of the incoming matrix, which lie in memory just so, then
 * the incoming bias, then the rows of the outgoing matrix.
 *
 * The neighbouring hidden layers may already be matched: column i of the
 * incoming draw is then compared with column inputs[i] of the posterior, row o
 * of the outgoing draw with row outputs[o].  Null means the identity.  Columns
 * of the incoming draw are multiplied by inputSigns[i] before that, unless it
 * is null.
 *
 * Either layer may be left out (null) where the units on its other side are not
 * matched yet.
 */
template<typename eT>
struct UnitBlocks
{
  const PosteriorView<eT>* incoming = nullptr;
  const PosteriorView<eT>* outgoing = nullptr;
  const UnitIndex* inputs = nullptr;
  const UnitIndex* outputs = nullptr;
  const UnitSign* inputSigns = nullptr;

  //! Number of units.
  size_t Units() const
  {
    return incoming ? incoming->outSize : outgoing->inSize;
  }

  //! Number of coordinates that lie in the incoming layer.
  size_t Incoming() const { return incoming ? incoming->Columns() : 0; }

  //! Number of coordinates of a block.
  size_t Coordinates() const
  {
    return Incoming() + (outgoing ? outgoing->outSize : 0);
  }

  //! Where coordinate i of the draw begins, and the step between units.
  void Draw(const size_t i, size_t& offset, size_t& step) const
  {
    offset = (i < Incoming()) ? i * Units() : i - Incoming();
    step = (i < Incoming()) ? 1 : outgoing->outSize;
  }

  //! Where coordinate i of the posterior begins, and the step between units.
  void Posterior(const size_t i, size_t& offset, size_t& step) const
  {
    if (i < Incoming() && inputs && i < incoming->inSize)
      offset = inputs[i] * Units(), step = 1;
    else if (i >= Incoming() && outputs)
      offset = outputs[i - Incoming()], step = outgoing->outSize;
    else
      Draw(i, offset, step);
  }

  //! What coordinate i of the draw is multiplied by.
  eT Sign(const size_t i) const
  {
    return (inputSigns && i < Incoming() && i < incoming->inSize) ?
        eT(inputSigns[i]) :
        eT(1);
  }

  //! The layer that holds coordinate i.
  const PosteriorView<eT>& Layer(const size_t i) const
  {
    return (i < Incoming()) ? *incoming : *outgoing;
  }
};

//! The blocks of hidden units h of a chain whose other units are at rest.
template<typename eT>
inline UnitBlocks<eT> MakeUnitBlocks(const SymmetricChain<eT>& chain,
    const size_t h)
{
  UnitBlocks<eT> blocks;
  blocks.incoming = &chain.layers[chain.hidden[h].incoming];
  if (chain.hidden[h].hasOutgoing)
    blocks.outgoing = &chain.layers[chain.hidden[h].incoming + 1];
  return blocks;
}

} // namespace information
} // namespace symvi

#endif
