/**
 * @file symmetry/permutation_group.cpp
 */
#include <symvi/symmetry/permutation_group.hpp>

#include "symmetry/orbits.hpp"

#include <stdexcept>

namespace symvi {

PermutationGroup::PermutationGroup(const std::vector<size_t>& sizes,
    const bool isSigned)
{
  for (const size_t size : sizes)
  {
    if (size == 0)
      throw std::invalid_argument("PermutationGroup(): the number of units of "
                                  "a hidden layer must be positive, but is 0.");
    hidden.push_back({ 0, true, size, {}, isSigned });
  }
}

PermutationGroup PermutationGroup::Of(const std::vector<HiddenUnits>& hidden)
{
  PermutationGroup group;
  group.hidden = hidden;
  return group;
}

std::string PermutationGroup::Name() const
{
  std::string name;
  for (const HiddenUnits& units : hidden)
    Orbits(units).AddName(name);
  return name.empty() ? "trivial" : name;
}

double PermutationGroup::LogOrder() const
{
  double sum = 0.0;
  for (const HiddenUnits& units : hidden)
    sum += Orbits(units).LogOrder();
  return sum;
}

size_t PermutationGroup::Order() const
{
  size_t product = 1;
  for (const HiddenUnits& units : hidden)
  {
    const size_t factor = Orbits(units).Order();
    if (product > size_t(-1) / factor)
      return size_t(-1);
    product *= factor;
  }
  return product;
}

bool PermutationGroup::Contains(const Permutation& g) const
{
  if (g.Layers() != Layers())
    return false;
  for (size_t h = 0; h < Layers(); ++h)
  {
    if (g.Size(h) != Size(h))
      return false;
    for (size_t a = 0; a < Size(h); ++a)
      if (!Same(h, a, g(h, a)) || (g.Sign(h, a) < 0 && !Signed(h)))
        return false;
  }
  return true;
}

Permutation PermutationGroup::Identity() const
{
  std::vector<size_t> sizes;
  for (const HiddenUnits& units : hidden)
    sizes.push_back(units.size);
  return Permutation(sizes);
}

Permutation PermutationGroup::Sample(RandomStream& stream) const
{
  Permutation g = Identity();
  for (size_t h = 0; h < Layers(); ++h)
    Orbits(hidden[h]).Sample(g.Images(h).data(), g.Signs(h).data(), stream);
  return g;
}

bool PermutationGroup::Next(Permutation& g) const
{
  for (size_t h = 0; h < Layers(); ++h)
    if (Orbits(hidden[h]).Next(g.Images(h).data(), g.Signs(h).data()))
      return true;
  return false;
}

Permutation PermutationGroup::Transposition(const size_t h, const size_t a,
    const size_t b) const
{
  if (h >= Layers() || a >= Size(h) || b >= Size(h))
    throw std::invalid_argument("PermutationGroup::Transposition(): there "
                                "must be such units, but units " +
        std::to_string(a) + " and " + std::to_string(b) + " of hidden layer " +
        std::to_string(h) + " do not both exist.");
  if (!Same(h, a, b))
    throw std::invalid_argument("PermutationGroup::Transposition(): units " +
        std::to_string(a) + " and " + std::to_string(b) +
        " must have the same label, but have not.");
  Permutation g = Identity();
  std::swap(g.Images(h)[a], g.Images(h)[b]);
  return g;
}

Permutation PermutationGroup::SignChange(const size_t h, const size_t a) const
{
  if (h >= Layers() || a >= Size(h) || !Signed(h))
    throw std::invalid_argument("PermutationGroup::SignChange(): there must "
                                "be such a unit, of a signed layer, but unit " +
        std::to_string(a) + " of hidden layer " + std::to_string(h) +
        " is not one.");
  Permutation g = Identity();
  g.Signs(h)[a] = UnitSign(-1);
  return g;
}

} // namespace symvi
