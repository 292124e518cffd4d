/**
 * @file elbo_test.cpp
 *
 * The objectives: scaling, groups, optimizers, exact optima, errors.
 */
#include "catch.hpp"

#include <symvi/layer/learned_noise.hpp>
#include <symvi/likelihood/categorical.hpp>
#include <symvi/likelihood/gaussian.hpp>
#include <symvi/objective/symmetrized_elbo.hpp>
#include <symvi/optimizer/adam.hpp>

#include <limits>
#include <sstream>

using namespace symvi;
using Catch::Matchers::ContainsSubstring;

namespace {

//! A classification problem and a network of one hidden layer for it.
struct Problem
{
  Problem(const size_t points = 12, const double sigma = 0.5)
  {
    X.randn(3, points);
    y.set_size(1, points);
    for (size_t i = 0; i < points; ++i)
      y[i] = (X(0, i) > 0) + (X(1, i) > 0);
    network.Add<BayesianLinear>(4, BayesianOptions().InitialSigma(sigma));
    network.Add<mlpack::ReLU>();
    network.Add<BayesianLinear>(3, BayesianOptions().InitialSigma(sigma));
  }

  arma::mat X, y;
  mlpack::FFN<CategoricalLikelihood> network;
};

using Network = mlpack::FFN<CategoricalLikelihood>;

} // namespace

TEST_CASE("BatchesSumToTheWhole", "[objective]")
{
  mlpack::RandomSeed(31);
  Problem p;
  SymmetrizedELBO<Network> elbo(p.network, p.X, p.y);
  elbo.Freeze();
  arma::mat whole, part, sum;
  const double value = elbo.EvaluateWithGradient(p.network.Parameters(), whole);
  sum.zeros(arma::size(whole));
  double total = 0;
  for (size_t begin = 0; begin < 12; begin += 5)
  {
    total += elbo.EvaluateWithGradient(p.network.Parameters(), begin, part,
        std::min<size_t>(5, 12 - begin));
    sum += part;
  }
  // With the same draw the minibatch estimator is not only unbiased: batches
  // add up to the objective of the data exactly.
  REQUIRE(total == Approx(value).epsilon(1e-10));
  REQUIRE(arma::norm(sum - whole) / arma::norm(whole) < 1e-10);
  REQUIRE(
      elbo.Evaluate(p.network.Parameters()) == Approx(value).epsilon(1e-10));
}

TEST_CASE("OnePermutationIsMeanFieldVI", "[objective]")
{
  Problem p;
  Problem q(p); // FFN's assignment leaks its layers; its copy does not.
  mlpack::RandomSeed(32);
  ELBO<Network> plain(p.network, p.X, p.y);
  mlpack::RandomSeed(32);
  SymmetrizedELBO<Network> symmetrized(q.network, q.X, q.y,
      MakeEstimator("uniform", 1));
  arma::mat first, second;
  for (size_t i = 0; i < 3; ++i)
  {
    const double a = plain.EvaluateWithGradient(p.network.Parameters(), 0,
        first, 6);
    const double b = symmetrized.EvaluateWithGradient(q.network.Parameters(), 0,
        second, 6);
    REQUIRE(a == b);
    REQUIRE(arma::approx_equal(first, second, "absdiff", 0));
  }
}

TEST_CASE("ElboValueIsItsParts", "[objective]")
{
  mlpack::RandomSeed(33);
  Problem p;
  SymmetrizedELBO<Network> elbo(p.network, p.X, p.y);
  arma::mat gradient;
  const double value = elbo.EvaluateWithGradient(p.network.Parameters(),
      gradient);
  const ElboTerms& terms = elbo.Terms();
  REQUIRE(value ==
      Approx(terms.negativeLogLikelihood + terms.kl - terms.information));
  REQUIRE(terms.points == 12);
  REQUIRE(terms.information > 0);
  REQUIRE(terms.information <= elbo.Symmetry().LogOrder());
}

TEST_CASE("WarmUpScalesTheDivergence", "[objective]")
{
  mlpack::RandomSeed(34);
  Problem p;
  ELBO<Network> elbo(p.network, p.X, p.y);
  elbo.Freeze();
  arma::mat gradient;
  const double full = elbo.Evaluate(p.network.Parameters(), 0, 6);
  double kl = 0;
  for (auto* layer : FindBayesianLayers<arma::mat>(NetworkLayers(p.network)))
    kl += layer->KL();

  // Two epochs of 12 points: the first batch of 6 has a quarter of the weight.
  elbo.WarmUpEpochs() = 2;
  const double first = elbo.EvaluateWithGradient(p.network.Parameters(), 0,
      gradient, 6);
  REQUIRE(full - first == Approx(0.5 * kl * 0.75));
  for (size_t i = 0; i < 3; ++i)
    elbo.EvaluateWithGradient(p.network.Parameters(), 0, gradient, 6);
  REQUIRE(elbo.Evaluate(p.network.Parameters(), 0, 6) == Approx(full));
}

