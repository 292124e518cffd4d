/**
 * @file sample_files_test.cpp
 *
 * Weight samples in the layouts and files of other tools, and what is wrong
 * with those that cannot be read.
 */
#include "catch.hpp"

#include <symvi/kernel/random_stream.hpp>
#include <symvi/model/weight_samples.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "../io/scratch.hpp"
#include "weight_network.hpp"

using namespace symvi;
using Catch::Matchers::ContainsSubstring;

namespace {

//! A network of 2 - 3 - 1 whose weights say where they are: 100 l + 10 r + c for
//! W_l(r, c), and c = 9 for the biases.
const NetworkSpec spec = Regression(2, { 3 }, 1, "tanh");

//! Row s of a file: those numbers plus 1000 s.
std::vector<double> Row(const std::string& order, const size_t s)
{
  std::vector<double> row;
  std::istringstream words(order);
  for (double number; words >> number;)
    row.push_back(number + 1000.0 * double(s));
  return row;
}

const std::string mlpackOrder = "100 110 120 101 111 121 109 119 129 "
                                "200 201 202 209";
const std::string pytorchOrder = "100 101 110 111 120 121 109 119 129 "
                                 "200 201 202 209";
const std::string flaxOrder = "109 119 129 100 110 120 101 111 121 "
                              "209 200 201 202";
const std::string sklearnOrder = "100 110 120 101 111 121 200 201 202 "
                                 "109 119 129 209";

//! Samples 0, ..., count - 1 in symvi's order.
arma::mat Expected(const size_t count)
{
  arma::mat samples;
  for (size_t s = 0; s < count; ++s)
    samples.insert_cols(s, arma::vec(Row(mlpackOrder, s)));
  return samples;
}

void RequireSame(const WeightSamples& found, const arma::mat& expected)
{
  REQUIRE(arma::size(found.Weights()) == arma::size(expected));
  REQUIRE(arma::approx_equal(found.Weights(), expected, "absdiff", 0.0));
}

//! The text of a table.
std::string Csv(const std::string& order, const size_t count,
    const std::string& header = "", const std::string& before = "")
{
  std::ostringstream text;
  text << header;
  for (size_t s = 0; s < count; ++s)
  {
    std::string separator = before.empty() ? "" :
                                             before + std::to_string(s) + ",";
    for (const double number : Row(order, s))
    {
      text << separator << number;
      separator = ",";
    }
    text << '\n';
  }
  return text.str();
}

//! The bytes of an .npy file, written down from the format's definition.
template<typename Number>
std::string Npy(const std::string& type, const std::string& shape,
    const std::vector<double>& numbers, const bool isFortran = false,
    const char version = 1)
{
  std::string header = "{'descr': '" + type +
      "', 'fortran_order': " + (isFortran ? "True" : "False") +
      ", 'shape': " + shape + ", }";
  header.resize(118, ' ');
  std::string bytes = std::string("\x93NUMPY") + version + '\0';
  bytes += version > 1 ? std::string("\x77\0\0\0", 4) :
                         std::string("\x77\0", 2);
  bytes += header + '\n';
  for (const double number : numbers)
  {
    const Number value = Number(number);
    char raw[sizeof(Number)];
    std::memcpy(raw, &value, sizeof(raw));
    if (type[0] == '>')
      std::reverse(raw, raw + sizeof(raw));
    bytes.append(raw, sizeof(raw));
  }
  return bytes;
}

//! Numbers of rows one after the other.
std::vector<double> Rows(const std::string& order, const size_t count)
{
  std::vector<double> all;
  for (size_t s = 0; s < count; ++s)
    for (const double number : Row(order, s))
      all.push_back(number);
  return all;
}

std::string ErrorOf(const std::vector<std::string>& paths,
    const NetworkSpec& network = spec,
    const SampleFileOptions& options = SampleFileOptions())
{
  try
  {
    WeightSamples::Load(network, paths, WeightLayout(), options);
  }
  catch (const std::invalid_argument& e)
  {
    return e.what();
  }
  return "no error";
}

} // namespace

