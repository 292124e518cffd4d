/**
 * @file bayesian_linear_test.cpp
 *
 * BayesianLinear alone and in a plain mlpack::FFN.
 */
#include "catch.hpp"
#include "fixture.hpp"

#include <symvi/layer/bayesian_linear.hpp>
#include <symvi/layer/fixed_linear.hpp>
#include <symvi/layer/learned_noise.hpp>
#include <symvi/likelihood/gaussian.hpp>

using namespace symvi;
using namespace symvi_tests;

namespace {

using Layer = BayesianLinearType<arma::mat>;

} // namespace

TEMPLATE_TEST_CASE("BayesianLinearGradient", "[layer]", Layer,
    BayesianLinearNoBiasType<arma::mat>)
{
  mlpack::RandomSeed(11);
  Fixture<arma::mat, TestType> fixture(4,
      TestType(3, BayesianOptions().PriorStddev(0.7).InitialSigma(0.4)));
  auto& layer = fixture.layer;
  fixture.parameters.col(0) += 0.3 *
      arma::vec(layer.WeightSize(), arma::fill::randn);
  layer.KLWeight() = 0.37; // A weight that no other term has.
  layer.SetPriorMean(
      0.1 * arma::mat(layer.PosteriorSize(), 1, arma::fill::randn));

  const arma::mat x(4, 5, arma::fill::randn), error(3, 5, arma::fill::randn);
  layer.Draw();
  layer.FreezeNoise() = true;
  Objective(fixture, x, error);
  arma::mat gradient(layer.WeightSize(), 1), delta;
  layer.Gradient(x, error, gradient);
  layer.Backward(x, error, error, delta);

  const double h = 1e-6;
  arma::mat numeric(arma::size(gradient));
  for (size_t j = 0; j < fixture.parameters.n_elem; ++j)
  {
    const double value = fixture.parameters[j];
    fixture.parameters[j] = value + h;
    const double up = Objective(fixture, x, error);
    fixture.parameters[j] = value - h;
    const double down = Objective(fixture, x, error);
    fixture.parameters[j] = value;
    numeric[j] = (up - down) / (2 * h);
  }
  REQUIRE(arma::norm(gradient - numeric) / arma::norm(numeric) < 1e-7);

  // The delta is W^T error for the weights drawn.
  Objective(fixture, x, error);
  const arma::mat W(const_cast<double*>(layer.Weights().memptr()), 3, 4, false);
  REQUIRE(arma::approx_equal(delta, W.t() * error, "absdiff", 1e-12));
}

TEMPLATE_TEST_CASE("BayesianLinearForward", "[layer]", arma::mat, arma::fmat)
{
  mlpack::RandomSeed(12);
  Fixture<TestType, BayesianLinearType<TestType>> fixture(4,
      BayesianLinearType<TestType>(3));
  auto& layer = fixture.layer;
  const TestType x(4, 6, arma::fill::randn);
  TestType first, second, mean;

  // A fresh draw in every training pass.
  layer.Forward(x, first);
  layer.Forward(x, second);
  REQUIRE(arma::abs(first - second).max() > 1e-3);

  // Frozen noise repeats itself; noise can be given.
  layer.FreezeNoise() = true;
  layer.Forward(x, first);
  REQUIRE(arma::approx_equal(first, second, "absdiff", 0));
  layer.DrawWith(TestType(layer.PosteriorSize(), 1, arma::fill::zeros));
  layer.Forward(x, first);

  // Zero noise is the mean, which is what evaluation uses by default.
  layer.Training() = false;
  layer.Forward(x, mean);
  REQUIRE(arma::approx_equal(first, mean, "absdiff", 1e-6));
  TestType expected = TestType(layer.Means().memptr(), 3, 4, false) * x;
  expected.each_col() += layer.Means().tail_rows(3);
  REQUIRE(arma::approx_equal(mean, expected, "absdiff", 1e-5));

  // A draw on request, or the one that is held.
  layer.FreezeNoise() = false;
  layer.Evaluation() = EvaluationMode::Draw;
  layer.Forward(x, first);
  REQUIRE(arma::abs(first - mean).max() > 1e-3);
  layer.Evaluation() = EvaluationMode::Held;
  layer.Forward(x, second);
  REQUIRE(arma::approx_equal(first, second, "absdiff", 0));
}

