/**
 * @file tests/model/evidence_test.cpp
 *
 * The importance-weighted bound against enumeration of q^G and quadrature.
 */
#include "catch.hpp"
#include "information/random_chain.hpp"
#include "model/running_mean.hpp"

#include <symvi/information/estimators.hpp>
#include <symvi/likelihood/gaussian.hpp>
#include <symvi/model/bayesian_ffn.hpp>
#include <symvi/model/ensemble.hpp>

#include <algorithm>
#include <cmath>

using namespace symvi;
using symvi_tests::RandomChain;

namespace {

double LogNormal(const double x, const double mean, const double stddev)
{
  const double z = (x - mean) / stddev;
  return -0.5 * z * z - std::log(stddev) - 0.5 * std::log(2.0 * M_PI);
}

constexpr double noise = 0.5, prior = 1.3;

/**
 * f(x) = relu(w_1 x) + relu(w_2 x): two weights, and a group of one swap.
 */
template<typename MatType = arma::mat>
struct TwoWeights
{
  using Likelihood = GaussianLikelihoodType<MatType>;
  using Model = BayesianFFN<Likelihood, mlpack::RandomInitialization, MatType>;

  MatType X = { { -1.5, -0.7, 0.2, 0.9, 1.6 } };
  MatType y = { { 1.4, 0.9, 0.1, 0.8, 1.5 } };

  double LogLikelihood(const double w1, const double w2) const
  {
    double sum = 0.0;
    for (size_t i = 0; i < X.n_elem; ++i)
      sum += LogNormal(y[i],
          std::max(0.0, w1 * X[i]) + std::max(0.0, w2 * X[i]), noise);
    return sum;
  }

  //! log p(Y | X), by the trapezoidal rule over 8 prior deviations.
  double LogEvidence() const
  {
    const int half = 600;
    const double h = 8.0 * prior / half;
    std::vector<double> logs;
    double most = -1e300, sum = 0.0;
    for (int i = -half; i <= half; ++i)
      for (int j = -half; j <= half; ++j)
      {
        logs.push_back(LogLikelihood(i * h, j * h) +
            LogNormal(i * h, 0.0, prior) + LogNormal(j * h, 0.0, prior));
        most = std::max(most, logs.back());
      }
    for (const double log : logs)
      sum += std::exp(log - most);
    return most + std::log(sum * h * h);
  }

  //! q = N((mu1, mu2), sigma^2).
  Model Posterior(const double mu1, const double mu2, const double sigma) const
  {
    Model model{ Likelihood(noise) };
    model.template Add<BayesianLinearNoBias>(2,
        BayesianOptions().PriorStddev(prior));
    model.template Add<mlpack::ReLU>();
    model.template Add<FixedLinear>(arma::mat{ { 1.0, 1.0 } });
    model.Reset(1);
    const double rho = std::log(std::expm1(sigma));
    model.Parameters().col(0) = MatType(
        arma::conv_to<MatType>::from(arma::vec{ mu1, mu2, rho, rho }));
    return model;
  }
};

} // namespace

TEST_CASE("EvidenceBoundHoldsAndConverges", "[evidence]")
{
  const TwoWeights<> data;
  const double truth = data.LogEvidence();
  // A good posterior of one of two modes, and a narrow one of bad weights.
  for (const double sigma : { 0.45, 0.25 })
  {
    auto model = data.Posterior(1.0, -1.0, sigma);
    double last = -1e300, lastError = 0.0;
    for (const size_t samples : { 4, 64, 1024 })
    {
      RunningMean bound, weight;
      for (uint64_t seed = 0; seed < 200; ++seed)
      {
        const EvidenceReport r = model.Evidence(data.X, data.y, samples, seed);
        REQUIRE(r.Samples() == samples);
        bound.Add(r.bound);
        weight.Add(std::exp(r.bound - truth));
      }
      CAPTURE(sigma, samples, truth, bound.Mean(), bound.StandardError());
      REQUIRE(bound.Mean() <= truth + 4 * bound.StandardError());
      REQUIRE(bound.Mean() >
          last - 4 * std::hypot(lastError, bound.StandardError()));
      // E omega = p(Y | X), where the variance is finite.
      if (sigma > 0.4)
        REQUIRE(std::abs(weight.Mean() - 1.0) <= 4 * weight.StandardError());
      last = bound.Mean();
      lastError = bound.StandardError();
    }
  }

  auto model = data.Posterior(1.0, -1.0, 0.45);
  const EvidenceReport r = model.Evidence(data.X, data.y, 20000, 3);
  REQUIRE(r.IsGood());
  REQUIRE(std::abs(r.bound - truth) <= 4 * r.standardError);
  REQUIRE(r.standardError < 0.02);
  REQUIRE(std::abs(r.smoothed - truth) < 0.05);

  // With q in place of q^G one of two modes is missed.
  model.Estimator() = nullptr;
  const EvidenceReport plain = model.Evidence(data.X, data.y, 20000, 3);
  REQUIRE(plain.bound < truth - 0.5 * std::log(2.0));

  // The same draws as those of the report, and no less than its L^G.
  model.Estimator() = MakeEstimator();
  const ElboReport report = model.Elbo(data.X, data.y, 500, 7);
  REQUIRE(
      report.evidence.bound == model.Evidence(data.X, data.y, 500, 7).bound);
  REQUIRE(report.evidence.bound > report.symmetrizedElbo);
  REQUIRE(
      report.PerDatum().evidence.bound == Approx(report.evidence.bound / 5.0));
}

