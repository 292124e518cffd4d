/**
 * @file symvi/symmetry/permutation_group.hpp
 *
 * The symmetry group of a network.
 */
#ifndef SYMVI_SYMMETRY_PERMUTATION_GROUP_HPP
#define SYMVI_SYMMETRY_PERMUTATION_GROUP_HPP

#include "permutation.hpp"

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
                            const bool isSigned = false)
  {
    for (const size_t size : sizes)
    {
      HiddenUnits units;
      units.size = size;
      units.isSigned = isSigned;
      Add(units);
    }
  }

  //! The group of the hidden units of a chain.
  template<typename eT>
  explicit PermutationGroup(const SymmetricChain<eT>& chain)
  {
    CheckChain(chain, "PermutationGroup");
    for (const HiddenUnits& units : chain.hidden)
      Add(units);
  }

  //! Number of hidden layers.
  size_t Layers() const { return orbits.size(); }

  //! Number of units of hidden layer h.
  size_t Size(const size_t h) const { return orbits[h].Size(); }

  //! Whether the units of hidden layer h may change their signs.
  bool Signed(const size_t h) const { return orbits[h].Signed(); }

  //! The group in letters, such as "B_8 x S_4"; "trivial" if nothing moves.
  std::string Name() const
  {
    std::string name;
    for (const Orbits& o : orbits)
      o.AddName(name);
    return name.empty() ? "trivial" : name;
  }

  //! log|G|.
  double LogOrder() const
  {
    double sum = 0.0;
    for (const Orbits& o : orbits)
      sum += o.LogOrder();
    return sum;
  }

  //! |G|, or the largest size_t if it does not fit.
  size_t Order() const
  {
    size_t product = 1;
    for (const Orbits& o : orbits)
    {
      const size_t factor = o.Order();
      if (product > size_t(-1) / factor)
        return size_t(-1);
      product *= factor;
    }
    return product;
  }

  //! Whether g has the sizes of the group, keeps all labels, and changes signs
  //! only where that is allowed.
  bool Contains(const Permutation& g) const
  {
    if (g.Layers() != Layers())
      return false;
    for (size_t h = 0; h < Layers(); ++h)
    {
      if (g.Size(h) != Size(h))
        return false;
      for (size_t a = 0; a < Size(h); ++a)
        if (!orbits[h].Same(a, g(h, a)) ||
            (g.Sign(h, a) < 0 && !orbits[h].Signed()))
          return false;
    }
    return true;
  }

  //! The element that moves nothing.
  Permutation Identity() const
  {
    std::vector<size_t> sizes;
    for (const Orbits& o : orbits)
      sizes.push_back(o.Size());
    return Permutation(sizes);
  }

  //! A uniformly drawn element.
  Permutation Sample(RandomStream& stream) const
  {
    Permutation g = Identity();
    for (size_t h = 0; h < Layers(); ++h)
      orbits[h].Sample(g.Images(h).data(), g.Signs(h).data(), stream);
    return g;
  }

  //! Step to the next element; false (and the identity) after the last.
  bool Next(Permutation& g)
  {
    for (size_t h = 0; h < Layers(); ++h)
      if (orbits[h].Next(g.Images(h).data(), g.Signs(h).data()))
        return true;
    return false;
  }

  //! The element that exchanges units a and b of hidden layer h.
  Permutation Transposition(const size_t h, const size_t a,
                            const size_t b) const
  {
    if (h >= Layers() || a >= Size(h) || b >= Size(h))
      throw std::invalid_argument("PermutationGroup::Transposition(): there "
          "must be such units, but units " + std::to_string(a) + " and " +
          std::to_string(b) + " of hidden layer " + std::to_string(h) +
          " do not both exist.");
    if (!orbits[h].Same(a, b))
      throw std::invalid_argument("PermutationGroup::Transposition(): units " +
          std::to_string(a) + " and " + std::to_string(b) +
          " must have the same label, but have not.");
    Permutation g = Identity();
    std::swap(g.Images(h)[a], g.Images(h)[b]);
    return g;
  }

  //! The element that changes the sign of unit a of hidden layer h.
  Permutation SignChange(const size_t h, const size_t a) const
  {
    if (h >= Layers() || a >= Size(h) || !Signed(h))
      throw std::invalid_argument("PermutationGroup::SignChange(): there must "
          "be such a unit, of a signed layer, but unit " + std::to_string(a) +
          " of hidden layer " + std::to_string(h) + " is not one.");
    Permutation g = Identity();
    g.Signs(h)[a] = UnitSign(-1);
    return g;
  }

 private:
  void Add(const HiddenUnits& units)
  {
    if (units.size == 0)
      throw std::invalid_argument("PermutationGroup(): the number of units of "
          "a hidden layer must be positive, but is 0.");
    orbits.emplace_back(units);
  }

  std::vector<Orbits> orbits;
};

} // namespace symvi

#endif
