/**
 * @file signed_permutation_test.cpp
 *
 * Permutations that also change signs: axioms, action, group, alignment,
 * nearest modes, canonical form.
 */
#include "catch.hpp"
#include "../information/random_chain.hpp"

#include <symvi/symmetry/alignment.hpp>
#include <symvi/symmetry/permutation_group.hpp>

#include <cereal/archives/binary.hpp>
#include <cereal/types/vector.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

using namespace symvi;
using namespace symvi_tests;

namespace {

//! A random posterior whose hidden layers are signed where the bit is set.
template<typename eT>
struct SignedChain : RandomChain<eT>
{
  SignedChain(const std::vector<size_t>& sizes, const size_t bits,
      const uint64_t seed, const bool bias = true) :
      RandomChain<eT>(sizes, 1.0, 0.1, seed, bias)
  {
    for (size_t h = 0; h < this->chain.hidden.size(); ++h)
      this->chain.hidden[h].isSigned = (bits >> h) & 1;
  }
};

//! The posterior of `net` moved by g, in its own memory.
template<typename eT>
struct MovedChain
{
  MovedChain(const RandomChain<eT>& net, const Permutation& g) :
      means(net.means),
      sigmas(net.sigmas),
      weights(net.weights),
      chain(net.chain)
  {
    for (size_t l = 0; l < means.size(); ++l)
    {
      Apply(g, net.chain, l, net.means[l].data(), means[l].data());
      Apply(g, net.chain, l, net.sigmas[l].data(), sigmas[l].data(),
          WeightArray::Magnitudes);
      Apply(g, net.chain, l, net.weights[l].data(), weights[l].data());
      chain.layers[l].mu = means[l].data();
      chain.layers[l].sigma = sigmas[l].data();
      chain.layers[l].weight = weights[l].data();
    }
  }

  std::vector<std::vector<eT>> means, sigmas, weights;
  SymmetricChain<eT> chain;
};

template<typename eT>
std::vector<Permutation> Elements(const SymmetricChain<eT>& chain)
{
  PermutationGroup group(chain);
  std::vector<Permutation> elements;
  Permutation g = group.Identity();
  do
    elements.push_back(g);
  while (group.Next(g));
  return elements;
}

//! The network with tanh behind signed layers, else a ReLU.
std::vector<double> Network(const SymmetricChain<double>& chain,
    std::vector<double> x)
{
  for (size_t l = 0; l < chain.layers.size(); ++l)
  {
    const PosteriorView<double>& v = chain.layers[l];
    std::vector<double> y(v.outSize, 0.0);
    for (size_t r = 0; r < v.outSize; ++r)
    {
      for (size_t c = 0; c < v.inSize; ++c)
        y[r] += v.weight[c * v.outSize + r] * x[c];
      if (v.hasBias)
        y[r] += v.weight[v.inSize * v.outSize + r];
      if (l + 1 < chain.layers.size())
        y[r] = chain.hidden[l].isSigned ? std::tanh(y[r]) : std::max(y[r], 0.0);
    }
    x = y;
  }
  return x;
}

} // namespace

TEST_CASE("SignedPermutationAxioms", "[symmetry]")
{
  for (const size_t bits : { 1, 2, 3 })
  {
    const SignedChain<double> net({ 2, 3, 2, 1 }, bits, 1);
    const std::vector<Permutation> elements = Elements(net.chain);
    const Permutation e = elements[0];
    REQUIRE(e.IsIdentity());
    REQUIRE(elements.size() == (bits == 1 ? 96u : bits == 2 ? 48u : 384u));
    REQUIRE(elements.size() == PermutationGroup(net.chain).Order());
    for (size_t i = 0; i < elements.size(); i += 5)
    {
      const Permutation& g = elements[i];
      REQUIRE(g * g.Inverse() == e);
      REQUIRE(g.Inverse() * g == e);
      REQUIRE(g.IsIdentity() == (i == 0));
      for (const Permutation& h : elements)
      {
        REQUIRE((g * h).Inverse() == h.Inverse() * g.Inverse());
        REQUIRE(std::count(elements.begin(), elements.end(), g * h) == 1);
      }
    }
  }
}

TEST_CASE("SignedPermutationLeavesTheFunctionAlone", "[symmetry]")
{
  for (const std::vector<size_t>& sizes : std::vector<std::vector<size_t>>{
           { 3, 3, 2 }, { 3, 2, 3, 2 }, { 2, 2, 2, 2, 1 } })
    for (size_t bits = 0; bits < (size_t(1) << (sizes.size() - 2)); ++bits)
    {
      const SignedChain<double> net(sizes, bits, 1, bits % 2 == 0);
      const std::vector<double> x = { 0.3, -1.2, 0.7 };
      const std::vector<double> y = Network(net.chain, x);
      for (const Permutation& g : Elements(net.chain))
      {
        const MovedChain<double> moved(net, g);
        const std::vector<double> z = Network(moved.chain, x);
        for (size_t i = 0; i < y.size(); ++i)
          REQUIRE(z[i] == Approx(y[i]).epsilon(1e-12));
        if (!g.IsIdentity())
          REQUIRE(moved.weights != net.weights);
        // Deviations stay positive.
        for (const std::vector<double>& s : moved.sigmas)
          REQUIRE(*std::min_element(s.begin(), s.end()) > 0.0);
      }
    }
}

