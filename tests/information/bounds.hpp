/**
 * @file bounds.hpp
 *
 * Lower bounds below the exact value, upper bounds above it.
 */
#ifndef SYMVI_TESTS_INFORMATION_BOUNDS_HPP
#define SYMVI_TESTS_INFORMATION_BOUNDS_HPP

#include "catch.hpp"
#include "random_chain.hpp"

#include <symvi/information/estimators.hpp>

#include <limits>

namespace symvi_tests {

/**
 * In the mean over draws of w, both bounds of an estimator hold and are within
 * `gap` nats of the exact value.
 *
 * @param enumerated How many exact values to compare with brute force first.
 * @return How many estimates were exact.
 */
inline size_t CheckBounds(RandomChain<double>& net,
    symvi::InformationEstimator& estimator, const size_t draws,
    const double gap = std::numeric_limits<double>::infinity(),
    const size_t enumerated = 0)
{
  symvi::ExactEstimator exact;
  symvi::RandomStream stream(4);
  symvi::RunningMean lower, upper;
  size_t solved = 0;
  for (size_t i = 0; i < draws; ++i)
  {
    net.Draw();
    const double value = exact.Evaluate(net.chain, stream).value;
    if (i < enumerated)
      REQUIRE(value == Approx(BruteForce(net)).epsilon(1e-10));
    const symvi::InformationEstimate e = estimator.Evaluate(net.chain, stream);
    REQUIRE(e.value == e.lower);
    solved += e.exact;
    lower.Add(e.lower - value);
    upper.Add(value - e.upper);
  }
  REQUIRE(lower.Mean() <= Margin(lower));
  REQUIRE(upper.Mean() <= Margin(upper));
  REQUIRE(lower.Mean() >= -gap);
  REQUIRE(upper.Mean() >= -gap);
  return solved;
}

//! Two hidden layers of four units, for sigma from 0.1 to 1.
inline void CheckDeepBounds(const uint64_t seed, const size_t draws,
    const size_t enumerated)
{
  for (const double sigma : { 0.1, 0.3, 0.6, 1.0 })
  {
    RandomChain<double> net({ 3, 4, 4, 2 }, 0.6, sigma, seed);
    symvi::AutoEstimator automatic(20);
    CAPTURE(sigma);
    CheckBounds(net, automatic, draws, 0.15, enumerated);
  }
}

} // namespace symvi_tests

#endif
