/**
 * @file tests/network/dag_network_test.cpp
 *
 * Bayesian layers in an mlpack::DAGNetwork (mlpack 4.7 and later).
 */
#include "catch.hpp"

#include <symvi/likelihood/categorical.hpp>
#include <symvi/network/network.hpp>
#include <symvi/objective/symmetrized_elbo.hpp>
#include <symvi/optimizer/adam.hpp>
#include <symvi/predict/predictive.hpp>

using namespace symvi;

TEST_CASE("WeightKLMakesAnEpochTheElbo", "[network]")
{
  mlpack::RandomSeed(3);
  const arma::mat X(3, 50, arma::fill::randn);
  const arma::mat y = arma::conv_to<arma::mat>::from(X.row(0) > 0);
  mlpack::FFN<CategoricalLikelihood> network;
  network.Add<BayesianLinear>(2);
  network.Reset(3);
  WeightKL(network, 50, 20);

  // Three batches: 20, 20 and 10 points.
  double kl = 0.0;
  for (const auto* layer :
      FindBayesianLayers<arma::mat>(NetworkLayers(network)))
    kl += 3 * layer->KLWeight() * layer->KL();
  const auto* layer = FindBayesianLayers<arma::mat>(NetworkLayers(network))[0];
  REQUIRE(kl == Approx(layer->KL()).epsilon(1e-12));

  REQUIRE_THROWS_AS(WeightKL(network, 50, 0), std::invalid_argument);
  mlpack::FFN<CategoricalLikelihood> plain;
  plain.Add<mlpack::ReLU>();
  REQUIRE_THROWS_AS(WeightKL(plain, 50, 10), std::invalid_argument);
}

#if SYMVI_MLPACK_LAYER_TEMPLATES

//! A residual network: h = relu(W1 x), y = W3 (h + W2 h).
TEST_CASE("DAGNetworkTrainsOnTheElboAndPredicts", "[network]")
{
  mlpack::RandomSeed(5);
  const arma::mat X(4, 300, arma::fill::randn);
  const arma::mat y = arma::conv_to<arma::mat>::from(X.row(0) > X.row(1));
  mlpack::DAGNetwork<CategoricalLikelihood> network;
  const size_t first = network.Add<BayesianLinear>(8);
  const size_t relu = network.Add<mlpack::ReLU>();
  const size_t second = network.Add<BayesianLinear>(8);
  const size_t sum = network.Add<mlpack::Identity>();
  const size_t last = network.Add<BayesianLinear>(2);
  network.Connect(first, relu);
  network.Connect(relu, second);
  network.Connect(relu, sum);
  network.Connect(second, sum);
  network.SetConnection(sum, ADDITION);
  network.Connect(sum, last);

  WeightKL(network, X.n_cols, 30);
  ens::Adam adam(StepSize(1e-2, 30), 30, 0.9, 0.999, 1e-8, 100 * X.n_cols, -1);
  network.Train(X, y, adam);

  const CategoricalLikelihood likelihood;
  const auto p = PredictPosterior(network, X, likelihood, PredictOptions(100));
  const arma::rowvec predicted = arma::conv_to<arma::rowvec>::from(
      arma::index_max(p.probabilities, 0));
  REQUIRE(arma::accu(predicted == y) > 0.93 * double(X.n_cols));
  REQUIRE(arma::abs(arma::sum(p.probabilities, 0) - 1.0).max() < 1e-9);
  REQUIRE(p.mutualInformation.min() >= 0.0);

  // The same seed gives the same draws; another one does not.
  const auto again = PredictPosterior(network, X, likelihood,
      PredictOptions(100));
  REQUIRE(
      arma::approx_equal(p.probabilities, again.probabilities, "absdiff", 0.0));
  const auto other = PredictPosterior(network, X, likelihood,
      PredictOptions(100, 7));
  REQUIRE_FALSE(
      arma::approx_equal(p.probabilities, other.probabilities, "absdiff", 0.0));

  PredictOptions symmetrized(10);
  symmetrized.fromSymmetrized = true;
  REQUIRE_THROWS_AS(PredictPosterior(network, X, likelihood, symmetrized),
      std::invalid_argument);
}

//! A chain that is written as a graph predicts like the chain.
TEST_CASE("DAGNetworkAgreesWithFFN", "[network]")
{
  mlpack::RandomSeed(9);
  const arma::mat X(3, 40, arma::fill::randn);
  mlpack::DAGNetwork<CategoricalLikelihood> graph;
  mlpack::FFN<CategoricalLikelihood> chain;
  const size_t first = graph.Add<BayesianLinear>(5);
  const size_t tanh = graph.Add<mlpack::TanH>();
  const size_t last = graph.Add<BayesianLinear>(2);
  graph.Connect(first, tanh);
  graph.Connect(tanh, last);
  chain.Add<BayesianLinear>(5);
  chain.Add<mlpack::TanH>();
  chain.Add<BayesianLinear>(2);
  graph.Reset(3);
  chain.Reset(3);
  chain.Parameters().col(0) = graph.Parameters().col(0);

  // Different draws of the same posterior: compare within standard errors.
  const CategoricalLikelihood likelihood;
  const size_t draws = 4000;
  const auto a = PredictPosterior(graph, X, likelihood, PredictOptions(draws));
  const auto b = Predictive<arma::mat>(chain).Predict(X, likelihood,
      PredictOptions(draws));
  const arma::mat error = arma::sqrt(2 * b.variance / double(draws)) + 1e-9;
  REQUIRE((arma::abs(a.probabilities - b.probabilities) / error).max() < 6.0);
}

#endif
