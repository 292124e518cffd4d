/**
 * @file tests/kernel/require_test.cpp
 *
 * Checks of arguments: what passes, and the sentence for what does not.
 */
#include "catch.hpp"

#include <symvi/require.hpp>

#include <limits>
#include <stdexcept>

using namespace symvi;

namespace {

//! The sentence of the exception that a check throws; "" if it throws none.
template<typename Check>
std::string Sentence(const Check& check)
{
  try
  {
    check();
  }
  catch (const std::invalid_argument& e)
  {
    return e.what();
  }
  return "";
}

const double notANumber = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();

} // namespace

TEST_CASE("ChecksThatHoldAreSilent", "[Require]")
{
  Require(true, "F", "x must hold", 1);
  RequirePositive("F", "x", 1e-300);
  RequirePositive("F", "n", size_t(1));
  RequireFinite("F", "x", -1.5f);
  RequireWithin("F", "x", 0.0, 0.0, 1.0);
  RequireWithin("F", "x", 1.0, 0.0, 1.0);
  RequireCount("F", "data", "rows", 3, 3);
}

TEST_CASE("ChecksNameWhereWhatAndValue", "[Require]")
{
  REQUIRE(Sentence([] { Require(false, "F", "x must be odd", 4); }) ==
      "F(): x must be odd, but is 4.");
  REQUIRE(Sentence(
              [] {
    Require(false, "F", "task must be known", std::string("map"));
  }) == "F(): task must be known, but is 'map'.");
  REQUIRE(Sentence([] { RequirePositive("F", "stddev", -0.1); }) ==
      "F(): stddev must be positive and finite, but is -0.1.");
  REQUIRE(Sentence([] { RequirePositive("F", "n", size_t(0)); }) ==
      "F(): n must be positive, but is 0.");
  REQUIRE(Sentence([] { RequireFinite("F", "x", infinity); }) ==
      "F(): x must be finite, but is inf.");
  REQUIRE(Sentence([] { RequireWithin("F", "x", 1.5, 0.0, 1.0); }) ==
      "F(): x must lie in [0, 1], but is 1.5.");
  REQUIRE(
      Sentence([] { RefuseFile("a.csv", "is empty"); }) == "'a.csv' is empty.");
  REQUIRE(Sentence([] { RefuseAt("'a.csv', line 3", "the field is empty"); }) ==
      "'a.csv', line 3: the field is empty.");
  REQUIRE(Sentence([] { RequireCount("F", "data", "rows", 4, 3); }) ==
      "F(): data must have 3 rows, but has 4.");
  REQUIRE(Sentence([] { Refuse("F", "there must be one", "there is none"); }) ==
      "F(): there must be one, but there is none.");
}

TEST_CASE("NotANumberPassesNoCheck", "[Require]")
{
  REQUIRE_THROWS_AS(RequirePositive("F", "x", notANumber),
      std::invalid_argument);
  REQUIRE_THROWS_AS(RequirePositive("F", "x", infinity), std::invalid_argument);
  REQUIRE_THROWS_AS(RequireFinite("F", "x", notANumber), std::invalid_argument);
  REQUIRE_THROWS_AS(RequireWithin("F", "x", notANumber, 0.0, 1.0),
      std::invalid_argument);
}

TEST_CASE("ValuesAreShownAsTheyReadBack", "[Require]")
{
  for (const double value : { 0.1, 1.0 / 3.0, 1e-300, 1e22, -0.0, 123456.0 })
    REQUIRE(std::stod(ValueText(value)) == value);
  REQUIRE(ValueText(0.1f) == "0.1");
}
