/**
 * @file tests/model/pareto_smoothing_test.cpp
 *
 * The generalised Pareto fit and the smoothing of weights against what is known
 * of them.
 */
#include "catch.hpp"

#include "model/pareto_smoothing.hpp"

#include <symvi/kernel/random_stream.hpp>
#include <symvi/model/reports.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

using namespace symvi;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Moments
{
  double mean = 0.0, stddev = 0.0;

  explicit Moments(const std::vector<double>& x)
  {
    for (const double value : x)
      mean += value / double(x.size());
    for (const double value : x)
      stddev += (value - mean) * (value - mean) / double(x.size() - 1);
    stddev = std::sqrt(stddev);
  }
};

/**
 * Log-weights of the Exp(1) distribution with draws of Exp(rate), rate > 1:
 * omega = exp((rate - 1) x) / rate, P(omega > t) ~ t^(-rate / (rate - 1)), so
 * that k = 1 - 1 / rate, and E omega = 1.
 */
std::vector<double> ExponentialWeights(const double rate, const size_t n,
    RandomStream& stream)
{
  std::vector<double> log(n);
  for (double& value : log)
    value = (rate - 1.0) * -std::log1p(-stream.NextUniform()) / rate -
        std::log(rate);
  return log;
}

} // namespace

TEST_CASE("ParetoFitRecoversTheShape", "[evidence]")
{
  const size_t n = 1000, runs = 200;
  for (const double k : { -0.25, 0.0, 0.3, 0.7, 1.0, 1.5 })
  {
    RandomStream stream(5);
    const GeneralizedPareto truth{ k, 3.0 };
    std::vector<double> shapes, scales, x(n);
    for (size_t r = 0; r < runs; ++r)
    {
      for (double& value : x)
        value = truth.Quantile(stream.NextUniform());
      std::sort(x.begin(), x.end());
      const GeneralizedPareto fit = FitGeneralizedPareto(x);
      shapes.push_back(fit.k);
      scales.push_back(std::log(fit.sigma / truth.sigma));
    }
    // The standard errors of maximum likelihood, whose efficiency the method
    // has [Zhang and Stephens]; a standard deviation of 200 runs is known to 5
    // %, and a bias is of the order of 1 / n.
    const double error = (1.0 + k) / std::sqrt(double(n));
    const double scaleError = std::sqrt(2.0 * (1.0 + k) / double(n));
    const Moments shape(shapes), scale(scales);
    CAPTURE(k, shape.mean, shape.stddev, scale.mean, scale.stddev);
    REQUIRE(shape.stddev == Approx(error).epsilon(0.25));
    REQUIRE(std::abs(shape.mean - k) <=
        5 * error / std::sqrt(double(runs)) + 5.0 / double(n));
    REQUIRE(std::abs(scale.mean) <=
        5 * scaleError / std::sqrt(double(runs)) + 5.0 / double(n));
  }
}

TEST_CASE("ParetoQuantilesInvertTheDistribution", "[evidence]")
{
  for (const double k : { -0.5, 0.0, 0.5, 2.0 })
  {
    const GeneralizedPareto law{ k, 2.0 };
    for (const double p : { 0.0, 0.1, 0.5, 0.99 })
    {
      const double x = law.Quantile(p);
      const double tail = (k == 0.0) ? std::exp(-x / 2.0) :
                                       std::pow(1.0 + k * x / 2.0, -1.0 / k);
      REQUIRE(tail == Approx(1.0 - p));
    }
  }
}

TEST_CASE("ParetoKOfKnownWeights", "[evidence]")
{
  const size_t n = 10000, runs = 50;
  const double tail = 300.0; // 3 sqrt(S).
  for (const double rate : { 1.25, 2.0, 4.0, 10.0 })
  {
    RandomStream stream(7);
    const double k = 1.0 - 1.0 / rate;
    const double expected = (tail * k + 5.0) / (tail + 10.0);
    std::vector<double> shapes, smoothed;
    for (size_t r = 0; r < runs; ++r)
    {
      const EvidenceReport report = SummarizeEvidence(
          ExponentialWeights(rate, n, stream));
      shapes.push_back(report.paretoK);
      smoothed.push_back(report.smoothed);
      if (k < 0.4)
        REQUIRE(report.IsGood());
      if (k > 0.85)
        REQUIRE(std::isnan(report.standardError) == !report.IsGood());
    }
    const double error = (1.0 + k) / std::sqrt(tail);
    const Moments shape(shapes), estimate(smoothed);
    CAPTURE(k, shape.mean, expected, estimate.mean, estimate.stddev);
    REQUIRE(shape.stddev == Approx(error).epsilon(0.5));
    REQUIRE(std::abs(shape.mean - expected) <=
        5 * error / std::sqrt(double(runs)) + 2.0 / tail);
    // log E omega = 0; with k = 0.5 the variance of omega is infinite.
    if (k <= 0.5)
      REQUIRE(std::abs(estimate.mean) <=
          5 * estimate.stddev / std::sqrt(double(runs)) + 2.0 / tail);
  }
}

