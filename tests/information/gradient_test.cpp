/**
 * @file gradient_test.cpp
 *
 * Gradients against finite differences, with noise and permutations frozen.
 */
#include "catch.hpp"
#include "random_chain.hpp"

#include <symvi/information/estimator.hpp>
#include <symvi/information/estimators.hpp>

using namespace symvi;
using namespace symvi_tests;

TEST_CASE("GradientsOfOneHiddenLayer", "[information]")
{
  UniformEstimator uniform(7), all(200);
  ExactEstimator exact;
  AutoEstimator automatic;
  for (const double sigma : { 0.1, 0.5, 1.0, 2.0 })
    for (const bool bias : { true, false })
    {
      RandomChain<double> net({ 3, 5, 2 }, 0.7, sigma, 1, bias);
      REQUIRE(GradientError(net, uniform, 1.3) < 1e-6);
      REQUIRE(GradientError(net, all, 1.0) < 1e-6);
      REQUIRE(GradientError(net, exact, -0.7) < 1e-6);
      REQUIRE(GradientError(net, automatic, 1.0) < 1e-6);
    }
}

TEST_CASE("GradientsOfDeepNetworks", "[information]")
{
  UniformEstimator uniform(7);
  ExactEstimator exact;
  for (const std::vector<size_t>& sizes :
      std::vector<std::vector<size_t>>{ { 3, 3, 4, 2 }, { 2, 3, 2, 2, 1 } })
    for (const double sigma : { 0.3, 0.7, 1.5 })
    {
      RandomChain<double> net(sizes, 0.7, sigma, 1);
      REQUIRE(GradientError(net, uniform, 1.3) < 1e-6);
      REQUIRE(GradientError(net, exact, -0.7) < 1e-6);
    }
}

TEST_CASE("GradientsOfTheDefaultInTraining", "[information]")
{
  // More than twelve units that overlap, and neighbouring hidden layers.
  AutoEstimator automatic;
  for (const std::vector<size_t>& sizes : std::vector<std::vector<size_t>>{
           { 2, 15, 1 }, { 3, 3, 4, 2 }, { 2, 14, 3, 1 }, { 2, 3, 2, 2, 1 } })
    for (const double sigma : { 0.7, 1.5 })
    {
      RandomChain<double> net(sizes, 0.7, sigma, 1);
      CAPTURE(sizes, sigma);
      REQUIRE(GradientError(net, automatic, -0.7) < 1e-5);
    }
}

TEST_CASE("TrainingValueBoundsTheExactOne", "[information]")
{
  AutoEstimator automatic;
  ExactEstimator exact;
  RandomStream stream(1);
  for (const double sigma : { 0.3, 0.6, 1.0, 2.0 })
  {
    RandomChain<double> net({ 2, 16, 1 }, 0.6, sigma, 3);
    for (size_t i = 0; i < 20; ++i)
    {
      net.Draw();
      const double value = exact.Evaluate(net.chain, stream).value;
      const InformationEstimate e = automatic.TrainingValue(net.chain, stream);
      REQUIRE(e.lower <= value + 1e-4);
      REQUIRE(e.upper >= value - 1e-4);
      REQUIRE(e.lower <= e.value);
      REQUIRE(e.value <= e.upper);
    }
  }
}

TEST_CASE("TrainingGradientPointsAlongTheExactOne", "[information]")
{
  // Mean over draws, projected on that of the exact gradient.
  AutoEstimator automatic;
  ExactEstimator exact;
  RandomStream stream(1);
  for (const std::vector<size_t>& sizes :
      std::vector<std::vector<size_t>>{ { 2, 16, 1 }, { 2, 4, 4, 1 } })
    for (const double sigma : { 0.4, 1.0 })
    {
      RandomChain<double> net(sizes, 0.7, sigma, 3);
      std::vector<std::vector<double>> sums[2];
      for (const bool cheap : { true, false })
      {
        net.ZeroGradient();
        for (size_t i = 0; i < 300; ++i)
        {
          net.Draw();
          if (cheap)
            automatic.EvaluateWithGradient(net.chain, stream, 1.0,
                net.gradient);
          else
            exact.EvaluateWithGradient(net.chain, stream, 1.0, net.gradient);
        }
        sums[cheap] = net.path;
      }
      CAPTURE(sizes, sigma);
      REQUIRE(Cosine(sums[0], sums[1]) > 0.8);
    }
}

TEST_CASE("GradientsWithLabels", "[information]")
{
  ExactEstimator exact;
  AutoEstimator automatic;
  RandomChain<double> net({ 3, 6, 2 }, 0.7, 0.8, 1);
  net.chain.hidden[0].orbit = { 0, 1, 0, 1, 0, 1 };
  REQUIRE(GradientError(net, exact, 1.0) < 1e-6);
  REQUIRE(GradientError(net, automatic, 1.0) < 1e-6);
}

TEST_CASE("DirectTermsHaveMeanZero", "[information]")
{
  // The part that the path-only gradient leaves out is a score.
  RandomChain<double> net({ 2, 4, 2 }, 0.6, 0.7, 2);
  net.Full(true);
  ExactEstimator exact;
  RandomStream stream(1);
  std::vector<std::vector<RunningMean>> mu(2), sigma(2);
  for (size_t l = 0; l < 2; ++l)
  {
    mu[l].resize(net.means[l].size());
    sigma[l].resize(net.means[l].size());
  }
  for (size_t i = 0; i < 4000; ++i)
  {
    net.Draw();
    net.ZeroGradient();
    exact.EvaluateWithGradient(net.chain, stream, 1.0, net.gradient);
    for (size_t l = 0; l < 2; ++l)
      for (size_t k = 0; k < mu[l].size(); ++k)
      {
        mu[l][k].Add(net.direct[l][k]);
        sigma[l][k].Add(net.score[l][k]);
      }
  }
  // 44 comparisons at five standard errors.
  for (size_t l = 0; l < 2; ++l)
    for (size_t k = 0; k < mu[l].size(); ++k)
    {
      REQUIRE(
          std::abs(mu[l][k].Mean()) <= 5 * mu[l][k].StandardError() + 1e-12);
      REQUIRE(std::abs(sigma[l][k].Mean()) <=
          5 * sigma[l][k].StandardError() + 1e-12);
    }
}

TEST_CASE("SeparatedUnitsLeaveTheGradientUntouched", "[information]")
{
  RandomChain<float> net({ 50, 40, 3 }, 1.0, 0.02, 2);
  RandomStream stream(1);
  for (const char* name : { "auto", "uniform", "exact", "importance" })
  {
    const auto estimator = MakeEstimator(name);
    net.gradient.touched.assign(2, true);
    estimator->EvaluateWithGradient(net.chain, stream, 1.0f, net.gradient);
    REQUIRE(!net.gradient.touched[0]);
    REQUIRE(!net.gradient.touched[1]);
    for (const std::vector<float>& p : net.path)
      for (const float x : p)
        REQUIRE(x == 0.0f);
  }
}
