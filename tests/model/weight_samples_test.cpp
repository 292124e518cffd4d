/**
 * @file weight_samples_test.cpp
 *
 * Samples that are known functions of known permutations: recovered, fitted,
 * compared.
 */
#include "catch.hpp"

#include <symvi/kernel/random_stream.hpp>
#include <symvi/model/weight_samples.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "weight_network.hpp"

using namespace symvi;
using Catch::Matchers::ContainsSubstring;

namespace {

//! Random weights, the same for the same seed.
Weights RandomWeights(const NetworkSpec& spec, const uint64_t seed)
{
  RandomStream stream(seed);
  Weights w;
  const std::vector<uint64_t> widths = spec.Widths();
  for (size_t l = 0; l + 1 < widths.size(); ++l)
  {
    w.W.emplace_back(widths[l + 1], widths[l]);
    w.b.emplace_back(widths[l + 1]);
    stream.FillNormal(w.W[l].memptr(), w.W[l].n_elem);
    stream.FillNormal(w.b[l].memptr(), w.b[l].n_elem);
  }
  return w;
}

PermutationGroup GroupOf(const NetworkSpec& spec)
{
  return PermutationGroup({ spec.hidden.begin(), spec.hidden.end() },
      spec.activation == "tanh");
}

//! Copies of w, moved by random elements, with noise.
struct Copies
{
  std::vector<Permutation> moves;
  arma::mat rows;

  Copies(const NetworkSpec& spec, const Weights& w, const size_t count,
      const double noise, const uint64_t seed)
  {
    RandomStream stream(seed);
    const PermutationGroup group = GroupOf(spec);
    for (size_t s = 0; s < count; ++s)
    {
      moves.push_back(group.Sample(stream));
      arma::vec row = Flatten(w.Moved(moves.back()));
      arma::vec error(row.n_elem);
      stream.FillNormal(error.memptr(), error.n_elem);
      rows.insert_cols(s, row + noise * error);
    }
  }
};

io::Dataset Data(const NetworkSpec& spec, const size_t n)
{
  io::Dataset data;
  RandomStream stream(77);
  data.points.set_size(spec.inputs, n);
  data.responses.set_size(spec.outputs, n);
  stream.FillNormal(data.points.memptr(), data.points.n_elem);
  stream.FillNormal(data.responses.memptr(), data.responses.n_elem);
  return data;
}

//! Sum of log N(y | f(x), noise^2) by the definition of the network.
double LogDensity(const NetworkSpec& spec, const Weights& w,
    const io::Dataset& data)
{
  const arma::mat misses = data.responses - w.Outputs(data.points, spec);
  const double s = spec.noiseStddev;
  return -0.5 * arma::accu(arma::square(misses)) / (s * s) -
      double(misses.n_elem) * (std::log(s) + 0.5 * std::log(2 * M_PI));
}

} // namespace

