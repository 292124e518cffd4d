/**
 * @file matching_blocks_test.cpp
 *
 * Splitting into blocks keeps the permanent.
 */
#include "catch.hpp"

#include "information/permanent/exact_solver.hpp"
#include "information/matching/matching_blocks.hpp"

#include <cmath>

using namespace symvi;
using namespace symvi::information;

namespace {

double LogPermanent(const MatchingBlocks& blocks)
{
  ExactSolver solver;
  RandomStream stream;
  double log = blocks.Offset();
  for (size_t k = 0; k < blocks.Count(); ++k)
    log += solver.Solve(blocks[k], stream, nullptr).log;
  return log;
}

} // namespace

TEST_CASE("MatchingBlocksKeepThePermanent", "[information]")
{
  RandomStream stream(2);
  for (size_t trial = 0; trial < 200; ++trial)
  {
    const size_t d = 1 + trial % 9;
    const double spread = std::pow(10.0, double(trial % 4) - 1.0);
    std::vector<double> r(d * d), a(d * d);
    stream.FillNormal(r.data(), r.size());
    for (size_t i = 0; i < d * d; ++i)
    {
      r[i] = (i % (d + 1) == 0) ? 0.0 : spread * r[i];
      if (i % (d + 1) != 0 && stream.NextUniform() < 0.3)
        r[i] = -INFINITY;
      a[i] = std::exp(r[i]);
    }
    MatchingBlocks blocks;
    for (const bool keepAll : { false, true })
    {
      blocks.Build([&](const size_t i, const size_t j) { return r[i * d + j]; },
          [](const size_t) { return true; }, d, 40.0, nullptr, keepAll);
      const double expected = std::log(
          Permanent().Compute(a.data(), d, nullptr));
      if (std::isfinite(expected))
        REQUIRE(LogPermanent(blocks) ==
            Approx(expected).epsilon(1e-12).margin(1e-11));
      size_t units = 0;
      for (size_t k = 0; k < blocks.Count(); ++k)
      {
        units += blocks[k].size;
        for (size_t i = 0; i < blocks[k].size * blocks[k].size; ++i)
          REQUIRE(blocks[k].scores[i] <= 0.0);
        for (size_t i = 0; i < blocks[k].size; ++i)
        {
          REQUIRE(blocks[k].scores[i * (blocks[k].size + 1)] == 0.0);
          if (blocks[k].own[i] != noUnits)
            REQUIRE(blocks[k].columns[blocks[k].own[i]] == blocks[k].rows[i]);
        }
      }
      if (keepAll)
        REQUIRE(units == d);
    }
  }
}

TEST_CASE("MatchingBlocksFallApart", "[information]")
{
  // Units 0, 2 and 4 overlap; 1 and 3 only in one direction.
  const size_t d = 6;
  std::vector<double> r(d * d, -100.0);
  for (size_t i = 0; i < d; ++i)
    r[i * d + i] = 0.0;
  for (const size_t i : { 0, 2, 4 })
    for (const size_t j : { 0, 2, 4 })
      r[i * d + j] = (i == j) ? 0.0 : -1.0;
  r[1 * d + 3] = -1.0;
  MatchingBlocks blocks;
  blocks.Build([&](const size_t i, const size_t j) { return r[i * d + j]; },
      [](const size_t) { return true; }, d, 40.0);
  REQUIRE(blocks.Count() == 1);
  REQUIRE(blocks.Largest() == 3);
  REQUIRE(blocks[0].rows[1] == 2);
  REQUIRE(blocks.Offset() == 0.0);
}
