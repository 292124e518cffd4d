/**
 * @file assignment_test.cpp
 *
 * The Hungarian method against all permutations.
 */
#include "catch.hpp"

#include <symvi/kernel/random_stream.hpp>
#include "symmetry/assignment.hpp"

#include <algorithm>
#include <cmath>

using namespace symvi;

TEST_CASE("AssignmentIsOptimalAndDualsAreFeasible", "[symmetry]")
{
  RandomStream stream(1);
  Assignment assignment;
  for (size_t trial = 0; trial < 200; ++trial)
  {
    const size_t m = 1 + trial % 7;
    std::vector<double> c(m * m);
    stream.FillNormal(c.data(), c.size());
    // Some pairs are forbidden, but never the diagonal.
    for (size_t i = 0; i < m * m; ++i)
      if (trial % 3 == 0 && i % (m + 1) != 0 && stream.NextUniform() < 0.4)
        c[i] = -INFINITY;
    REQUIRE(assignment.Solve(c.data(), m));
    double value = 0.0;
    for (size_t a = 0; a < m; ++a)
    {
      value += c[a * m + assignment.Match()[a]];
      for (size_t b = 0; b < m; ++b)
        REQUIRE(c[a * m + b] <=
            assignment.RowDual(a) + assignment.ColumnDual(b) + 1e-12);
    }
    std::vector<size_t> tau(m);
    for (size_t a = 0; a < m; ++a)
      tau[a] = a;
    double best = -INFINITY;
    do
    {
      double sum = 0.0;
      for (size_t a = 0; a < m; ++a)
        sum += c[a * m + tau[a]];
      best = std::max(best, sum);
    }
    while (std::next_permutation(tau.begin(), tau.end()));
    REQUIRE(value == Approx(best).epsilon(1e-12).margin(1e-12));
  }
}

TEST_CASE("AssignmentSaysWhenThereIsNone", "[symmetry]")
{
  const std::vector<double> c{ 0.0, -INFINITY, 1.0, -INFINITY };
  REQUIRE(!Assignment().Solve(c.data(), 2));
}
