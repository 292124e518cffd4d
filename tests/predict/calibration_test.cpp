/**
 * @file tests/predict/calibration_test.cpp
 *
 * Corrections after the fit, their guarantees, and rankings by uncertainty.
 */
#include <symvi/kernel/random_stream.hpp>
#include <symvi/predict/calibration.hpp>
#include <symvi/predict/metrics.hpp>

#include "catch.hpp"

using namespace symvi;
using Catch::Matchers::ContainsSubstring;

namespace {

//! k of n is what probability p gives, within five standard errors.
void RequireFraction(const size_t k, const size_t n, const double p)
{
  INFO(k << " of " << n << ", expected a fraction of " << p);
  REQUIRE(std::abs(double(k) / double(n) - p) <=
      5.0 * std::sqrt(p * (1.0 - p) / double(n)));
}

//! Softmax of logits that are `scale` times those the labels are drawn from.
void DrawClasses(RandomStream& stream, const double scale, arma::mat& p,
    arma::rowvec& labels)
{
  arma::mat logits(arma::size(p));
  stream.FillNormal(logits.memptr(), logits.n_elem);
  labels.set_size(p.n_cols);
  for (size_t i = 0; i < p.n_cols; ++i)
  {
    const arma::vec truth = arma::cumsum(arma::exp(logits.col(i)));
    const double u = double(stream.NextIndex(1000000)) / 1e6 * truth.back();
    labels[i] = double(arma::accu(truth <= u));
    p.col(i) = arma::exp(scale * logits.col(i));
    p.col(i) /= arma::accu(p.col(i));
  }
}

} // namespace

TEST_CASE("AurocByHand", "[predict][metrics]")
{
  // Pairs won: 1 > {0}: 1; 3 > {0, 1, 2}: 3 of 4; 2 = 2 counts half.
  const arma::rowvec inside({ 0, 1, 2, 4 });
  REQUIRE(Auroc(inside, arma::rowvec({ 3 })) == 0.75);
  REQUIRE(Auroc(inside, arma::rowvec({ 2 })) == (2 + 0.5) / 4);
  REQUIRE(Auroc(inside, arma::frowvec({ 3, 2 })) == (3 + 2.5) / 8);
  REQUIRE(Auroc(inside, arma::rowvec({ 5, 6 })) == 1.0);
  REQUIRE(Auroc(inside, inside) == 0.5);
  REQUIRE_THROWS_WITH(Auroc(inside, arma::rowvec()),
      ContainsSubstring("outside must not be empty"));
}

TEST_CASE("FalsePositiveRateByHand", "[predict][metrics]")
{
  arma::rowvec outside = arma::regspace<arma::rowvec>(1, 20);
  // 19 of 20 detected: the threshold is 2.
  REQUIRE(FalsePositiveRate(arma::rowvec({ 0, 1, 2, 9 }), outside) == 0.5);
  REQUIRE(
      FalsePositiveRate(arma::rowvec({ 0, 1, 2, 9 }), outside, 1.0) == 0.75);
  REQUIRE(FalsePositiveRate(arma::rowvec({ -1, 0 }), outside) == 0.0);
}

TEST_CASE("AurcByHand", "[predict][metrics]")
{
  // Risks after 1, 2, 3, 4 points: 0, 0, 1/3, 1/2.
  REQUIRE(Aurc(arma::rowvec({ 0.1, 0.4, 0.2, 0.3 }),
              arma::rowvec({ 0, 1, 0, 1 })) == Approx((1.0 / 3 + 0.5) / 4));
  // The same losses with the worst ranking: 1, 1, 2/3, 1/2.
  REQUIRE(Aurc(arma::rowvec({ 0.4, 0.1, 0.3, 0.2 }),
              arma::rowvec({ 0, 1, 0, 1 })) == Approx((2 + 2.0 / 3 + 0.5) / 4));
  // Without any ranking it is the mean loss.
  REQUIRE(Aurc(arma::rowvec({ 1, 1, 1, 1 }), arma::rowvec({ 0, 1, 0, 1 })) ==
      Approx(0.5));
  REQUIRE_THROWS_WITH(Aurc(arma::rowvec({ 1, 2 }), arma::rowvec({ 1 })),
      ContainsSubstring("but has 1"));
}

TEMPLATE_TEST_CASE("TemperatureIsFound", "[predict][calibration]", arma::mat,
    arma::fmat)
{
  RandomStream stream(7);
  arma::mat p(4, 20000);
  arma::rowvec labels;
  DrawClasses(stream, 2.5, p, labels);
  const TestType q = arma::conv_to<TestType>::from(p);
  const TemperatureScaling scaling = TemperatureScaling::Fit(q, labels);
  // Standard error about 1.1 % (inverse Fisher information of 1 / T).
  REQUIRE(scaling.Temperature() == Approx(2.5).epsilon(0.055));
  const TestType scaled = scaling.Apply(q);
  REQUIRE(
      NegativeLogLikelihood(scaled, labels) < NegativeLogLikelihood(q, labels));
  REQUIRE(Accuracy(scaled, labels) == Accuracy(q, labels));
  REQUIRE(ExpectedCalibrationError(scaled, labels) <
      0.2 * ExpectedCalibrationError(q, labels));
}