TEST_CASE("SamplesOfAllLayersAreRecovered", "[WeightSamples]")
{
  const std::string activation = GENERATE("relu", "tanh");
  const NetworkSpec spec = Regression(3, { 5, 4 }, 2, activation);
  const Weights w = RandomWeights(spec, 1);
  const Copies copies(spec, w, 12, 1e-3, 2);
  WeightSamples samples(spec, copies.rows);
  REQUIRE(samples.Group().Name() ==
      (activation == "tanh" ? "B_5 x B_4" : "S_5 x S_4"));
  REQUIRE(samples.EquivalentModes() == 1);

  SECTION("to one of them")
  {
    samples.AlignTo(3);
    for (size_t s = 0; s < samples.Size(); ++s)
    {
      REQUIRE(samples.Permutations()[s] * copies.moves[s] == copies.moves[3]);
      REQUIRE(samples.Distance(s, 3) < 0.02);
    }
    REQUIRE(arma::approx_equal(samples.Weights().col(3), copies.rows.col(3),
        "absdiff", 0.0));
  }
  SECTION("to a reference")
  {
    samples.AlignTo(WeightSamples(spec, Flatten(w)));
    for (size_t s = 0; s < samples.Size(); ++s)
      REQUIRE(samples.Permutations()[s] == copies.moves[s].Inverse());
  }
  SECTION("to each other, in canonical form")
  {
    samples.Metric() = GENERATE(UnitMetric::Euclidean,
        UnitMetric::Standardized);
    samples.Threads() = 2;
    REQUIRE(samples.AlignToEachOther() >= 2);
    samples.Canonicalize();
    std::set<std::string> distinct;
    for (size_t i = 0; i < samples.Size(); ++i)
    {
      std::string name;
      for (size_t h = 0; h < 2; ++h)
        for (size_t a = 0; a < copies.moves[i].Size(h); ++a)
          name += std::to_string(copies.moves[i](h, a)) +
              (copies.moves[i].Sign(h, a) < 0 ? "-" : "+");
      distinct.insert(name);
      for (size_t j = 0; j < samples.Size(); ++j)
        REQUIRE(samples.Between(i, j) ==
            copies.moves[j] * copies.moves[i].Inverse());
    }
    REQUIRE(samples.EquivalentModes() == distinct.size());
    REQUIRE(samples.Spread() < 0.02);

    // The canonical form does not depend on how the units came.
    arma::mat other(copies.rows.n_rows, 0);
    const Permutation g = GroupOf(spec).Transposition(0, 1, 4);
    for (size_t s = 0; s < samples.Size(); ++s)
      other.insert_cols(s,
          Flatten(Unflatten(copies.rows.col(s), spec).Moved(g)));
    WeightSamples again(spec, other);
    again.AlignToEachOther();
    again.Canonicalize();
    REQUIRE(
        arma::approx_equal(again.Weights(), samples.Weights(), "absdiff", 0.0));
  }
}

TEST_CASE("AlignmentKeepsTheFunctions", "[WeightSamples]")
{
  const std::string activation = GENERATE("relu", "tanh", "gelu");
  NetworkSpec spec = Regression(2, { 4, 3, 3 }, 2, activation);
  spec.noiseStddev = 0.7;
  arma::mat rows;
  for (uint64_t s = 0; s < 6; ++s)
    rows.insert_cols(s, Flatten(RandomWeights(spec, 10 + s)));
  const io::Dataset data = Data(spec, 9);
  WeightSamples samples(spec, rows);
  const double before = samples.Spread();
  samples.AlignToEachOther();
  samples.Canonicalize();
  REQUIRE(samples.Spread() < before);
  for (size_t s = 0; s < samples.Size(); ++s)
  {
    const double expected = LogDensity(spec, Unflatten(rows.col(s), spec),
        data);
    const Approx same = Approx(expected).epsilon(1e-8);
    REQUIRE(samples.LogLikelihood(rows.col(s), data) == same);
    REQUIRE(samples.LogLikelihood(samples.Weights().col(s), data) == same);
    REQUIRE(LogDensity(spec, Unflatten(samples.Weights().col(s), spec), data) ==
        same);
  }
}

TEST_CASE("AlignedSamplesAreAtTheirBestElement", "[WeightSamples]")
{
  // No element of the group brings a sample closer to the mean of all.
  const bool standardized = GENERATE(false, true);
  const NetworkSpec spec = Regression(2, { 3 }, 1, "tanh");
  arma::mat rows;
  for (uint64_t s = 0; s < 8; ++s)
    rows.insert_cols(s, Flatten(RandomWeights(spec, 20 + s)));
  WeightSamples samples(spec, rows);
  if (standardized)
    samples.Metric() = UnitMetric::Standardized;
  samples.AlignToEachOther();
  const arma::vec mean = arma::mean(samples.Weights(), 1);
  const arma::vec scale = standardized ?
      arma::vec(arma::stddev(samples.Weights(), 0, 1)) :
      arma::vec(arma::size(mean), arma::fill::ones);
  const PermutationGroup group = GroupOf(spec);
  REQUIRE(group.Order() == 48);
  for (size_t s = 0; s < samples.Size(); ++s)
  {
    const Weights w = Unflatten(samples.Weights().col(s), spec);
    const double own = arma::norm((samples.Weights().col(s) - mean) / scale);
    Permutation g = group.Identity();
    do
    {
      REQUIRE(arma::norm((Flatten(w.Moved(g)) - mean) / scale) >= own - 1e-9);
    }
    while (group.Next(g));
  }
}

