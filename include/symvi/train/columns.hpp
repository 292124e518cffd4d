/**
 * @file symvi/train/columns.hpp
 *
 * Reordering and splitting points without a second copy of them.
 */
#ifndef SYMVI_TRAIN_COLUMNS_HPP
#define SYMVI_TRAIN_COLUMNS_HPP

#include <armadillo>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <symvi/kernel/random_stream.hpp>
#include <symvi/require.hpp>

#include "held_points.hpp"

namespace symvi {

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
