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

TEST_CASE("ThreefryKnownAnswers", "[RandomStream]")
{
  // Known answers published with the generator (Threefry4x32, 13 rounds).
  symvi::kernel::ThreefryState x = { 0, 0, 0, 0 };
  symvi::kernel::Threefry(x, 0, 0, 0, 0);
  REQUIRE(x.x0 == 0x531c7e4fu);
  REQUIRE(x.x1 == 0x39491ee5u);
  REQUIRE(x.x2 == 0x2c855a92u);
  REQUIRE(x.x3 == 0x3d6abf9au);

  x = { 0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u };
  symvi::kernel::Threefry(x, 0xa4093822u, 0x299f31d0u, 0x082efa98u,
      0xec4e6c89u);
  REQUIRE(x.x0 == 0x4aa71d8fu);
  REQUIRE(x.x1 == 0x734738c2u);
  REQUIRE(x.x2 == 0x431fc6a8u);
  REQUIRE(x.x3 == 0xae6debf1u);
}

TEST_CASE("CounterCarries", "[RandomStream]")
{
  // Block c + i must be block number c + i, also across 2^32.
  const uint64_t c = (uint64_t(1) << 32) - 3;
  for (uint32_t i = 0; i < 16; ++i)
  {
    const auto a = symvi::kernel::ThreefryBlock(99, c, i);
    const auto b = symvi::kernel::ThreefryBlock(99, c + i);
    REQUIRE((a.x0 == b.x0 && a.x1 == b.x1 && a.x2 == b.x2 && a.x3 == b.x3));
  }
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