TEST_CASE("TranspositionsAreThoseOfTheShortestPath", "[WeightSamples]")
{
  // Breadth first from the identity through the exchanges of two units.
  const PermutationGroup group({ 4, 3 });
  std::map<std::vector<UnitIndex>, size_t> depth;
  const auto key = [](const Permutation& g)
  {
    std::vector<UnitIndex> images = g.Images(0);
    images.insert(images.end(), g.Images(1).begin(), g.Images(1).end());
    return images;
  };
  std::vector<Permutation> queue = { group.Identity() };
  depth[key(queue[0])] = 0;
  for (size_t i = 0; i < queue.size(); ++i)
    for (size_t h = 0; h < 2; ++h)
      for (size_t a = 0; a < group.Size(h); ++a)
        for (size_t b = a + 1; b < group.Size(h); ++b)
        {
          const Permutation next = group.Transposition(h, a, b) * queue[i];
          if (depth.emplace(key(next), depth[key(queue[i])] + 1).second)
            queue.push_back(next);
        }
  REQUIRE(queue.size() == group.Order());
  for (const Permutation& g : queue)
    REQUIRE(Transpositions(g) == depth[key(g)]);

  const PermutationGroup isSigned({ 3 }, true);
  Permutation g = isSigned.Transposition(0, 0, 2) * isSigned.SignChange(0, 1) *
      isSigned.SignChange(0, 2);
  REQUIRE(Transpositions(g) == 1);
  REQUIRE(SignChanges(g) == 2);
}

TEST_CASE("MeanFieldFitIsThatOfTheFormulas", "[WeightSamples]")
{
  const NetworkSpec spec = Regression(2, { 3 }, 2, "relu");
  arma::mat rows;
  for (uint64_t s = 0; s < 5; ++s)
    rows.insert_cols(s, Flatten(RandomWeights(spec, 30 + s)));
  rows.row(4).fill(0.25);
  const WeightSamples samples(spec, rows);
  const std::vector<LayerPosterior> fit = samples.Posterior(1e-3);
  REQUIRE(fit.size() == 2);
  size_t i = 0;
  for (const LayerPosterior& layer : fit)
    for (size_t k = 0; k < layer.mean.n_elem; ++k, ++i)
    {
      double mean = 0.0, squares = 0.0;
      for (size_t s = 0; s < 5; ++s)
        mean += rows(i, s) / 5.0;
      for (size_t s = 0; s < 5; ++s)
        squares += (rows(i, s) - mean) * (rows(i, s) - mean);
      REQUIRE(layer.mean[k] == Approx(mean));
      REQUIRE(
          layer.sigma[k] == Approx(i == 4 ? 1e-3 : std::sqrt(squares / 4.0)));
    }
  REQUIRE(i == rows.n_rows);

  // As a model, which keeps it through a file.
  const std::vector<LayerPosterior> posterior = samples.Model().Posterior();
  for (size_t l = 0; l < 2; ++l)
  {
    REQUIRE(
        arma::approx_equal(posterior[l].mean, fit[l].mean, "absdiff", 1e-12));
    REQUIRE(posterior[l].mean.n_cols == (l == 0 ? 3 : 4));
  }
  REQUIRE(samples.NearestModes(1).size() == 1);
}

