/**
 * @file bounds.hpp
 *
 * Two hidden layers of four units against the exact value.
 */
#ifndef SYMVI_TESTS_INFORMATION_BOUNDS_HPP
#define SYMVI_TESTS_INFORMATION_BOUNDS_HPP

#include "catch.hpp"
#include "random_chain.hpp"

#include <symvi/information/estimators.hpp>

namespace symvi_tests {

/**
 * Both bounds hold in the mean and lie within 0.15 nats, for sigma from 0.1 to
 * 1.
 *
 * @param seed Seed of the posterior.
 * @param draws Draws of w.
 * @param enumerated How many of them to compare with brute force first.
 */
inline void CheckDeepBounds(const uint64_t seed, const size_t draws,
    const size_t enumerated)
{
  for (const double sigma : { 0.1, 0.3, 0.6, 1.0 })
  {
    RandomChain<double> net({ 3, 4, 4, 2 }, 0.6, sigma, seed);
    symvi::AutoEstimator automatic(20);
    symvi::ExactEstimator exact;
    symvi::RandomStream stream(4);
    RunningMean lower, upper;
    for (size_t i = 0; i < draws; ++i)
    {
      net.Draw();
      const double value = exact.Evaluate(net.chain, stream).value;
      if (i < enumerated)
        REQUIRE(value == Approx(BruteForce(net)).epsilon(1e-10));
      const symvi::InformationEstimate e = automatic.Evaluate(net.chain,
          stream);
      lower.Add(e.lower - value);
      upper.Add(value - e.upper);
    }
    CAPTURE(sigma);
    REQUIRE(lower.mean <= lower.Margin());
    REQUIRE(upper.mean <= upper.Margin());
    REQUIRE(lower.mean >= -0.15);
    REQUIRE(upper.mean >= -0.15);
  }
}

} // namespace symvi_tests

#endif
