/**
 * @file tests/predict/predictive_test.cpp
 *
 * The stacked forward passes against one ordinary forward pass a draw.
 */
#include <symvi/layer/bayesian_linear.hpp>
#include <symvi/layer/fixed_linear.hpp>
#include <symvi/layer/learned_noise.hpp>
#include <symvi/likelihood/gaussian.hpp>
#include <symvi/predict/metrics.hpp>
#include <symvi/predict/predictive.hpp>

#include "predict/activation.hpp"

#include "catch.hpp"

#if defined(__linux__)
  #include <sys/resource.h>
#endif

using namespace symvi;

namespace {

template<typename MatType>
using Network = mlpack::FFN<CategoricalLikelihoodType<MatType>,
    mlpack::RandomInitialization, MatType>;

//! Wide posteriors, so that draws differ.
BayesianOptions Wide()
{
  return BayesianOptions().InitialSigma(0.4);
}

//! Two hidden Bayesian layers.
template<typename MatType>
Network<MatType> Deep()
{
  mlpack::RandomSeed(11);
  Network<MatType> network;
  network.template Add<BayesianLinearType<MatType>>(7, Wide());
  network.template Add<symvi::compat::ReLU<MatType>>();
  network.template Add<BayesianLinearNoBiasType<MatType>>(5, Wide());
  network.template Add<symvi::compat::TanH<MatType>>();
  network.template Add<BayesianLinearType<MatType>>(3, Wide());
  network.Reset(4);
  return network;
}

//! Deterministic layers in front, between and behind.
Network<arma::mat> Mixed()
{
  mlpack::RandomSeed(12);
  Network<arma::mat> network;
  network.Add<mlpack::Linear>(6);
  network.Add<mlpack::Sigmoid>();
  network.Add<mlpack::Linear>(5);
  network.Add<BayesianLinear>(8, Wide());
  network.Add<mlpack::LayerNorm>();
  network.Add<mlpack::LeakyReLU>(0.1);
  network.Add<mlpack::Dropout>(0.5);
  network.Add<BayesianLinear>(4, Wide());
  network.Add<mlpack::Linear>(3);
  network.Add<mlpack::Softmax>();
  network.Reset(4);
  return network;
}

template<typename MatType>
MatType Points(const size_t rows, const size_t cols)
{
  arma::arma_rng::set_seed(5);
  return MatType(rows, cols, arma::fill::randn);
}

//! The network's own forward pass, its posterior means replaced by a draw.
template<typename NetworkType, typename MatType>
MatType OrdinaryPass(NetworkType network, const MatType& weights,
    const MatType& points)
{
  size_t offset = 0, used = 0;
  for (const auto* layer : std::as_const(network).Network())
  {
    if (dynamic_cast<const BayesianLinearType<MatType>*>(layer))
    {
      const size_t n = layer->WeightSize() / 2;
      network.Parameters().rows(offset, offset + n - 1) = weights.rows(used,
          used + n - 1);
      used += n;
    }
    offset += layer->WeightSize();
  }
  MatType result;
  network.Predict(points, result);
  return result;
}

//! Greatest difference between Draws() and ordinary passes.
template<typename NetworkType, typename MatType>
double GreatestError(const NetworkType& network, const MatType& points,
    const PredictOptions& options)
{
  const Predictive<MatType> predictive(network);
  const auto draws = predictive.Draws(points, options);
  const MatType weights = predictive.Weights(options);
  double error = 0;
  for (size_t s = 0; s < options.samples; ++s)
  {
    const MatType own = OrdinaryPass(network, MatType(weights.col(s)), points);
    error = std::max(error, double(arma::abs(own - draws.slice(s)).max()));
  }
  return error;
}

//! Peculiar sizes that divide nothing.
PredictOptions Uneven(const size_t samples)
{
  PredictOptions options(samples, 3);
  options.pointsPerChunk = 9;
  options.pointsPerTile = 4;
  options.drawsPerBlock = 5;
  return options;
}

} // namespace

