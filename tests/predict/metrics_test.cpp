/**
 * @file tests/predict/metrics_test.cpp
 *
 * Metrics against values worked out by hand, and their error messages.
 */
#include <symvi/predict/metrics.hpp>

#include "catch.hpp"

using namespace symvi;

namespace {

//! Four points, three classes; every entry is a multiple of 1/8.
template<typename MatType>
MatType Probabilities()
{
  return MatType("0.5 0.25 0.125 0.25;"
                 "0.25 0.5 0.125 0.5;"
                 "0.25 0.25 0.75 0.25");
}

//! Whether calling f throws std::invalid_argument with this text inside.
template<typename FunctionType>
bool Throws(const FunctionType& f, const std::string& text)
{
  try
  {
    f();
  }
  catch (const std::invalid_argument& e)
  {
    UNSCOPED_INFO(e.what());
    return std::string(e.what()).find(text) != std::string::npos;
  }
  return false;
}

} // namespace

TEMPLATE_TEST_CASE("ClassificationScoresByHand", "[predict][metrics]",
    arma::mat, arma::fmat)
{
  const TestType p = Probabilities<TestType>();
  const TestType y("0 1 2 0"); // The last one is predicted as class 1.

  REQUIRE(Accuracy(p, y) == 0.75);
  REQUIRE(NegativeLogLikelihood(p, y) ==
      Approx((std::log(2.0) + std::log(2.0) - std::log(0.75) + std::log(4.0)) /
          4));
  // Sums of squares: 3/8, 3/8, 3/32 and 9/16 + 1/4 + 1/16.
  REQUIRE(BrierScore(p, y) == Approx((0.375 + 0.375 + 0.09375 + 0.875) / 4));
  REQUIRE(Accuracy(p, arma::Row<size_t>({ 0, 1, 2, 0 })) == 0.75);
}

TEMPLATE_TEST_CASE("ReliabilityByHand", "[predict][metrics]", arma::mat,
    arma::fmat)
{
  const TestType p = Probabilities<TestType>();
  const TestType y("0 1 2 0");

  // Confidences 1/2, 1/2, 3/4, 1/2; bins (0, 1/4], ..., (3/4, 1].
  const ReliabilityDiagram d = Reliability(p, y, 4);
  REQUIRE(d.edges.n_elem == 5);
  REQUIRE(d.edges(1) == 0.25);
  REQUIRE(arma::all(d.counts == arma::uvec({ 0, 3, 1, 0 })));
  REQUIRE(d.confidence(1) == Approx(0.5));
  REQUIRE(d.accuracy(1) == Approx(2.0 / 3));
  REQUIRE(d.confidence(2) == Approx(0.75));
  REQUIRE(d.accuracy(2) == 1);
  REQUIRE(d.confidence(0) == 0);
  REQUIRE(d.expectedError == Approx(0.75 * (1.0 / 6) + 0.25 * 0.25));
  REQUIRE(d.maximumError == Approx(0.25));
  REQUIRE(ExpectedCalibrationError(p, y, 4) == d.expectedError);
}

TEST_CASE("OneRowIsTheProbabilityOfLabelOne", "[predict][metrics]")
{
  const arma::mat one("0.75 0.25 0.5 1");
  const arma::mat two = arma::join_cols(1 - one, one);
  const arma::mat y("1 1 0 1");

  REQUIRE(Accuracy(one, y) == Accuracy(two, y));
  REQUIRE(Accuracy(one, y) == 0.75); // The tie at 1/2 goes to class 0.
  REQUIRE(NegativeLogLikelihood(one, y) == NegativeLogLikelihood(two, y));
  REQUIRE(BrierScore(one, y) == BrierScore(two, y));
  REQUIRE(ExpectedCalibrationError(one, y) == ExpectedCalibrationError(two, y));
}

TEST_CASE("CertainAndWrongIsInfinite", "[predict][metrics]")
{
  const arma::mat p("1 0; 0 1");
  REQUIRE(NegativeLogLikelihood(p, arma::mat("0 1")) == 0);
  REQUIRE(std::isinf(NegativeLogLikelihood(p, arma::mat("1 1"))));
  REQUIRE(BrierScore(p, arma::mat("1 0")) == 2);
}

