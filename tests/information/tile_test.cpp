/**
 * @file tile_test.cpp
 *
 * Kernels that go tile by tile, in all their versions.
 */
#include "catch.hpp"

#include "information/scores/coordinate_order.hpp"
#include "information/scores/tile_distances.hpp"
#include "information/scores/score_tile.hpp"
#include <symvi/kernel/random_stream.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace symvi;
using namespace symvi::information;

namespace {

template<typename eT>
std::vector<eT> Normal(const size_t n, const uint64_t seed)
{
  std::vector<eT> x(n);
  RandomStream stream(seed);
  stream.FillNormal(x.data(), n);
  return x;
}

} // namespace

TEMPLATE_TEST_CASE("TilesOfScoresAreSumsOfSquares", "[information]", float,
    double)
{
  const size_t padded = 32;
  for (const size_t count : { 1, 15, 16, 17, 32 })
  {
    const auto v = Normal<TestType>(count * padded, 1);
    const auto m = Normal<TestType>(count * padded, 2);
    const auto s = Normal<TestType>(count * padded, 3);
    std::vector<double> start(8 * padded, 0.25), sums = start;
    AddTile(v.data(), m.data(), s.data(), count, padded, sums.data());
    for (size_t a = 0; a < 8; ++a)
      for (size_t b = 0; b < padded; ++b)
      {
        double expected = 0.25;
        for (size_t c = 0; c < count && b < 16; ++c)
          expected += std::pow(double(v[c * padded + a]) * s[c * padded + b] -
                  m[c * padded + b],
              2);
        const bool isFloat = std::is_same<TestType, float>::value;
        REQUIRE(sums[a * padded + b] ==
            Approx(expected).epsilon(isFloat ? 1e-5 : 1e-13));
      }

    // Every version rounds alike where all of them have fused operations.
    std::vector<double> again = start;
    ChooseAddTile<TestType>()(v.data(), m.data(), s.data(), count, padded,
        again.data());
    if (kernel::HasVersion512())
      REQUIRE(sums == again);
  }
}

TEST_CASE("TilesOfDistancesAreLowerBounds", "[information]")
{
  const size_t padded = 16;
  for (const size_t count : { 1, 7, 64 })
  {
    const std::vector<float> y = Normal<float>(count * 16, 4);
    std::vector<float> norm(16, 0.0f), spread(16);
    for (size_t a = 0; a < 16; ++a)
    {
      spread[a] = 0.5f + 0.1f * float(a);
      for (size_t c = 0; c < count; ++c)
        norm[a] += y[c * 16 + a] * y[c * 16 + a];
    }
    // Rows 8 ... 15 against all columns.
    const TileSide rows = { y.data() + 8, norm.data() + 8, spread.data() + 8 };
    const TileSide columns = { y.data(), norm.data(), spread.data() };
    std::vector<float> distance(8 * padded, 1.0f), fresh = distance;
    const float least = AddDistances(rows, columns, count, false, padded,
        distance.data());
    AddDistances(rows, columns, count, true, padded, fresh.data());
    REQUIRE(least == *std::min_element(distance.begin(), distance.end()));
    for (size_t a = 0; a < 8; ++a)
      for (size_t b = 0; b < 16; ++b)
      {
        double square = 0.0;
        for (size_t c = 0; c < count; ++c)
          square += std::pow(double(y[c * 16 + 8 + a]) - y[c * 16 + b], 2);
        const double exact = square /
            (4.0 * (double(spread[8 + a]) + spread[b]));
        const double slack = 1e-4 * (double(norm[8 + a]) + norm[b]);
        REQUIRE(fresh[a * padded + b] <= exact + 1e-12);
        REQUIRE(fresh[a * padded + b] >= exact - slack);
        REQUIRE(distance[a * padded + b] ==
            Approx(1.0 + fresh[a * padded + b]).epsilon(1e-6));
      }

    std::vector<float> again(8 * padded, 1.0f);
    REQUIRE(ChooseAddDistances()(rows, columns, count, false, padded,
                again.data(), false) == Approx(least).epsilon(1e-6));

    // The nearer one of a unit and its negative.
    std::vector<float> nearer(8 * padded);
    ChooseAddDistances()(rows, columns, count, true, padded, nearer.data(),
        true);
    for (size_t a = 0; a < 8; ++a)
      for (size_t b = 0; b < 16; ++b)
      {
        double plus = 0.0, minus = 0.0;
        for (size_t c = 0; c < count; ++c)
        {
          plus += std::pow(double(y[c * 16 + 8 + a]) - y[c * 16 + b], 2);
          minus += std::pow(double(y[c * 16 + 8 + a]) + y[c * 16 + b], 2);
        }
        const double exact = std::min(plus, minus) /
            (4.0 * (double(spread[8 + a]) + spread[b]));
        const double slack = 1e-4 * (double(norm[8 + a]) + norm[b]);
        REQUIRE(nearer[a * padded + b] <= exact + 1e-12);
        REQUIRE(nearer[a * padded + b] >= exact - slack);
      }
    for (size_t i = 0; i < again.size(); ++i)
      REQUIRE(again[i] == Approx(distance[i]).epsilon(1e-5));
  }
}

TEST_CASE("CoordinatesAreSortedByMerit", "[information]")
{
  RandomStream stream(5);
  for (const size_t n : { 1, 2, 40, 795 })
  {
    std::vector<float> merit(n);
    for (float& m : merit)
      m = float(std::exp(12.0 * stream.NextUniform() - 6.0));
    merit[n / 2] = 0.0f;
    std::vector<uint32_t> order(n);
    SortByMerit(merit.data(), n, order.data());
    // Never more than a factor of two out of order above the last bucket,
    // which starts at a sixteenth of the mean.
    float mean = 0.0f, least = std::numeric_limits<float>::max();
    for (const float m : merit)
      mean += m / float(n);
    for (const uint32_t i : order)
    {
      REQUIRE((merit[i] < 2.0f * least || merit[i] > 64.0f * mean ||
          merit[i] < mean / 16.0f));
      least = std::min(least, merit[i]);
    }
    std::sort(order.begin(), order.end());
    for (size_t i = 0; i < n; ++i)
      REQUIRE(order[i] == i);
  }

  // Nothing to tell them apart by: they stay as they are.
  const float same[] = { 0.0f, 0.0f, 0.0f };
  uint32_t order[3];
  SortByMerit(same, 3, order);
  for (uint32_t i = 0; i < 3; ++i)
    REQUIRE(order[i] == i);
}
