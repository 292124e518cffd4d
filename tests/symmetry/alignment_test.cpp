/**
 * @file alignment_test.cpp
 *
 * Weight matching, nearest modes and the canonical form.
 */
#include "catch.hpp"
#include "../information/random_chain.hpp"

#include <symvi/symmetry/alignment.hpp>

using namespace symvi;
using namespace symvi_tests;

namespace {

//! The posterior of `net` moved by g, in its own memory.
template<typename eT>
struct MovedChain
{
  MovedChain(const RandomChain<eT>& net, const Permutation& g) :
      means(net.means),
      sigmas(net.sigmas),
      chain(net.chain)
  {
    for (size_t l = 0; l < means.size(); ++l)
    {
      Apply(g, net.chain, l, net.means[l].data(), means[l].data());
      Apply(g, net.chain, l, net.sigmas[l].data(), sigmas[l].data());
      chain.layers[l].mu = means[l].data();
      chain.layers[l].sigma = sigmas[l].data();
      chain.layers[l].weight = nullptr;
    }
  }

  std::vector<std::vector<eT>> means, sigmas;
  SymmetricChain<eT> chain;
};

} // namespace

TEMPLATE_TEST_CASE("AlignmentUndoesAPermutation", "[symmetry]", float, double)
{
  RandomStream stream(5);
  for (const std::vector<size_t>& sizes : std::vector<std::vector<size_t>>{
           { 4, 12, 3 }, { 4, 9, 7, 3 }, { 5, 8, 6, 7, 2 } })
    for (const UnitMetric metric :
        { UnitMetric::Euclidean, UnitMetric::Standardized })
    {
      RandomChain<TestType> net(sizes, 1.0, 0.1, 6);
      const Permutation g = PermutationGroup(net.chain).Sample(stream);
      const MovedChain<TestType> moved(net, g);
      REQUIRE(Alignment(metric).Match(net.chain, moved.chain) == g);
      REQUIRE(SquaredDistance(g, net.chain, moved.chain, metric) == 0.0);
    }
}

TEST_CASE("AlignmentOfOneLayerIsOptimal", "[symmetry]")
{
  for (uint64_t seed = 0; seed < 20; ++seed)
  {
    RandomChain<double> x({ 3, 5, 2 }, 1.0, 0.1, 2 * seed);
    RandomChain<double> y({ 3, 5, 2 }, 1.0, 0.1, 2 * seed + 1);
    const Permutation best = Alignment().Match(x.chain, y.chain);
    PermutationGroup group(x.chain);
    Permutation g = group.Identity();
    do
      REQUIRE(SquaredDistance(best, x.chain, y.chain) <=
          SquaredDistance(g, x.chain, y.chain) + 1e-12);
    while (group.Next(g));
  }
}

TEST_CASE("AlignmentNeverMakesItWorse", "[symmetry]")
{
  for (uint64_t seed = 0; seed < 10; ++seed)
  {
    RandomChain<double> x({ 3, 6, 5, 4, 2 }, 1.0, 0.1, 2 * seed);
    RandomChain<double> y({ 3, 6, 5, 4, 2 }, 1.0, 0.1, 2 * seed + 1);
    const Permutation best = Alignment().Match(x.chain, y.chain);
    REQUIRE(SquaredDistance(best, x.chain, y.chain) <=
        SquaredDistance(PermutationGroup(x.chain).Identity(), x.chain,
            y.chain));
  }
}

TEST_CASE("AlignmentKeepsLabelsAndChecksShapes", "[symmetry]")
{
  RandomChain<double> x({ 3, 6, 2 }, 1.0, 0.1, 1);
  RandomChain<double> y({ 3, 6, 2 }, 1.0, 0.1, 2);
  x.chain.hidden[0].orbit = y.chain.hidden[0].orbit = { 0, 1, 0, 1, 0, 1 };
  REQUIRE(
      PermutationGroup(x.chain).Contains(Alignment().Match(x.chain, y.chain)));
  RandomChain<double> z({ 3, 5, 2 }, 1.0, 0.1, 2);
  REQUIRE_THROWS_AS(Alignment().Match(x.chain, z.chain), std::invalid_argument);
}

TEST_CASE("NearestModesAreTheClosest", "[symmetry]")
{
  RandomChain<double> net({ 3, 5, 2 }, 1.0, 0.1, 3);
  const std::vector<EquivalentMode> modes = NearestModes(net.chain, 4);
  REQUIRE(modes.size() == 4);
  PermutationGroup group(net.chain);
  double closest = INFINITY, norm = 0.0;
  Permutation g = group.Identity();
  while (group.Next(g))
    closest = std::min(closest,
        std::sqrt(SquaredDistance(g, net.chain, net.chain)));
  REQUIRE(modes[0].distance == Approx(closest));
  for (size_t i = 0; i < modes.size(); ++i)
  {
    const Permutation t = group.Transposition(modes[i].layer, modes[i].a,
        modes[i].b);
    REQUIRE(modes[i].distance ==
        Approx(std::sqrt(SquaredDistance(t, net.chain, net.chain))));
    // Each weight that moves is counted once: 1/4 of the standardized distance
    // and half of log((s^2 + t^2) / (2 s t)).
    double separation = 0.25 *
        SquaredDistance(t, net.chain, net.chain, UnitMetric::Standardized);
    const MovedChain<double> moved(net, t);
    for (size_t l = 0; l < 2; ++l)
      for (size_t k = 0; k < moved.sigmas[l].size(); ++k)
      {
        const double s = moved.sigmas[l][k], u = net.sigmas[l][k];
        separation += 0.5 * std::log((s * s + u * u) / (2 * s * u));
      }
    REQUIRE(modes[i].separation == Approx(separation));
    if (i > 0)
      REQUIRE(modes[i].distance >= modes[i - 1].distance);
  }
  for (const std::vector<double>& m : net.means)
    for (const double x : m)
      norm += x * x;
  REQUIRE(closest <= 2 * std::sqrt(norm) / std::sqrt(5 - 1.0));
  REQUIRE(NearestModes(net.chain, 1000).size() == 10);
}

TEMPLATE_TEST_CASE("CanonicalFormIsTheSameForTheWholeOrbit", "[symmetry]",
    float, double)
{
  for (const std::vector<size_t>& sizes : std::vector<std::vector<size_t>>{
           { 3, 5, 2 }, { 3, 4, 5, 2 }, { 2, 3, 4, 3, 1 } })
  {
    RandomChain<TestType> net(sizes, 1.0, 0.1, 8);
    const MovedChain<TestType> canonical(net, CanonicalForm(net.chain));
    REQUIRE(CanonicalForm(canonical.chain).IsIdentity());
    RandomStream stream(9);
    PermutationGroup group(net.chain);
    for (size_t trial = 0; trial < 20; ++trial)
    {
      const Permutation g = group.Sample(stream);
      const MovedChain<TestType> moved(net, g);
      const Permutation back = CanonicalForm(moved.chain);
      const MovedChain<TestType> again(net, back * g);
      REQUIRE(again.means == canonical.means);
      REQUIRE(again.sigmas == canonical.sigmas);
    }
  }
}

TEST_CASE("CanonicalFormSortsWithinLabels", "[symmetry]")
{
  RandomChain<double> net({ 3, 6, 2 }, 1.0, 0.1, 1);
  net.chain.hidden[0].orbit = { 2, 1, 2, 1, 2, 1 };
  const Permutation g = CanonicalForm(net.chain);
  REQUIRE(PermutationGroup(net.chain).Contains(g));
}
