/**
 * @file tests/kernel/random_stream_test.cpp
 *
 * The bits of the stream: known answers, positions, unbiased indices.
 */
#include "catch.hpp"

#include <symvi/kernel/random_stream.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

using symvi::RandomStream;

TEST_CASE("PhiloxKnownAnswers", "[RandomStream]")
{
  // Known answers published with the generator.
  uint32_t x[4] = { 0, 0, 0, 0 };
  symvi::kernel::Philox(0, x);
  REQUIRE(x[0] == 0x6627e8d5u);
  REQUIRE(x[1] == 0xe169c58du);
  REQUIRE(x[2] == 0xbc57ac4cu);
  REQUIRE(x[3] == 0x9b00dbd8u);

  uint32_t y[4] = { 0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u };
  symvi::kernel::Philox((uint64_t(0x299f31d0u) << 32) | 0xa4093822u, y);
  REQUIRE(y[0] == 0xd16cfe09u);
  REQUIRE(y[1] == 0x94fdccebu);
  REQUIRE(y[2] == 0x5001e420u);
  REQUIRE(y[3] == 0x24126ea1u);
}

TEST_CASE("StreamPositions", "[RandomStream]")
{
  RandomStream a(42);
  REQUIRE(a.Key() == 42);
  REQUIRE(a.Counter() == 0);
  const uint64_t first = a.NextBits();
  const uint64_t second = a.NextBits();
  REQUIRE(first != second);

  RandomStream b = a;
  REQUIRE(a.NextBits() == b.NextBits());
  b.Seek(1);
  REQUIRE(b.NextBits() == second);
  REQUIRE(RandomStream(43).NextBits() != first);
}

TEST_CASE("UniformMomentsAndRange", "[RandomStream]")
{
  const size_t n = 100000;
  RandomStream stream(7);
  double sum = 0.0, squares = 0.0;
  for (size_t i = 0; i < n; ++i)
  {
    const double u = stream.NextUniform();
    REQUIRE((u > 0.0 && u < 1.0));
    sum += u - 0.5;
    squares += (u - 0.5) * (u - 0.5);
  }
  // Var(u) = 1/12, Var((u - 1/2)^2) = 1/180; five standard errors.
  REQUIRE(std::abs(sum / n) <= 5 * std::sqrt(1.0 / 12 / n));
  REQUIRE(std::abs(squares / n - 1.0 / 12) <= 5 * std::sqrt(1.0 / 180 / n));
}

TEST_CASE("IndicesAreUniform", "[RandomStream]")
{
  for (const size_t m : { 1, 2, 3, 7, 30, 512 })
  {
    const size_t n = 2000 * m;
    std::vector<double> count(m, 0.0);
    RandomStream stream(100 + m);
    for (size_t i = 0; i < n; ++i)
    {
      const size_t index = stream.NextIndex(m);
      REQUIRE(index < m);
      ++count[index];
    }

    // Pearson's statistic: mean m - 1, variance 2 (m - 1) (1 - 1/n).
    double statistic = 0.0;
    for (const double c : count)
      statistic += (c - 2000.0) * (c - 2000.0) / 2000.0;
    REQUIRE(std::abs(statistic - (m - 1.0)) <= 5 * std::sqrt(2.0 * (m - 1.0)));
  }
}
