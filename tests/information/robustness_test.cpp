/**
 * @file robustness_test.cpp
 *
 * Extreme deviations, identical units, units at the prior, one unit, many
 * units, single precision: never a NaN, never out of bounds.
 */
#include "catch.hpp"
#include "random_chain.hpp"

#include <symvi/information/estimator.hpp>
#include <symvi/information/estimators.hpp>

using namespace symvi;
using namespace symvi_tests;

namespace {

template<typename eT>
void RequireSane(RandomChain<eT>& net, InformationEstimator& estimator,
    const double slack = 1e-6)
{
  const double logOrder = PermutationGroup(net.chain).LogOrder();
  RandomStream stream(3);
  net.Full(true);
  net.ZeroGradient();
  const InformationEstimate e = estimator.EvaluateWithGradient(net.chain,
      stream, eT(1), net.gradient);
  REQUIRE(std::isfinite(e.value));
  REQUIRE(!std::isnan(e.lower));
  REQUIRE(!std::isnan(e.upper));
  // q^G(w) >= q(w) / |G|.
  REQUIRE(e.value <= logOrder + slack);
  for (const auto* arrays : { &net.path, &net.direct, &net.score })
    for (const std::vector<eT>& array : *arrays)
      for (const eT x : array)
        REQUIRE(std::isfinite(x));
}

} // namespace

TEMPLATE_TEST_CASE("ExtremeDeviations", "[information]", float, double)
{
  for (const std::string& name : EstimatorNames())
  {
    const auto made = MakeEstimator(name, 10);
    InformationEstimator& estimator = *made;
    for (const double sigma : { 1e-6, 1e-3, 1.0, 1e3 })
      for (const double spread : { 0.0, 1e-3, 1.0, 1e3 })
      {
        RandomChain<TestType> net({ 5, 7, 3 }, spread, sigma, 1);
        RequireSane(net, estimator, 1e-3);
        // Half of the units tight, half of them wide.
        for (size_t i = 0; i < net.sigmas[0].size(); ++i)
          net.sigmas[0][i] = TestType((i % 7 < 3) ? 1e-6 : 1e3);
        net.Update();
        RequireSane(net, estimator, 1e-3);
      }
  }
}

TEMPLATE_TEST_CASE("IdenticalUnitsAndUnitsAtThePrior", "[information]", float,
    double)
{
  for (const std::string& name : EstimatorNames())
  {
    const auto made = MakeEstimator(name, 10);
    InformationEstimator& estimator = *made;
    RandomChain<TestType> net({ 20, 12, 3 }, 0.5, 0.05, 1);
    for (size_t b = 4; b < 8; ++b)
      net.CopyUnit(0, 3, b);
    RequireSane(net, estimator, 1e-3);
    // Units 8 to 11 at a standard normal prior.
    for (size_t l = 0; l < 2; ++l)
      for (size_t i = 0; i < net.means[l].size(); ++i)
        if ((l == 0 ? i % 12 : i / 3) >= 8 && (l == 0 || i < 36))
        {
          net.means[l][i] = TestType(0);
          net.sigmas[l][i] = TestType(1);
        }
    net.Update();
    RequireSane(net, estimator, 1e-3);
    RandomStream stream(1);
    // 5 alike and 4 alike: log 12! - log 5! - log 4!.
    if (name == "auto" || name == "exact" || name == "importance")
      REQUIRE(estimator.Evaluate(net.chain, stream).value ==
          Approx(std::lgamma(13.0) - std::lgamma(6.0) - std::lgamma(5.0))
              .margin(1e-3));
  }
}

TEST_CASE("IdenticalUnitsOfALargeLayer", "[information]")
{
  // 40 alike: sampling has to find log 40! = 110.32, I(w) is 0.
  RandomChain<double> net({ 4, 40, 2 }, 0.5, 0.3, 1);
  for (size_t b = 1; b < 40; ++b)
    net.CopyUnit(0, 0, b);
  RandomStream stream(1);
  AutoEstimator automatic;
  RunningMean lower, upper;
  for (size_t i = 0; i < 50; ++i)
  {
    net.Draw();
    const InformationEstimate e = automatic.Evaluate(net.chain, stream);
    lower.Add(e.lower);
    upper.Add(e.upper);
  }
  REQUIRE(lower.Mean() <= 4 * lower.StandardError() + 1e-9);
  REQUIRE(upper.Mean() >= -4 * upper.StandardError() - 1e-9);
  REQUIRE(std::abs(lower.Mean()) < 0.1);
}