TEST_CASE("TemperatureOfProbabilityZero", "[predict][calibration]")
{
  const arma::mat p("1 0; 0 1");
  // Both labels are wrong: as uncertain as allowed.
  REQUIRE(TemperatureScaling::Fit(p, arma::rowvec({ 1, 0 })).Temperature() ==
      Approx(20.0));
  REQUIRE(TemperatureScaling(2.0).Apply(p).is_finite());
  REQUIRE_THROWS_WITH(TemperatureScaling(0.0), ContainsSubstring("positive"));
}

TEMPLATE_TEST_CASE("VarianceFactorByHand", "[predict][calibration]", arma::mat,
    arma::fmat)
{
  RegressionPrediction<TestType> prediction;
  prediction.mean = TestType("0 1 2");
  prediction.epistemicVariance = TestType("1 1 2");
  prediction.aleatoricVariance = TestType("3 0 2");
  prediction.lower = TestType("-1 0 1");
  prediction.upper = TestType("2 2 2");
  // Squares 16, 1, 4 over variances 4, 1, 4.
  const VarianceFactor factor = VarianceFactor::Fit(prediction,
      TestType("4 0 4"));
  REQUIRE(factor.Factor() == Approx((4.0 + 1.0 + 1.0) / 3));
  VarianceFactor(4.0).Apply(prediction);
  REQUIRE(arma::approx_equal(prediction.Variance(), TestType("16 4 16"),
      "absdiff", 1e-6));
  REQUIRE(arma::approx_equal(prediction.lower, TestType("-2 -1 0"), "absdiff",
      1e-6));
  REQUIRE(
      arma::approx_equal(prediction.upper, TestType("4 3 2"), "absdiff", 1e-6));
}

TEST_CASE("ConformalThresholdByHand", "[predict][conformal]")
{
  const std::vector<double> scores = { 5, 1, 4, 2, 3 };
  REQUIRE(ConformalThreshold(scores, 0.5) == 3.0);
  REQUIRE(ConformalThreshold(scores, 0.6) == 4.0);
  REQUIRE(ConformalThreshold(scores, 5.0 / 6.0) == 5.0);
  REQUIRE(std::isinf(ConformalThreshold(scores, 0.9)));
  REQUIRE(std::isinf(ConformalThreshold({}, 0.5)));
  REQUIRE_THROWS_WITH(ConformalThreshold(scores, 1.0),
      ContainsSubstring("coverage"));
}

// Without ties the coverage is exactly ceil((n + 1) c) / (n + 1), whatever the
// model; here its mean and its variance are both wrong.
TEST_CASE("ConformalIntervalsCover", "[predict][conformal]")
{
  const auto [points, coverage, exact] = GENERATE(
      table<size_t, double, double>({ { 19, 0.9, 18.0 / 20.0 },
          { 10, 0.8, 9.0 / 11.0 }, { 50, 0.95, 49.0 / 51.0 } }));
  RandomStream stream(points);
  const size_t trials = 20000;
  size_t covered = 0;
  arma::mat noise(2, points + 1);
  for (size_t t = 0; t < trials; ++t)
  {
    stream.FillNormal(noise.memptr(), noise.n_elem);
    const arma::mat x = noise.row(0), y = x % x + noise.row(1);
    RegressionPrediction<arma::mat> all;
    all.mean = 0.3 * x;
    all.epistemicVariance = 0.1 + arma::square(x);
    all.aleatoricVariance = arma::mat(1, points + 1, arma::fill::value(0.2));
    const auto part = [&](const size_t first, const size_t last)
    {
      RegressionPrediction<arma::mat> some;
      some.mean = all.mean.cols(first, last);
      some.epistemicVariance = all.epistemicVariance.cols(first, last);
      some.aleatoricVariance = all.aleatoricVariance.cols(first, last);
      return some;
    };
    const ConformalIntervals intervals(part(0, points - 1),
        arma::mat(y.head_cols(points)), coverage);
    RegressionPrediction<arma::mat> last = part(points, points);
    intervals.Apply(last);
    covered += IntervalCoverage(last.lower, last.upper,
                   arma::mat(y.tail_cols(1))) == 1.0;
  }
  RequireFraction(covered, trials, exact);
}

TEST_CASE("ConformalSetsCover", "[predict][conformal]")
{
  const size_t points = 39, trials = 20000;
  RandomStream stream(3);
  arma::mat p(3, points + 1);
  arma::rowvec labels;
  size_t covered = 0;
  for (size_t t = 0; t < trials; ++t)
  {
    DrawClasses(stream, 3.0, p, labels);
    const ConformalSets sets(p.head_cols(points).eval(),
        labels.head(points).eval(), 0.8);
    covered += sets.Apply(
        p.tail_cols(1).eval())(arma::uword(labels[points]), 0);
  }
  RequireFraction(covered, trials, 32.0 / 40.0);
}

TEST_CASE("TooFewConformalPoints", "[predict][conformal]")
{
  const arma::mat p("0.9 0.2; 0.1 0.8");
  const ConformalSets sets(p, arma::rowvec({ 0, 1 }), 0.95);
  REQUIRE(std::isinf(sets.Threshold()));
  REQUIRE(arma::accu(sets.Apply(p)) == 4);
  REQUIRE_THROWS_WITH(sets.Apply(arma::mat(3, 1)), ContainsSubstring("2 rows"));
}