TEST_CASE("BayesianLinearDrawHasThePosteriorsMoments", "[layer]")
{
  mlpack::RandomSeed(13);
  Fixture<arma::mat, Layer> fixture(40,
      Layer(50, BayesianOptions().InitialSigma(0.2)));
  auto& layer = fixture.layer;
  const size_t n = layer.PosteriorSize(), draws = 50;
  double sum = 0, squares = 0;
  for (size_t i = 0; i < draws; ++i)
  {
    layer.Draw();
    const arma::vec z = (layer.Weights() - layer.Means()) / 0.2;
    sum += arma::accu(z);
    squares += arma::accu(arma::square(z));
  }
  // Mean of N standard normals: variance 1/N; mean of squares: 2/N.
  const double count = double(n * draws);
  REQUIRE(std::abs(sum / count) <= 5 / std::sqrt(count));
  REQUIRE(std::abs(squares / count - 1) <= 5 * std::sqrt(2 / count));
}

TEST_CASE("BayesianLinearClosedForms", "[layer]")
{
  mlpack::RandomSeed(14);
  Fixture<arma::mat, Layer> fixture(3,
      Layer(2, BayesianOptions().PriorStddev(0.8).InitialSigma(0.5)));
  auto& layer = fixture.layer;
  fixture.parameters.col(0) += 0.5 *
      arma::vec(layer.WeightSize(), arma::fill::randn);
  const arma::vec mu = layer.Means(), sigma = layer.Sigmas();

  // KL = E_q[log q - log p] and H = -E_q[log q] by Monte-Carlo.
  const size_t draws = 20000;
  arma::vec logRatio(draws), logDensity(draws);
  for (size_t i = 0; i < draws; ++i)
  {
    layer.Draw();
    const arma::vec w = layer.Weights();
    const double logQ = -arma::accu(arma::log(sigma) +
                            0.5 * arma::square((w - mu) / sigma)) -
        0.5 * w.n_elem * std::log(2 * arma::datum::pi);
    const double logP = -arma::accu(0.5 * arma::square(w / 0.8)) -
        w.n_elem * (std::log(0.8) + 0.5 * std::log(2 * arma::datum::pi));
    logRatio[i] = logQ - logP;
    logDensity[i] = -logQ;
  }
  REQUIRE(std::abs(arma::mean(logRatio) - layer.KL()) <=
      5 * arma::stddev(logRatio) / std::sqrt(double(draws)));
  REQUIRE(std::abs(arma::mean(logDensity) - layer.Entropy()) <=
      5 * arma::stddev(logDensity) / std::sqrt(double(draws)));
}

TEMPLATE_TEST_CASE("BayesianLinearSafeForExtremeRho", "[layer]", arma::mat,
    arma::fmat)
{
  mlpack::RandomSeed(15);
  Fixture<TestType, BayesianLinearType<TestType>> fixture(2,
      BayesianLinearType<TestType>(2));
  auto& layer = fixture.layer;
  for (const double rho : { -40.0, -20.0, 0.0, 20.0, 40.0 })
  {
    layer.Rhos().fill(typename TestType::elem_type(rho));
    TestType output, gradient(layer.WeightSize(), 1);
    const TestType x(2, 3, arma::fill::ones), error(2, 3, arma::fill::ones);
    layer.Forward(x, output);
    layer.Gradient(x, error, gradient);
    REQUIRE(output.is_finite());
    REQUIRE(gradient.is_finite());
    REQUIRE(std::isfinite(layer.Loss()));
    REQUIRE(double(layer.Sigmas()[0]) ==
        Approx(std::max(rho, 0.0) + std::log1p(std::exp(-std::abs(rho))))
            .epsilon(1e-5));
  }
}

