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
            const uint64_t seed)
  {
    const size_t total = points.n_cols;
    if (targets.n_cols != total || total == 0)
      Refuse("Fit", "there must be one target per point and at least one point",
          "there are " + std::to_string(total) + " points and " +
          std::to_string(targets.n_cols) + " targets");
    const size_t held = size_t(std::floor(heldOut * double(total)));
    if (heldOut > 0.0 && (held == 0 || held >= total))
      Refuse("Fit", "the validation fraction must leave points on both sides",
          "holds out " + std::to_string(held) + " of " +
          std::to_string(total) + " points");
    if (held > 0)
    {
      std::vector<size_t> order(total);
      std::iota(order.begin(), order.end(), size_t(0));
      ShuffleOrder(seed, order);
      PermuteColumns(points, order);
      PermuteColumns(targets, order);
    }
    const auto view = [](MatType& all, const size_t begin, const size_t count)
    {
      return MatType(all.colptr(begin), all.n_rows, count, false, true);
    };
    this->points = view(points, 0, total - held);
    this->targets = view(targets, 0, total - held);
    if (held == 0)
      return;
    validationPoints = view(points, total - held, held);
    validationTargets = view(targets, total - held, held);
  }

  MatType points, targets;
  MatType validationPoints, validationTargets;
};

} // namespace symvi

#endif