TEST_CASE("ConjugateLinearModel", "[objective]")
{
  // t = x^T w + noise, w ~ N(0, p^2 I): the posterior is Gaussian with
  // precision A = X X^T / s^2 + I / p^2 and mean A^-1 X t / s^2; the best
  // mean-field Gaussian has that mean and variances 1 / A_ii.
  mlpack::RandomSeed(35);
  const size_t d = 3, n = 40;
  const double s = 0.5, prior = 0.8;
  const arma::mat X(d, n, arma::fill::randn);
  const arma::mat t = arma::rowvec({ 1.0, -0.5, 0.2 }) * X +
      s * arma::mat(1, n, arma::fill::randn);
  const arma::mat A = X * X.t() / (s * s) + arma::eye(d, d) / (prior * prior);
  const arma::vec mean = arma::solve(A, X * t.t() / (s * s));

  using LinearModel = mlpack::FFN<GaussianLikelihood>;
  LinearModel network{ GaussianLikelihood(s) };
  network.Add<BayesianLinearNoBias>(1,
      BayesianOptions().PriorStddev(prior).InitialSigma(0.3));
  ELBO<LinearModel> elbo(network, X, t);
  elbo.Samples() = 100;
  for (const double step : { 0.02, 0.002, 0.0002 })
  {
    ens::Adam adam(StepSize(step, n), n, 0.9, 0.999, 1e-8, 1500 * n, 1e-9,
        false);
    adam.Optimize(elbo, network.Parameters());
  }
  auto* layer = FindBayesianLayers<arma::mat>(NetworkLayers(network))[0];

  // What is left is the noise of Adam's last steps, far below the posterior's
  // own width.
  const arma::vec sigma = 1 / arma::sqrt(A.diag());
  REQUIRE(arma::abs((layer->Means() - mean) / sigma).max() < 0.02);
  REQUIRE(arma::abs(layer->Sigmas() / sigma - 1).max() < 0.02);

  // L at its optimum is the log-evidence minus KL(mean field || posterior).
  const arma::mat cov = s * s * arma::eye(n, n) + prior * prior * X.t() * X;
  const double evidence = -0.5 *
      (arma::as_scalar(t * arma::solve(cov, t.t())) + arma::log_det_sympd(cov) +
          n * std::log(2 * arma::datum::pi));
  const double gap = -0.5 *
      (arma::log_det_sympd(A) - arma::accu(arma::log(A.diag())));
  elbo.Samples() = 20000;
  const double L = -elbo.Evaluate(network.Parameters(), 0, n);
  // Var[log p(Y | w)] of one draw is below (d/2 + 1) * 4 here; 5 SE.
  REQUIRE(std::abs(L - (evidence - gap)) <= 5 * std::sqrt(10.0 / 20000) + 0.01);
}

TEST_CASE("GroupIsFoundInTheNetwork", "[objective]")
{
  mlpack::RandomSeed(36);
  const arma::mat X(3, 4, arma::fill::randn), y(1, 4, arma::fill::zeros);
  const auto logOrder = [&](auto&& build)
  {
    mlpack::FFN<GaussianLikelihood> network;
    build(network);
    SymmetrizedELBO<decltype(network)> elbo(network, X, y);
    return std::exp(elbo.Symmetry().LogOrder());
  };

  REQUIRE(logOrder(
              [](auto& network)
              {
    network.template Add<BayesianLinear>(4);
    network.template Add<mlpack::LeakyReLU>();
    network.template Add<mlpack::Identity>();
    network.template Add<BayesianLinear>(3);
    network.template Add<mlpack::TanH>();
    network.template Add<BayesianLinear>(1);
  }) == Approx(24 * 48)); // Signs behind the odd function only.

  // Opposite outgoing weights behind an odd function are left out.
  REQUIRE(logOrder(
              [](auto& network)
              {
    network.template Add<BayesianLinear>(3);
    network.template Add<mlpack::TanH>();
    network.template Add<FixedLinear>(arma::mat("1 1 -1"));
  }) == Approx(2));

  // A fixed output: only units with equal outgoing weights are exchangeable.
  REQUIRE(logOrder(
              [](auto& network)
              {
    network.template Add<BayesianLinearNoBias>(5);
    network.template Add<mlpack::ReLU>();
    network.template Add<FixedLinear>(arma::mat("1 1 2 2 2"));
  }) == Approx(2 * 6));

  // Deterministic layers in front or behind have no part in G.
  REQUIRE(logOrder(
              [](auto& network)
              {
    network.template Add<mlpack::Linear>(6);
    network.template Add<mlpack::ReLU>();
    network.template Add<BayesianLinear>(3);
    network.template Add<mlpack::ReLU>();
    network.template Add<mlpack::Linear>(1);
  }) == Approx(1));
  REQUIRE(logOrder([](auto& network)
              { network.template Add<BayesianLinear>(1); }) == Approx(1));
}

