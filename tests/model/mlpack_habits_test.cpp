/**
 * @file tests/model/mlpack_habits_test.cpp
 *
 * BayesianFFN in the hands of somebody who knows mlpack::FFN.
 */
#include "catch.hpp"

#include <symvi.hpp>

using namespace symvi;
using Catch::Matchers::ContainsSubstring;

namespace {

//! Labels by a line through the origin.
struct Data
{
  arma::mat X, y;

  explicit Data(const size_t n) : X(3, n, arma::fill::randn), y(1, n)
  {
    for (size_t i = 0; i < n; ++i)
      y[i] = X(0, i) + X(1, i) > 0;
  }

  arma::Row<size_t> Labels() const
  {
    return arma::conv_to<arma::Row<size_t>>::from(y);
  }
};

template<typename ModelType>
ModelType AddLayers(ModelType model, const size_t outputs = 2)
{
  model.template Add<BayesianLinear>(6);
  model.template Add<mlpack::TanH>();
  model.template Add<BayesianLinear>(outputs);
  return model;
}

using Classifier = BayesianFFN<CategoricalLikelihood>;

//! Counts epochs.
struct Epochs
{
  size_t count = 0;

  template<typename OptimizerType, typename FunctionType, typename MatType>
  bool EndEpoch(OptimizerType&, FunctionType&, const MatType&, const size_t,
      const double)
  {
    ++count;
    return false;
  }
};

} // namespace

TEST_CASE("EvaluateIsThePredictiveLoss", "[model]")
{
  mlpack::RandomSeed(91);
  const Data data(40);
  Classifier model = AddLayers(Classifier());
  ens::Adam adam(StepSize(1e-2, 20), 20);
  adam.MaxIterations() = 30 * 40;
  model.Train(data.X, data.y, adam);
  REQUIRE(model.Evaluate(data.X, data.y) ==
      Approx(
          -arma::accu(model.LogDensity(data.X, data.y, PredictOptions(20)))));
  REQUIRE(model.Evaluate(data.X, data.y, 7) ==
      Approx(-arma::accu(model.LogDensity(data.X, data.y, PredictOptions(7)))));
  REQUIRE(
      model.Evaluate(data.X, data.Labels()) == model.Evaluate(data.X, data.y));
  // The KL is no part of it, and it adds up over points.
  REQUIRE(model.Evaluate(data.X, data.y) < model.NegativeElbo(data.X, data.y));
  REQUIRE(model.NegativeElbo(data.X, data.Labels()) ==
      model.NegativeElbo(data.X, data.y));
  REQUIRE(model.Evaluate(data.X.head_cols(15), data.y.head_cols(15)) +
          model.Evaluate(data.X.tail_cols(25), data.y.tail_cols(25)) ==
      Approx(model.Evaluate(data.X, data.y)));
}

TEST_CASE("LabelsMayBeWholeNumbers", "[model]")
{
  mlpack::RandomSeed(92);
  const Data data(40);
  const Classifier start = AddLayers(Classifier());
  Classifier one = start, two = start;
  ens::Adam adam(StepSize(1e-2, 20), 20);
  adam.MaxIterations() = 80;
  mlpack::RandomSeed(1);
  one.Train(data.X, data.y, adam);
  mlpack::RandomSeed(1);
  two.Train(data.X, data.Labels(), adam);
  REQUIRE(arma::approx_equal(one.Parameters(), two.Parameters(), "absdiff", 0));
  one.Fit(data.X, data.y, FitOptions().Epochs(3).Seed(2));
  two.Fit(data.X, data.Labels(), FitOptions().Epochs(3).Seed(2));
  REQUIRE(arma::approx_equal(one.Parameters(), two.Parameters(), "absdiff", 0));
  REQUIRE(
      one.Elbo(data.X, data.y).elbo == two.Elbo(data.X, data.Labels()).elbo);
}

TEST_CASE("PredictTakesABatchSize", "[model]")
{
  mlpack::RandomSeed(93);
  const Data data(50);
  Classifier model = AddLayers(Classifier());
  model.Reset(3);
  arma::mat all, batches;
  model.Predict(data.X, all);
  model.Predict(data.X, batches, 7);
  REQUIRE(arma::approx_equal(all, batches, "absdiff", 1e-12));
  REQUIRE(model.PredictSamples() == 100);
}

TEST_CASE("MlpacksLossesAreNoLikelihoods", "[model]")
{
  using likelihood::IsLikelihood;
  STATIC_REQUIRE(IsLikelihood<CategoricalLikelihood, arma::mat>::value);
  STATIC_REQUIRE(
      IsLikelihood<GaussianLikelihoodType<arma::fmat>, arma::fmat>::value);
  STATIC_REQUIRE_FALSE(IsLikelihood<CategoricalLikelihood, arma::fmat>::value);
  STATIC_REQUIRE_FALSE(
      IsLikelihood<mlpack::NegativeLogLikelihood, arma::mat>::value);
  STATIC_REQUIRE_FALSE(
      IsLikelihood<mlpack::MeanSquaredError, arma::mat>::value);
}