TEST_CASE("LayoutsOfTools", "[WeightSamples]")
{
  const Scratch scratch;
  const std::pair<const char*, std::string> tools[] = {
    { "mlpack", mlpackOrder }, { "symvi", mlpackOrder },
    { "keras", mlpackOrder }, { "pytorch", pytorchOrder },
    { "flax", flaxOrder }, { "sklearn", sklearnOrder }
  };
  REQUIRE(WeightLayout::Names().size() == 6);
  for (const auto& [name, order] : tools)
  {
    const std::string path = scratch.Write("s.csv", Csv(order, 3));
    WeightSamples samples = WeightSamples::Load(spec, { path },
        WeightLayout::Named(name));
    RequireSame(samples, Expected(3));
    // What is written has the same layout.
    samples.Save(scratch.Path("again.csv"));
    REQUIRE(scratch.Read("again.csv") == Csv(order, 3));
  }

  WeightLayout none = WeightLayout::Named("pytorch");
  none.bias = WeightLayout::Bias::None;
  const std::string path = scratch.Write("s.csv",
      Csv("100 101 110 111 120 121 200 201 202", 2));
  const WeightSamples samples = WeightSamples::Load(spec, { path }, none);
  const arma::uvec weightsOnly = { 0, 1, 2, 3, 4, 5, 9, 10, 11 };
  RequireSame(samples, Expected(2).eval().rows(weightsOnly));
  const std::vector<LayerPosterior> fit = samples.Posterior();
  REQUIRE(arma::approx_equal(fit[0].mean.col(2),
      arma::vec(3, arma::fill::zeros), "absdiff", 0.0));
  REQUIRE(fit[1].mean(0, 3) == 0.0);
  REQUIRE(fit[1].sigma(0, 3) == 1e-6);
  REQUIRE(samples.Model().Posterior()[0].mean(1, 0) == Approx(610.0));
}

TEST_CASE("TablesOfSamples", "[WeightSamples]")
{
  const Scratch scratch;
  const std::string names = "a,b,c,d,e,f,g,h,i,j,k,l,m\n";
  std::string numbers;
  for (int i = 0; i < 13; ++i)
    numbers += (i ? "," : "") + std::to_string(i);
  const std::string stan = "# model = bnn\nlp__,stepsize__,"
                           "a,b,c,d,e,f,g,h,i,j,k,l,m\n# Adaptation\n";
  const std::string texts[] = { Csv(mlpackOrder, 4), Csv(mlpackOrder, 4, names),
    Csv(mlpackOrder, 4, numbers + "\n"), Csv(mlpackOrder, 4, "," + names, " "),
    Csv(mlpackOrder, 4, "\"\"," + numbers + "\n", " "),
    Csv(mlpackOrder, 4, stan, "-12.5,") };
  for (const std::string& text : texts)
    RequireSame(WeightSamples::Load(spec, { scratch.Write("s.csv", text) }),
        Expected(4));
  // Blanks, and other columns around the weights.
  const std::string path = scratch.Write("s.txt",
      "7 7 100 110 120 101 111 121 109 119 129 200 201 202 209 7\n");
  SampleFileOptions columns;
  columns.firstColumn = 3;
  columns.lastColumn = 15;
  RequireSame(WeightSamples::Load(spec, { path }, WeightLayout(), columns),
      Expected(1));
  columns.lastColumn = 17;
  REQUIRE_THAT(ErrorOf({ path }, spec, columns),
      ContainsSubstring("has no columns 3 to 17 among its 16"));
}

