/**
 * @file label_test.cpp
 *
 * Labels keep their spelling; standardisation can be undone.
 */
#include "catch.hpp"

#include <sstream>

#include <symvi/io/dataset.hpp>
#include <symvi/io/table.hpp>

#include "scratch.hpp"

using namespace symvi::io;

TEST_CASE("NamesAndNumbersAsLabels", "[IO]")
{
  const LabelCodec names({ "versicolor", "setosa", "versicolor" });
  REQUIRE(names.Names() == std::vector<std::string>{ "setosa", "versicolor" });

  const LabelCodec numbers({ "10", "2.0", "-1", "2" });
  REQUIRE(numbers.Names() == std::vector<std::string>{ "-1", "2.0", "10" });
  const arma::mat encoded = numbers.Encode({ "2", "1e1", "-1.00" }, "f");
  REQUIRE(encoded[0] == 1.0);
  REQUIRE(encoded[1] == 2.0);
  REQUIRE(encoded[2] == 0.0);
  REQUIRE_THROWS_WITH(numbers.Encode({ "2", "3" }, "f.csv"),
      "'f.csv', point "
      "2: label '3' does not occur in the training data.");
  REQUIRE_THROWS_AS(numbers.Decode(3), std::invalid_argument);
}

TEST_CASE("LabelsInAGivenOrder", "[IO]")
{
  const LabelCodec codec = LabelCodec::Ordered({ "dog", "cat", "bird" });
  REQUIRE(codec.Encode({ "bird", "dog" }, "f")[0] == 2.0);
  REQUIRE(codec.Decode(1) == "cat");
  REQUIRE_THROWS_AS(LabelCodec::Ordered({ "1", "1.0" }), std::invalid_argument);
}

TEST_CASE("LabelsSurviveSerialization", "[IO]")
{
  const LabelCodec copy = LabelCodec::Ordered(
      LabelCodec({ "1", "0", "07" }).Names());
  REQUIRE(copy.Names() == std::vector<std::string>{ "0", "1", "07" });
  size_t index;
  REQUIRE(copy.Find("7", index));
  REQUIRE(index == 2);
}

TEST_CASE("LabelFiles", "[IO]")
{
  const Scratch scratch;
  const std::vector<std::string> expected = { "a b", "c", "a b" };
  REQUIRE(LoadLabels(scratch.Write("1", "a b\nc\n\na b\n")) == expected);
  REQUIRE(LoadLabels(scratch.Write("2", "a b, c,\"a b\"\n")) == expected);
  REQUIRE(LoadLabels(scratch.Write("3", "kind\na b\nc\na b\n"), 3) == expected);
  REQUIRE(LoadLabels(scratch.Write("4", "kind\na b\nc\na b\n")).size() == 4);
  REQUIRE(LoadLabels(scratch.Write("5", "0 1 1 2\n")).size() == 4);
  REQUIRE_THROWS_WITH(LoadLabels(scratch.Write("6", "a\nb,c\n")),
      "'" + scratch.Path("6") +
          "', line 2: one label per line expected, but 2 "
          "found in this one.");
  REQUIRE_THROWS_WITH(LoadLabels(scratch.Write("7", "b,c\na\n")),
      "'" + scratch.Path("7") +
          "', line 2: one label per line expected, but 2 "
          "found in line 1.");
  REQUIRE_THROWS_WITH(LoadLabels(scratch.Write("8", "\n")),
      "'" + scratch.Path("8") + "' is empty.");
  REQUIRE_THROWS_WITH(LoadLabels(scratch.Write("9", "a\n?\n")),
      "'" + scratch.Path("9") + "', line 2: the label is missing.");
}

TEST_CASE("StandardizerRoundTrip", "[IO]")
{
  arma::mat data("1 2 3 6; 5 5 5 5; 1e9 1000000001 1e9 1e9");
  const arma::mat original = data;
  const Standardizer standardizer(data);
  standardizer.Apply(data);
  REQUIRE(std::abs(arma::mean(data.row(0))) < 1e-15);
  REQUIRE(std::abs(arma::stddev(data.row(0)) - 1.0) < 1e-15);
  REQUIRE(standardizer.Scales()[1] == 1.0);
  REQUIRE(std::abs(arma::stddev(data.row(2)) - 1.0) < 1e-6);
  standardizer.Revert(data);
  REQUIRE(arma::approx_equal(data, original, "reldiff", 1e-15));

  arma::mat wrong(2, 1, arma::fill::zeros);
  REQUIRE_THROWS_AS(standardizer.Apply(wrong), std::invalid_argument);
  Standardizer().Apply(wrong);
  REQUIRE(Standardizer().LogJacobian() == 0.0);

  const Standardizer given(arma::vec("1 2"), arma::vec("2 4"));
  arma::mat point("3; 6");
  given.Apply(point);
  REQUIRE(point[0] == 1.0);
  REQUIRE(point[1] == 1.0);
  REQUIRE_THROWS_AS(Standardizer(arma::vec("1"), arma::vec("0")),
      std::invalid_argument);
  REQUIRE_THROWS_AS(Standardizer(arma::vec("1"), arma::vec("1 1")),
      std::invalid_argument);
}
