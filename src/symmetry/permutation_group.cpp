/**
 * @file src/symmetry/permutation_group.cpp
 */
#include <symvi/symmetry/permutation_group.hpp>

#include <symvi/require.hpp>

#include "symmetry/orbits.hpp"

#include <utility>

namespace symvi {

Permutation::Permutation(std::vector<std::vector<UnitIndex>> newImages) :
    images(std::move(newImages))
{
  for (size_t h = 0; h < images.size(); ++h)
  {
    signs.emplace_back(images[h].size(), UnitSign(1));
    std::vector<bool> seen(images[h].size(), false);
    for (const UnitIndex b : images[h])
    {
      if (b >= seen.size() || seen[b])
        Refuse("Permutation",
            "images of hidden layer " + std::to_string(h) +
                " must be each of 0 to " + std::to_string(seen.size() - 1) +
                " once",
            "unit " + std::to_string(b) + " is too large or repeated");
      seen[b] = true;
    }
  }
}

bool Permutation::IsIdentity() const
{
  for (size_t h = 0; h < images.size(); ++h)
    for (size_t a = 0; a < images[h].size(); ++a)
      if (images[h][a] != a || signs[h][a] < 0)
        return false;
  return true;
}

Permutation Permutation::Inverse() const
{
  Permutation inverse(*this);
  for (size_t h = 0; h < images.size(); ++h)
    for (size_t a = 0; a < images[h].size(); ++a)
    {
      inverse.images[h][images[h][a]] = UnitIndex(a);
      inverse.signs[h][images[h][a]] = signs[h][a];
    }
  return inverse;
}

Permutation Permutation::operator*(const Permutation& other) const
{
  RequireCount("Permutation::operator*", "the other factor", "hidden layers",
      other.images.size(), images.size());
  Permutation product(other);
  for (size_t h = 0; h < images.size(); ++h)
  {
    if (other.images[h].size() != images[h].size())
      Refuse("Permutation::operator*",
          "hidden layer " + std::to_string(h) + " must have " +
              std::to_string(images[h].size()) + " units in both",
          "has " + std::to_string(other.images[h].size()) + " in the other");
    for (size_t a = 0; a < images[h].size(); ++a)
    {
      const size_t b = other.images[h][a];
      product.images[h][a] = images[h][b];
      product.signs[h][a] = UnitSign(signs[h][b] * other.signs[h][a]);
    }
  }
  return product;
}

PermutationGroup::PermutationGroup(const std::vector<size_t>& sizes,
    const bool isSigned)
{
  for (const size_t size : sizes)
  {
    RequirePositive("PermutationGroup", "the number of units of a hidden layer",
        size);
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
    Refuse("PermutationGroup::Transposition", "there must be such units",
        "units " + std::to_string(a) + " and " + std::to_string(b) +
            " of hidden layer " + std::to_string(h) + " do not both exist");
  if (!Same(h, a, b))
    Refuse("PermutationGroup::Transposition",
        "units " + std::to_string(a) + " and " + std::to_string(b) +
            " must have the same label",
        "have not");
  Permutation g = Identity();
  std::swap(g.Images(h)[a], g.Images(h)[b]);
  return g;
}

Permutation PermutationGroup::SignChange(const size_t h, const size_t a) const
{
  if (h >= Layers() || a >= Size(h) || !Signed(h))
    Refuse("PermutationGroup::SignChange",
        "there must be such a unit, of a signed layer",
        "unit " + std::to_string(a) + " of hidden layer " + std::to_string(h) +
            " is not one");
  Permutation g = Identity();
  g.Signs(h)[a] = UnitSign(-1);
  return g;
}

} // namespace symvi