TEST_CASE("ArraysOfSamples", "[WeightSamples]")
{
  const Scratch scratch;
  const std::vector<double> rows = Rows(mlpackOrder, 4);
  std::vector<double> columns;
  for (size_t i = 0; i < 13; ++i)
    for (size_t s = 0; s < 4; ++s)
      columns.push_back(rows[13 * s + i]);
  const std::string files[] = { Npy<double>("<f8", "(4, 13)", rows),
    Npy<float>("<f4", "(4, 13)", rows),
    Npy<double>(">f8", "(4, 13)", rows, false, 2),
    Npy<float>(">f4", "(4, 13)", rows, false, 3),
    Npy<double>("<f8", "(4, 13)", columns, true),
    Npy<float>("<f4", "(4, 1, 13)", columns, true),
    Npy<double>("<f8", "(1, 4, 13)", rows) };
  for (const std::string& file : files)
  {
    const WeightSamples samples = WeightSamples::Load(spec,
        { scratch.Write("s.npy", file) });
    RequireSame(samples, Expected(4));
    REQUIRE(samples.Chains() == std::vector<size_t>{ 4 });
  }

  // Chains as an axis, and as files.
  const std::string chains = scratch.Write("c.npy",
      Npy<double>("<f8", "(2, 2, 13)", rows));
  RequireSame(WeightSamples::Load(spec, { chains }), Expected(4));
  REQUIRE(WeightSamples::Load(spec, { chains }).Chains() ==
      std::vector<size_t>{ 2, 2 });
  const std::string table = scratch.Write("t.csv", Csv(mlpackOrder, 4));
  SampleFileOptions some;
  some.burnIn = 1;
  some.thin = 2;
  const WeightSamples thinned = WeightSamples::Load(spec, { table, chains },
      WeightLayout(), some);
  const arma::uvec left = { 1, 3, 1, 3 };
  RequireSame(thinned, Expected(4).eval().cols(left));
  REQUIRE(thinned.Chains() == std::vector<size_t>{ 2, 1, 1 });

  // A file for each array, in the shapes of the tool.
  const auto part =
      [&](const char* name, const char* shape, const std::string& order)
  { return scratch.Write(name, Npy<float>("<f4", shape, Rows(order, 2))); };
  const std::vector<std::string> torch = { part("w1.npy", "(2, 3, 2)",
                                               "100 101 110 111 120 121"),
    part("b1.npy", "(2, 3)", "109 119 129"),
    part("w2.npy", "(2, 1, 3)", "200 201 202"), part("b2.npy", "(2,)", "209") };
  RequireSame(WeightSamples::Load(spec, torch, WeightLayout::Named("pytorch")),
      Expected(2));

  // What is written is read back.
  WeightSamples samples = WeightSamples::Load(spec, torch,
      WeightLayout::Named("pytorch"));
  samples.Save(scratch.Path("again.npy"));
  REQUIRE(scratch.Read("again.npy").size() == 128 + 2 * 13 * 8);
  REQUIRE(scratch.Read("again.npy").substr(128) ==
      Npy<double>("<f8", "", Rows(pytorchOrder, 2)).substr(129));
  RequireSame(WeightSamples::Load(spec, { scratch.Path("again.npy") },
                  WeightLayout::Named("pytorch")),
      Expected(2));
}

