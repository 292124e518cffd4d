/**
 * @file permanent_test.cpp
 *
 * Permanents and marginals against the sum over all permutations.
 */
#include "catch.hpp"

#include "information/permanent/permanent.hpp"
#include <symvi/kernel/random_stream.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace symvi;
using namespace symvi::information;

TEST_CASE("PermanentAgainstAllPermutations", "[information]")
{
  RandomStream stream(1);
  Permanent permanent;
  for (size_t trial = 0; trial < 140; ++trial)
  {
    const size_t m = 1 + trial % 7;
    std::vector<double> a(m * m), expected(m * m, 0.0), marginals(m * m);
    stream.FillNormal(a.data(), a.size());
    for (size_t i = 0; i < m * m; ++i)
    {
      a[i] = std::exp(3.0 * a[i]);
      if (i % (m + 1) != 0 && stream.NextUniform() < 0.3)
        a[i] = 0.0;
    }
    std::vector<size_t> tau(m);
    for (size_t i = 0; i < m; ++i)
      tau[i] = i;
    double sum = 0.0;
    do
    {
      double product = 1.0;
      for (size_t i = 0; i < m; ++i)
        product *= a[i * m + tau[i]];
      sum += product;
      for (size_t i = 0; i < m; ++i)
        expected[i * m + tau[i]] += product;
    }
    while (std::next_permutation(tau.begin(), tau.end()));

    REQUIRE(
        permanent.Compute(a.data(), m, nullptr) == Approx(sum).epsilon(1e-12));
    REQUIRE(permanent.Compute(a.data(), m, marginals.data()) ==
        Approx(sum).epsilon(1e-12));
    for (size_t i = 0; i < m * m; ++i)
      REQUIRE(std::abs(marginals[i] - expected[i] / sum) < 1e-12);
  }
}

TEST_CASE("PermanentOfOnesAndOfNothing", "[information]")
{
  Permanent permanent;
  std::vector<double> ones(144, 1.0), marginals(144);
  REQUIRE(permanent.Compute(ones.data(), 12, marginals.data()) ==
      Approx(479001600.0));
  for (const double m : marginals)
    REQUIRE(m == Approx(1.0 / 12));
  const std::vector<double> zeros(16, 0.0);
  REQUIRE(permanent.Compute(zeros.data(), 4, marginals.data()) == 0.0);
  REQUIRE(marginals[3] == 0.0);
}
