/**
 * @file uniform_estimator_test.cpp
 *
 * The paper's estimator: its definition, its limits, its switches.
 */
#include "catch.hpp"
#include "random_chain.hpp"

#include <symvi/information/estimators.hpp>

using namespace symvi;
using namespace symvi_tests;

namespace {

//! log q(w) - log 1/K (q(w) + sum_j q(g_j^-1 w)), from the definition.
double Definition(const RandomChain<double>& net, const size_t k,
    RandomStream stream)
{
  // The same draws in the same order as the estimator makes them.
  std::vector<double> logs(1, LogDensity(net.chain, net.weights));
  PermutationGroup group(net.chain);
  std::vector<std::vector<double>> moved = net.weights;
  for (size_t j = 1; j < k; ++j)
  {
    const Permutation inverse = group.Sample(stream).Inverse();
    // tau(i) tells which posterior weight i is compared with.
    for (size_t l = 0; l < moved.size(); ++l)
      Apply(inverse.Inverse(), net.chain, l, net.weights[l].data(),
          moved[l].data());
    logs.push_back(LogDensity(net.chain, moved));
  }
  double sum = 0.0;
  for (const double x : logs)
    sum += std::exp(x - logs[0]);
  return std::log(double(k)) - std::log(sum);
}

double Mean(const std::vector<size_t>& sizes, const double sigma,
    const size_t k, const size_t n, double& error)
{
  RandomChain<double> net(sizes, 0.7, sigma, 5);
  UniformEstimator estimator(k);
  estimator.EnumerateSmallGroups() = false;
  RandomStream stream(6);
  RunningMean mean;
  for (size_t i = 0; i < n; ++i)
  {
    net.Draw();
    mean.Add(estimator.Evaluate(net.chain, stream).value);
  }
  error = mean.StandardError();
  return mean.Mean();
}

} // namespace

TEST_CASE("UniformFollowsItsDefinition", "[information]")
{
  for (const std::vector<size_t>& sizes : std::vector<std::vector<size_t>>{
           { 3, 4, 2 }, { 2, 3, 4, 2 }, { 2, 3, 2, 3, 1 } })
    for (const size_t k : { 2, 5, 20 })
      for (const double sigma : { 0.3, 1.0, 3.0 })
      {
        RandomChain<double> net(sizes, 0.5, sigma, k);
        UniformEstimator estimator(k);
        estimator.EnumerateSmallGroups() = false;
        RandomStream stream(9);
        const double expected = Definition(net, k, stream);
        const InformationEstimate e = estimator.Evaluate(net.chain, stream);
        REQUIRE(e.value == Approx(expected).epsilon(1e-10).margin(1e-10));
        REQUIRE(e.lower == e.value);
        REQUIRE(std::isinf(e.upper));
        REQUIRE(!e.exact);
      }
}

TEST_CASE("UniformWithOnePermutationIsNothing", "[information]")
{
  RandomChain<double> net({ 3, 4, 2 }, 0.5, 1.0, 1);
  UniformEstimator estimator(1);
  RandomStream stream(1);
  REQUIRE(estimator.EvaluateWithGradient(net.chain, stream, 1.0, net.gradient)
              .value == 0.0);
  REQUIRE(stream.Counter() == 0);
  for (const std::vector<double>& p : net.path)
    for (const double x : p)
      REQUIRE(x == 0.0);
  REQUIRE(!net.gradient.touched[0]);
  REQUIRE(!net.gradient.touched[1]);
  estimator.Permutations() = 0;
  REQUIRE_THROWS_AS(estimator.Evaluate(net.chain, stream),
      std::invalid_argument);
}

