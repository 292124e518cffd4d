/**
 * @file fit_test.cpp
 *
 * Fit() of a BayesianFFN.
 */
#include "catch.hpp"

#include <symvi/model/fit.hpp>

#include "../io/scratch.hpp"

using namespace symvi;

namespace {

//! Two classes on either side of a line.
template<typename MatType>
void MakeData(MatType& points, MatType& labels)
{
  points.set_size(2, 60);
  RandomStream(9).FillNormal(points.memptr(), points.n_elem);
  labels = arma::conv_to<MatType>::from(points.row(0) > points.row(1));
}

template<typename MatType>
BayesianFFN<CategoricalLikelihoodType<MatType>, mlpack::RandomInitialization,
    MatType>
MakeModel()
{
  BayesianFFN<CategoricalLikelihoodType<MatType>, mlpack::RandomInitialization,
      MatType>
      model;
  model.template Add<BayesianLinear>(4);
  model.template Add<compat::TanH<MatType>>();
  model.template Add<BayesianLinear>(2);
  return model;
}

} // namespace

TEMPLATE_TEST_CASE("FitTrainsAModel", "[Fit]", arma::mat, arma::fmat)
{
  TestType points, labels;
  MakeData(points, labels);
  auto model = MakeModel<TestType>();
  const FitReport report = model.Fit(points, labels,
      FitOptions().Epochs(400).Validation(0.2).Seed(3));
  REQUIRE(report.seed == 3);
  REQUIRE(report.history.size() == report.epochs);
  REQUIRE(report.Kept() != nullptr);
  TestType probabilities;
  model.Predict(points, probabilities);
  const arma::uvec predicted = arma::index_max(probabilities, 0).t();
  const arma::uvec truth = arma::conv_to<arma::uvec>::from(labels.t());
  REQUIRE(arma::accu(predicted == truth) >= 50);

  // The seed decides everything.
  auto again = MakeModel<TestType>();
  Fit(again, points, labels, FitOptions().Epochs(400).Validation(0.2).Seed(3));
  REQUIRE(arma::all(arma::vectorise(again.Parameters() == model.Parameters())));
  // Without one, mlpack's generator does.
  mlpack::RandomSeed(5);
  auto one = MakeModel<TestType>();
  Fit(one, points, labels, FitOptions().Epochs(3));
  mlpack::RandomSeed(5);
  auto two = MakeModel<TestType>();
  Fit(two, points, labels, FitOptions().Epochs(3));
  REQUIRE(arma::all(arma::vectorise(one.Parameters() == two.Parameters())));
}

TEST_CASE("FitResumesBitForBit", "[Fit]")
{
  const double validation = GENERATE(0.0, 0.2);
  const Scratch scratch;
  arma::mat points, labels;
  MakeData(points, labels);
  const FitOptions options = FitOptions()
                                 .Epochs(5)
                                 .BatchSize(7)
                                 .Seed(3)
                                 .Validation(validation)
                                 .Schedule(StepSchedule::Constant(0.01))
                                 .KLWarmUp(0.0);
  auto whole = MakeModel<arma::mat>();
  const FitReport expected = Fit(whole, points, labels, options);
  for (size_t first = 1; first <= 5; ++first)
  {
    const std::string file = scratch.Path("c" + std::to_string(first));
    auto part = MakeModel<arma::mat>();
    Fit(part, points, labels,
        FitOptions(options).Epochs(first).Checkpoint(file));
    auto rest = MakeModel<arma::mat>();
    const FitReport report = Fit(rest, points, labels,
        FitOptions(options).Checkpoint(file).Resume(true));
    REQUIRE(report.keptEpoch == expected.keptEpoch);
    REQUIRE(
        arma::all(arma::vectorise(rest.Parameters() == whole.Parameters())));
  }
}

//! A schedule depends on the length of the run: cut off, not shortened.
TEST_CASE("ScheduledFitResumesBitForBit", "[Fit]")
{
  const Scratch scratch;
  arma::mat points, labels;
  MakeData(points, labels);
  const FitOptions options = FitOptions().Epochs(6).BatchSize(7).Seed(3);
  auto whole = MakeModel<arma::mat>();
  Fit(whole, points, labels, options);

  const std::string file = scratch.Path("c");
  size_t steps = 0;
  auto part = MakeModel<arma::mat>();
  Fit(part, points, labels,
      FitOptions(options).Checkpoint(file, 1).Interrupted(
          [&] { return ++steps > 30; }));
  auto rest = MakeModel<arma::mat>();
  Fit(rest, points, labels, FitOptions(options).Checkpoint(file).Resume(true));
  REQUIRE(arma::all(arma::vectorise(rest.Parameters() == whole.Parameters())));
  REQUIRE_THROWS_AS(
      Fit(rest, points, labels,
          FitOptions(options).Epochs(7).Checkpoint(file).Resume(true)),
      std::invalid_argument);
}