TEMPLATE_TEST_CASE("RegressionScoresByHand", "[predict][metrics]", arma::mat,
    arma::fmat)
{
  const TestType mean("1 2; 3 4");
  const TestType y("1 4; 2 4");
  const TestType variance("1 4; 1 0.25");
  const double log2pi = std::log(2 * arma::datum::pi);

  REQUIRE(RootMeanSquaredError(mean, y) == Approx(std::sqrt(5.0 / 4)));
  // Columns: (0 + 1/2), then (log(4)/2 + 1/2) and log(1/4)/2.
  REQUIRE(GaussianNegativeLogLikelihood(mean, variance, y) ==
      Approx((4 * 0.5 * log2pi + 1.0) / 2));

  const TestType lower = mean - 1, upper = mean + 1;
  REQUIRE(IntervalCoverage(lower, upper, y) == 0.75);
  REQUIRE(MeanIntervalWidth(lower, upper) == Approx(2));
}

TEMPLATE_TEST_CASE("MixtureScore", "[predict][metrics]", double, float)
{
  // Two draws, one point, two outputs: the average of two products.
  arma::Cube<TestType> means(2, 1, 2), variances(2, 1, 2);
  means.slice(0) = arma::Mat<TestType>("0; 1");
  means.slice(1) = arma::Mat<TestType>("2; 0");
  variances.slice(0).fill(1);
  variances.slice(1).fill(4);
  const arma::Mat<TestType> y("0; 0");

  const double pi2 = 2 * arma::datum::pi;
  const double a = std::exp(-0.5) / pi2;
  const double b = std::exp(-0.5) / (4 * pi2);
  REQUIRE(MixtureNegativeLogLikelihood(means, variances, y) ==
      Approx(-std::log((a + b) / 2)));

  // A single draw is the Gaussian score; far tails do not underflow.
  const arma::Cube<TestType> one = means.slices(0, 0);
  REQUIRE(
      MixtureNegativeLogLikelihood(one, 1.0, y) == Approx(std::log(pi2) + 0.5));
  const arma::Mat<TestType> far("1000; 0");
  REQUIRE(MixtureNegativeLogLikelihood(one, 1.0, far) ==
      Approx(std::log(pi2) + 0.5 + 500000));
}

TEST_CASE("MetricErrorsNameArgumentAndColumn", "[predict][metrics]")
{
  const arma::mat p = Probabilities<arma::mat>();
  const arma::mat y("0 1 2 0");
  arma::mat bad = p;

  REQUIRE(Throws([&] { Accuracy(p, arma::mat("0 1 2")); }, "has 3"));
  REQUIRE(
      Throws([&] { Accuracy(p, arma::mat("0 1 3 0")); }, "is 3 in column 2"));
  REQUIRE(Throws([&] { BrierScore(p, arma::mat("0 0.5 1 0")); },
      "is 0.5 in column 1"));
  bad(1, 3) = arma::datum::nan;
  REQUIRE(Throws([&] { Accuracy(bad, y); }, "row 1, column 3"));
  bad(1, 3) = 0.75;
  REQUIRE(Throws([&] { NegativeLogLikelihood(bad, y); },
      "sum to 1.25 in column 3"));
  REQUIRE(Throws([&] { Reliability(p, y, 0); }, "bins must be positive"));
  REQUIRE(Throws([&] { Accuracy(arma::mat(), y); }, "must not be empty"));

  REQUIRE(Throws([&] { RootMeanSquaredError(p, y); }, "but is 1 x 4"));
  bad(2, 1) = arma::datum::inf;
  REQUIRE(Throws([&] { RootMeanSquaredError(p, bad); },
      "targets must be finite, but is inf in row 2, column 1"));
  REQUIRE(Throws([&] { GaussianNegativeLogLikelihood(p, arma::mat(p * 0), p); },
      "variance must be positive, but is 0 in row 0, column 0"));
  REQUIRE(Throws([&] { IntervalCoverage(arma::mat(p + 1), p, p); },
      "lower must not exceed upper"));
  const arma::cube means(1, 4, 2, arma::fill::zeros);
  REQUIRE(Throws([&] { MixtureNegativeLogLikelihood(means, -1.0, y); },
      "noiseStddev must be positive, but is -1"));
}