TEST_CASE("SplitRHatIsThatOfTheFormula", "[WeightSamples]")
{
  // Two chains, the second one longer: its last 6 samples count.
  const NetworkSpec spec = Regression(1, { 2 }, 1, "relu");
  arma::mat rows;
  for (uint64_t s = 0; s < 13; ++s)
    rows.insert_cols(s, Flatten(RandomWeights(spec, 40 + s)) + 0.1 * double(s));
  rows.row(2).zeros();
  const WeightSamples samples(spec, rows, WeightLayout(), { 6, 7 });
  const arma::vec found = samples.SplitRHat();
  for (size_t i = 0; i < rows.n_rows; ++i)
  {
    if (i == 2)
    {
      REQUIRE(found[i] == 1.0);
      continue;
    }
    const size_t starts[] = { 0, 3, 7, 10 };
    double means[4], within = 0.0, grand = 0.0, between = 0.0;
    for (size_t m = 0; m < 4; ++m)
    {
      means[m] = 0.0;
      for (size_t s = 0; s < 3; ++s)
        means[m] += rows(i, starts[m] + s) / 3.0;
      for (size_t s = 0; s < 3; ++s)
        within += std::pow(rows(i, starts[m] + s) - means[m], 2) / 2.0 / 4.0;
      grand += means[m] / 4.0;
    }
    for (size_t m = 0; m < 4; ++m)
      between += std::pow(means[m] - grand, 2) / 3.0;
    REQUIRE(
        found[i] == Approx(std::sqrt((2.0 / 3.0 * within + between) / within)));
  }
  REQUIRE(WeightSamples(spec, rows, WeightLayout(), { 10, 3 })
              .SplitRHat()
              .is_empty());
}

TEST_CASE("BarriersAndModes", "[WeightSamples]")
{
  // Two networks of one function: unit 3 of the first is not used, units 2 and
  // 3 of the second share the task of unit 2.
  NetworkSpec spec = Regression(2, { 4 }, 1, "tanh");
  spec.noiseStddev = 0.05;
  Weights one = RandomWeights(spec, 50), two = one;
  one.W[0].row(3) = arma::rowvec{ 6.0, -6.0 };
  one.W[1](0, 3) = 0.0;
  two.W[0].row(3) = two.W[0].row(2);
  two.b[0][3] = two.b[0][2];
  two.W[1](0, 2) = two.W[1](0, 3) = one.W[1](0, 2) / 2.0;
  const Copies first(spec, one, 4, 1e-4, 3), second(spec, two, 3, 1e-4, 4);
  WeightSamples samples(spec, arma::join_rows(first.rows, second.rows));
  io::Dataset data = Data(spec, 25);
  data.responses = one.Outputs(data.points, spec);

  // By the definition, along the line from 0 to 1.
  double expected = 0.0;
  const arma::vec a = samples.Weights().col(0), b = samples.Weights().col(1);
  const auto loss = [&](const double t)
  { return -LogDensity(spec, Unflatten((1 - t) * a + t * b, spec), data); };
  for (const double t : { 0.25, 0.5, 0.75 })
    expected = std::max(expected,
        loss(t) - (1 - t) * loss(0.0) - t * loss(1.0));
  REQUIRE(expected > 1.0);
  REQUIRE(samples.Barrier(0, 1, data, 4) == Approx(expected).epsilon(1e-7));

  samples.AlignToEachOther();
  REQUIRE(samples.Barrier(0, 1, data) < 0.01);
  REQUIRE(samples.Barrier(0, 4, data) > 3.0);
  const std::vector<size_t> modes = { 0, 0, 0, 0, 1, 1, 1 };
  REQUIRE(samples.Modes(data) == modes);
  REQUIRE(samples.ModesWithin(0.1) == modes);
  REQUIRE(samples.ModesWithin(1e3) == std::vector<size_t>(7, 0));
  const WeightSamples some = samples.Subset({ 1, 5, 6 });
  REQUIRE(some.Modes(data) == std::vector<size_t>{ 0, 1, 1 });
  REQUIRE(some.Between(0, 2) == samples.Between(1, 6));
}

