/**
 * @file exact_estimator_test.cpp
 *
 * Exact values against the sum over the group.
 */
#include "catch.hpp"
#include "random_chain.hpp"

#include <symvi/information/estimators.hpp>

using namespace symvi;
using namespace symvi_tests;

TEST_CASE("ExactAgainstBruteForce", "[information]")
{
  ExactEstimator exact;
  AutoEstimator automatic;
  RandomStream stream(1);
  for (size_t d = 1; d <= 7; ++d)
    for (const double sigma : { 0.03, 0.3, 0.6, 1.0, 3.0, 30.0 })
      for (uint64_t seed = 0; seed < (d < 7 ? 4 : 1); ++seed)
        for (const bool bias : { true, false })
        {
          RandomChain<double> net({ 3, d, 2 }, 0.6, sigma, seed, bias);
          const double expected = BruteForce(net);
          const InformationEstimate e = exact.Evaluate(net.chain, stream);
          REQUIRE(e.value == Approx(expected).epsilon(1e-10).margin(1e-10));
          REQUIRE(e.exact);
          REQUIRE(e.lower == e.value);
          REQUIRE(e.upper == e.value);
          const InformationEstimate a = automatic.Evaluate(net.chain, stream);
          REQUIRE(a.exact);
          REQUIRE(a.value == Approx(expected).epsilon(1e-10).margin(1e-10));
        }
  REQUIRE(stream.Counter() == 0);
}

TEST_CASE("ExactPointwiseForWeightsThatAreNoDraw", "[information]")
{
  // Weights at another mode, and weights far from every mode.
  RandomChain<double> net({ 3, 4, 2 }, 1.0, 0.05, 1);
  const auto g = PermutationGroup(net.chain).Transposition(0, 0, 1);
  const auto weights = net.weights;
  for (size_t l = 0; l < 2; ++l)
    Apply(g, net.chain, l, weights[l].data(), net.weights[l].data());
  ExactEstimator exact;
  exact.Pointwise() = true;
  RandomStream stream(1);
  REQUIRE(exact.Evaluate(net.chain, stream).value ==
      Approx(BruteForce(net)).epsilon(1e-10));
  for (std::vector<double>& w : net.weights)
    for (double& x : w)
      x = 0.1;
  REQUIRE(exact.Evaluate(net.chain, stream).value ==
      Approx(BruteForce(net)).epsilon(1e-10).margin(1e-10));
}

TEST_CASE("ExactForDeepNetworks", "[information]")
{
  ExactEstimator exact;
  RandomStream stream(1);
  for (const std::vector<size_t>& sizes :
      std::vector<std::vector<size_t>>{ { 2, 2, 2, 1 }, { 3, 4, 4, 2 },
          { 2, 3, 2, 2, 1 }, { 2, 2, 1, 3, 2 }, { 2, 2, 2, 2, 2, 1 } })
    for (const double sigma : { 0.03, 0.3, 0.6, 1.0, 3.0 })
    {
      RandomChain<double> net(sizes, 0.6, sigma, 7);
      const InformationEstimate e = exact.Evaluate(net.chain, stream);
      REQUIRE(e.exact);
      REQUIRE(e.value == Approx(BruteForce(net)).epsilon(1e-10).margin(1e-10));
    }
}

TEST_CASE("ExactWithLabelsAndFixedOutputs", "[information]")
{
  ExactEstimator exact;
  AutoEstimator automatic;
  RandomStream stream(1);
  for (uint64_t seed = 0; seed < 10; ++seed)
  {
    RandomChain<double> net({ 3, 6, 2 }, 0.6, 0.7, seed);
    net.chain.hidden[0].orbit = { 0, 1, 0, 1, 0, 5 };
    REQUIRE(exact.Evaluate(net.chain, stream).value ==
        Approx(BruteForce(net)).epsilon(1e-10).margin(1e-10));
    REQUIRE(automatic.Evaluate(net.chain, stream).value ==
        Approx(BruteForce(net)).epsilon(1e-10).margin(1e-10));

    // Only the incoming weights are Bayesian.
    RandomChain<double> half({ 3, 5 }, 0.6, 0.7, seed);
    HiddenUnits units;
    units.size = 5;
    units.hasOutgoing = false;
    half.chain.hidden.push_back(units);
    REQUIRE(exact.Evaluate(half.chain, stream).value ==
        Approx(BruteForce(half)).epsilon(1e-10).margin(1e-10));
    half.ZeroGradient();
    exact.EvaluateWithGradient(half.chain, stream, 1.0, half.gradient);
    REQUIRE(half.gradient.touched[0]);

    // Labels in a deep network.
    RandomChain<double> deep({ 2, 4, 3, 2 }, 0.6, 0.7, seed);
    deep.chain.hidden[0].orbit = { 0, 1, 1, 0 };
    REQUIRE(exact.Evaluate(deep.chain, stream).value ==
        Approx(BruteForce(deep)).epsilon(1e-10).margin(1e-10));
  }
}

TEST_CASE("ExactInformationOfAnInvariantPosteriorIsZero", "[information]")
{
  // All units alike: q is invariant, and I(w) = 0 for every draw.
  for (const std::vector<size_t>& sizes :
      std::vector<std::vector<size_t>>{ { 3, 6, 2 }, { 2, 3, 3, 1 } })
  {
    RandomChain<double> net(sizes, 0.5, 0.3, 1);
    for (size_t h = net.chain.hidden.size(); h-- > 0;)
      for (size_t b = 1; b < net.chain.hidden[h].size; ++b)
        net.CopyUnit(h, 0, b);
    if (sizes.size() > 3)
      for (auto* arrays : { &net.means, &net.sigmas })
        std::fill((*arrays)[1].begin(), (*arrays)[1].begin() + 9,
            (*arrays)[1][0]);
    net.Update();
    RandomStream stream(1);
    ExactEstimator exact;
    AutoEstimator automatic;
    REQUIRE(std::abs(BruteForce(net)) < 1e-10);
    REQUIRE(std::abs(exact.Evaluate(net.chain, stream).value) < 1e-10);
    net.ZeroGradient();
    exact.EvaluateWithGradient(net.chain, stream, 1.0, net.gradient);
    if (sizes.size() == 3)
      REQUIRE(std::abs(automatic.Evaluate(net.chain, stream).value) < 1e-10);
  }
}

TEST_CASE("ExactRefusesWhatIsTooLarge", "[information]")
{
  RandomChain<double> net({ 1, 22, 1 }, 0.1, 1.0, 1);
  RandomStream stream(1);
  ExactEstimator exact;
  REQUIRE_THROWS_AS(exact.Evaluate(net.chain, stream), std::invalid_argument);
  RandomChain<double> deep({ 1, 9, 4, 1 }, 0.1, 1.0, 1);
  REQUIRE_THROWS_AS(exact.Evaluate(deep.chain, stream), std::invalid_argument);
  // But a wide layer of separated units is fine.
  RandomChain<double> wide({ 100, 200, 3 }, 1.0, 0.05, 1);
  REQUIRE(exact.Evaluate(wide.chain, stream).value ==
      Approx(PermutationGroup(wide.chain).LogOrder()).epsilon(1e-12));
}
