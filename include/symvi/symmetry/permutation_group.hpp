/**
 * @file symvi/symmetry/permutation_group.hpp
 *
 * The symmetry group of a network, and its elements.
 */
#ifndef SYMVI_SYMMETRY_PERMUTATION_GROUP_HPP
#define SYMVI_SYMMETRY_PERMUTATION_GROUP_HPP

#include <symvi/kernel/random_stream.hpp>
#include <symvi/symmetry/symmetric_chain.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace symvi {

//! How the library stores the images tau(0), ..., tau(d - 1).
using UnitIndex = uint32_t;

//! How the library stores the signs s(0), ..., s(d - 1): 1 or -1.
using UnitSign = int8_t;

/**
 * g = (tau_1, ..., tau_m), one permutation of the units of each hidden layer
 * [Gelberg2024, Sec. 2], with a sign for every unit: 1, or -1 if all weights of
 * the unit are negated.  Unit a of the network becomes unit tau(a) of the
 * permuted network, times s(a).  It is a left action, (g * h) . w = g . (h .
 * w).
 *
 *   Inverse:      (g^-1)(tau(a)) = a,       s'(tau(a)) = s(a)
 *   Composition:  (g * h)(a) = g(h(a)),     s(a) = s_g(h(a)) s_h(a)
 */
class Permutation
{
 public:
  //! The element of the trivial group: no hidden layers.
  Permutation() = default;

  //! The identity for hidden layers of the given sizes.
  explicit Permutation(const std::vector<size_t>& sizes) :
      images(sizes.size()),
      signs(sizes.size())
  {
    for (size_t h = 0; h < sizes.size(); ++h)
    {
      images[h].resize(sizes[h]);
      signs[h].assign(sizes[h], UnitSign(1));
      for (size_t a = 0; a < sizes[h]; ++a)
        images[h][a] = UnitIndex(a);
    }
  }

  /**
   * The permutation with the given images, one list for each hidden layer, and
   * all signs 1.  Throws std::invalid_argument if a list is not a permutation.
   */
  explicit Permutation(std::vector<std::vector<UnitIndex>> newImages);

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

  //! s_h(a): 1 or -1.
  UnitSign Sign(const size_t h, const size_t a) const { return signs[h][a]; }

  //! The signs of hidden layer h.
  const std::vector<UnitSign>& Signs(const size_t h) const { return signs[h]; }

  //! The signs of hidden layer h, to be written to; each must be 1 or -1.
  std::vector<UnitSign>& Signs(const size_t h) { return signs[h]; }

  //! Whether every unit stays in place and keeps its sign.
  bool IsIdentity() const;

  //! g^-1.
  Permutation Inverse() const;

  //! g * h: first h, then g.
  Permutation operator*(const Permutation& other) const;

  //! Whether both move every unit to the same place with the same sign.
  bool operator==(const Permutation& other) const
  {
    return images == other.images && signs == other.signs;
  }

  //! Whether they differ.
  bool operator!=(const Permutation& other) const { return !(*this == other); }

  //! Save or load: images, with all bits inverted where the sign is -1.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */)
  {
    std::vector<std::vector<UnitIndex>> packed = images;
    for (size_t h = 0; h < images.size(); ++h)
      for (size_t a = 0; a < images[h].size(); ++a)
        packed[h][a] = (signs[h][a] < 0) ? ~images[h][a] : images[h][a];
    ar(packed);
    *this = Permutation();
    for (std::vector<UnitIndex>& tau : packed)
    {
      signs.emplace_back();
      for (UnitIndex& b : tau)
      {
        signs.back().push_back(b >= tau.size() ? UnitSign(-1) : UnitSign(1));
        b = (b >= tau.size()) ? ~b : b;
      }
      images.push_back(tau);
    }
  }

 private:
  std::vector<std::vector<UnitIndex>> images;
  std::vector<std::vector<UnitSign>> signs;
};

//! What the numbers of an array are, for Apply().
enum class WeightArray
{
  Values,    //!< Means or draws: they change their sign with the unit.
  Magnitudes //!< Standard deviations, or a function of them: they do not.
};

