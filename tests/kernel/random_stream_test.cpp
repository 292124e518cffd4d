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

#include "kernel/normal.hpp"

using symvi::RandomStream;

TEST_CASE("ThreefryKnownAnswers", "[RandomStream]")
{
  // Published with the generator (Threefry4x32, 13 rounds).
  const threefry4x32_ctr_t x = symvi::kernel::RandomBlock(0, 0);
  REQUIRE(x.v[0] == 0x531c7e4fu);
  REQUIRE(x.v[1] == 0x39491ee5u);
  REQUIRE(x.v[2] == 0x2c855a92u);
  REQUIRE(x.v[3] == 0x3d6abf9au);
  REQUIRE(RandomStream(0).NextBits() == 0x39491ee5531c7e4fu);
}

TEST_CASE("CounterCarries", "[RandomStream]")
{
  // Block c + i must be block number c + i, also across 2^32, in the loops that
  // make many numbers as in those that make one.
  const uint64_t c = (uint64_t(1) << 32) - 3;
  uint32_t bits[4][symvi::kernel::normalBlocks];
  symvi::kernel::RandomWords(99, c, bits);
  RandomStream stream(99);
  stream.Seek(c);
  for (uint32_t i = 0; i < symvi::kernel::normalBlocks; ++i)
  {
    const auto block = symvi::kernel::RandomBlock(99, c + i);
    for (size_t j = 0; j < 4; ++j)
      REQUIRE(bits[j][i] == block.v[j]);
    REQUIRE(stream.NextBits() == ((uint64_t(bits[1][i]) << 32) | bits[0][i]));
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
