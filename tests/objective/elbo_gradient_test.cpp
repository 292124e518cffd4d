/**
 * @file elbo_gradient_test.cpp
 *
 * The gradient of the whole objective against finite differences, with noise
 * and permutations frozen.
 */
#include "catch.hpp"

#include <symvi/information/estimators.hpp>
#include <symvi/likelihood/categorical.hpp>
#include <symvi/likelihood/gaussian.hpp>
#include <symvi/objective/symmetrized_elbo.hpp>

using namespace symvi;

namespace {

//! Relative error of the gradient, of a batch in the middle of the data.
template<typename ObjectiveType>
double GradientError(ObjectiveType& elbo, arma::mat& parameters)
{
  const size_t begin = 2, batch = 5;
  arma::mat gradient, numeric(parameters.n_rows, 1);
  elbo.EvaluateWithGradient(parameters, begin, gradient, batch);

  const double h = 3e-6;
  for (size_t j = 0; j < parameters.n_elem; ++j)
  {
    const double value = parameters[j];
    parameters[j] = value + h;
    const double up = elbo.Evaluate(parameters, begin, batch);
    parameters[j] = value - h;
    const double down = elbo.Evaluate(parameters, begin, batch);
    parameters[j] = value;
    numeric[j] = (up - down) / (2 * h);
  }
  return arma::norm(gradient - numeric) / arma::norm(numeric);
}

//! Targets of a likelihood with the given number of network outputs.
template<typename LikelihoodType>
arma::mat Targets(const size_t outputs, const size_t points)
{
  if (std::is_same<LikelihoodType, CategoricalLikelihood>::value)
  {
    return arma::floor(
        arma::mat(1, points, arma::fill::randu) * double(outputs));
  }
  if (std::is_same<LikelihoodType, BernoulliLikelihood>::value)
    return arma::round(arma::mat(outputs, points, arma::fill::randu));
  const bool pairs =
      std::is_same<LikelihoodType, HeteroscedasticGaussianLikelihood>::value;
  return arma::mat(pairs ? outputs / 2 : outputs, points, arma::fill::randn);
}

//! A likelihood that a plain network takes: with noise, if it needs a level.
template<typename LikelihoodType>
LikelihoodType MakeLikelihood()
{
  if constexpr (std::is_same_v<LikelihoodType, GaussianLikelihood>)
    return GaussianLikelihood(1.0);
  else
    return LikelihoodType();
}

} // namespace

TEMPLATE_TEST_CASE("ElboGradient", "[objective]", CategoricalLikelihood,
    GaussianLikelihood, HeteroscedasticGaussianLikelihood, BernoulliLikelihood)
{
  mlpack::RandomSeed(21);
  const arma::mat X(3, 9, arma::fill::randn);
  const arma::mat y = Targets<TestType>(2, 9);

  for (const std::vector<size_t>& widths :
      std::vector<std::vector<size_t>>{ { 4 }, { 3, 2 }, { 3, 2, 2 } })
  {
    for (const size_t S : { 1, 3 })
    {
      for (const size_t K : { 1, 2, 5 })
      {
        mlpack::FFN<TestType> network(MakeLikelihood<TestType>());
        // Wide posteriors overlap, so that permutations matter.
        for (const size_t width : widths)
        {
          network.template Add<BayesianLinear>(width,
              BayesianOptions().InitialSigma(0.6).PriorStddev(0.9));
          network.template Add<mlpack::TanH>();
        }
        network.template Add<BayesianLinear>(2,
            BayesianOptions().InitialSigma(0.6));
        SymmetrizedELBO<decltype(network)> elbo(network, X, y,
            UniformEstimator(K));
        elbo.Samples() = S;
        elbo.Temperature() = 0.7;
        elbo.FullGradient() = true;
        elbo.Freeze();
        CAPTURE(widths.size(), S, K);
        REQUIRE(GradientError(elbo, network.Parameters()) <= 1e-6);
      }
    }
  }
}

TEST_CASE("ElboGradientOfEveryEstimator", "[objective]")
{
  mlpack::RandomSeed(22);
  const arma::mat X(2, 9, arma::fill::randn);
  const arma::mat y = Targets<CategoricalLikelihood>(2, 9);
  for (const std::string& name : EstimatorNames())
  {
    mlpack::FFN<CategoricalLikelihood> network;
    network.Add<BayesianLinear>(4, BayesianOptions().InitialSigma(0.6));
    network.Add<mlpack::TanH>();
    network.Add<BayesianLinear>(2, BayesianOptions().InitialSigma(0.6));
    SymmetrizedELBO<decltype(network)> elbo(network, X, y, MakeEstimator(name));
    elbo.Temperature() = 20; // Make I(g; w) large against the data term.

    // The path-only gradient leaves out a zero-mean term; the mean of the
    // difference over many draws must vanish within its standard error.
    const size_t draws = 4000;
    arma::running_stat_vec<arma::vec> difference;
    arma::mat path, full;
    for (size_t i = 0; i < draws; ++i)
    {
      elbo.Freeze();
      elbo.FullGradient() = false;
      elbo.EvaluateWithGradient(network.Parameters(), 0, path, 9);
      elbo.FullGradient() = true;
      elbo.EvaluateWithGradient(network.Parameters(), 0, full, 9);
      difference(arma::vectorise(full - path));
      elbo.Thaw();
    }
    CAPTURE(name);
    for (size_t j = 0; j < path.n_elem; ++j)
    {
      const double se = std::sqrt(difference.var()[j] / draws);
      REQUIRE(std::abs(difference.mean()[j]) <= 5 * se + 1e-9);
    }
  }
}
