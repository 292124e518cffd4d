/**
 * @file make_estimator_test.cpp
 *
 * Choosing an estimator by name, and owning one.
 */
#include "catch.hpp"
#include "random_chain.hpp"

#include <symvi/information/estimator.hpp>
#include <symvi/information/estimators.hpp>

using namespace symvi;
using namespace symvi_tests;

TEST_CASE("MakeEstimatorKnowsAllNames", "[information]")
{
  REQUIRE(EstimatorNames() ==
      std::vector<std::string>{ "auto", "uniform", "exact", "importance" });
  for (const std::string& name : EstimatorNames())
    REQUIRE(MakeEstimator(name)->Name() == name);
  REQUIRE(MakeEstimator()->Name() == std::string("auto"));
  REQUIRE_THROWS_AS(MakeEstimator("Uniform"), std::invalid_argument);
  REQUIRE_THROWS_WITH(MakeEstimator("best"),
      Catch::Matchers::ContainsSubstring("'best'") &&
          Catch::Matchers::ContainsSubstring("'importance'"));
}

TEST_CASE("MakeEstimatorSetsK", "[information]")
{
  for (const char* name : { "auto", "uniform", "importance" })
    REQUIRE(EstimatorPermutations(*MakeEstimator(name, 7)) == 7);
  REQUIRE(EstimatorPermutations(*MakeEstimator("exact", 7)) == 0);
}

TEST_CASE("EstimatorPtrOwnsACopy", "[information]")
{
  RandomChain<double> net({ 3, 6, 2 }, 0.5, 1.0, 1);
  ExactEstimator exact;
  UniformEstimator uniform(9);
  uniform.Literal() = true;
  RandomStream a(1), b(1);
  EstimatorPtr any(uniform);
  REQUIRE(any.As<UniformEstimator>()->Permutations() == 9);
  REQUIRE(any.As<UniformEstimator>()->Literal());
  REQUIRE(any.As<ExactEstimator>() == nullptr);
  REQUIRE(any->Evaluate(net.chain, a).value ==
      uniform.Evaluate(net.chain, b).value);
  any = MakeEstimator("exact");
  REQUIRE(
      any->Evaluate(net.chain, a).value == exact.Evaluate(net.chain, b).value);
  const EstimatorPtr copy(any);
  REQUIRE(copy->Name() == std::string("exact"));
  REQUIRE(&*copy != &*any);
  any = nullptr;
  REQUIRE(!any);
  REQUIRE(!EstimatorPtr(any));
}
