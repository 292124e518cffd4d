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
      CAPTURE(sigma, k);
      CheckBounds(net, importance, 4000);
    }
}

TEST_CASE("ImportanceIsCloseToExact", "[information]")
{
  for (const double sigma : { 0.3, 0.6, 1.0, 2.0 })
  {
    RandomChain<double> net({ 3, 12, 2 }, 0.6, sigma, 3);
    ImportanceEstimator importance(20);
    CAPTURE(sigma);
    CheckBounds(net, importance, 300, 0.1);
  }
}

TEST_CASE("DeepBoundsHoldAndAreClose", "[information]")
{
  CheckDeepBounds(3, 1000, 0);
}