TEST_CASE("BayesianLinearInitialisation", "[layer]")
{
  mlpack::RandomSeed(16);
  const size_t in = 200, out = 100;
  const double n = double(in * out);
  const auto means = [&](const MeanInit rule)
  {
    Fixture<arma::mat, Layer> fixture(in,
        Layer(out, BayesianOptions().Init(rule).InitialSigma(0.03)));
    REQUIRE(arma::abs(fixture.layer.Sigmas() - 0.03).max() < 1e-12);
    return arma::vec(fixture.layer.Means().head_rows(in * out));
  };

  // Variances 2/fanIn, 2/(fanIn + fanOut) and 1/(3 fanIn); the variance of a
  // sample variance is (kurtosis - 1) v^2 / n, kurtosis 3 and 9/5.
  const double he = arma::var(means(MeanInit::He));
  REQUIRE(std::abs(he - 2.0 / in) <= 5 * 2.0 / in * std::sqrt(2 / n));
  const double glorot = arma::var(means(MeanInit::Glorot));
  REQUIRE(std::abs(glorot - 2.0 / (in + out)) <=
      5 * 2.0 / (in + out) * std::sqrt(0.8 / n));
  const double fanIn = arma::var(means(MeanInit::FanIn));
  REQUIRE(
      std::abs(fanIn - 1.0 / (3 * in)) <= 5 / (3.0 * in) * std::sqrt(0.8 / n));

  const arma::mat W(2, 3, arma::fill::randn);
  const arma::vec b(2, arma::fill::randn);
  Fixture<arma::mat, Layer> given(3, Layer(2, BayesianOptions().Means(W, b)));
  REQUIRE(arma::approx_equal(given.layer.Means(),
      arma::join_cols(arma::vectorise(W), b), "absdiff", 0));
  using GivenFixture = Fixture<arma::mat, Layer>;
  REQUIRE_THROWS_AS(GivenFixture(4, Layer(2, BayesianOptions().Means(W, b))),
      std::invalid_argument);
}

TEST_CASE("BayesianLinearChecksItsArguments", "[layer]")
{
  REQUIRE_THROWS_AS(BayesianOptions().PriorStddev(0), std::invalid_argument);
  REQUIRE_THROWS_AS(BayesianOptions().InitialSigma(-1), std::invalid_argument);
  Layer layer(2);
  arma::mat x(2, 1), y;
  REQUIRE_THROWS_AS(layer.Forward(x, y), std::logic_error);
  using EmptyFixture = Fixture<arma::mat, Layer>;
  REQUIRE_THROWS_AS(EmptyFixture(3, Layer(0)), std::invalid_argument);
  EmptyFixture fixture(3, Layer(2));
  REQUIRE_THROWS_AS(fixture.layer.Forward(x, y), std::invalid_argument);
  REQUIRE_THROWS_AS(fixture.layer.DrawWith(arma::mat(3, 1)),
      std::invalid_argument);
}

TEST_CASE("PlainFFNIsMeanFieldVI", "[layer]")
{
  // A plain FFN's objective is the negative log-likelihood of the batch plus
  // KLWeight() * KL.
  mlpack::RandomSeed(17);
  mlpack::FFN<GaussianLikelihood> network(GaussianLikelihood(0.5));
  network.Add<BayesianLinear>(4);
  network.Add<mlpack::TanH>();
  network.Add<BayesianLinear>(1);
  network.Reset(2);

  const arma::mat X(2, 8, arma::fill::randn), y(1, 8, arma::fill::randn);
  double kl = 0;
  for (mlpack::Layer<arma::mat>* layer : std::as_const(network).Network())
  {
    if (auto* bayesian = dynamic_cast<Layer*>(layer))
    {
      bayesian->KLWeight() = 0.25;
      kl += bayesian->KL();
    }
  }
  network.SetNetworkMode(true);
  arma::mat outputs, gradient;
  network.Forward(X, outputs);
  const double objective = network.Backward(X, y, gradient);
  REQUIRE(objective ==
      Approx(GaussianLikelihood(0.5).Forward(outputs, y) + 0.25 * kl));
}

TEST_CASE("LearnedNoiseGradient", "[layer]")
{
  mlpack::RandomSeed(19);
  mlpack::FFN<HeteroscedasticGaussianLikelihood> network;
  network.Add<mlpack::Linear>(2);
  network.Add<LearnedNoise>(0.4);
  network.Reset(3);
  const arma::mat X(3, 9, arma::fill::randn), y(2, 9, arma::fill::randn);
  network.SetNetworkMode(true);
  arma::mat outputs, gradient, unused;
  network.Forward(X, outputs);
  network.Backward(X, y, gradient);

  // Rows 3 and 4 hold the raw noise of both targets, softplus^-1(0.4).
  REQUIRE(outputs.n_rows == 4);
  REQUIRE(std::log1p(std::exp(outputs(2, 0))) == Approx(0.4));
  for (size_t j = 0; j < network.Parameters().n_elem; ++j)
  {
    const double value = network.Parameters()[j], h = 1e-6;
    network.Parameters()[j] = value + h;
    const double up = network.Evaluate(X, y);
    network.Parameters()[j] = value - h;
    const double down = network.Evaluate(X, y);
    network.Parameters()[j] = value;
    REQUIRE(gradient[j] == Approx((up - down) / (2 * h)).epsilon(1e-6));
  }
  REQUIRE_THROWS_AS(LearnedNoiseType<arma::mat>(0), std::invalid_argument);
}

