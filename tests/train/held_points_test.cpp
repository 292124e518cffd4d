/**
 * @file held_points_test.cpp
 *
 * Points that are spread over processes, and a single process.
 */
#include "catch.hpp"

#include <symvi/train/columns.hpp>
#include <symvi/kernel/communicator.hpp>

#include <numeric>

using namespace symvi;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("PartsFollowTheOrderOfAll", "[train]")
{
  const size_t n = 23;
  const std::vector<size_t> ends = { 0, 9, 9, 10, 23 };
  std::vector<size_t> all(n);
  std::iota(all.begin(), all.end(), size_t(0));
  std::vector<HeldPoints> parts;
  std::vector<std::vector<size_t>> points;
  for (size_t p = 0; p + 1 < ends.size(); ++p)
  {
    parts.emplace_back(n, ends[p], ends[p + 1] - ends[p]);
    points.emplace_back(all.begin() + ends[p], all.begin() + ends[p + 1]);
  }
  for (uint64_t key = 0; key < 6; ++key)
  {
    std::vector<size_t> order(n);
    std::iota(order.begin(), order.end(), size_t(0));
    ShuffleOrder(key, order);
    std::vector<size_t> next;
    for (const size_t from : order)
      next.push_back(all[from]);
    all = next;
    for (size_t p = 0; p < parts.size(); ++p)
    {
      std::vector<size_t> own;
      for (const size_t from : parts[p].Reorder(order))
        own.push_back(points[p][from]);
      points[p] = own;
    }
    // What lies between two positions, put together from the parts.
    for (size_t i = 0; i < n; ++i)
    {
      size_t holders = 0;
      for (size_t p = 0; p < parts.size(); ++p)
      {
        if (!parts[p].Holds(i))
          continue;
        ++holders;
        CHECK(points[p][parts[p].Before(i)] == all[i]);
        CHECK((all[i] >= ends[p] && all[i] < ends[p + 1]));
      }
      CHECK(holders == 1);
    }
  }
  parts[0].Cut(5);
  CHECK(parts[0].Points() == 5);
}

TEST_CASE("OneProcessHoldsAll", "[train]")
{
  Communicator& alone = Communicator::Alone();
  HeldPoints all(7, alone);
  CHECK(all.Points() == 7);
  CHECK(all.Before(3) == 3);
  CHECK(all.Reorder({ 2, 0, 1, 6, 5, 4, 3 }) ==
      std::vector<size_t>{ 2, 0, 1, 6, 5, 4, 3 });

  const PointSplit split(20, 0.25, 3);
  CHECK(split.heldOut == 5);
  CHECK(split.training.Points() == 15);
  CHECK(split.order.size() == 20);
  for (size_t i = 0; i < 20; ++i)
    CHECK(split.isTraining[split.order[i]] == (i < 15));
  CHECK(PointSplit(20, 0.0, 3).order.empty());
  CHECK_THROWS_WITH(PointSplit(3, 0.2, 1), ContainsSubstring("both sides"));
}

TEST_CASE("OneProcessAgreesWithItself", "[train]")
{
  Communicator& alone = Communicator::Alone();
  CHECK(alone.Size() == 1);
  CHECK(alone.Sum(3.5) == 3.5);
  CHECK(alone.GatherAll("x") == std::vector<std::string>{ "x" });
  CHECK(alone.Gather("x") == std::vector<std::string>{ "x" });
  CHECK_THROWS_AS(alone.Agree([] { throw std::logic_error("as it is"); }),
      std::logic_error);
  CHECK_NOTHROW(alone.RequireSame("colour", "blue"));
  std::vector<size_t> done;
  alone.Share(
      4, [](const size_t i) { return std::to_string(i); },
      [&](const size_t i, const std::string& r)
      {
    CHECK(r == std::to_string(i));
    done.push_back(i);
      },
      [](const size_t i) { return i == 1; });
  CHECK(done == std::vector<size_t>{ 0, 2, 3 });
}
