/**
 * @file benchmarks/runs.cpp
 *
 * Whole trainings in the regimes that people have, symmetrized against
 * mean-field and against a plain mlpack network of the same shape and number of
 * steps, with I(g; w) / log|G| beside: how far the units are apart decides what
 * I(g; w) costs.
 *
 *   runs [--quick]
 */
#include <symvi/layer/bayesian_linear.hpp>
#include <symvi/likelihood/categorical.hpp>
#include <symvi/likelihood/gaussian.hpp>
#include <symvi/model/compute_elbo.hpp>
#include <symvi/objective/symmetrized_elbo.hpp>
#include <symvi/optimizer/adam.hpp>

#include <ctime>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace {

//! Data, shape and length of a training.
struct Regime
{
  std::string name;
  size_t inputs, points;
  //! 0 for regression.
  size_t classes;
  std::vector<size_t> hidden;
  size_t batch, epochs;
  double initialSigma;
};

//! Points from a random smooth function, or from noisy class centres.
void Generate(const Regime& regime, arma::mat& X, arma::mat& y)
{
  arma::arma_rng::set_seed(7);
  X.randn(regime.inputs, regime.points);
  if (regime.classes == 0)
  {
    const arma::mat A(6, regime.inputs, arma::fill::randn);
    y = arma::sum(arma::sin(A * X / std::sqrt(double(regime.inputs))), 0) +
        0.3 * arma::randn<arma::rowvec>(regime.points);
    y /= arma::stddev(arma::vectorise(y));
    return;
  }
  const arma::mat centres(regime.inputs, regime.classes, arma::fill::randn);
  y.set_size(1, regime.points);
  for (size_t i = 0; i < regime.points; ++i)
  {
    y[i] = double(i % regime.classes);
    X.col(i) = 0.5 * X.col(i) + 0.3 * centres.col(i % regime.classes);
  }
}

//! Processor seconds of a training by mini-batches, as ens::SGD drives it.
template<typename Update, typename Objective>
double Seconds(Objective& objective, arma::mat& parameters,
    const Regime& regime)
{
  Update update;
  typename Update::template Policy<arma::mat, arma::mat> policy(update,
      parameters.n_rows, parameters.n_cols);
  arma::mat gradient(parameters.n_rows, parameters.n_cols);
  const std::clock_t start = std::clock();
  for (size_t epoch = 0; epoch < regime.epochs; ++epoch)
    for (size_t at = 0; at + regime.batch <= regime.points; at += regime.batch)
    {
      objective.EvaluateWithGradient(parameters, at, gradient, regime.batch);
      policy.Update(parameters, 3e-3, gradient);
    }
  return double(std::clock() - start) / CLOCKS_PER_SEC;
}

//! Seconds of a Bayesian network; `share` is I(g; w) / log|G| at its end.
template<typename LikelihoodType>
double Bayesian(const Regime& regime, const arma::mat& X, const arma::mat& y,
    const LikelihoodType& likelihood, const bool symmetrize, double& share)
{
  using Layer = symvi::BayesianLinearType<arma::mat>;
  mlpack::RandomSeed(3);
  const symvi::BayesianOptions options = symvi::BayesianOptions().InitialSigma(
      regime.initialSigma);
  mlpack::FFN<LikelihoodType> network(likelihood);
  for (const size_t width : regime.hidden)
  {
    network.template Add<Layer>(width, options);
    network.template Add<symvi::compat::ReLU<arma::mat>>();
  }
  network.template Add<Layer>(std::max<size_t>(regime.classes, 1), options);
  symvi::SymmetrizedELBO<decltype(network)> elbo(network, X, y,
      symmetrize ? symvi::MakeEstimator() : nullptr);
  const double seconds = Seconds<symvi::AdamUpdate>(elbo, network.Parameters(),
      regime);
  const symvi::ElboReport report = symvi::ComputeElbo(network, likelihood,
      arma::mat(X.head_cols(10)), arma::mat(y.head_cols(10)),
      symvi::MakeEstimator(), 3, 1);
  share = report.information.value / report.logGroupOrder;
  return seconds;
}

