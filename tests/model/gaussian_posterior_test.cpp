/**
 * @file tests/model/gaussian_posterior_test.cpp
 */
#include "catch.hpp"

#include <symvi/model/gaussian_posterior.hpp>
#include <symvi/predict/metrics.hpp>

#include <cmath>
#include <cstdio>
#include <fstream>

using namespace symvi;
using Catch::Matchers::ContainsSubstring;

namespace {

//! f(x) = sin(2 x) at 12 points.
template<typename MatType>
struct Curve
{
  MatType X = arma::linspace<MatType>(-1, 1, 12).t();
  MatType y = arma::sin(MatType(2 * X));
};

template<typename MatType>
using Regression = GaussianLikelihoodType<MatType>;

template<typename MatType = arma::mat>
using Posterior = GaussianPosterior<Regression<MatType>,
    mlpack::RandomInitialization, MatType>;

//! A mean-field model with one or two hidden layers.
template<typename MatType = arma::mat>
BayesianFFN<Regression<MatType>, mlpack::RandomInitialization, MatType> Model(
    const std::vector<size_t>& hidden, const bool tanh, const size_t inputs = 1)
{
  BayesianFFN<Regression<MatType>, mlpack::RandomInitialization, MatType> model(
      Regression<MatType>(0.2));
  for (const size_t units : hidden)
  {
    model.template Add<BayesianLinear>(units,
        BayesianOptions().PriorStddev(1.3));
    if (tanh)
      model.template Add<mlpack::TanH>();
    else
      model.template Add<mlpack::ReLU>();
  }
  model.template Add<BayesianLinear>(1);
  SeedGenerators(5);
  model.Reset(inputs);
  return model;
}

//! Parameters with correlations.
template<typename MatType>
void Perturb(Posterior<MatType>& posterior, const double size)
{
  arma::vec noise(posterior.Parameters().n_elem);
  RandomStream(3).FillNormal(noise.memptr(), noise.n_elem);
  posterior.Parameters() += arma::conv_to<MatType>::from(size * noise);
}

} // namespace

TEST_CASE("GaussianElboGradient", "[GaussianPosteriorTest]")
{
  const Curve<arma::mat> data;
  for (const size_t rank : { 0, 2 })
    for (const bool tanh : { false, true })
      for (const auto& hidden :
          std::vector<std::vector<size_t>>{ { 3 }, { 2, 2 } })
      {
        GaussianOptions options;
        options.rank = rank;
        Posterior<> posterior(Model(hidden, tanh), options);
        Perturb(posterior, 0.2);
        auto elbo = posterior.Objective(data.X, data.y);
        elbo.Samples() = 2;
        elbo.Temperature() = 0.7;
        elbo.FullGradient() = true;
        elbo.Freeze();
        arma::mat parameters = posterior.Parameters(), gradient;
        const double value = elbo.EvaluateWithGradient(parameters, 3, gradient,
            5);
        REQUIRE(elbo.Evaluate(parameters, 3, 5) == Approx(value));
        REQUIRE(elbo.Terms().information > 0.0);
        const double h = 1e-5;
        for (size_t i = 0; i < parameters.n_elem; ++i)
        {
          const double kept = parameters[i];
          parameters[i] = kept + h;
          const double up = elbo.Evaluate(parameters, 3, 5);
          parameters[i] = kept - h;
          const double down = elbo.Evaluate(parameters, 3, 5);
          parameters[i] = kept;
          REQUIRE(gradient[i] ==
              Approx((up - down) / (2 * h)).epsilon(1e-4).margin(1e-4));
        }
        // Without I(g; w) the path is all there is.
        elbo.Symmetrize() = elbo.FullGradient() = false;
        elbo.EvaluateWithGradient(parameters, 3, gradient, 5);
        parameters[0] += h;
        const double up = elbo.Evaluate(parameters, 3, 5);
        parameters[0] -= 2 * h;
        REQUIRE(gradient[0] ==
            Approx((up - elbo.Evaluate(parameters, 3, 5)) / (2 * h))
                .epsilon(1e-4));
      }
}