TEST_CASE("MeansOfModelsAreSamples", "[WeightSamples]")
{
  const NetworkSpec spec = Regression(2, { 3 }, 2, "relu");
  const Copies copies(spec, RandomWeights(spec, 60), 6, 0.01, 5);
  WeightSamples samples(spec, copies.rows);
  const Pipeline one = samples.Subset({ 0, 1 }).Model();
  samples.AlignToEachOther();
  const Pipeline two = samples.Model();
  const WeightSamples both({ one, two });
  REQUIRE(both.Size() == 2);
  REQUIRE(arma::approx_equal(both.Weights().col(1),
      arma::vec(arma::mean(samples.Weights(), 1)), "absdiff", 1e-12));
  REQUIRE_THROWS_WITH(WeightSamples(std::vector<Pipeline>()),
      ContainsSubstring("the number of models must be positive"));
  const NetworkSpec other = Regression(2, { 4 }, 2, "relu");
  const Copies wider(other, RandomWeights(other, 61), 2, 0.01, 6);
  REQUIRE_THROWS_WITH(
      WeightSamples({ one, WeightSamples(other, wider.rows).Model() }),
      ContainsSubstring("model 2 must be a network 2 - 3 - 2, relu for "
                        "regression, but is 2 - 4 - 2, relu"));
}

TEST_CASE("WeightSamplesRefuseMistakes", "[WeightSamples]")
{
  const NetworkSpec spec = Regression(1, { 2 }, 1, "relu");
  const arma::mat good(7, 3, arma::fill::randu);
  REQUIRE_THROWS_WITH(WeightSamples(spec, arma::mat(6, 3)),
      ContainsSubstring("a sample must have 7 weights, but has 6"));
  REQUIRE_THROWS_WITH(WeightSamples(spec, arma::mat(7, 0)),
      ContainsSubstring("the number of samples must be positive"));
  arma::mat bad = good;
  bad(4, 1) = arma::datum::nan;
  REQUIRE_THROWS_WITH(WeightSamples(spec, bad),
      ContainsSubstring("weight 5 of sample 2 must be finite, but is nan"));
  REQUIRE_THROWS_WITH(WeightSamples(spec, good, WeightLayout(), { 2, 2 }),
      ContainsSubstring("all chains together must have 3 samples, but has 4"));
  REQUIRE_THROWS_WITH(
      WeightSamples(Regression(1, {}, 1, "relu"), arma::mat(2, 3)),
      ContainsSubstring("has no hidden layer"));
  REQUIRE_THROWS_WITH(
      WeightSamples(Regression(1, { 1 }, 1, "relu"), arma::mat(4, 3)),
      ContainsSubstring("has no symmetry"));
  REQUIRE(WeightSamples(Regression(1, { 1 }, 1, "tanh"),
              arma::mat(4, 3, arma::fill::zeros))
              .Group()
              .Name() == "B_1");
  const WeightSamples one(spec, good.col(0));
  REQUIRE_THROWS_WITH(one.Posterior(),
      ContainsSubstring("at least two samples, but there is only 1"));
  REQUIRE_THROWS_WITH(one.Model(), ContainsSubstring("at least two samples"));
  WeightSamples samples(spec, good);
  REQUIRE_THROWS_WITH(samples.AlignTo(3),
      ContainsSubstring("must be below their number 3, but is 3"));
  REQUIRE_THROWS_WITH(samples.AlignTo(samples),
      ContainsSubstring("the reference must have 1 sample, but has 3"));
  REQUIRE_THROWS_WITH(samples.Posterior(0.0),
      ContainsSubstring("minSigma must be positive"));
  REQUIRE_THROWS_WITH(samples.ModesWithin(-1.0),
      ContainsSubstring("radius must be positive"));
  REQUIRE_THROWS_WITH(WeightLayout::Named("torch"),
      ContainsSubstring("but is 'torch'"));
}
