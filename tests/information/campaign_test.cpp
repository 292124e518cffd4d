/**
 * @file campaign_test.cpp
 *
 * The bounds over 4000 draws in every regime of the table of estimators, and
 * gradients of thousands of permutations.
 */
#include "catch.hpp"
#include "bounds.hpp"
#include "regimes.hpp"

#include <symvi/information/estimators.hpp>

using namespace symvi;
using namespace symvi_tests;

TEST_CASE("BoundsHoldInEveryRegime", "[information][campaign]")
{
  for (const Regime& regime : Regimes())
  {
    RegimeChain net(regime, 12, 1);
    ExactEstimator exact;
    UniformEstimator uniform(20);
    ImportanceEstimator few(2), many(20);
    few.Tail() = many.Tail() = 4;
    RandomStream stream(2);
    RunningMean difference[5];
    for (size_t i = 0; i < 4000; ++i)
    {
      net.Draw();
      const double value = exact.Evaluate(net.chain, stream).value;
      const InformationEstimate a = few.Evaluate(net.chain, stream);
      const InformationEstimate b = many.Evaluate(net.chain, stream);
      difference[0].Add(uniform.Evaluate(net.chain, stream).lower - value);
      difference[1].Add(a.lower - value);
      difference[2].Add(b.lower - value);
      difference[3].Add(value - a.upper);
      difference[4].Add(value - b.upper);
    }
    CAPTURE(regime.name);
    for (const RunningMean& d : difference)
      REQUIRE(d.Mean() <= Margin(d));
    // And close: K = 20 within a tenth of a nat.
    REQUIRE(difference[2].Mean() >= -0.1);
  }
}

TEST_CASE("LargeLayersAreSandwiched", "[information][campaign]")
{
  for (const Regime& regime : Regimes())
  {
    RegimeChain net(regime, 100, 1);
    AutoEstimator few(20), many(1000);
    RandomStream stream(2);
    RunningMean gap[2];
    for (size_t i = 0; i < 40; ++i)
    {
      net.Draw();
      const InformationEstimate e = few.Evaluate(net.chain, stream);
      gap[0].Add(e.upper - e.lower);
      if (i % 8 != 0)
        continue;
      const InformationEstimate f = many.Evaluate(net.chain, stream);
      gap[1].Add(f.upper - f.lower);
    }
    CAPTURE(regime.name, gap[0].Mean(), gap[0].StandardError());
    REQUIRE(gap[0].Mean() <= 0.2 + 2 * gap[0].StandardError());
    REQUIRE(gap[1].Mean() <= 0.2);
  }
}

TEST_CASE("DeepNetworksAgainstBruteForce", "[information][campaign]")
{
  CheckDeepBounds(11, 4000, 20);
}

TEST_CASE("ImportanceGradientApproachesTheExactOne", "[information][campaign]")
{
  for (const bool deep : { false, true })
  {
    RandomChain<double> net(deep ? std::vector<size_t>{ 3, 4, 4, 2 } :
                                   std::vector<size_t>{ 3, 9, 2 },
        0.6, 0.8, 2);
    ExactEstimator exact;
    ImportanceEstimator importance(4000);
    importance.Tail() = 2;
    RandomStream stream(1);
    net.ZeroGradient();
    exact.EvaluateWithGradient(net.chain, stream, 1.0, net.gradient);
    const auto expected = net.path;
    net.ZeroGradient();
    importance.EvaluateWithGradient(net.chain, stream, 1.0, net.gradient);
    double inner = 0.0, norm = 0.0, error = 0.0;
    for (size_t l = 0; l < expected.size(); ++l)
      for (size_t i = 0; i < expected[l].size(); ++i)
      {
        inner += expected[l][i] * net.path[l][i];
        norm += expected[l][i] * expected[l][i];
        error += std::pow(expected[l][i] - net.path[l][i], 2);
      }
    REQUIRE(norm > 0.01);
    REQUIRE(inner / norm == Approx(1.0).margin(0.1));
    REQUIRE(error / norm < 0.05);
  }
}