TEST_CASE("UniformGrowsWithKBelowItsLimits", "[information]")
{
  // 3! = 6 elements; I(g; w) by enumeration.
  double information = 0.0, exactError = 0.0;
  {
    RandomChain<double> net({ 3, 3, 2 }, 0.7, 0.6, 5);
    RunningMean mean;
    for (size_t i = 0; i < 4000; ++i)
    {
      net.Draw();
      mean.Add(BruteForce(net));
    }
    information = mean.Mean();
    exactError = mean.StandardError();
  }
  double last = 0.0, lastError = 0.0;
  for (const size_t k : { 1, 2, 3, 5, 10, 40 })
  {
    double error;
    const double mean = Mean({ 3, 3, 2 }, 0.6, k, 4000, error);
    REQUIRE(mean <= std::log(double(k)) + 1e-12);
    REQUIRE(mean <= std::log(6.0) + 1e-12);
    REQUIRE(mean >= last - 4 * std::hypot(error, lastError));
    REQUIRE(mean <= information + 4 * std::hypot(error, exactError));
    last = mean;
    lastError = error;
  }
  // Converging from below, with a bias of order 1/K.
  REQUIRE(last >= information - 0.2);
}

TEST_CASE("UniformEnumeratesSmallGroups", "[information]")
{
  RandomChain<double> net({ 2, 3, 2, 1 }, 0.5, 0.8, 2);
  RandomStream stream(1);
  for (const size_t k : { 12, 50 })
  {
    UniformEstimator estimator(k);
    const InformationEstimate e = estimator.Evaluate(net.chain, stream);
    REQUIRE(e.exact);
    REQUIRE(e.value == Approx(BruteForce(net)).epsilon(1e-11));
    REQUIRE(e.upper == e.value);
    REQUIRE(stream.Counter() == 0);
    estimator.EnumerateSmallGroups() = false;
    REQUIRE(!estimator.Evaluate(net.chain, stream).exact);
    stream.Seek(0);
  }
}

TEST_CASE("UniformLiteralHasTheSameMeanAndAnotherVariance", "[information]")
{
  RandomChain<double> net({ 3, 4, 2 }, 0.5, 0.5, 1);
  UniformEstimator estimator(5), literal(5);
  literal.Literal() = true;
  RunningMean difference;
  double weights = 0.0;
  for (const std::vector<double>& w : net.weights)
    weights += w.size();
  for (size_t i = 0; i < 4000; ++i)
  {
    net.Draw();
    RandomStream stream(i), copy(i);
    const double x = estimator.Evaluate(net.chain, stream).value;
    const double y = literal.Evaluate(net.chain, copy).value;
    // -log(...) - H(q), H(q) = sum log sigma + D/2 log(2 pi e).
    double entropy = 0.5 * weights * std::log(2 * M_PI * std::exp(1.0));
    for (const std::vector<double>& s : net.sigmas)
      for (const double v : s)
        entropy += std::log(v);
    REQUIRE(y ==
        Approx(x - LogDensity(net.chain, net.weights) - entropy)
            .epsilon(1e-9)
            .margin(1e-9));
    difference.Add(y - x);
  }
  REQUIRE(std::abs(difference.Mean()) <= 5 * difference.StandardError());
  REQUIRE(difference.StandardError() * difference.StandardError() *
          double(difference.Count()) ==
      Approx(weights / 2).epsilon(0.15));
}

TEST_CASE("UniformIsRepeatable", "[information]")
{
  RandomChain<float> net({ 3, 8, 2 }, 0.5, 1.0, 1);
  UniformEstimator estimator(20);
  RandomStream stream(4), copy(4);
  const double value = estimator.Evaluate(net.chain, stream).value;
  REQUIRE(estimator.EvaluateWithGradient(net.chain, copy, 1.0f, net.gradient)
              .value == value);
  REQUIRE(stream.Counter() == copy.Counter());
  UniformEstimator other(estimator);
  copy.Seek(0);
  REQUIRE(other.Evaluate(net.chain, copy).value == value);
}

TEST_CASE("UniformPointwiseForWeightsThatAreNoDraw", "[information]")
{
  // Weights at another mode: all of the posterior's mass is elsewhere.
  RandomChain<double> net({ 3, 3, 2 }, 1.0, 0.01, 1);
  const auto g = PermutationGroup(net.chain).Transposition(0, 0, 1);
  const auto weights = net.weights;
  for (size_t l = 0; l < 2; ++l)
    Apply(g, net.chain, l, weights[l].data(), net.weights[l].data());
  UniformEstimator estimator(6);
  estimator.Pointwise() = true;
  RandomStream stream(1);
  REQUIRE(estimator.Evaluate(net.chain, stream).value ==
      Approx(BruteForce(net)).epsilon(1e-10));
}