TEMPLATE_TEST_CASE("DrawsAreOrdinaryForwardPasses", "[predict]", arma::mat,
    arma::fmat)
{
  const bool isFloat = std::is_same<TestType, arma::fmat>::value;
  const double bound = isFloat ? 2e-4 : 1e-12;
  const Network<TestType> network = Deep<TestType>();
  const TestType points = Points<TestType>(4, 23);
  REQUIRE(GreatestError(network, points, PredictOptions(13, 3)) < bound);
  REQUIRE(GreatestError(network, points, Uneven(13)) < bound);
  REQUIRE(GreatestError(network, points, PredictOptions(1)) < bound);
}

TEST_CASE("DeterministicLayersAnywhere", "[predict]")
{
  const Network<arma::mat> network = Mixed();
  const arma::mat points = Points<arma::mat>(4, 23);
  REQUIRE(GreatestError(network, points, PredictOptions(13, 3)) < 1e-12);
  REQUIRE(GreatestError(network, points, Uneven(13)) < 1e-12);
}

TEST_CASE("ConvolutionInFront", "[predict]")
{
  mlpack::RandomSeed(13);
  Network<arma::mat> network;
  network.Add<mlpack::Convolution>(2, 3, 3);
  network.Add<mlpack::ReLU>();
  network.Add<mlpack::Padding>(1, 0, 0, 2); // Its copies lack a size.
  network.Add<BayesianLinear>(3, Wide());
  network.InputDimensions() = { 5, 5, 1 };
  network.Reset();
  const arma::mat points = Points<arma::mat>(25, 6);
  REQUIRE(GreatestError(network, points, Uneven(6)) < 1e-12);
}

TEMPLATE_TEST_CASE("ActivationsInPlace", "[predict]", double, float)
{
  const double eps = 4 * double(std::numeric_limits<TestType>::epsilon());
  arma::Col<TestType> x = arma::linspace<arma::Col<TestType>>(-100, 100, 4001);
  x(7) = std::numeric_limits<TestType>::infinity();
  x(8) = -x(7);
  x(9) = TestType(-1e-20);
  arma::Col<TestType> t = x, s = x, r = x;
  predict::Activate(Activation::TanH, t.memptr(), t.n_elem);
  predict::Activate(Activation::Sigmoid, s.memptr(), s.n_elem);
  predict::Activate(Activation::ReLU, r.memptr(), r.n_elem);
  for (size_t i = 0; i < x.n_elem; ++i)
  {
    const double value = double(x(i));
    REQUIRE(std::abs(double(t(i)) - std::tanh(value)) <= eps);
    REQUIRE(std::abs(double(s(i)) - 1 / (1 + std::exp(-value))) <= eps);
    REQUIRE(double(r(i)) == std::max(value, 0.0));
  }
}

TEST_CASE("ADrawIsAFunctionOfSeedAndNumber", "[predict]")
{
  const Network<arma::mat> network = Deep<arma::mat>();
  const Predictive<> predictive(network);
  const arma::mat few = predictive.Weights(PredictOptions(3, 9));
  const arma::mat many = predictive.Weights(PredictOptions(20, 9));
  REQUIRE(arma::all(arma::vectorise(few == many.head_cols(3))));
  const arma::mat other = predictive.Weights(PredictOptions(3, 10));
  REQUIRE(arma::all(arma::vectorise(few != other)));
}

TEMPLATE_TEST_CASE("SameSeedSameBits", "[predict]", arma::mat, arma::fmat)
{
  const Network<TestType> network = Deep<TestType>();
  const TestType points = Points<TestType>(4, 23);
  const CategoricalLikelihoodType<TestType> likelihood;
  PredictOptions options(50, 3);
  const auto a = PredictPosterior(network, points, likelihood, options);
  const auto b = PredictPosterior(network, points, likelihood, options);
  REQUIRE(arma::all(arma::vectorise(a.probabilities == b.probabilities)));
  REQUIRE(arma::all(arma::vectorise(a.entropy == b.entropy)));
  REQUIRE(arma::all(arma::vectorise(a.variance == b.variance)));
  REQUIRE(a.samples == 50);

  options.seed = 4;
  const auto c = PredictPosterior(network, points, likelihood, options);
  REQUIRE(arma::abs(a.probabilities - c.probabilities).max() > 1e-4);
}