TEST_CASE("SignedPermutationActsFromTheLeft", "[symmetry]")
{
  SignedChain<double> net({ 2, 3, 2, 1 }, 3, 2);
  RandomStream stream(1);
  PermutationGroup group(net.chain);
  for (size_t i = 0; i < 200; ++i)
  {
    const Permutation g = group.Sample(stream), h = group.Sample(stream);
    REQUIRE(group.Contains(g));
    const MovedChain<double> both(net, g * h), first(net, h);
    for (size_t l = 0; l < net.weights.size(); ++l)
    {
      std::vector<double> w = first.weights[l];
      Apply(g, net.chain, l, first.weights[l].data(), w.data());
      REQUIRE(w == both.weights[l]);
    }
  }
}

TEST_CASE("SignedPermutationIsSavedWithItsSigns", "[symmetry]")
{
  PermutationGroup group({ 4, 3 }, true);
  RandomStream stream(2);
  for (size_t i = 0; i < 20; ++i)
  {
    const Permutation g = group.Sample(stream);
    std::stringstream file;
    cereal::BinaryOutputArchive out(file);
    out(g);
    Permutation h;
    cereal::BinaryInputArchive in(file);
    in(h);
    REQUIRE(g == h);
  }
}

TEST_CASE("SignedGroupsHaveNamesAndOrders", "[symmetry]")
{
  PermutationGroup group({ 12 }, true);
  REQUIRE(group.Name() == "B_12");
  REQUIRE(group.LogOrder() == Approx(12 * std::log(2.0) + std::lgamma(13.0)));
  REQUIRE(PermutationGroup({ 1 }, true).Order() == 2);
  REQUIRE(PermutationGroup({ 1 }, true).Name() == "B_1");
  REQUIRE(PermutationGroup({ 1 }).Name() == "trivial");
  REQUIRE(PermutationGroup({ 64 }, true).Order() == size_t(-1));
  const SignedChain<double> net({ 2, 8, 4, 1 }, 1, 1);
  REQUIRE(PermutationGroup(net.chain).Name() == "B_8 x S_4");

  PermutationGroup mixed(net.chain);
  REQUIRE(mixed.SignChange(0, 3).Sign(0, 3) == -1);
  REQUIRE(mixed.Contains(mixed.SignChange(0, 3)));
  REQUIRE_THROWS_AS(mixed.SignChange(1, 0), std::invalid_argument);
  REQUIRE_THROWS_AS(mixed.SignChange(0, 8), std::invalid_argument);
  Permutation wrong = mixed.Identity();
  wrong.Signs(1)[0] = -1;
  REQUIRE(!mixed.Contains(wrong));
}

TEST_CASE("SignedGroupIsSampledUniformly", "[symmetry]")
{
  SignedChain<double> net({ 2, 3, 2, 1 }, 1, 1);
  net.chain.hidden[0].orbit = { 0, 1, 0 };
  PermutationGroup group(net.chain);
  const std::vector<Permutation> elements = Elements(net.chain);
  REQUIRE(elements.size() == 32);
  RandomStream stream(3);
  std::vector<double> counts(elements.size(), 0.0);
  const double n = 32000;
  for (size_t i = 0; i < size_t(n); ++i)
    ++counts[std::find(elements.begin(), elements.end(), group.Sample(stream)) -
        elements.begin()];
  // 32 counts of mean 1000: five standard deviations each.
  for (const double count : counts)
    REQUIRE(std::abs(count - 1000) <= 5 * std::sqrt(1000.0 * 31 / 32));
}

TEMPLATE_TEST_CASE("AlignmentUndoesASignedPermutation", "[symmetry]", float,
    double)
{
  RandomStream stream(5);
  for (const std::vector<size_t>& sizes : std::vector<std::vector<size_t>>{
           { 4, 12, 3 }, { 4, 9, 7, 3 }, { 5, 8, 6, 7, 2 } })
    for (const size_t bits : { 7, 2 })
      for (const UnitMetric metric :
          { UnitMetric::Euclidean, UnitMetric::Standardized })
      {
        const SignedChain<TestType> net(sizes, bits, 6);
        const Permutation g = PermutationGroup(net.chain).Sample(stream);
        const MovedChain<TestType> moved(net, g);
        REQUIRE(Alignment(metric).Match(net.chain, moved.chain) == g);
        REQUIRE(SquaredDistance(g, net.chain, moved.chain, metric) == 0.0);
      }
}

