/**
 * @file bayesian_ffn_test.cpp
 *
 * BayesianFFN as a user meets it: train, predict, report, copy.
 */
#include "catch.hpp"
#include "model/running_mean.hpp"

#include <symvi.hpp>

#include <thread>

using namespace symvi;
using Catch::Matchers::ContainsSubstring;

namespace {

using Classifier = BayesianFFN<CategoricalLikelihood>;

//! Two blobs on the first two axes.
void Blobs(arma::mat& X, arma::mat& y, const size_t n)
{
  X.randn(3, n);
  y.set_size(1, n);
  for (size_t i = 0; i < n; ++i)
  {
    y[i] = double(i % 2);
    X(0, i) += (i % 2) ? 2 : -2;
  }
}

Classifier SmallModel(const size_t units = 4)
{
  Classifier model;
  model.Add<BayesianLinear>(units);
  model.Add<mlpack::ReLU>();
  model.Add<BayesianLinear>(2);
  return model;
}

arma::mat TrainFor(Classifier& model, const arma::mat& X, const arma::mat& y)
{
  ens::Adam adam(StepSize(1e-2, 20), 20);
  adam.MaxIterations() = 40 * X.n_cols;
  model.Train(X, y, adam);
  return model.Parameters();
}

} // namespace

TEST_CASE("ModelTrainsAndPredicts", "[model]")
{
  mlpack::RandomSeed(51);
  arma::mat X, y, Xtest, ytest;
  Blobs(X, y, 100);
  Blobs(Xtest, ytest, 200);
  Classifier model = SmallModel();
  ens::Adam adam(StepSize(1e-2, 20), 20);
  adam.MaxIterations() = 40 * 100;
  const double objective = model.Train(X, y, adam);
  // 2 nats per point would be worse than guessing.
  REQUIRE(objective > 0);
  REQUIRE(objective < 200);

  arma::mat p, again;
  model.Predict(Xtest, p);
  model.Predict(Xtest, again);
  REQUIRE(p.n_rows == 2);
  REQUIRE(p.n_cols == 200);
  REQUIRE(arma::abs(arma::sum(p, 0) - 1).max() < 1e-12);
  REQUIRE(arma::approx_equal(p, again, "absdiff", 0));
  size_t correct = 0;
  for (size_t i = 0; i < 200; ++i)
    correct += (p(1, i) > 0.5) == (ytest[i] == 1);
  // The best possible accuracy is Phi(2) = 0.977; 0.9 is 7 standard errors
  // below it.
  REQUIRE(correct >= 180);

  const auto prediction = model.Predict(Xtest, PredictOptions(200, 3));
  REQUIRE(prediction.mutualInformation.min() >= -1e-12);
  REQUIRE(arma::approx_equal(prediction.entropy,
      prediction.expectedEntropy + prediction.mutualInformation, "absdiff",
      1e-9));
  const arma::rowvec logDensity = model.LogDensity(Xtest, ytest,
      PredictOptions(200, 3));
  for (size_t i = 0; i < 200; ++i)
  {
    REQUIRE(logDensity[i] ==
        Approx(std::log(prediction.probabilities(size_t(ytest[i]), i)))
            .epsilon(1e-6));
  }
  REQUIRE(model.Draws(Xtest, PredictOptions(5)).n_slices == 5);
}

TEST_CASE("ElboReportAddsUp", "[model]")
{
  mlpack::RandomSeed(52);
  arma::mat X, y;
  Blobs(X, y, 60);
  Classifier model = SmallModel(3);
  TrainFor(model, X, y);
  const arma::mat parameters = model.Parameters();
  const ElboReport r = model.Elbo(X, y, 400);
  REQUIRE(r.elbo == Approx(r.logLikelihood - r.kl));
  REQUIRE(r.symmetrizedElbo == Approx(r.elbo + r.information.value));
  REQUIRE(r.information.value >= 0);
  REQUIRE(r.information.value <= r.logGroupOrder + 1e-9);
  REQUIRE(r.logGroupOrder == Approx(std::log(6.0)));
  REQUIRE(r.logLikelihoodStandardError > 0);
  REQUIRE(r.PerDatum().elbo == Approx(r.elbo / 60));
  REQUIRE(model.Elbo(X, y, 400).elbo == r.elbo);

  // A report changes nothing, and other draws agree within their errors.
  REQUIRE(arma::approx_equal(parameters, model.Parameters(), "absdiff", 0));
  const ElboReport other = model.Elbo(X, y, 400, 99);
  REQUIRE(std::abs(other.elbo - r.elbo) <=
      5 * std::hypot(r.elboStandardError, other.elboStandardError));
  REQUIRE(
      model.NegativeElbo(X, y) == Approx(-model.Elbo(X, y).symmetrizedElbo));
}