TEST_CASE("ProbabilitiesInsteadOfLogitsAreRefused", "[objective]")
{
  mlpack::RandomSeed(37);
  const arma::mat X(3, 6, arma::fill::randn), y(1, 6, arma::fill::zeros);
  const auto build = [&](auto likelihood, auto* last)
  {
    mlpack::FFN<decltype(likelihood)> network;
    network.template Add<BayesianLinear>(1);
    symvi::AddOwned(network, last);
    SymmetrizedELBO<decltype(network)> elbo(network, X, y);
  };
  REQUIRE_THROWS_WITH(
      build(CategoricalLikelihood(), new compat::Softmax<arma::mat>()),
      ContainsSubstring("Softmax"));
  REQUIRE_THROWS_AS(
      build(BernoulliLikelihood(), new compat::Sigmoid<arma::mat>()),
      std::invalid_argument);
  REQUIRE_NOTHROW(
      build(CategoricalLikelihood(), new compat::LogSoftMax<arma::mat>()));
  REQUIRE_NOTHROW(
      build(GaussianLikelihood(1.0), new compat::Sigmoid<arma::mat>()));
}

TEST_CASE("RecurrentLayersAreRefusedByName", "[objective]")
{
  mlpack::RandomSeed(37);
  const arma::mat X(3, 6, arma::fill::randn), y(1, 6, arma::fill::zeros);
  mlpack::FFN<CategoricalLikelihood> network;
  network.Add<mlpack::LSTM>(4);
  network.Add<BayesianLinear>(2);
  REQUIRE_THROWS_WITH(ELBO<decltype(network)>(network, X, y),
      ContainsSubstring("LSTM"));
}

TEST_CASE("CentredPriorTakesNoPartInTheGroup", "[objective]")
{
  mlpack::RandomSeed(38);
  Problem p;
  p.network.Reset(3);
  auto layers = FindBayesianLayers<arma::mat>(NetworkLayers(p.network));
  layers[0]->SetPriorMean(
      arma::mat(layers[0]->PosteriorSize(), 1, arma::fill::ones));
  SymmetrizedELBO<Network> elbo(p.network, p.X, p.y);
  REQUIRE(elbo.Symmetry().LogOrder() == 0);
}

TEST_CASE("ObjectivesCheckTheirData", "[objective]")
{
  mlpack::RandomSeed(39);
  Problem p;
  using Objective = SymmetrizedELBO<Network>;
  arma::mat X = p.X;
  X(1, 7) = std::numeric_limits<double>::quiet_NaN();
  REQUIRE_THROWS_WITH(Objective(p.network, X, p.y),
      ContainsSubstring("column 7"));
  arma::mat y = p.y;
  y[5] = 3;
  REQUIRE_THROWS_WITH(Objective(p.network, p.X, y),
      ContainsSubstring("column 5"));
  REQUIRE_THROWS_AS(Objective(p.network, p.X, arma::mat(1, 3)),
      std::invalid_argument);
  REQUIRE_THROWS_AS(Objective(p.network, arma::mat(), arma::mat()),
      std::invalid_argument);
  REQUIRE_THROWS_WITH(
      Objective(p.network, arma::mat(5, 12, arma::fill::zeros), p.y),
      ContainsSubstring("5"));

  Objective elbo(p.network, p.X, p.y);
  elbo.Samples() = 0;
  arma::mat gradient;
  REQUIRE_THROWS_AS(
      elbo.EvaluateWithGradient(p.network.Parameters(), 0, gradient, 4),
      std::invalid_argument);
  elbo.Samples() = 1;
  elbo.Temperature() = -1;
  REQUIRE_THROWS_AS(elbo.Evaluate(p.network.Parameters(), 0, 4),
      std::invalid_argument);

  Network deterministic;
  deterministic.Add<mlpack::Linear>(3);
  REQUIRE_THROWS_WITH(Objective(deterministic, p.X, p.y),
      ContainsSubstring("Bayesian"));
  Network empty;
  REQUIRE_THROWS_AS(Objective(empty, p.X, p.y), std::invalid_argument);
}