TEST_CASE("BlockSizesDoNotMatter", "[predict]")
{
  const Network<arma::mat> network = Mixed();
  const arma::mat points = Points<arma::mat>(4, 23);
  const CategoricalLikelihood likelihood;
  const auto a = PredictPosterior(network, points, likelihood,
      PredictOptions(32, 3));
  const auto b = PredictPosterior(network, points, likelihood, Uneven(32));
  REQUIRE(
      arma::approx_equal(a.probabilities, b.probabilities, "absdiff", 1e-13));
  REQUIRE(arma::approx_equal(a.mutualInformation, b.mutualInformation,
      "absdiff", 1e-13));
}

TEST_CASE("ClassificationIsTheAverageOfDraws", "[predict]")
{
  const Network<arma::mat> network = Deep<arma::mat>();
  const arma::mat points = Points<arma::mat>(4, 6);
  const arma::mat labels("0 1 2 0 1 2");
  const CategoricalLikelihood likelihood;
  const PredictOptions options(37, 8);
  const Predictive<> predictive(network);
  const arma::cube draws = predictive.Draws(points, options);
  arma::mat mean(3, 6, arma::fill::zeros), p;
  for (size_t s = 0; s < 37; ++s)
  {
    likelihood.Mean(draws.slice(s), p);
    mean += p / 37;
  }
  const auto result = predictive.Predict(points, likelihood, options);
  REQUIRE(arma::approx_equal(result.probabilities, mean, "absdiff", 1e-13));

  // The density of a label is its averaged probability.
  const arma::rowvec density = predictive.LogDensity(points, labels, likelihood,
      options);
  REQUIRE(-arma::mean(density) ==
      Approx(NegativeLogLikelihood(mean, labels)).epsilon(1e-12));
}

TEST_CASE("BernoulliPredictive", "[predict]")
{
  const Network<arma::mat> network = Deep<arma::mat>();
  const arma::mat points = Points<arma::mat>(4, 6);
  const PredictOptions options(25, 8);
  const Predictive<> predictive(network);
  const auto result = predictive.Predict(points, BernoulliLikelihood(),
      options);
  const arma::cube draws = predictive.Draws(points, options);
  const arma::mat mean = arma::mean(1 / (1 + arma::exp(-draws)), 2);
  REQUIRE(arma::approx_equal(result.probabilities, mean, "absdiff", 1e-13));
  REQUIRE(result.mutualInformation.n_rows == 3);
  REQUIRE(result.mutualInformation.min() >= 0);
}

TEST_CASE("GaussianPredictiveWithLearnedNoise", "[predict]")
{
  mlpack::RandomSeed(14);
  mlpack::FFN<HeteroscedasticGaussianLikelihood> network;
  network.Add<BayesianLinear>(6, Wide());
  network.Add<mlpack::TanH>();
  network.Add<BayesianLinear>(2, Wide());
  network.Add<LearnedNoise>(0.3);
  network.Reset(4);
  const arma::mat points = Points<arma::mat>(4, 12);
  const arma::mat targets = Points<arma::mat>(2, 12);
  const HeteroscedasticGaussianLikelihood likelihood;

  PredictOptions options = Uneven(40);
  options.quantiles = { 0.5 };
  const Predictive<> predictive(network);
  const auto result = predictive.Predict(points, likelihood, options);
  const arma::cube draws = predictive.Draws(points, options);
  const arma::cube means = draws.rows(0, 1);
  REQUIRE(arma::approx_equal(result.mean, arma::mat(arma::mean(means, 2)),
      "absdiff", 1e-12));
  REQUIRE(result.aleatoricVariance.max() == Approx(0.09).epsilon(1e-4));
  REQUIRE(result.epistemicVariance.min() > 0);
  REQUIRE(arma::all(arma::vectorise(result.lower < result.Quantile(0.5))));
  REQUIRE(arma::all(arma::vectorise(result.upper > result.Quantile(0.5))));

  // Log density against the score of the stored mixture.
  const arma::rowvec density = predictive.LogDensity(points, targets,
      likelihood, options);
  const double stddev = HeteroscedasticGaussianLikelihood::Noise(
      draws(2, 0, 0));
  REQUIRE(-arma::mean(density) ==
      Approx(MixtureNegativeLogLikelihood(means, stddev, targets)));
}