TEST_CASE("SignsAreWorthUpToLog2PerUnit", "[model]")
{
  mlpack::RandomSeed(54);
  const arma::mat X = arma::linspace<arma::rowvec>(-2.0, 2.0, 40);
  const arma::mat y = arma::sin(2.0 * X);
  BayesianFFN<GaussianLikelihood> model(GaussianLikelihood(0.1));
  model.Add<BayesianLinear>(3);
  model.Add<mlpack::TanH>();
  model.Add<BayesianLinear>(1);
  ens::Adam adam(StepSize(1e-2, 40), 40);
  adam.MaxIterations() = 2000 * X.n_cols;
  model.Train(X, y, adam);

  const ElboReport r = model.Elbo(X, y, 300);
  REQUIRE(r.group == "B_3");
  std::ostringstream text;
  text << r;
  REQUIRE_THAT(text.str(), ContainsSubstring("group B_3"));
  REQUIRE_THAT(text.str(), ContainsSubstring("of at most 3.871"));

  // The same draws without signs.
  NetworkSymmetry<arma::mat> symmetry(std::as_const(model).Network());
  const EstimatorPtr exact = MakeEstimator("exact");
  RandomStream stream(1);
  RunningMean plain, signs;
  for (size_t i = 0; i < 300; ++i)
  {
    for (auto* layer : model.BayesianLayers())
      layer->Draw();
    SymmetricChain<double> chain = symmetry.GetChain(0);
    REQUIRE(chain.hidden[0].isSigned);
    const double both = exact->Evaluate(chain, stream).value;
    chain.hidden[0].isSigned = false;
    plain.Add(exact->Evaluate(chain, stream).value);
    // No draw gains more than log 2 per unit; the mean gains something.
    signs.Add(both - exact->Evaluate(chain, stream).value);
    REQUIRE(both - exact->Evaluate(chain, stream).value <=
        3 * std::log(2.0) + 1e-9);
  }
  REQUIRE(signs.Mean() >= 0.0);
  REQUIRE(signs.Mean() > std::log(2.0)); // At least one unit is in use.
  REQUIRE(std::abs(r.information.value - plain.Mean() - signs.Mean()) <= 5 *
              std::hypot(r.information.standardError,
                  std::hypot(plain.StandardError(), signs.StandardError())) +
          1e-9);
}

TEST_CASE("InformationAgainstEnumerationOfTheGroup", "[model]")
{
  // log q(w) - log 1/|G| sum_g q(g^-1 w), all 6 permutations by hand, each with
  // 8 choices of signs.
  mlpack::RandomSeed(53);
  arma::mat X, y;
  Blobs(X, y, 10);
  Classifier model;
  model.Add<BayesianLinear>(3, BayesianOptions().InitialSigma(0.8));
  model.Add<mlpack::TanH>();
  model.Add<BayesianLinear>(2, BayesianOptions().InitialSigma(0.8));
  model.Reset(3);
  const auto layers = model.BayesianLayers();
  const size_t samples = 3000;

  RunningMean exact;
  for (size_t s = 0; s < samples; ++s)
  {
    layers[0]->Draw();
    layers[1]->Draw();
    arma::mat W1(const_cast<double*>(layers[0]->Weights().memptr()), 3, 3);
    arma::vec b1 = layers[0]->Weights().tail_rows(3);
    arma::mat W2(const_cast<double*>(layers[1]->Weights().memptr()), 2, 3);
    const arma::vec b2 = layers[1]->Weights().tail_rows(2);
    const arma::vec mu = arma::join_cols(layers[0]->Means(),
        layers[1]->Means());
    arma::uvec order = { 0, 1, 2 };
    double own = 0, sum = 0;
    do
    {
      for (size_t bits = 0; bits < 8; ++bits)
      {
        arma::vec sign(3, arma::fill::ones);
        for (size_t a = 0; a < 3; ++a)
          if ((bits >> a) & 1)
            sign[a] = -1;
        const arma::mat P1 = arma::diagmat(sign) * W1.rows(order);
        const arma::vec c1 = sign % b1.elem(order);
        const arma::mat P2 = W2.cols(order) * arma::diagmat(sign);
        const arma::vec w = arma::join_cols(
            arma::join_cols(arma::vectorise(P1), c1),
            arma::join_cols(arma::vectorise(P2), b2));
        const double density = std::exp(
            -0.5 * arma::accu(arma::square((w - mu) / 0.8)));
        if (sum == 0)
          own = density; // The identity comes first.
        sum += density;
      }
    }
    while (std::next_permutation(order.begin(), order.end()));
    exact.Add(std::log(own) - std::log(sum / 48));
  }

  const ElboReport r = model.Elbo(X, y, samples, 4);
  REQUIRE(r.group == "B_3");
  REQUIRE(r.logGroupOrder == Approx(std::log(48.0)));
  const double se = std::hypot(exact.StandardError(),
      r.information.standardError);
  REQUIRE(exact.Mean() > 5 * exact.StandardError());
  if (r.information.exact)
    REQUIRE(std::abs(r.information.value - exact.Mean()) <= 5 * se);
  REQUIRE(r.information.lower <= exact.Mean() + 5 * se);
  REQUIRE(r.information.upper >= exact.Mean() - 5 * se);
}