TEST_CASE("FixedLinearIsConstant", "[layer]")
{
  mlpack::RandomSeed(20);
  const arma::mat W = { { 1, 2, 3 } };
  mlpack::FFN<GaussianLikelihood> network;
  network.Add<FixedLinear>(W, arma::vec("0.5"));
  network.Reset(3);
  REQUIRE(network.Parameters().n_elem == 0);
  arma::mat out;
  network.Predict(arma::mat("1; 1; 1"), out);
  REQUIRE(out[0] == Approx(6.5));
  REQUIRE_THROWS_AS(FixedLinearType<arma::mat>(arma::mat()),
      std::invalid_argument);
  mlpack::FFN<GaussianLikelihood> wrong;
  wrong.Add<FixedLinear>(W);
  REQUIRE_THROWS_AS(wrong.Reset(2), std::invalid_argument);
}

//! Both ways of sampling have the same gradient by finite differences: outputs
//! and loss are functions of the parameters once the noise is frozen.
TEMPLATE_TEST_CASE("LocalSamplingGradient", "[layer]", Layer,
    BayesianLinearNoBiasType<arma::mat>)
{
  mlpack::RandomSeed(12);
  Fixture<arma::mat, TestType> fixture(4,
      TestType(3,
          BayesianOptions().PriorStddev(0.7).InitialSigma(0.4).Sample(
              Sampling::Local)));
  auto& layer = fixture.layer;
  fixture.parameters.col(0) += 0.3 *
      arma::vec(layer.WeightSize(), arma::fill::randn);
  layer.KLWeight() = 0.37;
  layer.SetPriorStddev(0.7, 1.3);

  arma::mat x(4, 5, arma::fill::randn);
  const arma::mat error(3, 5, arma::fill::randn);
  arma::mat output, gradient(layer.WeightSize(), 1), delta;
  layer.Forward(x, output);
  layer.FreezeNoise() = true;
  layer.Forward(x, output);
  layer.Backward(x, output, error, delta);
  layer.Gradient(x, error, gradient);
  const double h = 1e-6;
  for (size_t i = 0; i < gradient.n_elem; ++i)
  {
    const double value = fixture.parameters[i];
    fixture.parameters[i] = value + h;
    const double up = Objective(fixture, x, error);
    fixture.parameters[i] = value - h;
    const double down = Objective(fixture, x, error);
    fixture.parameters[i] = value;
    REQUIRE(gradient[i] ==
        Approx((up - down) / (2 * h)).epsilon(1e-5).margin(1e-7));
  }
  for (size_t i = 0; i < x.n_elem; ++i)
  {
    const double value = x[i];
    x[i] = value + h;
    const double up = Objective(fixture, x, error);
    x[i] = value - h;
    const double down = Objective(fixture, x, error);
    x[i] = value;
    REQUIRE(
        delta[i] == Approx((up - down) / (2 * h)).epsilon(1e-5).margin(1e-7));
  }
}

//! Outputs have the mean and variance of W x + b, W ~ q.
TEST_CASE("LocalSamplingHasTheMomentsOfWeights", "[layer]")
{
  mlpack::RandomSeed(13);
  Fixture<arma::mat, Layer> fixture(3,
      Layer(2, BayesianOptions().InitialSigma(0.5).Sample(Sampling::Local)));
  const size_t n = 200000;
  const arma::vec x = { 0.5, -1.0, 2.0 };
  arma::mat output;
  fixture.layer.Forward(arma::repmat(x, 1, n), output);
  const arma::mat W = arma::reshape(fixture.layer.Means().head_rows(6), 2, 3);
  const double variance = 0.25 * (arma::dot(x, x) + 1.0);
  for (size_t i = 0; i < 2; ++i)
  {
    const double mean = arma::dot(W.row(i), x) + fixture.layer.Means()[6 + i];
    // Five standard errors of a mean and of a variance of normal draws.
    REQUIRE(std::abs(arma::mean(output.row(i)) - mean) <=
        5 * std::sqrt(variance / n));
    REQUIRE(std::abs(arma::var(output.row(i)) - variance) <=
        5 * variance * std::sqrt(2.0 / n));
  }
}