TEST_CASE("GaussianScoreHasMeanZero", "[GaussianPosteriorTest]")
{
  // The gradient of training is that of the value in expectation.
  const Curve<arma::mat> data;
  Posterior<> posterior(Model({ 2 }, true));
  posterior.Parameters().rows(7, 13).fill(-0.5);
  Perturb(posterior, 0.1);
  auto elbo = posterior.Objective(data.X.col(0), data.y.col(0));
  const size_t n = 4000;
  arma::mat differences(posterior.Parameters().n_elem, n), path, full;
  for (size_t s = 0; s < n; ++s)
  {
    elbo.Seed(s);
    elbo.EvaluateWithGradient(posterior.Parameters(), path);
    elbo.FullGradient() = true;
    elbo.Seed(s);
    elbo.EvaluateWithGradient(posterior.Parameters(), full);
    elbo.FullGradient() = false;
    differences.col(s) = full - path;
  }
  const arma::vec error = arma::stddev(differences, 0, 1) /
      std::sqrt(double(n));
  REQUIRE(error.max() > 1e-4);
  const arma::vec mean = arma::mean(differences, 1);
  for (size_t i = 0; i < mean.n_elem; ++i)
    REQUIRE(std::abs(mean[i]) <= 5 * error[i] + 1e-12);
}

TEMPLATE_TEST_CASE("GaussianKLInClosedForm", "[GaussianPosteriorTest]",
    arma::mat, arma::fmat)
{
  const Curve<TestType> data;
  for (const size_t rank : { 0, 1, 4 })
  {
    GaussianOptions options;
    options.rank = rank;
    Posterior<TestType> posterior(Model<TestType>({ 3 }, false), options);
    Perturb<TestType>(posterior, 0.03);
    const arma::mat covariance = arma::conv_to<arma::mat>::from(
        posterior.Covariance());
    const arma::vec mean = arma::conv_to<arma::vec>::from(posterior.Mean());
    arma::vec prior(10);
    prior.fill(1.3);
    prior.tail(4).fill(1.0);
    const double expected = 0.5 *
        (arma::accu(
             (covariance.diag() + arma::square(mean)) / arma::square(prior)) -
            10.0 + 2.0 * arma::accu(arma::log(prior)) -
            arma::log_det_sympd(covariance));
    REQUIRE(posterior.Elbo(data.X, data.y, 2).kl ==
        Approx(expected).epsilon(
            sizeof(typename TestType::elem_type) == 4 ? 1e-4 : 1e-8));
    const arma::vec deviations = arma::conv_to<arma::vec>::from(
        posterior.Stddevs());
    REQUIRE(arma::approx_equal(deviations, arma::sqrt(covariance.diag()),
        "reldiff", 1e-4));
  }
}

/**
 * Of a linear model the posterior is Gaussian: there L is log p(Y | X), and
 * every importance weight is the same.
 */