TEST_CASE("EvidenceInSinglePrecision", "[evidence]")
{
  const TwoWeights<arma::fmat> data;
  auto model = data.Posterior(1.0, -1.0, 0.45);
  const EvidenceReport r = model.Evidence(data.X, data.y, 5000, 3);
  REQUIRE(r.IsGood());
  REQUIRE(
      std::abs(r.bound - TwoWeights<>().LogEvidence()) <= 5 * r.standardError);
}

TEST_CASE("EvidenceWeightsAgreeWithEnumeration", "[evidence]")
{
  // One input, d ReLU units with biases, one output: q^G by all d! orders.
  for (const size_t d : { 2, 3 })
  {
    arma::arma_rng::set_seed(d);
    const arma::mat X(1, 6, arma::fill::randn), y = arma::abs(X);
    BayesianFFN<GaussianLikelihood> model((GaussianLikelihood(noise)));
    const BayesianOptions options = BayesianOptions().PriorStddev(prior);
    model.Add<BayesianLinear>(d, options);
    model.Add<mlpack::ReLU>();
    model.Add<BayesianLinear>(1, options);
    model.Reset(1);
    const size_t n = 3 * d + 1; // w, b, then v, c.
    const arma::mat mu(n, 1, arma::fill::randn);
    const arma::mat sigma = 0.3 + 0.5 * arma::mat(n, 1, arma::fill::randu);
    const arma::mat rho = arma::log(arma::expm1(sigma));
    model.Parameters().col(0) = arma::join_cols(
        arma::join_cols(mu.head_rows(2 * d), rho.head_rows(2 * d)),
        arma::join_cols(mu.tail_rows(d + 1), rho.tail_rows(d + 1)));

    const size_t samples = 50;
    const uint64_t seed = 11;
    const EvidenceReport report = model.Evidence(X, y, samples, seed);

    // The draws of the report, as documented: one stream per layer.
    std::vector<BayesianLinearType<arma::mat>*> layers = model.BayesianLayers();
    RandomStream keys(seed);
    for (auto* layer : layers)
      layer->SetStream(RandomStream(keys.NextBits()));
    for (size_t s = 0; s < samples; ++s)
    {
      for (auto* layer : layers)
        layer->Draw();
      const arma::vec w = arma::join_cols(layers[0]->Weights(),
          layers[1]->Weights());
      double joint = 0.0;
      for (size_t i = 0; i < X.n_elem; ++i)
      {
        double f = w[3 * d];
        for (size_t a = 0; a < d; ++a)
          f += w[2 * d + a] * std::max(0.0, w[a] * X[i] + w[d + a]);
        joint += LogNormal(y[i], f, noise);
      }
      for (const double weight : w)
        joint += LogNormal(weight, 0.0, prior);
      std::vector<size_t> order(d);
      for (size_t a = 0; a < d; ++a)
        order[a] = a;
      double density = 0.0, count = 0.0;
      do
      {
        double log = LogNormal(w[3 * d], mu[3 * d], sigma[3 * d]);
        for (size_t a = 0; a < d; ++a)
          for (size_t k = 0; k < 3; ++k)
            log += LogNormal(w[k * d + a], mu[k * d + order[a]],
                sigma[k * d + order[a]]);
        density += std::exp(log);
        count += 1.0;
      }
      while (std::next_permutation(order.begin(), order.end()));
      REQUIRE(
          report.logWeights[s] == Approx(joint - std::log(density / count)));
    }
  }
}

