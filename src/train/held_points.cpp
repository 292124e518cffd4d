/**
 * @file src/train/held_points.cpp
 */
#include <symvi/require.hpp>
#include <symvi/train/columns.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace symvi {

HeldPoints::HeldPoints(const size_t n, const size_t begin, const size_t count) :
    points(n),
    before(n + 1)
{
  for (size_t i = 0; i <= n; ++i)
    before[i] = std::min(i - std::min(i, begin), count);
}

HeldPoints::HeldPoints(const size_t own, Communicator& ranks) : points(own)
{
  if (ranks.Size() == 1)
    return;
  std::vector<size_t> ends;
  for (const std::string& count : ranks.GatherAll(std::to_string(own)))
    ends.push_back((ends.empty() ? 0 : ends.back()) + std::stoull(count));
  *this = HeldPoints(ends.back(), ends[ranks.Rank()] - own, own);
}

std::vector<size_t> HeldPoints::Reorder(const std::vector<size_t>& order)
{
  if (before.empty())
    return order;
  std::vector<size_t> own, next = { 0 };
  next.reserve(before.size());
  for (const size_t from : order)
  {
    if (Holds(from))
      own.push_back(before[from]);
    next.push_back(own.size());
  }
  before = std::move(next);
  return own;
}

void HeldPoints::Cut(const size_t n)
{
  points = n;
  if (!before.empty())
    before.resize(n + 1);
}

void RequirePoints(const size_t own, Communicator& ranks)
{
  const double without = ranks.Sum(own == 0 ? 1.0 : 0.0);
  if (without > 0.0)
    ranks.Fail("Fit(): every rank must hold a point to train on, but " +
        std::to_string(size_t(without)) + " of " +
        std::to_string(ranks.Size()) + " ranks hold none; start fewer ranks.");
}

PointSplit::PointSplit(const size_t own, const double fraction,
    const uint64_t seed, Communicator& ranks) :
    training(own, ranks),
    isTraining(own, true)
{
  const size_t total = training.Points();
  heldOut = size_t(std::floor(fraction * double(total)));
  ranks.Agree(
      [&]
      {
    if (total == 0)
      Refuse("Fit", "there must be at least one point", "there are 0");
    if (fraction > 0.0 && (heldOut == 0 || heldOut >= total))
      Refuse("Fit", "the validation fraction must leave points on both sides",
          "holds out " + std::to_string(heldOut) + " of " +
              std::to_string(total) + " points");
  });
  if (heldOut > 0)
  {
    std::vector<size_t> all(total);
    std::iota(all.begin(), all.end(), size_t(0));
    ShuffleOrder(seed, all);
    order = training.Reorder(all);
    for (size_t i = training.Before(total - heldOut); i < own; ++i)
      isTraining[order[i]] = false;
    training.Cut(total - heldOut);
  }
  RequirePoints(training.Before(training.Points()), ranks);
}

} // namespace symvi
