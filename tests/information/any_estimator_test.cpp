/**
 * @file any_estimator_test.cpp
 *
 * Choosing an estimator by name.
 */
#include "catch.hpp"
#include "random_chain.hpp"

#include <symvi/information/any_estimator.hpp>
#include <symvi/information/exact_estimator.hpp>
#include <symvi/information/uniform_estimator.hpp>

using namespace symvi;
using namespace symvi_tests;

TEST_CASE("AnyEstimatorKnowsAllNames", "[information]")
{
  REQUIRE(AnyEstimator::Names() == std::vector<std::string>{ "auto", "uniform",
      "exact", "importance", "soules", "bethe" });
  for (const std::string& name : AnyEstimator::Names())
    REQUIRE(AnyEstimator(name).Name() == name);
  REQUIRE(AnyEstimator().Name() == std::string("auto"));
  REQUIRE_THROWS_AS(AnyEstimator("Uniform"), std::invalid_argument);
  REQUIRE_THROWS_WITH(AnyEstimator("best"),
      Catch::Matchers::ContainsSubstring("'best'") &&
      Catch::Matchers::ContainsSubstring("'importance'"));
}

TEST_CASE("AnyEstimatorKeepsK", "[information]")
{
  AnyEstimator estimator("uniform", 7);
  REQUIRE(estimator.Permutations() == 7);
  for (const std::string& name : AnyEstimator::Names())
  {
    estimator.Select(name);
    REQUIRE(estimator.Permutations() == 7);
  }
  REQUIRE_THROWS_AS(estimator.Select("none"), std::invalid_argument);
  REQUIRE(estimator.Name() == std::string("bethe"));
}

TEST_CASE("AnyEstimatorDoesWhatItsChoiceDoes", "[information]")
{
  RandomChain<double> net({ 3, 6, 2 }, 0.5, 1.0, 1);
  ExactEstimator exact;
  UniformEstimator uniform(9);
  uniform.Literal() = true;
  RandomStream a(1), b(1);
  AnyEstimator any(uniform);
  REQUIRE(any.Permutations() == 9);
  REQUIRE(any.As<UniformEstimator>()->Literal());
  REQUIRE(any.As<ExactEstimator>() == nullptr);
  REQUIRE(any.Evaluate(net.chain, a).value ==
      uniform.Evaluate(net.chain, b).value);
  any.Select("exact");
  REQUIRE(any.Evaluate(net.chain, a).value ==
      exact.Evaluate(net.chain, b).value);
  const AnyEstimator copy(any);
  REQUIRE(copy.Name() == std::string("exact"));
}