TEST_CASE("GaussianPosteriorOfALinearModelIsExact", "[GaussianPosteriorTest]")
{
  const double noise = 0.4, s = 0.8;
  arma::mat X(2, 25), y(1, 25);
  RandomStream stream(1);
  stream.FillNormal(X.memptr(), X.n_elem);
  stream.FillNormal(y.memptr(), y.n_elem);
  X.row(1) += 0.9 * X.row(0);
  y = 0.4 * y + X.row(0) - 0.5 * X.row(1) + 0.3;

  mlpack::FFN<GaussianLikelihood> network(GaussianLikelihood{ noise });
  network.Add<compat::Linear<arma::mat>>(1);
  network.Reset(2);
  GaussianOptions options;
  options.priorStddev = s;
  GaussianPosterior posterior(network, GaussianLikelihood(noise), options);
  REQUIRE(posterior.NumWeights() == 3);
  REQUIRE(posterior.Rank() == 0);

  const arma::mat features = arma::join_cols(X, arma::ones(1, 25));
  const arma::mat total = noise * noise * arma::eye(25, 25) +
      s * s * features.t() * features;
  const double evidence = -0.5 *
      (arma::as_scalar(y * arma::inv_sympd(total) * y.t()) +
          arma::log_det_sympd(total) + 25.0 * std::log(2 * M_PI));
  const arma::mat covariance = arma::inv_sympd(
      features * features.t() / (noise * noise) + arma::eye(3, 3) / (s * s));
  const arma::vec mean = covariance * features * y.t() / (noise * noise);

  GaussianPosterior exact = posterior;
  const arma::mat lower = arma::chol(covariance, "lower");
  exact.Parameters().head_rows(3) = mean;
  exact.Parameters().rows(3, 5) = arma::log(
      arma::expm1(arma::vec(lower.diag())));
  exact.Parameters()[6] = lower(1, 0);
  exact.Parameters()[7] = lower(2, 0);
  exact.Parameters()[8] = lower(2, 1);
  const ElboReport report = exact.Elbo(X, y, 200);
  REQUIRE(report.group == "trivial");
  REQUIRE(report.information.value == 0.0);
  for (const double log : report.evidence.logWeights)
    REQUIRE(log == Approx(evidence).epsilon(1e-9));
  REQUIRE(std::abs(report.elbo - evidence) <= 5 * report.elboStandardError);

  // Training ends there, from a MAP-like start.
  posterior.Fit(X, y, FitOptions().KLWarmUp(0.0).Epochs(8000).Seed(1));
  const ElboReport fitted = posterior.Elbo(X, y, 4000);
  REQUIRE(
      std::abs(fitted.elbo - evidence) <= 0.02 + 5 * fitted.elboStandardError);
  REQUIRE(arma::approx_equal(posterior.Covariance(), covariance, "absdiff",
      0.1 * covariance.diag().max()));
  REQUIRE(fitted.evidence.bound == Approx(evidence).margin(0.02));

  // The predictive is Gaussian as well.
  const arma::mat points = { { 0.5, -2.0 }, { 1.0, 0.3 } };
  const auto prediction = exact.Predict(points, PredictOptions(20000));
  const arma::mat at = arma::join_cols(points, arma::ones(1, 2));
  for (size_t i = 0; i < 2; ++i)
  {
    const double variance = arma::as_scalar(
        at.col(i).t() * covariance * at.col(i));
    REQUIRE(prediction.mean[i] ==
        Approx(arma::dot(at.col(i), mean))
            .margin(5 * std::sqrt(variance / 20000)));
    REQUIRE(prediction.epistemicVariance[i] ==
        Approx(variance).epsilon(5 * std::sqrt(2.0 / 20000)));
    REQUIRE(prediction.aleatoricVariance[i] == Approx(noise * noise));
  }
  const arma::mat targets = mean.t() * at;
  const arma::rowvec density = exact.LogDensity(points, targets,
      PredictOptions(20000));
  for (size_t i = 0; i < 2; ++i)
  {
    const double variance = noise * noise +
        arma::as_scalar(at.col(i).t() * covariance * at.col(i));
    REQUIRE(density[i] ==
        Approx(-0.5 * std::log(2 * M_PI * variance)).margin(0.01));
  }
}

//! Draws of q^G are the functions of draws of q: the group is right.
TEST_CASE("GaussianGroupKeepsTheFunction", "[GaussianPosteriorTest]")
{
  const auto check = [](auto& posterior, const size_t inputs)
  {
    arma::mat points(inputs, 4);
    RandomStream(2).FillNormal(points.memptr(), points.n_elem);
    PredictOptions plain(6), moved(6);
    moved.fromSymmetrized = true;
    const arma::mat w = posterior.Weights(plain), g = posterior.Weights(moved);
    REQUIRE(!arma::approx_equal(w, g, "absdiff", 1e-3));
    auto network = posterior.Network();
    arma::mat first, second;
    for (size_t s = 0; s < w.n_cols; ++s)
    {
      network.Parameters().col(0) = w.col(s);
      network.Forward(points, first);
      network.Parameters().col(0) = g.col(s);
      network.Forward(points, second);
      REQUIRE(arma::approx_equal(first, second, "absdiff", 1e-10));
    }
  };
  for (const bool tanh : { false, true })
  {
    Posterior<> one(Model({ 4 }, tanh, 2)), two(Model({ 3, 4 }, tanh, 2));
    check(one, 2);
    check(two, 2);
    const arma::mat X(2, 3, arma::fill::ones), y(1, 3, arma::fill::ones);
    REQUIRE(two.Elbo(X, y, 1).group == (tanh ? "B_3 x B_4" : "S_3 x S_4"));
  }
  // Maps of a convolution, whose weights mlpack keeps in another order, and a
  // layer that symvi has no posterior for.
  mlpack::FFN<CategoricalLikelihood> network;
  network.Add<compat::DefaultConvolution<arma::mat>>(3, 2, 2);
  network.Add<compat::TanH<arma::mat>>();
  network.Add<compat::Linear<arma::mat>>(4);
  network.Add<compat::ReLU<arma::mat>>();
  network.Add<compat::LinearNoBias<arma::mat>>(2);
  network.InputDimensions() = { 4, 4, 1 };
  network.Reset();
  GaussianOptions options;
  options.rank = 3;
  GaussianPosterior posterior(network, CategoricalLikelihood(), options);
  REQUIRE(posterior.NumWeights() == network.Parameters().n_elem);
  REQUIRE(arma::approx_equal(posterior.Mean(), network.Parameters(), "absdiff",
      1e-12));
  check(posterior, 16);
}

