/**
 * @file symvi/train/held_points.hpp
 *
 * Which points each of several processes holds.
 */
#ifndef SYMVI_TRAIN_HELD_POINTS_HPP
#define SYMVI_TRAIN_HELD_POINTS_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include "communicator.hpp"

namespace symvi {

/**
 * Which of the points, in the order that training takes them in, this process
 * holds: all of them, or a part whose own order is the same.
 */
class HeldPoints
{
 public:
  //! All of n points.
  explicit HeldPoints(const size_t n = 0) : points(n) { }

  //! `count` of n points, from the point `begin` on.
  HeldPoints(size_t n, size_t begin, size_t count);

  //! The points of the ranks, one after the other; collective.
  HeldPoints(size_t own, Communicator& ranks);

  //! The number of all points.
  size_t Points() const { return points; }

  //! How many of the first i points this process holds.
  size_t Before(const size_t i) const { return before.empty() ? i : before[i]; }

  //! Whether it holds point i.
  bool Holds(const size_t i) const { return Before(i + 1) > Before(i); }

  //! Point i becomes what point order[i] was.  Returns the same order of the
  //! points that this process holds, as they are counted here.
  std::vector<size_t> Reorder(const std::vector<size_t>& order);

  //! Forget all but the first n points.
  void Cut(size_t n);

 private:
  size_t points;
  //! Empty if all are held.
  std::vector<size_t> before;
};

//! Fails unless every rank has points; collective.
void RequirePoints(size_t own, Communicator& ranks);

/**
 * A random choice of points that are held out, and the order that it leaves
 * behind: points to train on first.  Collective; a function of (number of all
 * points, fraction, seed).
 */
struct PointSplit
{
  /**
   * @param own Points that this process holds; those of rank 0 come first.
   * @param heldOut Fraction of the points to hold out; 0 for none, and then
   *     the order stays.
   * @param seed Random seed.
   * @param ranks The processes; each must keep a point to train on.
   */
  PointSplit(size_t own, double heldOut, uint64_t seed,
      Communicator& ranks = Communicator::Alone());

  //! The points to train on.
  HeldPoints training;
  //! Points that are held out by all processes.
  size_t heldOut = 0;
  //! The new order of the points of this process; empty if it stays.
  std::vector<size_t> order;
  //! Which of them are trained on, in their old order.
  std::vector<bool> isTraining;
};

} // namespace symvi

#endif
