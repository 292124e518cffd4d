/**
 * @file tests/predict/prune_test.cpp
 *
 * Pruning by signal-to-noise ratio.
 */
#include <symvi/likelihood/gaussian.hpp>
#include <symvi/model/convert.hpp>
#include <symvi/model/prune.hpp>

#include "catch.hpp"

using namespace symvi;

namespace {

//! rho of a standard deviation.
double Rho(const double sigma)
{
  return std::log(std::expm1(sigma));
}

template<typename MatType>
MatType Points(const size_t rows, const size_t cols)
{
  arma::arma_rng::set_seed(5);
  return MatType(rows, cols, arma::fill::randn);
}

//! 3 inputs, hidden layers of 4 and 3 units, 2 outputs.
template<typename MatType>
auto Deep()
{
  mlpack::RandomSeed(8);
  BayesianFFN<GaussianLikelihoodType<MatType>, mlpack::RandomInitialization,
      MatType>
      model(GaussianLikelihoodType<MatType>(0.5));
  model.template Add<BayesianLinearType<MatType>>(4);
  model.template Add<symvi::compat::TanH<MatType>>();
  model.template Add<BayesianLinearType<MatType>>(3);
  model.template Add<symvi::compat::ReLU<MatType>>();
  model.template Add<BayesianLinearNoBiasType<MatType>>(2);
  model.Reset(3);
  return model;
}

//! Outputs of the network of posterior means.
template<typename ModelType, typename MatType>
MatType MeanOutputs(const ModelType& model, const MatType& points)
{
  MatType outputs;
  ToDeterministic(model).Predict(points, outputs);
  return outputs;
}

} // namespace

TEST_CASE("WeightsOfLeastRatioGo", "[prune]")
{
  BayesianFFN<GaussianLikelihood> model{ GaussianLikelihood(1.0) };
  model.Add<BayesianLinear>(2);
  model.Reset(2);
  // Ratios 4, 1, 2, 3; the biases have 0.1 and stay.
  model.Parameters().col(0) = arma::vec({ 2, -1, 1, -0.3, 0.1, 0.1, Rho(0.5),
      Rho(1), Rho(0.5), Rho(0.1), Rho(1), Rho(1) });
  const arma::vec ratios = WeightSignalToNoise(model);
  REQUIRE(
      arma::approx_equal(ratios, arma::vec({ 4, 1, 2, 3 }), "reldiff", 1e-12));

  const PruneReport report = PruneWeights(model, 0.5);
  REQUIRE(report.candidates == 4);
  REQUIRE(report.pruned == 2);
  REQUIRE(report.threshold == Approx(2));
  // Prior N(0, 1): (1 + 1 - 1) / 2 and (1/4 + 1 - 1) / 2 - log(1/2).
  REQUIRE(report.klRemoved == Approx(0.5 + 0.125 + std::log(2.0)));
  const arma::vec means = model.Parameters().head_rows(6);
  REQUIRE(arma::all(means == arma::vec({ 2, 0, 0, -0.3, 0.1, 0.1 })));
  const arma::mat weights =
      Predictive<>(std::as_const(model)).Weights(PredictOptions(20));
  REQUIRE(arma::abs(weights.rows(1, 2)).max() < 1e-7);

  // The fraction counts what is gone already.
  PruneWeights(model, 0.75);
  REQUIRE(arma::accu(model.Parameters().head_rows(4) == 0) == 3);
  REQUIRE(PruneWeights(model, 0).pruned == 0);
}

TEMPLATE_TEST_CASE("DeadUnitsAreTakenOut", "[prune]", arma::mat, arma::fmat)
{
  using MatType = TestType;
  auto model = Deep<MatType>();
  model.PredictSamples() = 17;
  model.Symmetrize() = false;
  // Outgoing weights of unit 2 of the first hidden layer: column 2 of a 3 x 4
  // matrix behind 2 * 16 parameters; of unit 0 of the second: the first two
  // of the 2 x 3 matrix behind 2 * 15 more.
  model.Parameters().rows(32 + 6, 32 + 8).zeros();
  model.Parameters().rows(62, 63).zeros();
  const std::vector<arma::vec> ratios = UnitSignalToNoise(model);
  REQUIRE(ratios.size() == 2);
  REQUIRE(ratios[0](2) == 0);
  REQUIRE(ratios[1](0) == 0);
  REQUIRE(ratios[0](0) > 0);

  const MatType points = Points<MatType>(3, 11);
  const MatType before = MeanOutputs(model, points);
  double klBefore = 0, klAfter = 0;
  for (const auto* layer : model.BayesianLayers())
    klBefore += layer->KL();

  const PruneReport report = PruneUnits(model, 2.0 / 7);
  REQUIRE(report.candidates == 7);
  REQUIRE(report.pruned == 2);
  REQUIRE(report.threshold == 0);
  REQUIRE(report.unitsLeft == std::vector<size_t>({ 3, 2 }));
  REQUIRE(model.Parameters().n_elem == 2 * (3 * 4 + 2 * 4 + 2 * 2));
  for (const auto* layer : model.BayesianLayers())
    klAfter += layer->KL();
  REQUIRE(report.klRemoved == Approx(klBefore - klAfter).epsilon(1e-4));

  // Units without outgoing weights do not matter to the mean network.
  const double eps = std::is_same<MatType, arma::fmat>::value ? 1e-5 : 1e-12;
  REQUIRE(
      arma::approx_equal(MeanOutputs(model, points), before, "absdiff", eps));
  REQUIRE(model.PredictSamples() == 17);
  REQUIRE(!model.Symmetrize());
  REQUIRE(model.Likelihood().NoiseStddev() == 0.5);
}