/**
 * Apply g to one array (mu, sigma, a draw, ...) of layer l of a chain:
 *
 *   out[rows(r), columns(c)] = s(r) s(c) in[r, c],    blocks of columns by
 *                                                     their units,
 *   bias: out[rows(r)] = s(r) in[r],
 *
 * with the permutations and signs of the units behind and in front of it.
 *
 * @param g The permutation; one list of images per hidden layer of the chain.
 * @param chain The chain, for sizes only.
 * @param l Index of the layer.
 * @param in The array, in the layout of PosteriorView.
 * @param out Another array of the same length.
 * @param kind Whether signs matter to it: WeightArray::Magnitudes for sigma.
 */
template<typename eT>
inline void Apply(const Permutation& g, const SymmetricChain<eT>& chain,
    const size_t l, const eT* in, eT* out,
    const WeightArray kind = WeightArray::Values)
{
  const PosteriorView<eT>& v = chain.layers[l];
  const size_t rows = RowUnits(chain, l), columns = ColumnUnits(chain, l);
  const bool isSigned = (kind == WeightArray::Values);
  for (size_t c = 0; c < v.Columns(); ++c)
  {
    const bool moves = (columns != noUnits && c < v.inSize);
    const size_t unit = c / v.block;
    const size_t to = moves ? v.Moved(c, g(columns, unit)) : c;
    const bool negated = isSigned && moves && g.Sign(columns, unit) < 0;
    for (size_t r = 0; r < v.outSize; ++r)
    {
      const eT x = in[c * v.outSize + r];
      const bool flips = isSigned && rows != noUnits && g.Sign(rows, r) < 0;
      out[to * v.outSize + (rows == noUnits ? r : g(rows, r))] = (flips !=
                                                                     negated) ?
          -x :
          x;
    }
  }
}

/**
 * G = S_d1 x ... x S_dm for hidden layers of d1, ..., dm units, or the subgroup
 * that keeps the labels of units (HiddenUnits::orbit).  Layers whose units may
 * change their signs (HiddenUnits::isSigned) have the hyperoctahedral group
 * B_d of signed permutations, |B_d| = 2^d d!, in place of S_d.
 *
 * Elements are enumerated in a fixed order that starts with the identity:
 *
 * @code
 * Permutation g = group.Identity();
 * do { ... } while (group.Next(g));
 * @endcode
 */
class PermutationGroup
{
 public:
  //! The trivial group.
  PermutationGroup() = default;

  /**
   * The group of hidden layers of the given sizes, all positive.
   *
   * @param sizes Number of units of each hidden layer.
   * @param isSigned Whether their units may change their signs.
   */
  explicit PermutationGroup(const std::vector<size_t>& sizes,
      const bool isSigned = false);

  //! The group of the hidden units of a chain.
  template<typename eT>
  explicit PermutationGroup(const SymmetricChain<eT>& chain) :
      hidden(chain.hidden)
  {
    CheckChain(chain, "PermutationGroup");
  }

  //! The group of the given hidden units.
  static PermutationGroup Of(const std::vector<HiddenUnits>& hidden);

  //! Number of hidden layers.
  size_t Layers() const { return hidden.size(); }

  //! Number of units of hidden layer h.
  size_t Size(const size_t h) const { return hidden[h].size; }

  //! Whether the units of hidden layer h may change their signs.
  bool Signed(const size_t h) const { return hidden[h].isSigned; }

  //! The group in letters, such as "B_8 x S_4"; "trivial" if nothing moves.
  std::string Name() const;

  //! log|G|.
  double LogOrder() const;

  //! |G|, or the largest size_t if it does not fit.
  size_t Order() const;

  //! Whether g has the sizes of the group, keeps all labels, and changes signs
  //! only where that is allowed.
  bool Contains(const Permutation& g) const;

  //! The element that moves nothing.
  Permutation Identity() const;

  //! A uniformly drawn element.
  Permutation Sample(RandomStream& stream) const;

  //! Step to the next element; false (and the identity) after the last.
  bool Next(Permutation& g) const;

  //! The element that exchanges units a and b of hidden layer h.
  Permutation Transposition(const size_t h, const size_t a,
      const size_t b) const;

  //! The element that changes the sign of unit a of hidden layer h.
  Permutation SignChange(const size_t h, const size_t a) const;

 private:
  //! Whether units a and b of hidden layer h have the same label.
  bool Same(const size_t h, const size_t a, const size_t b) const
  {
    return hidden[h].orbit.empty() || hidden[h].orbit[a] == hidden[h].orbit[b];
  }

  std::vector<HiddenUnits> hidden;
};

} // namespace symvi

#endif