TEMPLATE_TEST_CASE("NarrowAndWideLayers", "[information]", float, double)
{
  for (const std::string& name : EstimatorNames())
  {
    const auto made = MakeEstimator(name, 5);
    InformationEstimator& estimator = *made;
    RandomStream stream(1);
    RandomChain<TestType> one({ 3, 1, 2 }, 0.5, 0.5, 1);
    REQUIRE(
        estimator
            .EvaluateWithGradient(one.chain, stream, TestType(1), one.gradient)
            .value == 0.0);
    REQUIRE(!one.gradient.touched[0]);
    RandomChain<TestType> two({ 3, 2, 2 }, 0.5, 0.5, 1);
    RequireSane(two, estimator);
    RandomChain<TestType> wide({ 30, 512, 3 }, 1.0, 0.03, 1);
    RequireSane(wide, estimator, 1e-2);
  }
  RandomChain<TestType> overlapping({ 4, 128, 2 }, 0.5, 0.3, 1);
  AutoEstimator estimator(5);
  RequireSane(overlapping, estimator, 1e-2);
}

TEST_CASE("EmptyLayersAreRefused", "[information]")
{
  RandomChain<double> net({ 3, 2, 2 }, 0.5, 0.5, 1);
  net.chain.hidden[0].size = 0;
  RandomStream stream(1);
  for (const std::string& name : EstimatorNames())
  {
    const auto made = MakeEstimator(name);
    InformationEstimator& estimator = *made;
    REQUIRE_THROWS_AS(estimator.Evaluate(net.chain, stream),
        std::invalid_argument);
  }
}

TEST_CASE("NoHiddenLayers", "[information]")
{
  RandomChain<double> net({ 3, 2 }, 0.5, 0.5, 1);
  RandomStream stream(1);
  for (const std::string& name : EstimatorNames())
  {
    const auto made = MakeEstimator(name);
    InformationEstimator& estimator = *made;
    const InformationEstimate e = estimator.EvaluateWithGradient(net.chain,
        stream, 1.0, net.gradient);
    REQUIRE(e.value == 0.0);
    REQUIRE(net.gradient.touched == std::vector<bool>{ false });
  }
}

TEST_CASE("SinglePrecisionFollowsDouble", "[information]")
{
  RandomStream stream(1);
  for (const std::vector<size_t>& sizes :
      std::vector<std::vector<size_t>>{ { 100, 10, 3 }, { 20, 5, 4, 2 } })
    for (const double sigma : { 0.1, 0.5, 1.0, 3.0 })
    {
      RandomChain<float> net(sizes, 0.3, sigma, 1);
      RandomChain<double> twin(sizes, 0.3, sigma, 1);
      for (size_t l = 0; l < net.means.size(); ++l)
        for (size_t i = 0; i < net.means[l].size(); ++i)
        {
          twin.means[l][i] = net.means[l][i];
          twin.sigmas[l][i] = net.sigmas[l][i];
          twin.weights[l][i] = net.weights[l][i];
        }
      net.ZeroGradient();
      twin.ZeroGradient();
      ExactEstimator exact;
      const double x = exact
                           .EvaluateWithGradient(net.chain, stream, 1.0f,
                               net.gradient)
                           .value;
      const double y = exact
                           .EvaluateWithGradient(twin.chain, stream, 1.0,
                               twin.gradient)
                           .value;
      REQUIRE(x == Approx(y).epsilon(1e-4).margin(1e-3));
      for (size_t l = 0; l < net.path.size(); ++l)
        for (size_t i = 0; i < net.path[l].size(); ++i)
          REQUIRE(std::abs(net.path[l][i] - twin.path[l][i]) * sigma < 1e-3);
    }
}

TEST_CASE("LargeDeepNetworks", "[information]")
{
  // Separated layers come to rest; a blurred one does not.
  RandomChain<float> net({ 200, 64, 48, 5 }, 0.5, 0.05, 1);
  RandomStream stream(1);
  AutoEstimator automatic;
  const double logOrder = PermutationGroup(net.chain).LogOrder();
  InformationEstimate e = automatic.Evaluate(net.chain, stream);
  REQUIRE(e.exact);
  REQUIRE(e.value == Approx(logOrder));
  for (float& s : net.sigmas[1])
    s *= 20.0f;
  for (float& s : net.sigmas[2])
    s *= 20.0f;
  net.Update();
  e = automatic.EvaluateWithGradient(net.chain, stream, 1.0f, net.gradient);
  REQUIRE(e.value <= logOrder + 1e-3);
  REQUIRE(e.lower <= e.upper + 1.0);

  // Both layers blurred.  L_K of one draw may exceed log|G|, but by no more than
  // log K: the identity, with s <= 1, is one of K terms of the mean.  The same
  // holds for the permanent of the last layer, a mean over at most 3 K.
  RandomChain<float> blurred({ 3, 20, 18, 2 }, 0.5, 0.4, 1);
  AutoEstimator any(5);
  RequireSane(blurred, any, std::log(5.0) + std::log(15.0));
}
