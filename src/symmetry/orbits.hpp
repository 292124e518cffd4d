/**
 * @file src/symmetry/orbits.hpp
 *
 * The permutations of one hidden layer, with or without signs.
 */
#ifndef SYMVI_SRC_SYMMETRY_ORBITS_HPP
#define SYMVI_SRC_SYMMETRY_ORBITS_HPP

#include "symmetry/log_factorial.hpp"

#include <symvi/kernel/random_stream.hpp>
#include <symvi/symmetry/permutation_group.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace symvi {

/**
 * The group of permutations of d units that keep the label of every unit: the
 * product of S_m over orbits of m units with the same label.  Where units are
 * signed it is that of signed permutations, with the hyperoctahedral group B_m
 * of 2^m m! elements in place of S_m.
 *
 * All members work on plain arrays of images and signs and allocate nothing
 * after Reset().  Signs may be a null pointer where units are not signed.
 */
class Orbits
{
 public:
  Orbits() = default;

  //! The group of the given hidden units.
  explicit Orbits(const HiddenUnits& units) { Reset(units); }

  //! Take the labels of the given units; cheap if nothing has changed.
  void Reset(const HiddenUnits& units)
  {
    isSigned = units.isSigned;
    if (units.size == order.size() && units.orbit == labels)
      return;
    labels = units.orbit;
    order.resize(units.size);
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = UnitIndex(i);
    if (!labels.empty())
      std::sort(order.begin(), order.end(),
          [&](const UnitIndex a, const UnitIndex b)
          { return labels[a] != labels[b] ? labels[a] < labels[b] : a < b; });
    start.assign(1, 0);
    for (size_t i = 1; i < order.size(); ++i)
      if (!labels.empty() && labels[order[i]] != labels[order[i - 1]])
        start.push_back(i);
    start.push_back(order.size());
    images.resize(units.size);
  }

  //! Number of units.
  size_t Size() const { return order.size(); }

  //! Number of orbits.
  size_t Count() const { return start.size() - 1; }

  //! Whether the two units may be exchanged.
  bool Same(const size_t a, const size_t b) const
  {
    return labels.empty() || labels[a] == labels[b];
  }

  //! Whether units may change their signs.
  bool Signed() const { return isSigned; }

  //! Whether all units may be exchanged.
  bool Single() const { return Count() <= 1; }

  //! log of the order of the group: sum of log m! over orbits, and d log 2 if
  //! units are signed.
  double LogOrder() const
  {
    double sum = isSigned ? double(Size()) * std::log(2.0) : 0.0;
    for (size_t o = 0; o < Count(); ++o)
      sum += LogFactorial(start[o + 1] - start[o]);
    return sum;
  }

  //! The order of the group, or the largest size_t if it does not fit.
  size_t Order() const
  {
    const size_t most = std::numeric_limits<size_t>::max();
    if (isSigned && Size() >= size_t(std::numeric_limits<size_t>::digits))
      return most;
    size_t product = isSigned ? size_t(1) << Size() : 1;
    for (size_t o = 0; o < Count(); ++o)
      for (size_t m = 2; m <= start[o + 1] - start[o]; ++m)
      {
        if (product > most / m)
          return most;
        product *= m;
      }
    return product;
  }

  //! Append the name of the group to a product of such: B_m or S_m for every
  //! orbit that can move.
  void AddName(std::string& name) const
  {
    for (size_t o = 0; o < Count(); ++o)
    {
      const size_t m = start[o + 1] - start[o];
      if (m > 1 || isSigned)
        name += (name.empty() ? "" : " x ") +
            std::string(isSigned ? "B_" : "S_") + std::to_string(m);
    }
  }

  //! Set tau to the identity.
  void Identity(UnitIndex* tau) const
  {
    for (size_t i = 0; i < Size(); ++i)
      tau[i] = UnitIndex(i);
  }

  //! Set tau to the identity, and all signs to 1.
  void Identity(UnitIndex* tau, UnitSign* signs) const
  {
    Identity(tau);
    if (signs)
      std::fill(signs, signs + Size(), UnitSign(1));
  }

  //! Set tau to a uniformly drawn permutation (Fisher and Yates, per orbit),
  //! and signs to uniformly drawn ones if units are signed.
  void Sample(UnitIndex* tau, UnitSign* signs, RandomStream& stream) const
  {
    Identity(tau, signs);
    for (size_t i = 0; i < Size() && isSigned; ++i)
      signs[i] = UnitSign(1 - 2 * int(stream.NextIndex(2)));
    for (size_t o = 0; o < Count(); ++o)
      for (size_t m = start[o + 1] - start[o]; m > 1; --m)
      {
        const size_t pick = stream.NextIndex(m);
        std::swap(tau[order[start[o] + m - 1]], tau[order[start[o] + pick]]);
      }
  }

  /**
   * Step to the next element: first through the signs, then through the
   * permutations, orbit by orbit in lexicographic order.
   *
   * @return false if it was the last one; it is then the identity again.
   */
  bool Next(UnitIndex* tau, UnitSign* signs)
  {
    for (size_t i = 0; i < Size() && isSigned; ++i)
    {
      signs[i] = UnitSign(-signs[i]);
      if (signs[i] < 0)
        return true;
    }
    for (size_t o = 0; o < Count(); ++o)
    {
      const size_t first = start[o], m = start[o + 1] - first;
      for (size_t k = 0; k < m; ++k)
        images[k] = tau[order[first + k]];
      const bool more = std::next_permutation(images.begin(),
          images.begin() + m);
      for (size_t k = 0; k < m; ++k)
        tau[order[first + k]] = images[k];
      if (more)
        return true;
    }
    return false;
  }

 private:
  bool isSigned = false;
  std::vector<size_t> labels;
  //! Units sorted by label.
  std::vector<UnitIndex> order;
  //! Where each orbit begins in `order`, and the end.
  std::vector<size_t> start;
  //! Room for the images of one orbit.
  std::vector<UnitIndex> images;
};

} // namespace symvi

#endif
