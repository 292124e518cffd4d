/**
 * @file likelihood_test.cpp
 *
 * Likelihoods: values against their formulas, derivatives against finite
 * differences, and errors that name the column.
 */
#include "catch.hpp"

#include <symvi/likelihood/categorical.hpp>
#include <symvi/likelihood/gaussian.hpp>

#include <limits>
#include <string>

using namespace symvi;

namespace {

//! Largest relative error of Backward() against central differences.
template<typename LikelihoodType>
double GradientError(const LikelihoodType& likelihood, arma::mat outputs,
    const arma::mat& targets)
{
  arma::mat delta, numeric(arma::size(outputs));
  likelihood.Backward(outputs, targets, delta);
  const double h = 1e-5;
  for (size_t j = 0; j < outputs.n_elem; ++j)
  {
    const double value = outputs[j];
    outputs[j] = value + h;
    const double up = likelihood.Forward(outputs, targets);
    outputs[j] = value - h;
    const double down = likelihood.Forward(outputs, targets);
    outputs[j] = value;
    numeric[j] = (up - down) / (2 * h);
  }
  return arma::norm(delta - numeric, "fro") / arma::norm(numeric, "fro");
}

template<typename Function>
std::string Message(Function&& function)
{
  try
  {
    function();
  }
  catch (const std::invalid_argument& e)
  {
    return e.what();
  }
  return "";
}

bool Contains(const std::string& text, const std::string& part)
{
  return text.find(part) != std::string::npos;
}

const double notANumber = std::numeric_limits<double>::quiet_NaN();

} // namespace

TEST_CASE("CategoricalValueAndGradient", "[likelihood]")
{
  arma::arma_rng::set_seed(3);
  const arma::mat logits = 3 * arma::mat(4, 7, arma::fill::randn);
  const arma::mat labels = { { 0, 1, 2, 3, 3, 1, 0 } };
  const CategoricalLikelihood likelihood;

  // The sum over the batch, not its mean.
  double expected = 0;
  for (size_t i = 0; i < 7; ++i)
  {
    expected -= std::log(std::exp(logits(size_t(labels[i]), i)) /
        arma::accu(arma::exp(logits.col(i))));
  }
  REQUIRE(likelihood.Forward(logits, labels) == Approx(expected));
  REQUIRE(GradientError(likelihood, logits, labels) < 1e-8);
}

TEST_CASE("CategoricalIsStable", "[likelihood]")
{
  const CategoricalLikelihood likelihood;
  const arma::mat logits = { { 1e4, -1e4 }, { -1e4, 1e4 } };
  arma::mat p;
  likelihood.Mean(logits, p);
  REQUIRE(arma::approx_equal(p, arma::mat("1 0; 0 1"), "absdiff", 1e-12));
  REQUIRE(likelihood.Forward(logits, arma::mat("1 0")) == Approx(4e4));
}

TEST_CASE("CategoricalFloat", "[likelihood]")
{
  arma::arma_rng::set_seed(4);
  const arma::mat logits(5, 6, arma::fill::randn);
  const arma::mat labels = { { 0, 4, 2, 3, 1, 1 } };
  const double expected = CategoricalLikelihood().Forward(logits, labels);
  const CategoricalLikelihoodType<arma::fmat> likelihood;
  REQUIRE(likelihood.Forward(arma::conv_to<arma::fmat>::from(logits),
              arma::conv_to<arma::fmat>::from(labels)) ==
      Approx(expected).epsilon(1e-6));
}

TEST_CASE("GaussianValueAndGradient", "[likelihood]")
{
  arma::arma_rng::set_seed(5);
  const arma::mat f(2, 5, arma::fill::randn), t(2, 5, arma::fill::randn);
  const GaussianLikelihood likelihood(0.3);
  const double expected = arma::accu(arma::square(f - t)) / (2 * 0.09) +
      10 * (std::log(0.3) + 0.5 * std::log(2 * arma::datum::pi));
  REQUIRE(likelihood.Forward(f, t) == Approx(expected));
  REQUIRE(GradientError(likelihood, f, t) < 1e-8);
}

TEST_CASE("HeteroscedasticGaussianValueAndGradient", "[likelihood]")
{
  arma::arma_rng::set_seed(6);
  const arma::mat f(4, 5, arma::fill::randn), t(2, 5, arma::fill::randn);
  const HeteroscedasticGaussianLikelihood likelihood;
  double expected = 0;
  for (size_t i = 0; i < 5; ++i)
  {
    for (size_t k = 0; k < 2; ++k)
    {
      const double s = std::log1p(std::exp(f(2 + k, i))) + 1e-6;
      const double z = (t(k, i) - f(k, i)) / s;
      expected += z * z / 2 + std::log(s) + 0.5 * std::log(2 * arma::datum::pi);
    }
  }
  REQUIRE(likelihood.Forward(f, t) == Approx(expected));
  REQUIRE(GradientError(likelihood, f, t) < 1e-7);

  arma::mat variance;
  likelihood.Variance(f, variance);
  REQUIRE(std::sqrt(variance(1, 2)) ==
      Approx(std::log1p(std::exp(f(3, 2)))).epsilon(1e-5));
}