TEST_CASE("BadSampleFilesAreNamed", "[WeightSamples]")
{
  const Scratch scratch;
  const std::vector<double> rows = Rows(mlpackOrder, 2);
  const std::string good = Npy<double>("<f8", "(2, 13)", rows);
  const auto error = [&](const std::string& bytes)
  { return ErrorOf({ scratch.Write("s.npy", bytes) }); };
  REQUIRE(error(good) == "no error");
  REQUIRE_THAT(error(good.substr(0, good.size() - 1)),
      ContainsSubstring("s.npy' is truncated: it holds 207 bytes of numbers, "
                        "too few for its shape (2, 13)."));
  REQUIRE_THAT(error(good + "x"),
      ContainsSubstring("holds 1 bytes more than its shape (2, 13) needs"));
  REQUIRE_THAT(error(good.substr(0, 60)),
      ContainsSubstring("is truncated: it ends within its header"));
  REQUIRE_THAT(error(good.substr(0, 9)), ContainsSubstring("is truncated"));
  REQUIRE_THAT(error(""), ContainsSubstring("is empty"));
  REQUIRE_THAT(error("1,2,3\n"), ContainsSubstring("is not an .npy file"));
  for (const char* type : { "<i8", "<f2", "|b1", "<c16", "|O", "" })
    REQUIRE_THAT(error(Npy<double>(type, "(2, 13)", rows)),
        ContainsSubstring("holds numbers of the type '" + std::string(type) +
            "'; convert them to float32 or float64"));
  for (const char* shape :
      { "2, 13", "(2, -13)", "(2, 13", "(x,)", "(99999999999999999999,)" })
    REQUIRE_THAT(error(Npy<double>("<f8", shape, rows)),
        ContainsSubstring("its header cannot be read"));
  REQUIRE_THAT(
      error(Npy<double>("<f8",
          "(999999999999999, 999999999999999, 999999999999999)", rows)),
      ContainsSubstring("too few for its shape"));
  REQUIRE_THAT(error(Npy<double>("<f8", "(0, 13)", {})),
      ContainsSubstring("has shape (0, 13) and no numbers"));
  std::vector<double> bad = rows;
  bad[15] = arma::datum::nan;
  REQUIRE_THAT(error(Npy<double>("<f8", "(2, 13)", bad)),
      ContainsSubstring("holds nan at (1, 2), which is not a finite number"));
  bad[15] = 1e200;
  REQUIRE_THAT(error(Npy<double>("<f8", "(2, 13)", bad)),
      ContainsSubstring("holds 1e+200 at (1, 2)"));
  REQUIRE_THAT(error(Npy<double>("<f8", "(13, 2)", rows)),
      ContainsSubstring("has the shape (13, 2), which are no samples of a "
                        "network 2 - 3 - 1, tanh with 2 x 3 + 3 + 3 x 1 + 1 = "
                        "13 weights and biases; are samples its columns?"));
  REQUIRE_THAT(
      error(Npy<double>("<f8", "(2, 9)", std::vector<double>(18, 0.0))),
      ContainsSubstring("without biases it would have as many"));
  // A number without axes, of which columns are wanted.
  SampleFileOptions columns;
  columns.lastColumn = 1;
  REQUIRE_THAT(
      ErrorOf({ scratch.Write("s.npy", Npy<double>("<f8", "()", { 1.0 })) },
          spec, columns),
      ContainsSubstring("has the shape (), which are no samples"));
  // What never ends.
  std::filesystem::create_symlink("/dev/zero", scratch.Path("zero.npy"));
  REQUIRE_THAT(ErrorOf({ scratch.Path("zero.npy") }),
      ContainsSubstring("is not an .npy file"));
  REQUIRE_THAT(ErrorOf({ scratch.Path("none.npy") }),
      ContainsSubstring("cannot read '"));
  REQUIRE_THAT(ErrorOf({ "weights.npz" }),
      ContainsSubstring("'weights.npz' is an archive or a pickle"));

  // Tables.
  const auto table = [&](const std::string& text)
  { return ErrorOf({ scratch.Write("s.csv", text) }); };
  REQUIRE_THAT(table("1,2,3\n4,5,6\n"),
      ContainsSubstring("has the shape (2, 3)"));
  REQUIRE_THAT(table("1,2,nan\n"),
      ContainsSubstring("line 1, column 3: 'nan'"));
  REQUIRE_THAT(table("1,2\n3\n"), ContainsSubstring("2 columns expected"));

  // Several files.
  const std::string two = scratch.Write("two.npy", good);
  const std::string three = scratch.Write("three.csv", "1,2,3\n");
  REQUIRE_THAT(ErrorOf({ two, three }),
      ContainsSubstring(
          "three.csv' has the shape (1, 3), which are no samples"));
  REQUIRE_THAT(ErrorOf({ three, three, three, three }),
      ContainsSubstring(
          "three.csv' has the shape (1, 3), but as array 1 of 4 of "
          "a network 2 - 3 - 1, tanh it must hold 6 numbers per "
          "sample"));
  const std::string six = scratch.Write("six.csv", "1,2,3,4,5,6\n");
  const std::string more = scratch.Write("more.csv", "1,2,3\n1,2,3\n");
  REQUIRE_THAT(ErrorOf({ six, more, three, three }),
      ContainsSubstring("more.csv' has 2 samples, but '"));
  SampleFileOptions all;
  all.burnIn = 2;
  REQUIRE_THAT(ErrorOf({ two }, spec, all),
      ContainsSubstring("a chain has 2 samples, so that none is left behind a "
                        "burn-in of 2"));
  REQUIRE_THAT(ErrorOf({ two }, Regression(2, {}, 1, "tanh")),
      ContainsSubstring("has no hidden layer"));
}