TEST_CASE("CopiesTrainIndependentlyInTwoThreads", "[model]")
{
  mlpack::RandomSeed(54);
  arma::mat X, y;
  Blobs(X, y, 80);
  Classifier first = SmallModel();
  first.Reset(3);
  Classifier second = first, alone = first;

  // mlpack adds the number of the thread to a seed: keep them far apart.
  std::thread one(
      [&]
      {
    mlpack::RandomSeed(1000);
    TrainFor(first, X, y);
  });
  std::thread two(
      [&]
      {
    mlpack::RandomSeed(2000);
    TrainFor(second, X, y);
  });
  one.join();
  two.join();
  REQUIRE(first.Parameters().is_finite());
  REQUIRE(second.Parameters().is_finite());
  // Different seeds give different posteriors, and the original is as it was.
  REQUIRE(arma::abs(first.Parameters() - second.Parameters()).max() > 0);
  REQUIRE(arma::abs(first.Parameters() - alone.Parameters()).max() > 0);
}

TEST_CASE("CopyMoveAndAssign", "[model]")
{
  mlpack::RandomSeed(55);
  arma::mat X, y, expected, p;
  Blobs(X, y, 40);
  Classifier model = SmallModel();
  TrainFor(model, X, y);
  model.Predict(X, expected);

  Classifier copy(model);
  copy.Predict(X, p);
  REQUIRE(arma::approx_equal(p, expected, "absdiff", 0));
  Classifier assigned = SmallModel(7);
  assigned = copy;
  assigned.Predict(X, p);
  REQUIRE(arma::approx_equal(p, expected, "absdiff", 0));
  Classifier moved(std::move(copy));
  moved.Predict(X, p);
  REQUIRE(arma::approx_equal(p, expected, "absdiff", 0));
  assigned = std::move(moved);
  assigned.Predict(X, p);
  REQUIRE(arma::approx_equal(p, expected, "absdiff", 0));
  TrainFor(assigned, X, y);
  REQUIRE(assigned.Parameters().is_finite());
  model.Predict(X, p);
  REQUIRE(arma::approx_equal(p, expected, "absdiff", 0));
}

TEST_CASE("RegressionWithLearnedNoise", "[model]")
{
  mlpack::RandomSeed(56);
  const size_t n = 200;
  arma::mat X = 4 * arma::mat(1, n, arma::fill::randu) - 2;
  const arma::mat y = arma::sin(2 * X) +
      0.2 * arma::mat(1, n, arma::fill::randn);
  BayesianFFN<HeteroscedasticGaussianLikelihood> model;
  model.Add<BayesianLinear>(20);
  model.Add<mlpack::TanH>();
  model.Add<BayesianLinear>(1);
  model.Add<LearnedNoise>(1.0);
  model.Fit(X, y, FitOptions().Seed(56));
  const auto prediction = model.Predict(X, PredictOptions(300));
  // At most the variance of the noise; a constant would leave 0.5.
  REQUIRE(arma::mean(arma::vectorise(
              arma::square(prediction.mean - arma::sin(2 * X)))) < 0.04);
  // The noise is found to within a third.
  const double noise = std::sqrt(prediction.aleatoricVariance(0, 0));
  REQUIRE(noise > 0.15);
  REQUIRE(noise < 0.3);
}

