/**
 * @file part_test.cpp
 *
 * Objectives that hold parts of the points sum to that of all points.
 */
#include "catch.hpp"

#include <symvi/layer/learned_noise.hpp>
#include <symvi/likelihood/gaussian.hpp>
#include <symvi/objective/symmetrized_elbo.hpp>

using namespace symvi;
using Catch::Matchers::ContainsSubstring;

namespace {

template<typename MatType>
using Network = mlpack::FFN<GaussianLikelihoodType<MatType>,
    mlpack::RandomInitialization, MatType>;

template<typename MatType>
Network<MatType> MakeNetwork()
{
  Network<MatType> network(GaussianLikelihoodType<MatType>(0.4));
  network.template Add<BayesianLinearType<MatType>>(4);
  network.template Add<compat::ReLU<MatType>>();
  network.template Add<BayesianLinearType<MatType>>(2);
  return network;
}

} // namespace

TEMPLATE_TEST_CASE("ObjectivesOfPartsSumToTheWhole", "[objective]", arma::mat,
    arma::fmat)
{
  const double tolerance = std::is_same_v<TestType, arma::mat> ? 1e-12 : 2e-5;
  SeedThisThread(8);
  TestType X(3, 20), y(2, 20);
  RandomStream stream(3);
  stream.FillNormal(X.memptr(), X.n_elem);
  stream.FillNormal(y.memptr(), y.n_elem);
  const std::vector<size_t> ends = { 0, 11, 13, 20 };
  for (const char* name : { "auto", "uniform" })
  {
    Network<TestType> network = MakeNetwork<TestType>();
    SymmetrizedELBO<Network<TestType>> whole(network, X, y,
        MakeEstimator(name));
    const TestType parameters = network.Parameters();
    whole.Samples() = 2;
    whole.WarmUpEpochs() = 3.0;
    whole.Seed(6);
    std::vector<Network<TestType>> networks(3, MakeNetwork<TestType>());
    std::vector<std::unique_ptr<SymmetrizedELBO<Network<TestType>>>> parts;
    for (size_t p = 0; p < 3; ++p)
    {
      parts.push_back(std::make_unique<SymmetrizedELBO<Network<TestType>>>(
          networks[p], X.cols(ends[p], ends[p + 1] - 1),
          y.cols(ends[p], ends[p + 1] - 1), MakeEstimator(name)));
      parts.back()->HoldPart(20, 3);
      parts.back()->Samples() = 2;
      parts.back()->WarmUpEpochs() = 3.0;
      parts.back()->Seed(6);
    }
    // Batches that one or two of the parts hold nothing of.
    for (size_t begin = 0; begin < 20; begin += 4)
    {
      TestType gradient, part, sum(arma::size(parameters), arma::fill::zeros);
      const double value = whole.EvaluateWithGradient(parameters, begin,
          gradient, 4);
      double total = 0.0;
      for (size_t p = 0; p < 3; ++p)
      {
        const size_t first = std::min(std::max(begin, ends[p]), ends[p + 1]);
        const size_t last = std::min(std::max(begin + 4, ends[p]), ends[p + 1]);
        total += parts[p]->EvaluateWithGradient(parameters,
            BatchPart{ first - ends[p], last - first, begin, 4 }, part, true);
        sum += part;
      }
      CHECK(total == Approx(value).epsilon(tolerance));
      CHECK(double(arma::norm(sum - gradient) / arma::norm(gradient)) <
          tolerance);
    }
    CHECK(parts[0]->Terms().kl == Approx(whole.Terms().kl).epsilon(tolerance));
    CHECK(parts[0]->EpochsSeen() == 1.0);
  }
}

TEST_CASE("PartsAreChecked", "[objective]")
{
  arma::mat X(3, 5, arma::fill::randn), y(2, 5, arma::fill::randn), gradient;
  Network<arma::mat> network = MakeNetwork<arma::mat>();
  SymmetrizedELBO<Network<arma::mat>> elbo(network, X, y);
  CHECK_THROWS_WITH(elbo.HoldPart(4, 2), ContainsSubstring("at least"));
  CHECK_THROWS_WITH(elbo.HoldPart(9, 0), ContainsSubstring("one part"));
  CHECK_THROWS_AS(elbo.EvaluateWithGradient(network.Parameters(),
                      BatchPart{ 0, 0, 0, 4 }, gradient, true),
      std::invalid_argument);
  elbo.HoldPart(9, 2);
  CHECK_NOTHROW(elbo.EvaluateWithGradient(network.Parameters(),
      BatchPart{ 0, 0, 0, 4 }, gradient, true));
  CHECK_THROWS_AS(elbo.EvaluateWithGradient(network.Parameters(),
                      BatchPart{ 3, 3, 3, 4 }, gradient, true),
      std::invalid_argument);

  Network<arma::mat> local(GaussianLikelihood(0.4));
  local.Add<BayesianLinear>(2, BayesianOptions().Sample(Sampling::Local));
  SymmetrizedELBO<Network<arma::mat>> other(local, X, y);
  CHECK_THROWS_WITH(other.HoldPart(9, 2), ContainsSubstring("Local"));
}