TEST_CASE("OptimizersAndCallbacksWork", "[objective]")
{
  mlpack::RandomSeed(40);
  Problem p(60, 0.05);
  SymmetrizedELBO<Network> elbo(p.network, p.X, p.y);
  elbo.Freeze();
  const double start = elbo.Evaluate(p.network.Parameters());

  // An optimizer that evaluates away from its iterate.
  ens::L_BFGS lbfgs(5, 20);
  lbfgs.Optimize(elbo, p.network.Parameters());
  const double afterLBFGS = elbo.Evaluate(p.network.Parameters());
  REQUIRE(afterLBFGS < start);
  elbo.Thaw();

  p.network.Reset(3);
  std::ostringstream report, bar;
  ens::MomentumSGD sgd(StepSize(1e-3, 20), 20, 600, -1);
  sgd.Optimize(elbo, p.network.Parameters(), ens::Report(0.1, report));
  REQUIRE(report.str().find("Optimization Report") != std::string::npos);
  ens::Adam adam(StepSize(1e-2, 20), 20);
  adam.MaxIterations() = 60 * 50;
  adam.Optimize(elbo, p.network.Parameters(), ens::ProgressBar(70, bar),
      ens::EarlyStopAtMinLoss(20));
  REQUIRE(!bar.str().empty());
  elbo.Freeze();
  REQUIRE(elbo.Evaluate(p.network.Parameters()) < start);
}

TEST_CASE("FloatNetworksTrain", "[objective]")
{
  mlpack::RandomSeed(41);
  Problem p(80, 0.05);
  using FloatNetwork = mlpack::FFN<CategoricalLikelihoodType<arma::fmat>,
      mlpack::RandomInitialization, arma::fmat>;
  FloatNetwork network;
  network.Add<BayesianLinearType<arma::fmat>>(6);
  network.Add<symvi::compat::ReLU<arma::fmat>>();
  network.Add<BayesianLinearType<arma::fmat>>(3);
  SymmetrizedELBO<FloatNetwork> elbo(network,
      arma::conv_to<arma::fmat>::from(p.X),
      arma::conv_to<arma::fmat>::from(p.y));
  elbo.Freeze();
  const double start = elbo.Evaluate(network.Parameters());
  elbo.Thaw();
  ens::Adam adam(StepSize(1e-2, 20), 20);
  adam.MaxIterations() = 80 * 60;
  adam.Optimize(elbo, network.Parameters());
  elbo.Freeze();
  REQUIRE(elbo.Evaluate(network.Parameters()) < 0.8 * start);
}

TEST_CASE("DeterministicLayersInFrontAndBehind", "[objective]")
{
  mlpack::RandomSeed(43);
  mlpack::FFN<GaussianLikelihood> network{ GaussianLikelihood(1.0) };
  network.InputDimensions() = { 6, 6, 1 };
  network.Add<mlpack::Convolution>(2, 3, 3);
  network.Add<mlpack::TanH>();
  network.Add<mlpack::Linear>(5);
  network.Add<BayesianLinear>(4, BayesianOptions().InitialSigma(0.3));
  network.Add<mlpack::TanH>();
  network.Add<mlpack::Linear>(1);
  const arma::mat X(36, 10, arma::fill::randn), y(1, 10, arma::fill::randn);
  SymmetrizedELBO<decltype(network)> elbo(network, X, y);
  elbo.Freeze();
  arma::mat gradient;
  arma::mat& parameters = network.Parameters();
  elbo.EvaluateWithGradient(parameters, 2, gradient, 7);
  // Kernels, both linear layers and the posterior: every 7th parameter.
  for (size_t j = 0; j < parameters.n_elem; j += 7)
  {
    const double value = parameters[j], h = 1e-6;
    parameters[j] = value + h;
    const double up = elbo.Evaluate(parameters, 2, 7);
    parameters[j] = value - h;
    const double down = elbo.Evaluate(parameters, 2, 7);
    parameters[j] = value;
    REQUIRE(gradient[j] ==
        Approx((up - down) / (2 * h)).epsilon(1e-5).margin(1e-6));
  }
}

TEST_CASE("OneSeedFixesARun", "[objective]")
{
  const auto run = []
  {
    mlpack::RandomSeed(42);
    Problem p(40);
    SymmetrizedELBO<Network> elbo(p.network, p.X, p.y);
    ens::Adam adam(StepSize(1e-2, 10), 10);
    adam.MaxIterations() = 400;
    adam.Optimize(elbo, p.network.Parameters());
    return p.network.Parameters();
  };
  const arma::mat first = run(), second = run();
  REQUIRE(arma::approx_equal(first, second, "absdiff", 0));
}