//! Seconds of a plain network with ens::Adam.
template<typename LossType>
double Plain(const Regime& regime, const arma::mat& X, const arma::mat& y)
{
  mlpack::FFN<LossType> network;
  for (const size_t width : regime.hidden)
  {
    network.template Add<symvi::compat::Linear<arma::mat>>(width);
    network.template Add<symvi::compat::ReLU<arma::mat>>();
  }
  network.template Add<symvi::compat::Linear<arma::mat>>(
      std::max<size_t>(regime.classes, 1));
  if (regime.classes > 0)
    network.template Add<symvi::compat::LogSoftMax<arma::mat>>();
  network.ResetData(X, y);
  network.Reset(X.n_rows);
  network.Parameters().col(0) *= 0.05;
  network.SetNetworkMode(true);
  return Seconds<ens::AdamUpdate>(network, network.Parameters(), regime);
}

template<typename LossType, typename LikelihoodType>
void Measure(const Regime& regime, const LikelihoodType& likelihood,
    const size_t repetitions)
{
  arma::mat X, y;
  Generate(regime, X, y);
  double plain = std::numeric_limits<double>::infinity(), meanField = plain;
  double symmetrized = plain, share = 0.0;
  for (size_t r = 0; r < repetitions; ++r)
  {
    plain = std::min(plain, Plain<LossType>(regime, X, y));
    meanField = std::min(meanField,
        Bayesian(regime, X, y, likelihood, false, share));
    symmetrized = std::min(symmetrized,
        Bayesian(regime, X, y, likelihood, true, share));
  }
  std::printf("| %s | %.2f | %.2f | %.2f | %.2f | %.2f |\n",
      regime.name.c_str(), share, meanField, symmetrized,
      symmetrized / meanField, symmetrized / plain);
  std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv)
{
  const bool quick = (argc > 1 && std::strcmp(argv[1], "--quick") == 0);
  const size_t few = quick ? 1 : 4;
  const std::vector<Regime> regimes = { { "table, 8 inputs, 20 units", 8, 1000,
                                            0, { 20 }, 100, 100 * few, .1 },
    { "table, 8 inputs, 50 units", 8, 1000, 0, { 50 }, 100, 100 * few, .1 },
    { "table, 11 inputs, 100 units", 11, 1600, 0, { 100 }, 100, 50 * few, .1 },
    { "table, 8 inputs, 50-50 units", 8, 1000, 0, { 50, 50 }, 100, 50 * few,
        .1 },
    { "digits, 64 inputs, 32 units", 64, 1800, 10, { 32 }, 100, 20 * few, .05 },
    { "images, 784 inputs, 30 units", 784, 2000, 10, { 30 }, 100, 3 * few,
        .05 },
    { "images, 784 inputs, 128 units", 784, 2000, 10, { 128 }, 100, 2 * few,
        .05 },
    { "images, 784 inputs, 512 units", 784, 2000, 10, { 512 }, 100, few, .05 },
    { "images, 784 inputs, 200-100 units", 784, 1920, 10, { 200, 100 }, 64, few,
        .05 },
    { "at the prior, 784 inputs, 512 units", 784, 2000, 10, { 512 }, 100, few,
        1.0 } };
  std::printf("| regime | I / log G | mean-field, s | symmetrized, s | "
              "/ mean-field | / mlpack |\n|---|---|---|---|---|---|\n");
  for (const Regime& regime : regimes)
  {
    if (regime.classes > 0)
      Measure<mlpack::NegativeLogLikelihood>(regime,
          symvi::CategoricalLikelihood(), quick ? 1 : 2);
    else
      Measure<mlpack::MeanSquaredError>(regime, symvi::GaussianLikelihood(1.0),
          quick ? 1 : 2);
  }
}
