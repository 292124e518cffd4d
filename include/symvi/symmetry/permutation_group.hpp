/**
 * @file symvi/symmetry/permutation_group.hpp
 *
 * The symmetry group of a network.
 */
#ifndef SYMVI_SYMMETRY_PERMUTATION_GROUP_HPP
#define SYMVI_SYMMETRY_PERMUTATION_GROUP_HPP

#include "permutation.hpp"

#include <symvi/kernel/random_stream.hpp>

#include <string>
#include <vector>

namespace symvi {

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
