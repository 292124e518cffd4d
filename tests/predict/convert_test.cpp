/**
 * @file tests/predict/convert_test.cpp
 *
 * Deterministic network to Bayesian model and back.
 */
#include <symvi/model/convert.hpp>
#include <symvi/likelihood/gaussian.hpp>

#include "catch.hpp"

using namespace symvi;

namespace {

template<typename OutputType, typename MatType>
using Plain = mlpack::FFN<OutputType, mlpack::RandomInitialization, MatType>;

template<typename MatType>
MatType Points(const size_t rows, const size_t cols)
{
  arma::arma_rng::set_seed(5);
  return MatType(rows, cols, arma::fill::randn);
}

//! A classifier as mlpack's users write it.
template<typename MatType>
auto Classifier()
{
  mlpack::RandomSeed(3);
  Plain<compat::NegativeLogLikelihood<MatType>, MatType> network;
  network.template Add<symvi::compat::Linear<MatType>>(6);
  network.template Add<symvi::compat::ReLU<MatType>>();
  network.template Add<symvi::compat::LinearNoBias<MatType>>(5);
  network.template Add<symvi::compat::TanH<MatType>>();
  network.template Add<symvi::compat::Linear<MatType>>(3);
  network.template Add<symvi::compat::LogSoftMax<MatType>>();
  network.Reset(4);
  return network;
}

} // namespace

TEMPLATE_TEST_CASE("ClassifierThereAndBack", "[convert]", arma::mat, arma::fmat)
{
  using MatType = TestType;
  const double eps = std::is_same<MatType, arma::fmat>::value ? 1e-5 : 1e-12;
  auto network = Classifier<MatType>();
  const MatType points = Points<MatType>(4, 9);
  MatType logProbabilities;
  network.Predict(points, logProbabilities);

  // A posterior that is hardly wider than a point predicts the same.
  ConvertOptions options;
  options.relativeSigma = 0;
  options.minSigma = 1e-7;
  const auto model = ToBayesian<CategoricalLikelihoodType<MatType>>(network,
      CategoricalLikelihoodType<MatType>(), options);
  REQUIRE(model.Network().size() == 5); // No LogSoftMax: the output is logits.
  const auto prediction = model.Predict(points, PredictOptions(10));
  REQUIRE(arma::approx_equal(prediction.probabilities,
      MatType(arma::exp(logProbabilities)), "absdiff", 1e-4));

  // The plain network of posterior means has the weights it came from.
  auto plain = ToDeterministic(model);
  REQUIRE(
      arma::all(arma::vectorise(plain.Parameters() == network.Parameters())));
  MatType logits, expected;
  plain.Predict(points, logits);
  CategoricalLikelihoodType<MatType>().Mean(logits, expected);
  // mlpack's LogSoftMax approximates the exponential.
  REQUIRE(arma::approx_equal(expected, MatType(arma::exp(logProbabilities)),
      "absdiff", 1e-4));

  // With another output layer it trains in mlpack again.
  auto other = ToDeterministic<compat::MeanSquaredError<MatType>>(model);
  MatType again;
  other.Predict(points, again);
  REQUIRE(arma::approx_equal(again, logits, "absdiff", eps));
}

TEST_CASE("SigmaIsAFractionOfTheWeightWithAFloor", "[convert]")
{
  Plain<mlpack::MeanSquaredError, arma::mat> network;
  network.Add<mlpack::Linear>(2);
  network.Reset(2);
  network.Parameters().col(0) = arma::vec({ 2, -4, 0.001, 0, 1, -1 });
  ConvertOptions options;
  options.relativeSigma = 0.25;
  options.minSigma = 0.01;
  options.priorStddev = 3;
  auto model = ToBayesian<GaussianLikelihood>(network, GaussianLikelihood(0.5),
      options);
  const auto& layer = *model.BayesianLayers()[0];
  const arma::vec sigma({ 0.5, 1, 0.01, 0.01, 0.25, 0.25 });
  REQUIRE(
      arma::approx_equal(layer.Sigmas(), arma::mat(sigma), "reldiff", 1e-12));
  REQUIRE(arma::all(arma::vectorise(layer.Means() == network.Parameters())));
  REQUIRE(layer.PriorStddev() == 3);
  REQUIRE(layer.PriorMean().is_empty());
  REQUIRE(model.Likelihood().NoiseStddev() == 0.5);
  REQUIRE(ToDeterministic(model).Parameters().n_elem == 6);
}