TEMPLATE_TEST_CASE("SymmetrizedDrawsAreTheSameFunctions", "[predict]",
    arma::mat, arma::fmat)
{
  const bool isFloat = std::is_same<TestType, arma::fmat>::value;
  const Network<TestType> network = Deep<TestType>();
  const TestType points = Points<TestType>(4, 10);
  PredictOptions options(20, 6);
  const Predictive<TestType> predictive(network);
  const auto plain = predictive.Draws(points, options);
  const TestType weights = predictive.Weights(options);
  options.fromSymmetrized = true;
  const auto moved = predictive.Draws(points, options);
  const TestType movedWeights = predictive.Weights(options);

  REQUIRE(arma::abs(plain - moved).max() < (isFloat ? 2e-4 : 1e-12));
  // The same numbers at other places, with other signs behind tanh.
  REQUIRE(arma::abs(weights - movedWeights).max() > 0.1);
  REQUIRE(arma::any(
      arma::vectorise(arma::sort(weights) != arma::sort(movedWeights))));
  REQUIRE(arma::all(arma::vectorise(arma::sort(TestType(arma::abs(weights))) ==
      arma::sort(TestType(arma::abs(movedWeights))))));
  REQUIRE(GreatestError(network, points, options) < (isFloat ? 2e-4 : 1e-12));
}

TEST_CASE("SymmetrizedDrawsAreUniform", "[predict]")
{
  // Bias i of the first layer is i: where it lands shows the permutation.
  mlpack::RandomSeed(15);
  Network<arma::mat> network;
  network.Add<BayesianLinear>(3, BayesianOptions().InitialSigma(1e-6));
  network.Add<mlpack::ReLU>();
  network.Add<BayesianLinear>(2);
  network.Reset(1);
  network.Parameters().rows(3, 5) = arma::vec({ 0, 1, 2 });
  PredictOptions options(6000, 2);
  options.fromSymmetrized = true;
  const arma::mat weights = Predictive<>(network).Weights(options);
  std::map<std::vector<int>, size_t> counts;
  for (size_t s = 0; s < 6000; ++s)
    ++counts[{ int(std::round(weights(3, s))), int(std::round(weights(4, s))),
        int(std::round(weights(5, s))) }];
  // Six permutations, 1000 each; binomial standard deviation 28.9.
  REQUIRE(counts.size() == 6);
  for (const auto& count : counts)
    REQUIRE(std::abs(double(count.second) - 1000) < 5 * 28.9);
}

TEST_CASE("FixedOutgoingWeightsKeepOrbits", "[predict]")
{
  mlpack::RandomSeed(16);
  mlpack::FFN<GaussianLikelihood> network;
  network.Add<BayesianLinear>(4, Wide());
  network.Add<mlpack::ReLU>();
  network.Add<FixedLinear>(arma::mat("1 2 1 2"));
  network.Reset(2);
  const arma::mat points = Points<arma::mat>(2, 10);
  PredictOptions options(20, 6);
  const Predictive<> predictive(network);
  const arma::cube plain = predictive.Draws(points, options);
  const arma::mat weights = predictive.Weights(options);
  options.fromSymmetrized = true;
  REQUIRE(arma::abs(predictive.Draws(points, options) - plain).max() < 1e-12);
  REQUIRE(arma::abs(predictive.Weights(options) - weights).max() > 0.1);
}

