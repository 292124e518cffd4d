/**
 * @file scaling_test.cpp
 *
 * The marginals that training uses: exact in small groups, scaled in large
 * ones.
 */
#include "catch.hpp"

#include "information/permanent/scaling.hpp"

#include <symvi/kernel/random_stream.hpp>

#include <cmath>

using namespace symvi;
using namespace symvi::information;

namespace {

//! Scores of m units: 0 on the diagonal, normal below it by `shift`.
std::vector<double> RandomScores(const size_t m, const double spread,
    const double shift, const uint64_t seed)
{
  RandomStream stream(seed);
  std::vector<double> r(m * m);
  stream.FillNormal(r.data(), r.size());
  for (size_t i = 0; i < m * m; ++i)
    r[i] = (i % (m + 1) == 0) ? 0.0 : spread * r[i] - shift;
  return r;
}

double LogPermanent(const std::vector<double>& r, const size_t m,
    std::vector<double>& marginals)
{
  std::vector<double> a(m * m);
  for (size_t i = 0; i < m * m; ++i)
    a[i] = std::exp(r[i]);
  marginals.resize(m * m);
  return std::log(Permanent().Compute(a.data(), m, marginals.data()));
}

} // namespace

TEMPLATE_TEST_CASE("SmallGroupsAreExact", "[information]", float, double)
{
  const double tolerance = std::is_same_v<TestType, float> ? 1e-4 : 1e-9;
  for (uint64_t seed = 0; seed < 60; ++seed)
  {
    const size_t m = 1 + seed % 12;
    const std::vector<double> r = RandomScores(m, 2.0, double(seed % 5), seed);
    std::vector<double> expected, marginals(m * m);
    const double log = LogPermanent(r, m, expected);
    Scaling<TestType> scaling;
    scaling.Reserve(m);
    const ScaledPermanent s = scaling.Solve(r.data(), m, m, 0.0,
        marginals.data());
    REQUIRE(s.Exact());
    REQUIRE(s.log == Approx(log).margin(tolerance));
    for (size_t i = 0; i < m * m; ++i)
      REQUIRE(std::abs(marginals[i] - expected[i]) < tolerance);
  }
}

TEST_CASE("BoundsHoldThePermanent", "[information]")
{
  Scaling<double> scaling;
  scaling.Largest() = 1;
  for (uint64_t seed = 0; seed < 60; ++seed)
  {
    const size_t m = 2 + seed % 10;
    const std::vector<double> r = RandomScores(m, 1.5, double(seed % 4), seed);
    std::vector<double> expected, marginals(m * m);
    const double log = LogPermanent(r, m, expected);
    const ScaledPermanent s = scaling.Solve(r.data(), m, m, 0.0,
        marginals.data());
    REQUIRE(!s.Exact());
    REQUIRE(s.log + s.above >= log - 1e-6);
    REQUIRE(s.log - s.below <= log + 1e-6);
    // The maximum for two units, with a for the diagonal and b for the other
    // permutation: of 2 p a + 2 (1 - p) b, plus half of the entropies.
    if (m == 2)
    {
      const double a = r[0] + r[3], b = r[1] + r[2];
      REQUIRE(s.log ==
          Approx(0.5 * std::log(std::exp(2.0 * a) + std::exp(2.0 * b)))
              .margin(1e-6));
    }
  }
}

TEST_CASE("ScaledMarginalsAreDoublyStochasticDerivatives", "[information]")
{
  const size_t m = 16;
  Scaling<double> scaling;
  for (uint64_t seed = 0; seed < 3; ++seed)
  {
    std::vector<double> r = RandomScores(m, 1.0, 1.0, seed);
    std::vector<double> marginals(m * m);
    const ScaledPermanent s = scaling.Solve(r.data(), m, m, 0.0,
        marginals.data());
    REQUIRE(!s.Exact());
    for (size_t i = 0; i < m; ++i)
    {
      double row = 0.0, column = 0.0;
      for (size_t j = 0; j < m; ++j)
      {
        row += marginals[i * m + j];
        column += marginals[j * m + i];
      }
      REQUIRE(row == Approx(1.0).epsilon(1e-10));
      REQUIRE(column == Approx(1.0).epsilon(1e-10));
    }
    for (size_t i = 0; i < m * m; i += 7)
    {
      const double x = r[i], h = 1e-5;
      r[i] = x + h;
      const double up = scaling.Solve(r.data(), m, m, 0.0, nullptr).log;
      r[i] = x - h;
      const double down = scaling.Solve(r.data(), m, m, 0.0, nullptr).log;
      r[i] = x;
      REQUIRE((up - down) / (2 * h) == Approx(marginals[i]).margin(1e-8));
    }
  }
}

TEST_CASE("GroupsAreSolvedOnTheirOwn", "[information]")
{
  // Two groups of nine units that have nothing to do with each other.
  const size_t n = 9, m = 2 * n;
  const std::vector<double> block = RandomScores(n, 1.0, 1.0, 1);
  std::vector<double> r(m * m, -INFINITY), expected, marginals(m * m);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      r[i * m + j] = r[(n + i) * m + n + j] = block[i * n + j];
  const double log = LogPermanent(block, n, expected);
  Scaling<double> scaling;
  const ScaledPermanent s = scaling.Solve(r.data(), m, m, 0.02,
      marginals.data());
  REQUIRE(s.Exact());
  REQUIRE(s.log == Approx(2.0 * log).epsilon(1e-10));
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
    {
      REQUIRE(
          marginals[i * m + j] == Approx(expected[i * n + j]).margin(1e-10));
      REQUIRE(marginals[i * m + n + j] == 0.0);
    }
}

TEMPLATE_TEST_CASE("CompetingRowsAreScaled", "[information]", float, double)
{
  // Rows that want the same columns, by more nats than a float can hold.
  for (uint64_t seed = 0; seed < 20; ++seed)
  {
    const size_t m = 10 + seed;
    std::vector<double> r = RandomScores(m, 20.0, 0.0, seed);
    for (size_t i = 0; i < m; ++i)
    {
      r[i * m] += 150.0;
      r[i * m + 1] += 90.0;
    }
    std::vector<double> marginals(m * m);
    Scaling<TestType> scaling;
    const ScaledPermanent s = scaling.Solve(r.data(), m, m, 0.05,
        marginals.data());
    Assignment best;
    REQUIRE(best.Solve(r.data(), m));
    double most = 0.0;
    for (size_t i = 0; i < m; ++i)
      most += r[i * m + best.Match()[i]];
    REQUIRE(s.log + s.above >= most - 1e-3);
    REQUIRE(s.log - s.below <= most + std::lgamma(m + 1.0));
    for (size_t j = 0; j < m; ++j)
    {
      double row = 0.0, column = 0.0;
      for (size_t i = 0; i < m; ++i)
      {
        row += marginals[j * m + i];
        column += marginals[i * m + j];
      }
      REQUIRE(row == Approx(1.0).margin(1e-4));
      REQUIRE(column == Approx(1.0).margin(0.06));
    }
  }
}
