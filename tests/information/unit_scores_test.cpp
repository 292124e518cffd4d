/**
 * @file unit_scores_test.cpp
 *
 * The matrix of scores, with and without screening.
 */
#include "catch.hpp"
#include "random_chain.hpp"

#include "information/scores/unit_scores.hpp"
#include <symvi/kernel/threads.hpp>

using namespace symvi;
using namespace symvi::information;
using namespace symvi_tests;

namespace {

//! log n_b(v_a) - log n_a(v_a).
template<typename eT>
double Reference(const RandomChain<eT>& net, const size_t a, const size_t b)
{
  double sum = 0.0;
  ForEachPair(net, a, b,
      [&](const size_t l, const size_t i, const size_t j)
      {
    const double w = net.weights[l][i];
    const double s = net.sigmas[l][i], t = net.sigmas[l][j];
    sum += std::log(s) - std::log(t) +
        0.5 * std::pow((w - net.means[l][i]) / s, 2) -
        0.5 * std::pow((w - net.means[l][j]) / t, 2);
  });
  return sum;
}

} // namespace

TEMPLATE_TEST_CASE("UnitScoresAreRelativeLogDensities", "[information]", float,
    double)
{
  const double tolerance = std::is_same<TestType, float>::value ? 1e-5 : 1e-12;
  for (const size_t d : { 1, 3, 16, 21 })
  {
    RandomChain<TestType> net({ 37, d, 5 }, 0.5, 0.8, d);
    UnitScores<TestType> scores;
    const Orbits orbits(net.chain.hidden[0]);
    const auto blocks = MakeUnitBlocks(net.chain, 0);
    scores.Compute(blocks, orbits, INFINITY);
    for (size_t a = 0; a < d; ++a)
      for (size_t b = 0; b < d; ++b)
        REQUIRE(scores(a, b) ==
            Approx(Reference(net, a, b))
                .epsilon(tolerance)
                .margin(40 * tolerance));

    // A part of the units, in another order.
    if (d < 3)
      continue;
    const UnitIndex members[] = { 2, 0 };
    scores.Compute(blocks, members, 2, orbits, INFINITY);
    REQUIRE(scores(0, 1) ==
        Approx(Reference(net, 2, 0)).epsilon(tolerance).margin(40 * tolerance));

    // All of them, in another order.
    std::vector<UnitIndex> reversed(d);
    for (size_t a = 0; a < d; ++a)
      reversed[a] = UnitIndex(d - 1 - a);
    scores.Compute(blocks, reversed.data(), d, orbits, INFINITY);
    REQUIRE(scores(0, 1) ==
        Approx(Reference(net, d - 1, d - 2))
            .epsilon(tolerance)
            .margin(40 * tolerance));
  }
}

TEST_CASE("UnitScoresOfMatchedNeighbours", "[information]")
{
  // Scores of the second hidden layer when the first is already permuted.
  RandomChain<double> net({ 3, 5, 4, 2 }, 0.5, 0.8, 3);
  const std::vector<UnitIndex> tau{ 3, 0, 4, 1, 2 };
  auto blocks = MakeUnitBlocks(net.chain, 1);
  blocks.inputs = tau.data();
  UnitScores<double> scores;
  scores.Compute(blocks, Orbits(net.chain.hidden[1]), INFINITY);
  for (size_t a = 0; a < 4; ++a)
    for (size_t b = 0; b < 4; ++b)
    {
      const auto q = [&](const size_t unit)
      {
        double sum = 0.0;
        const auto add = [&](const size_t l, const size_t i, const size_t j)
        {
          const double s = net.sigmas[l][j];
          sum -= std::log(s) +
              0.5 * std::pow((net.weights[l][i] - net.means[l][j]) / s, 2);
        };
        for (size_t c = 0; c < 5; ++c)
          add(1, c * 4 + a, tau[c] * 4 + unit);
        add(1, 20 + a, 20 + unit);
        for (size_t o = 0; o < 2; ++o)
          add(2, a * 2 + o, unit * 2 + o);
        return sum;
      };
      REQUIRE(scores(a, b) == Approx(q(b) - q(a)).epsilon(1e-12).margin(1e-11));
    }
}

TEST_CASE("UnitScoresScreenOnlyWhatIsOutOfReach", "[information]")
{
  size_t dropped = 0;
  for (uint64_t seed = 0; seed < 30; ++seed)
  {
    RandomChain<double> net({ 300, 20, 5 }, 0.3, 0.3 + 0.05 * seed, seed);
    const Orbits orbits(net.chain.hidden[0]);
    UnitScores<double> full, screened;
    full.Compute(MakeUnitBlocks(net.chain, 0), orbits, INFINITY);
    screened.Compute(MakeUnitBlocks(net.chain, 0), orbits, 40.0);
    double slack = 0.0;
    for (size_t a = 0; a < 20; ++a)
    {
      double most = 0.0;
      for (size_t b = 0; b < 20; ++b)
        most = std::max(most, full(a, b));
      slack += most;
    }
    for (size_t a = 0; a < 20; ++a)
      for (size_t b = 0; b < 20; ++b)
        if (std::isinf(screened(a, b)))
        {
          ++dropped;
          REQUIRE(full(a, b) < -40.0 - slack);
        }
        else
          REQUIRE(screened(a, b) ==
              Approx(full(a, b)).epsilon(1e-11).margin(1e-10));
    REQUIRE(screened.Work() <= full.Work());
  }
  REQUIRE(dropped > 1000);
}

TEST_CASE("UnitScoresNeedFewCoordinatesForSeparatedUnits", "[information]")
{
  RandomChain<float> net({ 784, 64, 10 }, 0.5, 0.05, 1);
  UnitScores<float> scores;
  scores.Compute(MakeUnitBlocks(net.chain, 0), Orbits(net.chain.hidden[0]),
      40.0);
  REQUIRE(scores.Work() <= 64 * 64 * 48);
}

TEST_CASE("UnitScoresKeepOrbitsApart", "[information]")
{
  RandomChain<double> net({ 2, 6, 1 }, 0.1, 1.0, 1);
  net.chain.hidden[0].orbit = { 0, 1, 0, 1, 0, 1 };
  UnitScores<double> scores;
  scores.Compute(MakeUnitBlocks(net.chain, 0), Orbits(net.chain.hidden[0]),
      40.0);
  for (size_t a = 0; a < 6; ++a)
    for (size_t b = 0; b < 6; ++b)
      REQUIRE(std::isinf(scores(a, b)) == ((a + b) % 2 == 1));
}

TEST_CASE("UnitScoresDoNotDependOnThreads", "[information]")
{
  // Wide enough to be shared, some units within reach and some not.
  const size_t d = 300;
  RandomChain<float> net({ 100, d, 4 }, 0.2, 0.5, 5);
  const Orbits orbits(net.chain.hidden[0]);
  UnitScores<float> one, two;
  one.Compute(MakeUnitBlocks(net.chain, 0), orbits, 40.0);
  SetThreads(2);
  two.Compute(MakeUnitBlocks(net.chain, 0), orbits, 40.0);
  SetThreads(1);
  size_t kept = 0;
  for (size_t a = 0; a < d; ++a)
    for (size_t b = 0; b < d; ++b)
    {
      REQUIRE(one(a, b) == two(a, b));
      kept += one(a, b) > -INFINITY;
    }
  REQUIRE(kept > d);
  REQUIRE(kept < d * d);
  REQUIRE(one.Work() == two.Work());
}