TEST_CASE("EveryHiddenLayerKeepsAUnit", "[prune]")
{
  auto model = Deep<arma::mat>();
  const PruneReport report = PruneUnits(model, 0.99);
  REQUIRE(report.unitsLeft == std::vector<size_t>({ 1, 1 }));
  REQUIRE(report.pruned == 5);
  REQUIRE(MeanOutputs(model, Points<arma::mat>(3, 4)).is_finite());
}

TEST_CASE("CentredPriorsShrinkToo", "[prune]")
{
  auto model = Deep<arma::mat>();
  for (auto* layer : model.BayesianLayers())
    layer->SetPriorMean(layer->Means());
  PruneUnits(model, 0.5);
  for (const auto* layer : model.BayesianLayers())
    REQUIRE(arma::all(arma::vectorise(layer->PriorMean() == layer->Means())));
}

TEST_CASE("UnitsBehindOtherLayersAreNoCandidates", "[prune]")
{
  BayesianFFN<GaussianLikelihood> model{ GaussianLikelihood(1.0) };
  model.Add<BayesianLinear>(4);
  model.Add<mlpack::Linear>(4);
  model.Add<BayesianLinear>(3);
  model.Add<mlpack::ReLU>();
  model.Add<BayesianLinear>(1);
  model.Reset(2);
  REQUIRE(UnitSignalToNoise(model).size() == 1);
  REQUIRE(PruneUnits(model, 0.5).unitsLeft == std::vector<size_t>({ 2 }));
}

TEST_CASE("CostOfPruningATrainedModel", "[prune]")
{
  // Two separated clouds need one of twelve hidden units.
  mlpack::RandomSeed(2);
  arma::mat points = Points<arma::mat>(2, 200);
  arma::mat labels(1, 200, arma::fill::zeros);
  points.head_cols(100).row(0) += 3;
  points.tail_cols(100).row(0) -= 3;
  labels.tail_cols(100).ones();
  BayesianFFN<CategoricalLikelihood> model;
  model.Add<BayesianLinear>(12);
  model.Add<mlpack::TanH>();
  model.Add<BayesianLinear>(2);
  ens::Adam adam(StepSize(0.02, 50), 50);
  adam.MaxIterations() = 200 * 150;
  model.Train(points, labels, adam);

  BayesianFFN<CategoricalLikelihood> copy(model);
  const PruneReport units = PruneUnits(model, 0.5, points, labels,
      PredictOptions(200));
  REQUIRE(units.unitsLeft == std::vector<size_t>({ 6 }));
  REQUIRE(units.errorBefore < 0.03);
  REQUIRE(units.errorAfter < 0.05);
  REQUIRE(units.Cost() == units.logDensityBefore - units.logDensityAfter);
  REQUIRE(std::abs(units.Cost()) < 0.2);
  REQUIRE(units.klRemoved > 0);

  const PruneReport weights = PruneWeights(copy, 0.5, points, labels,
      PredictOptions(200));
  REQUIRE(weights.pruned == 24);
  REQUIRE(weights.errorBefore == units.errorBefore);
  REQUIRE(weights.errorAfter < 0.05);
}

TEST_CASE("PruningErrors", "[prune]")
{
  using Catch::Matchers::ContainsSubstring;
  auto model = Deep<arma::mat>();
  REQUIRE_THROWS_WITH(PruneWeights(model, 1.0),
      ContainsSubstring("PruneWeights(): fraction must lie in [0, 1), but is "
                        "1."));
  REQUIRE_THROWS_AS(PruneUnits(model, -0.1), std::invalid_argument);
  BayesianFFN<GaussianLikelihood> fresh;
  fresh.Add<BayesianLinear>(2);
  REQUIRE_THROWS_AS(PruneWeights(fresh, 0.1), std::logic_error);
}
