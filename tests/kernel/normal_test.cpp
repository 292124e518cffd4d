/**
 * @file tests/kernel/normal_test.cpp
 *
 * The normal numbers of RandomStream against the normal distribution.
 */
#include "catch.hpp"

#include <symvi/kernel/random_stream.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using symvi::RandomStream;

namespace {

template<typename eT>
std::vector<eT> Draw(const uint64_t key, const size_t n)
{
  std::vector<eT> z(n);
  RandomStream stream(key);
  stream.FillNormal(z.data(), n);
  return z;
}

double NormalCDF(const double z)
{
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

} // namespace

TEMPLATE_TEST_CASE("NormalMoments", "[RandomStream]", float, double)
{
  const size_t n = 1 << 20;
  const std::vector<TestType> z = Draw<TestType>(3, n);
  double m[5] = { 0, 0, 0, 0, 0 };
  for (const double x : z)
    for (int k = 1; k <= 4; ++k)
      m[k] += std::pow(x, k) / n;
  // Var(z^k) = (2k - 1)!! - (E z^k)^2 = 1, 2, 15, 96.
  REQUIRE(std::abs(m[1]) <= 5 * std::sqrt(1.0 / n));
  REQUIRE(std::abs(m[2] - 1.0) <= 5 * std::sqrt(2.0 / n));
  REQUIRE(std::abs(m[3]) <= 5 * std::sqrt(15.0 / n));
  REQUIRE(std::abs(m[4] - 3.0) <= 5 * std::sqrt(96.0 / n));
}

TEMPLATE_TEST_CASE("NormalKolmogorovSmirnov", "[RandomStream]", float, double)
{
  const size_t n = 1 << 20;
  std::vector<TestType> z = Draw<TestType>(4, n);
  std::sort(z.begin(), z.end());
  double distance = 0.0;
  for (size_t i = 0; i < n; ++i)
  {
    const double p = NormalCDF(z[i]);
    distance = std::max(distance,
        std::max(p - double(i) / n, double(i + 1) / n - p));
  }
  // P(sqrt(n) D > x) ~ 2 exp(-2 x^2): below 1e-6 for x = 2.7.
  REQUIRE(std::sqrt(double(n)) * distance <= 2.7);
}

TEMPLATE_TEST_CASE("NormalTails", "[RandomStream]", float, double)
{
  const size_t n = 1 << 22;
  const std::vector<TestType> z = Draw<TestType>(5, n);
  for (const double level : { 2.0, 3.0, 4.0 })
  {
    double low = 0.0, high = 0.0;
    for (const double x : z)
    {
      low += (x < -level);
      high += (x > level);
    }
    const double expected = n * NormalCDF(-level);
    REQUIRE(std::abs(low - expected) <= 5 * std::sqrt(expected));
    REQUIRE(std::abs(high - expected) <= 5 * std::sqrt(expected));
  }
}

TEMPLATE_TEST_CASE("NormalIndependence", "[RandomStream]", float, double)
{
  // Correlations within a stream (lags hit pairs, chunks and neighbours), and
  // between streams whose keys are neighbours; of z and of z^2.
  const size_t n = 1 << 18;
  const std::vector<TestType> a = Draw<TestType>(10, n + 64);
  const std::vector<TestType> b = Draw<TestType>(11, n + 64);
  for (const size_t lag : { 0, 1, 2, 8, 16, 32, 48, 64 })
  {
    double own = 0.0, cross = 0.0, ownSquares = 0.0, crossSquares = 0.0;
    for (size_t i = 0; i < n; ++i)
    {
      const double x = a[i], y = a[i + lag], z = b[i + lag];
      own += x * y;
      cross += x * z;
      ownSquares += (x * x - 1) * (y * y - 1);
      crossSquares += (x * x - 1) * (z * z - 1);
    }
    // Independent: variances 1 and 2 * 2 a term.
    const double bound = 5 * std::sqrt(double(n));
    REQUIRE(std::abs(cross) <= bound);
    REQUIRE(std::abs(crossSquares) <= 2 * bound);
    REQUIRE((lag == 0 || std::abs(own) <= bound));
    REQUIRE((lag == 0 || std::abs(ownSquares) <= 2 * bound));
  }
}

TEMPLATE_TEST_CASE("NormalFillIsReproducible", "[RandomStream]", float, double)
{
  // A shorter fill is the beginning of a longer one, and advances the counter
  // by whole chunks.
  const std::vector<TestType> all = Draw<TestType>(6, 1000);
  for (const size_t n : { 0, 1, 7, 31, 32, 33, 64, 65, 999 })
  {
    RandomStream stream(6);
    std::vector<TestType> z(n + 1, TestType(-77));
    stream.FillNormal(z.data(), n);
    REQUIRE(std::equal(z.begin(), z.begin() + n, all.begin()));
    REQUIRE(z[n] == TestType(-77));
    const size_t chunk = 256 / sizeof(TestType);
    REQUIRE(stream.Counter() == 16 * ((n + chunk - 1) / chunk));
  }

  // Seek() back and repeat.
  RandomStream stream(6);
  std::vector<TestType> x(100), y(100);
  stream.FillNormal(x.data(), 50);
  const uint64_t here = stream.Counter();
  stream.FillNormal(x.data(), 100);
  stream.Seek(here);
  stream.FillNormal(y.data(), 100);
  REQUIRE(x == y);
}