TEST_CASE("FloatModel", "[model]")
{
  mlpack::RandomSeed(57);
  arma::mat X, y;
  Blobs(X, y, 60);
  using Float = arma::fmat;
  BayesianFFN<CategoricalLikelihoodType<Float>, mlpack::RandomInitialization,
      Float>
      model;
  model.Add<BayesianLinearType<Float>>(4);
  model.Add<symvi::compat::ReLU<Float>>();
  model.Add<BayesianLinearType<Float>>(2);
  const Float Xf = arma::conv_to<Float>::from(X);
  const Float yf = arma::conv_to<Float>::from(y);
  ens::Adam adam(StepSize(1e-2, 20), 20);
  adam.MaxIterations() = 40 * 60;
  model.Train(Xf, yf, adam);
  Float p;
  model.Predict(Xf, p);
  REQUIRE(p.is_finite());
  REQUIRE(std::isfinite(model.Elbo(Xf, yf).symmetrizedElbo));
}

TEST_CASE("ResetBetweenTrainings", "[model]")
{
  mlpack::RandomSeed(59);
  arma::mat X, y;
  Blobs(X, y, 40);
  Classifier model = SmallModel();
  const arma::mat first = TrainFor(model, X, y);
  model.Reset(3);
  const arma::mat reset = model.Parameters();
  const arma::mat second = TrainFor(model, X, y);
  // Training moves the parameters that the model has, not those it had.
  REQUIRE(arma::abs(second - reset).max() > 0);
  REQUIRE(arma::abs(second - first).max() > 0);
  REQUIRE(model.Elbo(X, y).elbo < 0);
}

TEST_CASE("ModelsExplainWrongCalls", "[model]")
{
  mlpack::RandomSeed(58);
  arma::mat X, y, p;
  Blobs(X, y, 20);
  Classifier model = SmallModel();
  REQUIRE_THROWS_AS(model.Predict(X, p), std::logic_error);
  REQUIRE_THROWS_AS(model.BayesianLayers(), std::logic_error);
  model.Reset(3);
  REQUIRE_THROWS_WITH(model.Predict(arma::mat(5, 2), p),
      ContainsSubstring("3 dimensions"));
  REQUIRE_THROWS_WITH(model.Elbo(X, arma::mat(1, 20, arma::fill::ones) * 2),
      ContainsSubstring("column 0"));
}

#if defined(SYMVI_FLOATING_POINT_MODE)

TEST_CASE("TrainingThatDivergesIsAnException", "[model]")
{
  mlpack::RandomSeed(67);
  BayesianFFN<GaussianLikelihood> model;
  model.Add<BayesianLinear>(3);
  model.Add<mlpack::ReLU>();
  model.Add<BayesianLinear>(1);
  model.Reset(2);
  const arma::mat before = model.Parameters();
  const arma::mat X(2, 20, arma::fill::randn), y(1, 20, arma::fill::randn);
  ens::Adam adam(StepSize(1e-3, 5), 5);
  adam.MaxIterations() = 100;
  REQUIRE_THROWS_AS(model.Train(1e160 * X, y, adam), std::runtime_error);
  REQUIRE(arma::approx_equal(model.Parameters(), before, "absdiff", 0.0));
  REQUIRE(std::isfinite(model.Train(X, y, adam)));
}

TEST_CASE("TrainingLeavesNoDenormalNumbers", "[model]")
{
  // Weights of inputs that are always zero shrink to nothing: without
  // FlushDenormals seven means end between 0 and the smallest normal number.
  using LikelihoodType = CategoricalLikelihoodType<arma::fmat>;
  mlpack::RandomSeed(1);
  arma::fmat predictors(6, 40, arma::fill::randn);
  predictors.rows(2, 5).zeros();
  arma::fmat labels(1, 40);
  for (size_t i = 0; i < 40; ++i)
    labels[i] = (predictors(0, i) > 0) ? 1.0f : 0.0f;

  BayesianFFN<LikelihoodType, mlpack::RandomInitialization, arma::fmat> model;
  model.Add<BayesianLinearType<arma::fmat>>(3);
  model.Add<symvi::compat::ReLU<arma::fmat>>();
  model.Add<BayesianLinearType<arma::fmat>>(2);
  model.Symmetrize() = false;
  ens::Adam adam(StepSize(1e-2, 20), 20);
  adam.MaxIterations() = 4000 * 20;
  adam.Tolerance() = 0;
  model.Train(predictors, labels, adam);

  size_t denormal = 0, small = 0;
  for (const float x : model.Parameters())
  {
    denormal += (std::fpclassify(x) == FP_SUBNORMAL);
    small += (std::abs(x) < 1e-30f);
  }
  REQUIRE(denormal == 0);
  REQUIRE(small > 0);
}

#endif