TEST_CASE("SampledPermanentsKeepTheWeightUnbiased", "[evidence]")
{
  // exp(L_K - I) has mean 1 over the labellings of w, also where draws are
  // replaced on their way (18 units, tail of 1); the other end has not.
  struct Case
  {
    std::vector<size_t> sizes;
    double sigma;
    size_t permutations, runs;
  };
  for (const Case& c :
      { Case{ { 6, 18, 2 }, 0.7, 3, 1500 }, Case{ { 3, 6, 2 }, 0.8, 2, 5000 },
          Case{ { 3, 4, 4, 2 }, 0.6, 2, 3000 } })
  {
    RandomChain<double> net(c.sizes, 0.6, c.sigma, 3);
    ImportanceEstimator importance(c.permutations);
    importance.Tail() = 1;
    ExactEstimator exact;
    RandomStream stream(4);
    RunningMean with, without;
    for (size_t i = 0; i < c.runs; ++i)
    {
      net.Draw();
      const double value = exact.Evaluate(net.chain, stream).value;
      const InformationEstimate e = importance.Evaluate(net.chain, stream);
      with.Add(std::exp(e.lower - value));
      without.Add(std::exp(e.upper - value));
    }
    CAPTURE(c.sizes.size(), with.Mean(), with.StandardError(), without.Mean());
    REQUIRE(std::abs(with.Mean() - 1.0) <= 4 * with.StandardError());
    REQUIRE(without.Mean() > 1.0 + 4 * with.StandardError());
  }
}

namespace {

//! Knows I(g; w) from above only.
class UpperEstimator final : public InformationEstimator
{
 public:
  std::unique_ptr<InformationEstimator> Clone() const override
  {
    return std::make_unique<UpperEstimator>(*this);
  }
  const char* Name() const override { return "upper"; }

  InformationEstimate Evaluate(const SymmetricChain<float>&,
      RandomStream&) override
  {
    return estimate;
  }
  InformationEstimate Evaluate(const SymmetricChain<double>&,
      RandomStream&) override
  {
    return estimate;
  }
  InformationEstimate EvaluateWithGradient(const SymmetricChain<float>&,
      RandomStream&, const float, InformationGradient<float>&) override
  {
    return estimate;
  }
  InformationEstimate EvaluateWithGradient(const SymmetricChain<double>&,
      RandomStream&, const double, InformationGradient<double>&) override
  {
    return estimate;
  }

 private:
  InformationEstimate estimate{ std::log(2.0), -INFINITY, std::log(2.0),
    false };
};

} // namespace

TEST_CASE("NoEvidenceWithoutWeights", "[evidence]")
{
  const TwoWeights<> data;
  auto model = data.Posterior(1.0, -1.0, 0.45);
  model.Estimator() = UpperEstimator();
  const ElboReport report = model.Elbo(data.X, data.y, 50);
  REQUIRE(report.evidence.Samples() == 0);
  REQUIRE(!report.evidence.IsGood());
  REQUIRE(report.notes.size() == 1);
  REQUIRE_THAT(report.notes[0],
      Catch::Matchers::ContainsSubstring("'upper' gives no lower bound"));

  // A likelihood that is not a number is no weight either.
  model.Estimator() = MakeEstimator();
  arma::mat broken = data.X;
  broken[2] = std::nan("");
  REQUIRE(model.Evidence(broken, data.y, 50).Samples() == 0);
}

TEST_CASE("EvidenceOfPipelines", "[evidence]")
{
  RandomStream stream(1);
  arma::mat X(1, 40), y(1, 40);
  stream.FillNormal(X.memptr(), 40);
  stream.FillNormal(y.memptr(), 40);
  y = 500.0 + 100.0 * arma::sin(2.0 * X) + 10.0 * y;
  NetworkSpec spec;
  spec.task = "regression";
  spec.hidden = { 4 };
  spec.noise = "learned";
  Pipeline model(spec);
  model.Fit(X, y, FitOptions().Epochs(200).Seed(1));
  io::Dataset data;
  data.points = X;
  data.responses = y;

  const EvidenceReport r = model.Evidence(data, 400, 5);
  EvaluateOptions options;
  options.samples = 400;
  options.predict.seed = 5;
  const ElboReport elbo = model.Elbo(data, options);
  REQUIRE(r.bound == elbo.evidence.bound);
  REQUIRE(r.bound > elbo.symmetrizedElbo);
  // In the units of the data, all of them: the mean logarithm is L^G.
  RunningMean logs;
  for (const double log : r.logWeights)
    logs.Add(log);
  REQUIRE(
      std::abs(logs.Mean() - elbo.symmetrizedElbo) <= 5 * logs.StandardError());
  REQUIRE(model.Evaluate(data, options).Value("evidence_bound") == r.bound);
  REQUIRE_THROWS_AS(model.Evidence(data, 0), std::invalid_argument);

  // The members of an ensemble share one bound.
  const Ensemble pair(std::vector<Pipeline>{ model, model });
  const ElboReport both = pair.Elbo(data, options);
  REQUIRE(both.evidence.Samples() == 800);
  REQUIRE(std::abs(both.evidence.bound - r.bound) < 5.0);
}