TEST_CASE("SmoothingKeepsTheOrder", "[evidence]")
{
  RandomStream stream(3);
  for (const double rate : { 1.1, 2.0, 20.0 })
  {
    const std::vector<double> raw = ExponentialWeights(rate, 1000, stream);
    const SmoothedWeights smooth = SmoothWeights(raw);
    std::vector<size_t> order(raw.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::sort(order.begin(), order.end(),
        [&](size_t a, size_t b) { return raw[a] < raw[b]; });
    // min(S / 5, 3 sqrt(S)) = 94 of them may change.
    size_t changed = 0;
    for (size_t i = 0; i < order.size(); ++i)
    {
      const double now = smooth.logWeights[order[i]];
      changed += (now != raw[order[i]]);
      REQUIRE(now <= raw[order.back()]);
      if (i > 0)
        REQUIRE(now >= smooth.logWeights[order[i - 1]]);
      if (i < 1000 - 94)
        REQUIRE(now == raw[order[i]]);
    }
    REQUIRE(changed > 80);

    // A constant factor changes nothing else.
    std::vector<double> moved = raw;
    for (double& value : moved)
      value -= 5000.0;
    const SmoothedWeights other = SmoothWeights(moved);
    REQUIRE(other.k == Approx(smooth.k));
    for (size_t i = 0; i < raw.size(); ++i)
      REQUIRE(other.logWeights[i] + 5000.0 ==
          Approx(smooth.logWeights[i]).margin(1e-8));
  }
}

TEST_CASE("DegenerateWeights", "[evidence]")
{
  // All equal: nothing to doubt.
  const EvidenceReport equal = SummarizeEvidence(
      std::vector<double>(100, -7.0));
  REQUIRE(equal.paretoK == -infinity);
  REQUIRE(equal.IsGood());
  REQUIRE(equal.bound == Approx(-7.0));
  REQUIRE(equal.smoothed == Approx(-7.0));
  REQUIRE(equal.standardError <= 1e-12);
  REQUIRE(equal.effectiveSamples == Approx(100.0));

  // Too few for a tail.
  RandomStream stream(1);
  for (const size_t n : { 1, 2, 24 })
  {
    const EvidenceReport few = SummarizeEvidence(
        ExponentialWeights(1.5, n, stream));
    REQUIRE(std::isnan(few.paretoK));
    REQUIRE(!few.IsGood());
    REQUIRE(std::isnan(few.standardError));
    REQUIRE(std::isnan(few.smoothed));
    REQUIRE(std::isfinite(few.bound));
    REQUIRE(few.Samples() == n);
  }
  REQUIRE(!std::isnan(
      SummarizeEvidence(ExponentialWeights(1.5, 25, stream)).paretoK));

  // Weights of zero count as such.
  std::vector<double> half = ExponentialWeights(1.25, 4000, stream);
  const EvidenceReport all = SummarizeEvidence(half);
  half.resize(8000, -infinity);
  const EvidenceReport zeros = SummarizeEvidence(half);
  REQUIRE(zeros.bound == Approx(all.bound - std::log(2.0)));
  REQUIRE(zeros.effectiveSamples == Approx(all.effectiveSamples));
  REQUIRE(std::isfinite(zeros.paretoK));

  // One weight has everything, or nothing has anything.
  std::vector<double> none(100, -infinity);
  const EvidenceReport nothing = SummarizeEvidence(none);
  REQUIRE(nothing.bound == -infinity);
  REQUIRE(std::isnan(nothing.paretoK));
  none[17] = 2.0;
  const EvidenceReport one = SummarizeEvidence(none);
  REQUIRE(one.bound == Approx(2.0 - std::log(100.0)));
  REQUIRE(one.paretoK == infinity);
  REQUIRE(!one.IsGood());
  REQUIRE(std::isnan(one.smoothed));
  REQUIRE(one.effectiveSamples == Approx(1.0));

  for (const double bad : { std::nan(""), infinity })
  {
    none[17] = bad;
    REQUIRE_THROWS_AS(SummarizeEvidence(none), std::invalid_argument);
  }
  REQUIRE_THROWS_AS(SummarizeEvidence({}), std::invalid_argument);
}

TEST_CASE("ThresholdsOfK", "[evidence]")
{
  REQUIRE(ParetoThreshold(100) == Approx(0.5));
  REQUIRE(ParetoThreshold(1000) == Approx(2.0 / 3.0));
  REQUIRE(ParetoThreshold(1000000) == Approx(0.7));
}

TEST_CASE("EvidenceErrorIsThatOfTheBound", "[evidence]")
{
  // The scatter of the bound over runs, against its own standard error.
  RandomStream stream(9);
  std::vector<double> bounds;
  double squares = 0.0;
  for (size_t r = 0; r < 300; ++r)
  {
    const EvidenceReport report = SummarizeEvidence(
        ExponentialWeights(1.25, 500, stream));
    bounds.push_back(report.bound);
    REQUIRE(report.IsGood());
    squares += report.standardError * report.standardError / 300.0;
  }
  REQUIRE(std::sqrt(squares) == Approx(Moments(bounds).stddev).epsilon(0.2));
}

TEST_CASE("EvidenceInPlainEnglish", "[evidence]")
{
  const auto text = [](const EvidenceReport& report)
  {
    std::ostringstream out;
    out << report;
    return out.str();
  };
  RandomStream stream(9);
  REQUIRE_THAT(text(EvidenceReport()), ContainsSubstring("not estimated"));
  REQUIRE_THAT(text(SummarizeEvidence(ExponentialWeights(1.1, 1000, stream))),
      ContainsSubstring("can be relied on"));
  const std::string bad = text(
      SummarizeEvidence(ExponentialWeights(50.0, 1000, stream)));
  REQUIRE_THAT(bad, ContainsSubstring("its error is not available"));
  REQUIRE_THAT(bad, !ContainsSubstring("+-"));
  REQUIRE_THAT(text(SummarizeEvidence({ 1.0, 2.0 })),
      ContainsSubstring("at least 25 samples"));
  REQUIRE_THAT(text(SummarizeEvidence(std::vector<double>(50, -infinity))),
      ContainsSubstring("all weights are zero"));
}
