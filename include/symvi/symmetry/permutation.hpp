/**
 * @file symvi/symmetry/permutation.hpp
 *
 * An element of the symmetry group of a network.
 */
#ifndef SYMVI_SYMMETRY_PERMUTATION_HPP
#define SYMVI_SYMMETRY_PERMUTATION_HPP

#include "orbits.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace symvi {

/**
 * g = (tau_1, ..., tau_m), one permutation of the units of each hidden layer
 * [Gelberg2024, Sec. 2].  Unit a of the network becomes unit tau(a) of the
 * permuted network: a left action, (g * h) . w = g . (h . w).
 *
 *   Inverse:      (g^-1)(tau(a)) = a
 *   Composition:  (g * h)(a) = g(h(a))
 */
class Permutation
{
 public:
  //! The element of the trivial group: no hidden layers.
  Permutation() = default;

  //! The identity for hidden layers of the given sizes.
  explicit Permutation(const std::vector<size_t>& sizes) : images(sizes.size())
  {
    for (size_t h = 0; h < sizes.size(); ++h)
    {
      images[h].resize(sizes[h]);
      for (size_t a = 0; a < sizes[h]; ++a)
        images[h][a] = UnitIndex(a);
    }
  }

  /**
   * The permutation with the given images, one list for each hidden layer.
   * Throws std::invalid_argument if a list is not a permutation.
   */
  explicit Permutation(std::vector<std::vector<UnitIndex>> newImages) :
      images(std::move(newImages))
  {
    for (size_t h = 0; h < images.size(); ++h)
    {
      std::vector<bool> seen(images[h].size(), false);
      for (const UnitIndex b : images[h])
      {
        if (b >= seen.size() || seen[b])
          throw std::invalid_argument("Permutation(): images of hidden layer " +
              std::to_string(h) + " must be each of 0 to " +
              std::to_string(seen.size() - 1) + " once, but unit " +
              std::to_string(b) + " is too large or repeated.");
        seen[b] = true;
      }
    }
  }

  //! Number of hidden layers.
  size_t Layers() const { return images.size(); }

  //! Number of units of hidden layer h.
  size_t Size(const size_t h) const { return images[h].size(); }

  //! tau_h(a).
  UnitIndex operator()(const size_t h, const size_t a) const
  {
    return images[h][a];
  }

  //! The images of hidden layer h.
  const std::vector<UnitIndex>& Images(const size_t h) const
  {
    return images[h];
  }

  //! The images of hidden layer h, to be written to; must stay a permutation.
  std::vector<UnitIndex>& Images(const size_t h) { return images[h]; }

  //! Whether every unit stays in place.
  bool IsIdentity() const
  {
    for (const std::vector<UnitIndex>& tau : images)
      for (size_t a = 0; a < tau.size(); ++a)
        if (tau[a] != a)
          return false;
    return true;
  }

  //! g^-1.
  Permutation Inverse() const
  {
    Permutation inverse(*this);
    for (size_t h = 0; h < images.size(); ++h)
      for (size_t a = 0; a < images[h].size(); ++a)
        inverse.images[h][images[h][a]] = UnitIndex(a);
    return inverse;
  }

  //! g * h: first h, then g.
  Permutation operator*(const Permutation& other) const
  {
    Permutation product(other);
    if (other.images.size() != images.size())
      throw std::invalid_argument("Permutation::operator*(): both must have " +
          std::to_string(images.size()) + " hidden layers, but the other has " +
          std::to_string(other.images.size()) + ".");
    for (size_t h = 0; h < images.size(); ++h)
    {
      if (other.images[h].size() != images[h].size())
        throw std::invalid_argument("Permutation::operator*(): hidden layer " +
            std::to_string(h) + " must have " +
            std::to_string(images[h].size()) + " units in both, but has " +
            std::to_string(other.images[h].size()) + " in the other.");
      for (size_t a = 0; a < images[h].size(); ++a)
        product.images[h][a] = images[h][other.images[h][a]];
    }
    return product;
  }

  //! Whether both move every unit to the same place.
  bool operator==(const Permutation& other) const
  {
    return images == other.images;
  }

  //! Whether some unit goes to different places.
  bool operator!=(const Permutation& other) const { return !(*this == other); }

  //! Save or load.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */)
  {
    ar(images);
  }

 private:
  std::vector<std::vector<UnitIndex>> images;
};

/**
 * Apply g to one array of weights of a layer, in the layout of PosteriorView:
 *
 *   out[rows(r), columns(c)] = in[r, c],   bias: out[rows(r)] = in[r].
 *
 * @param rows Images of the units behind the layer; null: they stay.
 * @param columns Images of the units in front of it; null: they stay.
 */
template<typename eT>
inline void PermuteWeights(const size_t outSize, const size_t inSize,
                           const bool hasBias, const UnitIndex* rows,
                           const UnitIndex* columns, const eT* in, eT* out)
{
  for (size_t c = 0; c < inSize + (hasBias ? 1 : 0); ++c)
  {
    const size_t to = (columns && c < inSize) ? columns[c] : c;
    for (size_t r = 0; r < outSize; ++r)
      out[to * outSize + (rows ? rows[r] : r)] = in[c * outSize + r];
  }
}

/**
 * Apply g to one array (mu, sigma, a draw, ...) of layer l of a chain.
 *
 * @param g The permutation; one list of images per hidden layer of the chain.
 * @param chain The chain, for sizes only.
 * @param l Index of the layer.
 * @param in The array, in the layout of PosteriorView.
 * @param out Another array of the same length.
 */
template<typename eT>
inline void Apply(const Permutation& g, const SymmetricChain<eT>& chain,
                  const size_t l, const eT* in, eT* out)
{
  const PosteriorView<eT>& v = chain.layers[l];
  const size_t rows = RowUnits(chain, l), columns = ColumnUnits(chain, l);
  PermuteWeights(v.outSize, v.inSize, v.hasBias,
      rows == noUnits ? nullptr : g.Images(rows).data(),
      columns == noUnits ? nullptr : g.Images(columns).data(), in, out);
}

} // namespace symvi

#endif