TEST_CASE("SignedAlignmentOfOneLayerIsOptimal", "[symmetry]")
{
  for (uint64_t seed = 0; seed < 20; ++seed)
  {
    const SignedChain<double> x({ 3, 4, 2 }, 1, 2 * seed);
    const SignedChain<double> y({ 3, 4, 2 }, 1, 2 * seed + 1);
    const Permutation best = Alignment().Match(x.chain, y.chain);
    for (const Permutation& g : Elements(x.chain))
      REQUIRE(SquaredDistance(best, x.chain, y.chain) <=
          SquaredDistance(g, x.chain, y.chain) + 1e-12);
  }
  const SignedChain<double> x({ 3, 4, 2 }, 1, 1), z({ 3, 4, 2 }, 0, 1);
  REQUIRE_THROWS_AS(Alignment().Match(x.chain, z.chain), std::invalid_argument);
}

TEST_CASE("SignedAlignmentNeverMakesItWorse", "[symmetry]")
{
  for (uint64_t seed = 0; seed < 10; ++seed)
  {
    const SignedChain<double> x({ 3, 6, 5, 4, 2 }, 5, 2 * seed);
    const SignedChain<double> y({ 3, 6, 5, 4, 2 }, 5, 2 * seed + 1);
    const Permutation best = Alignment().Match(x.chain, y.chain);
    REQUIRE(PermutationGroup(x.chain).Contains(best));
    REQUIRE(SquaredDistance(best, x.chain, y.chain) <=
        SquaredDistance(PermutationGroup(x.chain).Identity(), x.chain,
            y.chain));
  }
}

TEST_CASE("SignedNearestModesAreTheClosest", "[symmetry]")
{
  for (uint64_t seed = 0; seed < 10; ++seed)
  {
    SignedChain<double> net({ 3, 4, 2 }, 1, seed);
    // In half of them a weak unit, whose sign is the nearest mode.
    for (size_t c = 0; c < 4 && seed % 2 == 0; ++c)
      net.means[0][c * 4] *= 0.05;
    for (size_t o = 0; o < 2 && seed % 2 == 0; ++o)
      net.means[1][o] *= 0.05;
    PermutationGroup group(net.chain);
    double closest = INFINITY;
    for (const Permutation& g : Elements(net.chain))
      if (!g.IsIdentity())
        closest = std::min(closest,
            std::sqrt(SquaredDistance(g, net.chain, net.chain)));
    // 6 transpositions with either sign, 4 changes of sign.
    const std::vector<EquivalentMode> modes = NearestModes(net.chain, 100);
    REQUIRE(modes.size() == 16);
    REQUIRE(modes[0].distance == Approx(closest));
    if (seed % 2 == 0)
      REQUIRE(modes[0].a == modes[0].b);
    for (const EquivalentMode& mode : modes)
    {
      Permutation g = group.Identity();
      std::swap(g.Images(0)[mode.a], g.Images(0)[mode.b]);
      if (mode.negated)
        g.Signs(0)[mode.a] = g.Signs(0)[mode.b] = -1;
      REQUIRE(!g.IsIdentity());
      REQUIRE(mode.distance ==
          Approx(std::sqrt(SquaredDistance(g, net.chain, net.chain))));
      const MovedChain<double> moved(net, g);
      double separation = 0.25 *
          SquaredDistance(g, net.chain, net.chain, UnitMetric::Standardized);
      for (size_t l = 0; l < 2; ++l)
        for (size_t k = 0; k < moved.sigmas[l].size(); ++k)
        {
          const double s = moved.sigmas[l][k], u = net.sigmas[l][k];
          separation += 0.5 * std::log((s * s + u * u) / (2 * s * u));
        }
      REQUIRE(mode.separation == Approx(separation));
    }
  }
}

TEMPLATE_TEST_CASE("SignedCanonicalFormIsTheSameForTheWholeOrbit", "[symmetry]",
    float, double)
{
  for (const std::vector<size_t>& sizes : std::vector<std::vector<size_t>>{
           { 3, 5, 2 }, { 3, 4, 5, 2 }, { 2, 3, 4, 3, 1 } })
    for (const size_t bits : { 7, 2 })
    {
      const SignedChain<TestType> net(sizes, bits, 8);
      const MovedChain<TestType> canonical(net, CanonicalForm(net.chain));
      REQUIRE(CanonicalForm(canonical.chain).IsIdentity());
      RandomStream stream(9);
      PermutationGroup group(net.chain);
      for (size_t trial = 0; trial < 20; ++trial)
      {
        const Permutation g = group.Sample(stream);
        const MovedChain<TestType> moved(net, g);
        const Permutation back = CanonicalForm(moved.chain);
        REQUIRE(group.Contains(back));
        const MovedChain<TestType> again(net, back * g);
        REQUIRE(again.means == canonical.means);
        REQUIRE(again.sigmas == canonical.sigmas);
      }
    }
}

TEST_CASE("SignedCanonicalFormLooksAtOutputsLast", "[symmetry]")
{
  // Without incoming means the outgoing ones decide the sign.
  SignedChain<double> net({ 2, 2, 1 }, 1, 3);
  for (double& mean : net.means[0])
    mean = 0.0;
  net.means[1] = { -1.0, 2.0, 0.5 };
  const Permutation g = CanonicalForm(net.chain);
  REQUIRE(g.Sign(0, 0) == -1);
  REQUIRE(g.Sign(0, 1) == 1);
}
