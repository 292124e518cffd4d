/**
 * @file symvi/train/columns.hpp
 *
 * Reordering and splitting points without a second copy of them, also those
 * that several processes hold.
 */
#ifndef SYMVI_TRAIN_COLUMNS_HPP
#define SYMVI_TRAIN_COLUMNS_HPP

#include <symvi/kernel/random_stream.hpp>
#include <symvi/require.hpp>
#include <symvi/kernel/communicator.hpp>

#include <armadillo>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

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

//! Column i becomes what column order[i] was, in place.
template<typename MatType>
void PermuteColumns(MatType& data, std::vector<size_t> order)
{
  std::vector<typename MatType::elem_type> kept(data.n_rows);
  for (size_t start = 0; start < order.size(); ++start)
  {
    if (order[start] == start)
      continue;
    std::copy_n(data.colptr(start), data.n_rows, kept.begin());
    size_t to = start;
    while (order[to] != start)
    {
      const size_t from = order[to];
      std::copy_n(data.colptr(from), data.n_rows, data.colptr(to));
      order[to] = to;
      to = from;
    }
    std::copy_n(kept.begin(), data.n_rows, data.colptr(to));
    order[to] = to;
  }
}

//! Shuffle an order; a function of the key.
inline void ShuffleOrder(const uint64_t key, std::vector<size_t>& order)
{
  RandomStream stream(key);
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[stream.NextIndex(i)]);
}

/**
 * Training points and held-out points as views of one data set, whose columns
 * are put into random order.  The data set must outlive the views.
 */
template<typename MatType>
struct DataSplit
{
  /**
   * @param points All points, one per column.
   * @param targets Their targets.
   * @param heldOut Fraction of the points to hold out; 0 for none, and then
   *     the order stays.
   * @param seed Random seed of the order.
   */
  DataSplit(MatType& points, MatType& targets, const double heldOut,
      const uint64_t seed) :
      DataSplit(points, targets, PointSplit(points.n_cols, heldOut, seed))
  { }

  //! The same of the points that this process holds.
  DataSplit(MatType& points, MatType& targets, const PointSplit& split) :
      held(split.training),
      heldOut(split.heldOut)
  {
    const size_t total = points.n_cols;
    if (targets.n_cols != total)
      Refuse("Fit", "there must be one target per point",
          "there are " + std::to_string(total) + " points and " +
              std::to_string(targets.n_cols) + " targets");
    if (!split.order.empty())
    {
      PermuteColumns(points, split.order);
      PermuteColumns(targets, split.order);
    }
    const size_t count = held.Before(held.Points());
    const auto view = [](MatType& all, const size_t begin, const size_t n)
    {
      return MatType(all.memptr() + begin * all.n_rows, all.n_rows, n, false,
          true);
    };
    this->points = view(points, 0, count);
    this->targets = view(targets, 0, count);
    if (count == total)
      return;
    validationPoints = view(points, count, total - count);
    validationTargets = view(targets, count, total - count);
  }

  MatType points, targets;
  MatType validationPoints, validationTargets;
  //! Which training points these are, of all that the ranks hold.
  HeldPoints held;
  //! Held-out points of all ranks.
  size_t heldOut;
};

} // namespace symvi

#endif
