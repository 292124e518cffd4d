/**
 * @file bounds_test.cpp
 *
 * Lower bounds below, upper bounds above, within standard errors.
 */
#include "catch.hpp"
#include "bounds.hpp"
#include "random_chain.hpp"

#include <symvi/information/estimators.hpp>

using namespace symvi;
using namespace symvi_tests;

TEST_CASE("ImportanceBoundsHoldForOneHiddenLayer", "[information]")
{
  // A short tail and few draws, so that the bounds are not tight.
  for (const double sigma : { 0.3, 0.6, 1.0, 2.0 })
    for (const size_t k : { 1, 4 })
    {
      RandomChain<double> net({ 3, 6, 2 }, 0.6, sigma, 3);
      ImportanceEstimator importance(k);
      importance.Tail() = 1;
      ExactEstimator exact;
      RandomStream stream(4);
      RunningMean lower, upper;
      for (size_t i = 0; i < 4000; ++i)
      {
        net.Draw();
        const double value = exact.Evaluate(net.chain, stream).value;
        const InformationEstimate e = importance.Evaluate(net.chain, stream);
        REQUIRE(e.value == e.lower);
        lower.Add(e.lower - value);
        upper.Add(value - e.upper);
      }
      REQUIRE(lower.mean <= lower.Margin());
      REQUIRE(upper.mean <= upper.Margin());
    }
}

TEST_CASE("ImportanceIsCloseToExact", "[information]")
{
  for (const double sigma : { 0.3, 0.6, 1.0, 2.0 })
  {
    RandomChain<double> net({ 3, 12, 2 }, 0.6, sigma, 3);
    ImportanceEstimator importance(20);
    ExactEstimator exact;
    RandomStream stream(4);
    RunningMean lower, upper;
    for (size_t i = 0; i < 300; ++i)
    {
      net.Draw();
      const double value = exact.Evaluate(net.chain, stream).value;
      const InformationEstimate e = importance.Evaluate(net.chain, stream);
      lower.Add(e.lower - value);
      upper.Add(e.upper - value);
    }
    REQUIRE(lower.mean >= -0.1);
    REQUIRE(upper.mean <= 0.1);
  }
}

TEST_CASE("DeepBoundsHoldAndAreClose", "[information]")
{
  CheckDeepBounds(3, 1000, 0);
}