TEST_CASE("PriorMayBeCentredAtTheWeights", "[convert]")
{
  auto network = Classifier<arma::mat>();
  ConvertOptions options;
  options.centrePrior = true;
  options.priorStddev = 0.1;
  options.relativeSigma = 0;
  options.minSigma = 0.1;
  auto model = ToBayesian<CategoricalLikelihood>(network,
      CategoricalLikelihood(), options);
  for (const auto* layer : model.BayesianLayers())
  {
    REQUIRE(arma::all(arma::vectorise(layer->PriorMean() == layer->Means())));
    // Posterior and prior coincide.
    REQUIRE(layer->KL() == Approx(0).margin(1e-10));
  }
}

TEST_CASE("OtherLayersAreCopiedWithTheirWeights", "[convert]")
{
  mlpack::RandomSeed(4);
  Plain<mlpack::MeanSquaredError, arma::mat> network;
  network.Add<mlpack::PReLU>(0.3);
  network.Add<symvi::compat::Linear<arma::mat, mlpack::L2Regularizer>>(4,
      mlpack::L2Regularizer(0.1));
  network.Add<mlpack::PReLU>(0.2);
  network.Add<mlpack::Linear>(1);
  network.Reset(25);
  const arma::mat points = Points<arma::mat>(25, 4);
  arma::mat expected, result;
  network.Predict(points, expected);

  auto model = ToBayesian<GaussianLikelihood>(network);
  REQUIRE(model.BayesianLayers().size() == 2);
  // Without the layer of the noise, which mlpack's loss knows nothing of.
  auto plain = ToDeterministic<mlpack::MeanSquaredError>(model);
  plain.Predict(points, result);
  REQUIRE(arma::approx_equal(expected, result, "absdiff", 1e-12));
}

TEST_CASE("BernoulliDropsItsSigmoid", "[convert]")
{
  mlpack::RandomSeed(4);
  Plain<mlpack::BCELoss, arma::mat> network;
  network.Add<mlpack::Linear>(3);
  network.Add<mlpack::Sigmoid>();
  network.Add<mlpack::Linear>(1);
  network.Add<mlpack::Sigmoid>();
  network.Reset(2);
  const auto model = ToBayesian<BernoulliLikelihood>(network);
  REQUIRE(model.Network().size() == 3);
  REQUIRE(ToBayesian<GaussianLikelihood>(network).BayesianLayers().size() == 2);
}

TEST_CASE("ConvertedModelTrains", "[convert]")
{
  // One more epoch of the ELBO from a deterministic start must not blow up.
  auto network = Classifier<arma::mat>();
  const arma::mat points = Points<arma::mat>(4, 60);
  arma::mat labels(1, 60);
  for (size_t i = 0; i < 60; ++i)
    labels(i) = (points(0, i) > 0) + (points(1, i) > 0);
  auto model = ToBayesian<CategoricalLikelihood>(network);
  const double before = model.Evaluate(points, labels);
  ens::Adam adam(StepSize(0.02, 20), 20);
  adam.MaxIterations() = 60 * 40;
  model.Train(points, labels, adam);
  REQUIRE(model.Evaluate(points, labels) < before);
}

TEST_CASE("ConversionErrors", "[convert]")
{
  using Catch::Matchers::ContainsSubstring;
  Plain<mlpack::MeanSquaredError, arma::mat> fresh;
  fresh.Add<mlpack::Linear>(2);
  REQUIRE_THROWS_AS(ToBayesian<GaussianLikelihood>(fresh), std::logic_error);
  BayesianFFN<GaussianLikelihood> model;
  model.Add<BayesianLinear>(2);
  REQUIRE_THROWS_AS(ToDeterministic(model), std::logic_error);

  fresh.Reset(2);
  ConvertOptions options;
  options.minSigma = 0;
  REQUIRE_THROWS_WITH(
      ToBayesian<GaussianLikelihood>(fresh, GaussianLikelihood(), options),
      ContainsSubstring("minSigma"));
  options.minSigma = 1;
  options.relativeSigma = -1;
  REQUIRE_THROWS_WITH(
      ToBayesian<GaussianLikelihood>(fresh, GaussianLikelihood(), options),
      ContainsSubstring(
          "relativeSigma must be finite and not negative, but is -1."));
}
