/**
 * @file tests/optimizer/allocation_test.cpp
 *
 * A training step of symvi allocates nothing once it has run: all that is
 * allocated is what mlpack's activation layers and BLAS allocate by themselves.
 */
#include "catch.hpp"

#include <symvi/kernel/threads.hpp>
#include <symvi/layer/bayesian_linear.hpp>
#include <symvi/likelihood/categorical.hpp>
#include <symvi/objective/symmetrized_elbo.hpp>
#include <symvi/optimizer/adam.hpp>

#include "allocation_counter.hpp"

#include <vector>

namespace {

using MatType = arma::fmat;
using Network = mlpack::FFN<symvi::CategoricalLikelihoodType<MatType>,
    mlpack::RandomInitialization, MatType>;

//! Allocations in ten passes of mlpack's ReLU through one hidden layer.
size_t ActivationAllocations(const size_t width)
{
  symvi::compat::ReLU<MatType> layer;
  const MatType input(width, 100, arma::fill::randn);
  MatType output(width, 100), delta(width, 100, arma::fill::ones),
      inputDelta(width, 100);
  const auto passes = [&](const size_t count)
  {
    for (size_t s = 0; s < count; ++s)
    {
      layer.Forward(input, output);
      layer.Backward(input, output, delta, inputDelta);
    }
  };
  passes(1);
  return CountAllocations([&] { passes(10); });
}

/**
 * Allocations in ten training steps after the first one, without those of the
 * activations.
 */
size_t StepAllocations(const std::vector<size_t>& hidden,
    const symvi::EstimatorPtr& estimator, const size_t inputs = 20)
{
  mlpack::RandomSeed(5);
  MatType x(inputs, 300, arma::fill::randu);
  MatType y(1, 300);
  for (size_t i = 0; i < y.n_elem; ++i)
    y[i] = float(i % 3);
  Network network;
  for (const size_t width : hidden)
  {
    network.Add<symvi::BayesianLinearType<MatType>>(width);
    network.Add<symvi::compat::ReLU<MatType>>();
  }
  network.Add<symvi::BayesianLinearType<MatType>>(3);
  symvi::SymmetrizedELBO<Network> objective(network, x, y, estimator);

  symvi::AdamUpdate update;
  MatType gradient(network.Parameters().n_rows, 1);
  symvi::AdamUpdate::Policy<MatType, MatType> policy(update, gradient.n_rows,
      1);
  const auto steps = [&](const size_t count)
  {
    for (size_t s = 0; s < count; ++s)
    {
      objective.EvaluateWithGradient(network.Parameters(), 100 * (s % 3),
          gradient, 100);
      policy.Update(network.Parameters(), 1e-3, gradient);
    }
  };
  steps(1);
  const size_t all = CountAllocations([&] { steps(10); });
  size_t activations = 0;
  for (const size_t width : hidden)
    activations += ActivationAllocations(width);
  return all - activations;
}

} // namespace

TEST_CASE("CounterCounts", "[Allocations]")
{
  REQUIRE(CountAllocations([] {}) == 0);
  REQUIRE(CountAllocations([] { delete new int(3); }) <= 1);
  REQUIRE(
      CountAllocations([] { arma::fmat(100, 100, arma::fill::ones); }) == 1);
}

TEST_CASE("MeanFieldStepDoesNotAllocate", "[Allocations]")
{
  REQUIRE(StepAllocations({ 30 }, nullptr) == 0);
  REQUIRE(StepAllocations({ 30, 20 }, nullptr) == 0);
}

TEST_CASE("SymmetrizedStepDoesNotAllocate", "[Allocations]")
{
  for (const char* name : { "uniform", "auto" })
  {
    CAPTURE(name);
    REQUIRE(StepAllocations({ 30 }, symvi::MakeEstimator(name)) == 0);
  }
}

TEST_CASE("SharedStepDoesNotAllocate", "[Allocations]")
{
  // So large that the threads share the products and all passes.
  symvi::SetThreads(2);
  REQUIRE(StepAllocations({ 200 }, nullptr, 400) == 0);
  for (const char* name : { "uniform", "auto" })
  {
    CAPTURE(name);
    REQUIRE(StepAllocations({ 200 }, symvi::MakeEstimator(name), 400) == 0);
  }
  symvi::SetThreads(1);
}

TEST_CASE("OverlappingUnitsDoNotAllocate", "[Allocations]")
{
  // With few inputs the units are hardly told apart, and the default estimator
  // has a permanent to compute.
  for (const size_t width : { 5, 30, 60 })
  {
    CAPTURE(width);
    REQUIRE(StepAllocations({ width }, symvi::MakeEstimator("auto"), 2) == 0);
  }
  REQUIRE(StepAllocations({ 20, 20 }, symvi::MakeEstimator("auto"), 2) == 0);
}