TEMPLATE_TEST_CASE("SharesAreTheWhole", "[layer]", Layer,
    BayesianLinearNoBiasType<arma::mat>, BayesianLinearType<arma::fmat>)
{
  // Biases with a prior of their own, a prior mean, and sizes that no chunk of
  // random numbers divides.
  using MatType = std::decay_t<decltype(TestType().Weights())>;
  const bool isDouble = std::is_same_v<MatType, arma::mat>;
  for (const size_t inputs : { 1, 7, 41 })
  {
    SeedThisThread(3);
    Fixture<MatType, TestType> fixture(inputs, TestType(13));
    auto& whole = fixture.layer;
    whole.SetPriorStddev(0.7, 1.9);
    const size_t n = whole.PosteriorSize();
    fixture.parameters += MatType(2 * n, 1, arma::fill::randn);
    whole.SetPriorMean(MatType(n, 1, arma::fill::randn));
    whole.KLWeight() = 0.3;
    const MatType x(inputs, 5, arma::fill::randn);
    const MatType error(13, 5, arma::fill::randn);
    TestType part(whole);
    part.SetWeights(fixture.parameters);
    part.Training() = whole.Training() = true;

    MatType output, expectedOutput, expected(2 * n, 1);
    whole.Forward(x, expectedOutput);
    whole.Gradient(x, error, expected);
    for (const size_t parts : { 1, 2, 3, 50 })
    {
      const std::vector<size_t> cuts = part.Shares(parts);
      REQUIRE(cuts.size() == parts + 1);
      REQUIRE(cuts.front() == 0);
      REQUIRE(cuts.back() == n);
      double kl = 0.0;
      MatType draw(n, 1), gradient(2 * n, 1), g(2 * n, 1);
      for (size_t p = 0; p < parts; ++p)
      {
        // Every process has the stream where it was.
        TestType own(part);
        own.SetWeights(fixture.parameters);
        own.Training() = true;
        own.DrawShare(cuts[p], cuts[p + 1]);
        kl += own.KL();
        CHECK(own.Stream().Counter() == whole.Stream().Counter());
        for (size_t i = cuts[p]; i < cuts[p + 1]; ++i)
          draw[i] = own.Weights()[i];
        own.IsShared() = true;
        own.Weights() = whole.Weights();
        own.Forward(x, output);
        CHECK(arma::approx_equal(output, expectedOutput, "absdiff", 0.0));
        own.Gradient(x, error, g);
        own.ShareGradient(cuts[p], cuts[p + 1], g);
        for (size_t i = cuts[p]; i < cuts[p + 1]; ++i)
        {
          gradient[i] = g[i];
          gradient[n + i] = g[n + i];
        }
      }
      CHECK(kl == Approx(whole.KL()).epsilon(isDouble ? 1e-12 : 1e-5));
      CHECK(arma::approx_equal(draw, whole.Weights(), "absdiff", 0.0));
      CHECK(arma::approx_equal(gradient, expected, "absdiff", 0.0));
    }
  }
}

TEST_CASE("LearnedPriorMaximisesTheElbo", "[layer]")
{
  mlpack::RandomSeed(14);
  Fixture<arma::mat, Layer> fixture(20,
      Layer(30, BayesianOptions().InitialSigma(0.1)));
  Layer& layer = fixture.layer;
  layer.Training() = false;
  layer.LearnPriorStddev();
  const double weights = layer.PriorStddev(), biases = layer.BiasPriorStddev();
  // KL(q || p) plus the hyperprior's log(s) + 1 / (2 s^2) is stationary.
  const auto objective = [&](const double w, const double b)
  {
    layer.SetPriorStddev(w, b);
    return layer.KL() + std::log(w) + 0.5 / (w * w) + std::log(b) +
        0.5 / (b * b);
  };
  const double best = objective(weights, biases);
  for (const double factor : { 0.98, 1.02 })
  {
    REQUIRE(objective(weights * factor, biases) > best);
    REQUIRE(objective(weights, biases * factor) > best);
  }
  REQUIRE_THROWS_AS(layer.SetPriorStddev(0.0), std::invalid_argument);
  REQUIRE_THROWS_AS(layer.SetPriorStddev(1.0, -1.0), std::invalid_argument);
}