TEST_CASE("GaussianLikelihoodLearnsItsNoise", "[model]")
{
  mlpack::RandomSeed(94);
  const size_t n = 400;
  const arma::mat X(1, n, arma::fill::randu);
  const arma::mat y = 3 * X + 0.2 * arma::mat(1, n, arma::fill::randn);
  using Model = BayesianFFN<GaussianLikelihood>;
  Model model = AddLayers(Model(), 1);
  ens::Adam adam(StepSize(1e-2, 40), 40);
  adam.MaxIterations() = 150 * n;
  model.Train(X, y, adam);
  const auto prediction = model.Predict(X, PredictOptions(100));
  // The standard error of the noise of 400 points is 0.2 / sqrt(800) = 0.007.
  REQUIRE(std::sqrt(prediction.aleatoricVariance(0, 0)) ==
      Approx(0.2).margin(0.05));
  REQUIRE(prediction.mean.n_rows == 1);

  // Loaded, it goes on from there.
  std::stringstream file;
  {
    cereal::BinaryOutputArchive archive(file);
    archive(cereal::make_nvp("model", model));
  }
  Model loaded;
  {
    cereal::BinaryInputArchive archive(file);
    archive(cereal::make_nvp("model", loaded));
  }
  arma::mat before, after;
  model.Predict(X, before);
  loaded.Predict(X, after);
  REQUIRE(arma::approx_equal(before, after, "absdiff", 0));

  // A converted network has a place for it, and keeps its parameters.
  mlpack::FFN<mlpack::MeanSquaredError> plain;
  plain.Add<mlpack::Linear>(5);
  plain.Add<mlpack::ReLU>();
  plain.Add<mlpack::Linear>(1);
  plain.Reset(1);
  Model converted = ToBayesian<GaussianLikelihood>(plain);
  const arma::mat start = converted.Parameters();
  converted.Prepare(X, y);
  REQUIRE(arma::approx_equal(converted.Parameters(), start, "absdiff", 0));
  REQUIRE(arma::approx_equal(converted.BayesianLayers()[0]->Means(),
      plain.Parameters().head_rows(10), "absdiff", 0));
  converted.Predict(X, after);
  REQUIRE(after.n_rows == 1);

  // A plain network has no place for it.
  mlpack::FFN<GaussianLikelihood> network;
  network.Add<BayesianLinear>(1);
  SymmetrizedELBO<decltype(network)> elbo(network, X, y);
  REQUIRE_THROWS_WITH(elbo.Evaluate(network.Parameters()),
      ContainsSubstring("noise level"));
}

TEST_CASE("InitializationRulesAreUsed", "[model]")
{
  mlpack::RandomSeed(95);
  using Constant =
      BayesianFFN<CategoricalLikelihood, mlpack::ConstInitialization>;
  Constant constant(CategoricalLikelihood(), mlpack::ConstInitialization(0.3));
  constant.Add<BayesianLinear>(4);
  constant.Add<BayesianLinear>(2, BayesianOptions().Init(MeanInit::Glorot));
  constant.Reset(3);
  const auto layers = constant.BayesianLayers();
  REQUIRE(arma::all(arma::vectorise(layers[0]->Means().head_rows(12)) == 0.3));
  REQUIRE(arma::all(arma::vectorise(layers[0]->Means().tail_rows(4)) == 0.0));
  // A rule of the layer's own comes first.
  REQUIRE_FALSE(arma::any(arma::vectorise(layers[1]->Means()) == 0.3));
  // Trained from scratch, too: one step of 1e-12 leaves the means there.
  Constant trained(CategoricalLikelihood(), mlpack::ConstInitialization(0.3));
  trained.Add<BayesianLinear>(2);
  const Data data(10);
  ens::StandardSGD sgd(1e-12, 10, 10);
  trained.Train(data.X, data.y, sgd);
  REQUIRE(trained.BayesianLayers()[0]->Means()[0] == Approx(0.3));

  // mlpack's default rule, [-1, 1], is used if it is asked for.
  Classifier asked(CategoricalLikelihood(),
      mlpack::RandomInitialization(5.0, 6.0));
  asked.Add<BayesianLinear>(2);
  asked.Reset(3);
  REQUIRE(asked.Parameters().head_rows(6).min() >= 5.0);
  Classifier own;
  own.Add<BayesianLinear>(2);
  own.Reset(3);
  REQUIRE(own.Parameters().head_rows(6).max() < 5.0);
}

TEST_CASE("LbfgsTrainsOnFrozenNoise", "[model]")
{
  mlpack::RandomSeed(96);
  const Data data(60);
  Classifier model = AddLayers(Classifier());
  model.Samples() = 5;
  model.Reset(3);
  const double before = model.NegativeElbo(data.X, data.y);
  ens::L_BFGS lbfgs;
  lbfgs.MaxIterations() = 60;
  model.Train(data.X, data.y, lbfgs);
  // Fresh noise ends the line search after a step or two.
  REQUIRE(model.NegativeElbo(data.X, data.y) < 0.7 * before);
}

TEST_CASE("PatienceBeginsAfterTheWarmUp", "[model]")
{
  mlpack::RandomSeed(97);
  const Data data(60);
  Classifier model = AddLayers(Classifier());
  model.WarmUpEpochs() = 20;
  ens::Adam adam(StepSize(1e-4, 20), 20);
  adam.MaxIterations() = 60 * data.X.n_cols;
  adam.Tolerance() = -1;
  // The objective grows with the weight of the KL term: without waiting,
  // training would end in the second epoch.
  Epochs epochs;
  ens::StoreBestCoordinates<arma::mat> best;
  model.Train(data.X, data.y, adam, epochs, ens::EarlyStopAtMinLoss(1), best);
  REQUIRE(epochs.count > 21);
  REQUIRE(epochs.count < 60);
  REQUIRE(best.BestCoordinates().n_elem == model.Parameters().n_elem);

  // Without a warm-up nothing waits.
  Classifier cold = AddLayers(Classifier());
  Epochs few;
  size_t calls = 0;
  cold.Train(data.X, data.y, adam, few,
      ens::EarlyStopAtMinLoss([&](const arma::mat&) { return double(++calls); },
          2));
  REQUIRE(few.count == 3);
}