TEST_CASE("WeightsHaveThePosteriorsMoments", "[predict]")
{
  const Network<arma::mat> network = Deep<arma::mat>();
  const size_t n = 4000;
  const arma::mat weights = Predictive<>(network).Weights(PredictOptions(n, 1));
  // First layer: 35 means, sigma 0.4.  Five standard errors.
  const arma::vec mean = arma::mean(weights, 1);
  const arma::vec stddev = arma::stddev(weights, 0, 1);
  for (size_t i = 0; i < 35; ++i)
  {
    REQUIRE(std::abs(mean(i) - network.Parameters()(i)) <
        5 * 0.4 / std::sqrt(double(n)));
    REQUIRE(std::abs(stddev(i) - 0.4) < 5 * 0.4 / std::sqrt(2.0 * n));
  }
}

TEST_CASE("TheNetworkIsNotTouched", "[predict]")
{
  Network<arma::mat> network = Mixed();
  const arma::mat points = Points<arma::mat>(4, 23);
  arma::mat before, after;
  network.Predict(points, before);
  const arma::mat parameters = network.Parameters();
  const double* memory = network.Parameters().memptr();
  auto* layer = dynamic_cast<BayesianLinearType<arma::mat>*>(
      std::as_const(network).Network()[3]);
  layer->Training() = true;
  layer->Draw();
  const arma::mat draw = layer->Weights();
  const uint64_t counter = layer->Stream().Counter();

  PredictPosterior(std::as_const(network), points, CategoricalLikelihood(),
      PredictOptions(10));
  REQUIRE(layer->Training());
  REQUIRE(network.Parameters().memptr() == memory);
  REQUIRE(arma::all(arma::vectorise(network.Parameters() == parameters)));
  REQUIRE(arma::all(arma::vectorise(layer->Weights() == draw)));
  REQUIRE(layer->Stream().Counter() == counter);
  network.Predict(points, after);
  REQUIRE(arma::all(arma::vectorise(before == after)));
}

// Sanitizers keep freed memory for a while.
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
TEST_CASE("MemoryDoesNotGrowWithDraws", "[predict]")
{
  const auto peak = []
  {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return size_t(usage.ru_maxrss); // Kilobytes.
  };
  const Network<arma::mat> network = Deep<arma::mat>();
  const arma::mat points = Points<arma::mat>(4, 200);
  PredictPosterior(network, points, CategoricalLikelihood(),
      PredictOptions(100));
  const size_t before = peak();
  PredictPosterior(network, points, CategoricalLikelihood(),
      PredictOptions(5000));
  // The draws themselves would take 5000 * 200 * 3 doubles, 23 MB.
  REQUIRE(peak() - before < 2000);
}
#endif

TEST_CASE("PredictiveErrors", "[predict]")
{
  const Network<arma::mat> network = Deep<arma::mat>();
  const Predictive<> predictive(network);
  const arma::mat points = Points<arma::mat>(4, 3);
  const CategoricalLikelihood likelihood;
  using Catch::Matchers::ContainsSubstring;

  REQUIRE_THROWS_WITH(predictive.Draws(Points<arma::mat>(5, 3)),
      ContainsSubstring("must have 4 rows, but has 5"));
  REQUIRE_THROWS_WITH(predictive.Predict(points, likelihood, PredictOptions(0)),
      ContainsSubstring("samples must be positive"));
  REQUIRE_THROWS_WITH(predictive.LogDensity(points, arma::mat("0 1 7"),
                          likelihood, PredictOptions(2)),
      ContainsSubstring("column 2"));

  Network<arma::mat> fresh;
  fresh.Add<BayesianLinear>(3);
  REQUIRE_THROWS_AS(Predictive<>(fresh).Draws(points), std::logic_error);
  Network<arma::mat> plain;
  plain.Add<mlpack::Linear>(3);
  plain.Reset(4);
  REQUIRE_THROWS_WITH(Predictive<>(plain).Draws(points),
      ContainsSubstring("must have a Bayesian layer"));

  // No points, no columns.
  REQUIRE(predictive.Predict(arma::mat(4, 0), likelihood, PredictOptions(2))
              .probabilities.n_cols == 0);
}