TEST_CASE("FitRefusesWhatDiverges", "[Fit]")
{
  arma::mat points, labels;
  MakeData(points, labels);
  auto model = MakeModel<arma::mat>();
  Fit(model, points, labels, FitOptions().Epochs(1).Seed(3));
  const arma::mat before = model.Parameters();
  points *= 1e160;
  REQUIRE_THROWS_AS(
      Fit(model, points, labels, FitOptions().Epochs(20).StepSize(1e6).Seed(3)),
      std::runtime_error);
  REQUIRE(arma::all(arma::vectorise(model.Parameters() == before)));
  REQUIRE_THROWS_AS(Fit(model, points, labels, FitOptions().Validation(0.001)),
      std::invalid_argument);
}

TEST_CASE("WeightOfTheKLDivergenceIsTheTemperature", "[Fit]")
{
  arma::mat points, labels;
  MakeData(points, labels);
  const FitOptions options = FitOptions().Epochs(3).Seed(3);
  auto warm = MakeModel<arma::mat>(), cold = MakeModel<arma::mat>(),
       cooled = MakeModel<arma::mat>();
  Fit(warm, points, labels, options);
  Fit(cold, points, labels, FitOptions(options).KLWeight(0.5));
  cooled.Temperature() = 0.5;
  Fit(cooled, points, labels, options);
  REQUIRE(arma::all(arma::vectorise(cold.Parameters() == cooled.Parameters())));
  REQUIRE(arma::any(arma::vectorise(cold.Parameters() != warm.Parameters())));
  REQUIRE_THROWS_AS(Fit(cold, points, labels, FitOptions().KLWeight(-1.0)),
      std::invalid_argument);
}

TEST_CASE("LearnedPriorsAreTheOptimumOfThePosterior", "[Fit]")
{
  const double validation = GENERATE(0.0, 0.2);
  const Scratch scratch;
  arma::mat points, labels;
  MakeData(points, labels);
  const FitOptions options = FitOptions()
                                 .Epochs(6)
                                 .BatchSize(7)
                                 .Seed(3)
                                 .Validation(validation)
                                 .LearnPrior(true);
  auto model = MakeModel<arma::mat>();
  const FitReport report = Fit(model, points, labels, options);
  REQUIRE(report.priors.size() == 2);
  for (size_t l = 0; l < 2; ++l)
  {
    BayesianLinearType<arma::mat>* layer = model.BayesianLayers()[l];
    REQUIRE(report.priors[l].weights == layer->PriorStddev());
    REQUIRE(report.priors[l].biases == layer->BiasPriorStddev());
    layer->LearnPriorStddev();
    REQUIRE(report.priors[l].weights == layer->PriorStddev());
    REQUIRE(report.priors[l].biases == layer->BiasPriorStddev());
    REQUIRE(report.priors[l].weights != 1.0);
  }
  const ElboReport elbo = model.Elbo(points, labels, 2);
  REQUIRE(elbo.priors.size() == 2);
  REQUIRE(elbo.priors[1].biases == report.priors[1].biases);

  // A run that was interrupted learns the same.
  const std::string file = scratch.Path("c");
  size_t steps = 0;
  auto part = MakeModel<arma::mat>();
  Fit(part, points, labels,
      FitOptions(options).Checkpoint(file, 1).Interrupted(
          [&] { return ++steps > 30; }));
  auto rest = MakeModel<arma::mat>();
  const FitReport resumed = Fit(rest, points, labels,
      FitOptions(options).Checkpoint(file).Resume(true));
  REQUIRE(arma::all(arma::vectorise(rest.Parameters() == model.Parameters())));
  REQUIRE(resumed.priors[0].weights == report.priors[0].weights);
  REQUIRE_THROWS_AS(
      Fit(rest, points, labels,
          FitOptions(options).LearnPrior(false).Checkpoint(file).Resume(true)),
      std::invalid_argument);

  // What diverges leaves the priors, too.
  points *= 1e160;
  REQUIRE_THROWS_AS(
      Fit(model, points, labels, FitOptions(options).Epochs(20).StepSize(1e6)),
      std::runtime_error);
  REQUIRE(model.BayesianLayers()[0]->PriorStddev() == report.priors[0].weights);
}