TEMPLATE_TEST_CASE("GaussianFitBeatsMeanField", "[GaussianPosteriorTest]",
    arma::mat, arma::fmat)
{
  const Curve<TestType> data;
  auto model = Model<TestType>({ 3 }, true);
  model.Fit(data.X, data.y, FitOptions().Epochs(3000).Seed(2));
  const ElboReport before = model.Elbo(data.X, data.y, 2000);

  for (const size_t rank : { 0, 5 })
  {
    GaussianOptions options;
    options.rank = rank;
    GaussianPosterior posterior(model, options);
    const ElboReport start = posterior.Elbo(data.X, data.y, 2000);
    REQUIRE(start.group == before.group);
    REQUIRE(start.logGroupOrder == Approx(before.logGroupOrder));
    if (rank == 0)
    {
      REQUIRE(start.kl == Approx(before.kl).epsilon(1e-4));
      REQUIRE(std::abs(start.symmetrizedElbo - before.symmetrizedElbo) <= 5 *
              (start.symmetrizedElboStandardError +
                  before.symmetrizedElboStandardError));
    }
    const FitReport fit = posterior.Fit(data.X, data.y,
        FitOptions().KLWarmUp(0.0).Epochs(3000).Seed(1));
    REQUIRE(fit.epochs == 3000);
    const ElboReport after = posterior.Elbo(data.X, data.y, 2000);
    REQUIRE(after.symmetrizedElbo > before.symmetrizedElbo + 2.0);
    REQUIRE(after.information.value > 0.0);
    REQUIRE(after.evidence.bound > after.elbo);
  }
}

TEST_CASE("GaussianPoolIsTheMixture", "[GaussianPosteriorTest]")
{
  const Curve<arma::mat> data;
  Posterior<> first(Model({ 3 }, true)), second = first;
  Perturb(first, 0.1);
  second = first;
  second.Parameters() *= 0.95;
  // Of one posterior it is the evidence of that; a copy changes nothing.
  const EvidenceReport own = Posterior<>::Pool({ first }, data.X, data.y, 2000),
                       twice = Posterior<>::Pool({ first, first }, data.X,
                           data.y, 2000);
  REQUIRE(arma::approx_equal(arma::vec(own.logWeights),
      arma::vec(twice.logWeights), "absdiff", 1e-9));
  const ElboReport report = first.Elbo(data.X, data.y, 2000);
  REQUIRE(std::abs(arma::mean(arma::vec(own.logWeights)) -
              report.symmetrizedElbo) <= 5 *
          (report.symmetrizedElboStandardError +
              arma::stddev(arma::vec(own.logWeights)) / std::sqrt(2000.0)));
  // The entropy is concave: from the mean of both to log 2 above it.
  const arma::vec both(
      Posterior<>::Pool({ first, second }, data.X, data.y, 8000).logWeights);
  const arma::vec other(
      Posterior<>::Pool({ second }, data.X, data.y, 4000).logWeights);
  const double gain = arma::mean(both) -
      0.5 * (arma::mean(arma::vec(own.logWeights)) + arma::mean(other));
  const double error = 2 * arma::stddev(other) / std::sqrt(4000.0) +
      arma::stddev(arma::vec(own.logWeights)) / std::sqrt(2000.0);
  REQUIRE(gain >= -5 * error);
  REQUIRE(gain <= std::log(2.0) + 5 * error);
  GaussianOptions options;
  options.enumerate = 10;
  Posterior<> large(Model({ 3 }, true), options);
  REQUIRE_THROWS_AS(Posterior<>::Pool({ large }, data.X, data.y),
      std::invalid_argument);
  REQUIRE_THROWS_AS(Posterior<>::Pool({}, data.X, data.y),
      std::invalid_argument);
  Posterior<> another(Model({ 2 }, true));
  REQUIRE_THROWS_AS(Posterior<>::Pool({ first, another }, data.X, data.y),
      std::invalid_argument);
}