TEST_CASE("BernoulliValueAndGradient", "[likelihood]")
{
  arma::arma_rng::set_seed(7);
  const arma::mat logits = 4 * arma::mat(2, 6, arma::fill::randn);
  const arma::mat t = { { 0, 1, 1, 0, 1, 0 }, { 1, 1, 0, 0, 0, 1 } };
  const BernoulliLikelihood likelihood;
  const arma::mat p = 1 / (1 + arma::exp(-logits));
  const double expected = -arma::accu(
      t % arma::log(p) + (1 - t) % arma::log(1 - p));
  REQUIRE(likelihood.Forward(logits, t) == Approx(expected));
  REQUIRE(GradientError(likelihood, logits, t) < 1e-8);
  // A logit of +-1000 must not overflow.
  REQUIRE(likelihood.Forward(arma::mat("1000 -1000"), arma::mat("1 1")) ==
      Approx(1000));
}

TEST_CASE("LikelihoodsNameTheBadColumn", "[likelihood]")
{
  const arma::mat logits(3, 4, arma::fill::zeros);
  const CategoricalLikelihood categorical;
  std::string text = Message(
      [&] { categorical.Forward(logits, arma::mat("0 1 3 2")); });
  REQUIRE(Contains(text, "column 2"));
  REQUIRE(Contains(text, "is 3"));
  text = Message([&]
      { CategoricalLikelihood::CheckTargets(arma::mat("0 0.5 1 2"), 3, 4); });
  REQUIRE(Contains(text, "column 1"));
  arma::mat labels = { { 0, 1, 2, notANumber } };
  text = Message([&] { CategoricalLikelihood::CheckTargets(labels, 3, 4); });
  REQUIRE(Contains(text, "column 3"));
  text = Message([&]
      { CategoricalLikelihood::CheckTargets(arma::mat("-1 0 1 2"), 3, 4); });
  REQUIRE(Contains(text, "column 0"));
  text = Message(
      [&] { CategoricalLikelihood::CheckTargets(arma::mat("0 1"), 3, 4); });
  REQUIRE(Contains(text, "1 x 4"));

  arma::mat targets = { { 0, 1, notANumber } };
  const arma::mat outputs(1, 3, arma::fill::zeros);
  text = Message([&] { GaussianLikelihood(1.0).Forward(outputs, targets); });
  REQUIRE(Contains(text, "column 2"));
  text = Message([&] { GaussianLikelihood().Forward(outputs, targets); });
  REQUIRE(Contains(text, "no noise level"));
  text = Message([&] { GaussianLikelihood::CheckTargets(targets, 1, 3); });
  REQUIRE(Contains(text, "column 2"));
  const arma::mat pairs(2, 3, arma::fill::zeros);
  text = Message(
      [&] { HeteroscedasticGaussianLikelihood().Forward(pairs, targets); });
  REQUIRE(Contains(text, "column 2"));
  text = Message(
      [&] { BernoulliLikelihood::CheckTargets(arma::mat("0 1 0.5"), 1, 3); });
  REQUIRE(Contains(text, "column 2"));
}

TEST_CASE("LikelihoodsCheckTheirArguments", "[likelihood]")
{
  REQUIRE_THROWS_AS(GaussianLikelihood(0.0), std::invalid_argument);
  REQUIRE_THROWS_AS(GaussianLikelihood(-1.0), std::invalid_argument);
  REQUIRE_THROWS_AS(GaussianLikelihood(notANumber), std::invalid_argument);
  REQUIRE_THROWS_AS(
      HeteroscedasticGaussianLikelihood::CheckTargets(arma::mat(1, 2), 3, 2),
      std::invalid_argument);
}

TEST_CASE("LimitedNoiseStaysBelowItsLimit", "[likelihood]")
{
  const HeteroscedasticGaussianLikelihood likelihood(1.0);
  arma::mat outputs = { { 0.3, -1.2, 0.5 }, { -3.0, 0.4, 40.0 } };
  const arma::mat targets = { { 0.1, 0.6, 2.5 } };
  arma::mat variance;
  likelihood.Variance(outputs, variance);
  REQUIRE(variance.max() < 1.0);
  REQUIRE(variance(0, 2) == Approx(1.0).epsilon(0.06));

  arma::mat delta;
  likelihood.Backward(outputs, targets, delta);
  const double h = 1e-6;
  for (size_t i = 0; i < outputs.n_elem; ++i)
  {
    const double value = outputs[i];
    outputs[i] = value + h;
    const double up = likelihood.Forward(outputs, targets);
    outputs[i] = value - h;
    const double down = likelihood.Forward(outputs, targets);
    outputs[i] = value;
    REQUIRE(
        delta[i] == Approx((up - down) / (2 * h)).epsilon(1e-5).margin(1e-8));
  }

  // Raw() is the inverse, with a limit and without.
  for (const double limit : { 1.0, arma::datum::inf })
  {
    const HeteroscedasticGaussianLikelihood other(limit);
    const arma::mat raw = arma::vec({ 0.0, other.Raw(0.6) });
    other.Variance(raw, variance);
    REQUIRE(std::sqrt(variance[0]) == Approx(0.6).epsilon(1e-5));
  }
  REQUIRE_THROWS_AS(HeteroscedasticGaussianLikelihood(0.0),
      std::invalid_argument);
}