TEST_CASE("GaussianElboWithEnsmallen", "[GaussianPosteriorTest]")
{
  const Curve<arma::mat> data;
  Posterior<> posterior(Model({ 2 }, false));
  const double before = posterior.Elbo(data.X, data.y, 500).symmetrizedElbo;
  auto elbo = posterior.Objective(data.X, data.y);
  ens::Adam adam(StepSize(1e-2, 6), 6);
  adam.MaxIterations() = 1500 * 12;
  adam.Optimize(elbo, posterior.Parameters());
  REQUIRE(posterior.Elbo(data.X, data.y, 500).symmetrizedElbo > before + 10.0);

  // The same noise in every pass: a line search works.
  elbo.Freeze();
  elbo.Samples() = 20;
  const double value = elbo.Evaluate(posterior.Parameters());
  ens::L_BFGS lbfgs(10, 20);
  REQUIRE(lbfgs.Optimize(elbo, posterior.Parameters()) < value);
}

TEMPLATE_TEST_CASE("GaussianSaveAndLoad", "[GaussianPosteriorTest]", arma::mat,
    arma::fmat)
{
  const Curve<TestType> data;
  const std::string path = "gaussian_posterior_test.bin";
  for (const size_t rank : { 0, 2 })
  {
    GaussianOptions options;
    options.rank = rank;
    Posterior<TestType> posterior(Model<TestType>({ 3 }, true), options),
        loaded;
    Perturb<TestType>(posterior, 0.1);
    posterior.Save(path);
    loaded.Load(path);
    REQUIRE(arma::approx_equal(loaded.Parameters(), posterior.Parameters(),
        "absdiff", 0.0));
    const ElboReport a = posterior.Elbo(data.X, data.y, 5),
                     b = loaded.Elbo(data.X, data.y, 5);
    REQUIRE(a.symmetrizedElbo == b.symmetrizedElbo);
    REQUIRE(a.evidence.bound == b.evidence.bound);
    REQUIRE(arma::approx_equal(posterior.Predict(data.X).mean,
        loaded.Predict(data.X).mean, "absdiff", 0.0));
  }
  std::string bytes;
  {
    std::ifstream in(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  bytes[bytes.size() / 2] ^= 1;
  std::ofstream(path, std::ios::binary) << bytes;
  Posterior<TestType> broken;
  REQUIRE_THROWS_AS(broken.Load(path), std::invalid_argument);
  Model<TestType>({ 3 }, true).Save(path);
  REQUIRE_THROWS_AS(broken.Load(path), std::invalid_argument);
  REQUIRE_THROWS_AS(broken.Mean(), std::logic_error);
  std::remove(path.c_str());
}

TEST_CASE("GaussianClassification", "[GaussianPosteriorTest]")
{
  arma::mat X(2, 60);
  RandomStream(4).FillNormal(X.memptr(), X.n_elem);
  arma::mat y(1, 60);
  for (size_t i = 0; i < 60; ++i)
    y[i] = X(0, i) * X(1, i) > 0;
  mlpack::FFN<mlpack::NegativeLogLikelihood> network;
  network.Add<compat::Linear<arma::mat>>(6);
  network.Add<compat::ReLU<arma::mat>>();
  network.Add<compat::Linear<arma::mat>>(2);
  network.Add<compat::LogSoftMax<arma::mat>>();
  SeedGenerators(1);
  network.Reset(2);
  GaussianPosterior posterior(network, CategoricalLikelihood());
  const FitReport fit = posterior.Fit(X, y,
      FitOptions().KLWarmUp(0.0).Epochs(1500).Validation(0.1).Patience(0).Seed(
          1));
  REQUIRE(!std::isnan(fit.history.back().validation));
  const auto prediction = posterior.Predict(X, PredictOptions(200));
  REQUIRE(arma::approx_equal(arma::sum(prediction.probabilities, 0),
      arma::ones<arma::rowvec>(60), "absdiff", 1e-9));
  REQUIRE(posterior.Elbo(X, y).group == "S_6");
  const arma::urowvec right = (prediction.probabilities.row(1) > 0.5) ==
      (y > 0.5);
  REQUIRE(arma::accu(right) >= 54);
}

TEST_CASE("GaussianLearnedNoise", "[GaussianPosteriorTest]")
{
  const Curve<arma::mat> data;
  BayesianFFN<GaussianLikelihood> model;
  model.Add<BayesianLinear>(3);
  model.Add<mlpack::TanH>();
  model.Add<BayesianLinear>(1);
  model.Fit(data.X, data.y, FitOptions().Epochs(200).Seed(1));
  GaussianPosterior posterior(model);
  REQUIRE(posterior.NumWeights() == 10);
  const double before = posterior.Parameters().back();
  posterior.Fit(data.X, data.y, FitOptions().KLWarmUp(0.0).Epochs(200).Seed(1));
  REQUIRE(posterior.Parameters().back() != before);
  REQUIRE(posterior.Weights(PredictOptions(2)).n_rows == 11);

  mlpack::FFN<GaussianLikelihood> network(GaussianLikelihood{});
  network.Add<compat::Linear<arma::mat>>(1);
  network.Reset(1);
  GaussianPosterior linear(network, GaussianLikelihood());
  REQUIRE(linear.NumWeights() == 2);
  REQUIRE(linear.Parameters().n_elem == 6);
}

TEST_CASE("GaussianRefusals", "[GaussianPosteriorTest]")
{
  const auto message = [](const auto& action)
  {
    try
    {
      action();
    }
    catch (const std::exception& e)
    {
      return std::string(e.what());
    }
    return std::string();
  };
  GaussianOptions options;
  options.rank = 11;
  REQUIRE_THAT(message([&] { Posterior<>(Model({ 3 }, true), options); }),
      ContainsSubstring("rank must be at most the number of weights, 10"));
  options = GaussianOptions();
  options.sigma = -1.0;
  mlpack::FFN<GaussianLikelihood> network(GaussianLikelihood{ 0.1 });
  network.Add<compat::Linear<arma::mat>>(2);
  REQUIRE_THROWS_AS(GaussianPosterior(network, GaussianLikelihood(0.1)),
      std::logic_error); // Without parameters.
  network.Reset(1);
  REQUIRE_THAT(
      message([&]
          { GaussianPosterior(network, GaussianLikelihood(0.1), options); }),
      ContainsSubstring("sigma must be positive"));
  network.Add<compat::Dropout<arma::mat>>();
  network.Reset(1);
  REQUIRE_THAT(
      message([&] { GaussianPosterior(network, GaussianLikelihood(0.1)); }),
      ContainsSubstring("draws noise of its own"));

  Posterior<> posterior(Model({ 2 }, true));
  const arma::mat X(1, 3, arma::fill::ones), y(1, 3, arma::fill::ones);
  REQUIRE_THAT(message([&] { posterior.Fit(arma::mat(2, 3), y); }),
      ContainsSubstring("points must have 1 dimensions, but has 2"));
  REQUIRE_THAT(message([&] { posterior.Elbo(X, y.head_cols(2)); }),
      ContainsSubstring("one response per point"));
  REQUIRE_THROWS_AS(posterior.Elbo(X, arma::mat(1, 3).fill(arma::datum::nan)),
      std::invalid_argument);
  REQUIRE_THROWS_AS(posterior.Fit(arma::mat(1, 3).fill(arma::datum::nan), y),
      std::invalid_argument);
  REQUIRE_THROWS_AS(posterior.Elbo(X, y, 0), std::invalid_argument);
}
