/**
 * @file permutation_test.cpp
 *
 * Group axioms and the action on networks, over whole groups.
 */
#include "catch.hpp"
#include "../information/random_chain.hpp"

#include <symvi/symmetry/permutation_group.hpp>

#include <algorithm>
#include <cmath>

using namespace symvi;
using namespace symvi_tests;

namespace {

//! All elements of the group with the given hidden widths.
std::vector<Permutation> Elements(const std::vector<size_t>& widths)
{
  PermutationGroup group(widths);
  std::vector<Permutation> elements;
  Permutation g = group.Identity();
  do
    elements.push_back(g);
  while (group.Next(g));
  return elements;
}

//! tanh network with weights in the layout of PosteriorView.
std::vector<double> Network(const SymmetricChain<double>& chain,
    const std::vector<std::vector<double>>& weights, std::vector<double> x)
{
  for (size_t l = 0; l < weights.size(); ++l)
  {
    const PosteriorView<double>& v = chain.layers[l];
    std::vector<double> y(v.outSize, 0.0);
    for (size_t r = 0; r < v.outSize; ++r)
    {
      for (size_t c = 0; c < v.inSize; ++c)
        y[r] += weights[l][c * v.outSize + r] * x[c];
      if (v.hasBias)
        y[r] += weights[l][v.inSize * v.outSize + r];
      if (l + 1 < weights.size())
        y[r] = std::tanh(y[r]);
    }
    x = y;
  }
  return x;
}

using Arrays = std::vector<std::vector<double>>;

Arrays Moved(const Permutation& g, const RandomChain<double>& net,
    const Arrays& w)
{
  Arrays out = w;
  for (size_t l = 0; l < w.size(); ++l)
    Apply(g, net.chain, l, w[l].data(), out[l].data());
  return out;
}

} // namespace

TEST_CASE("PermutationAxioms", "[symmetry]")
{
  for (const std::vector<size_t>& widths :
      std::vector<std::vector<size_t>>{ { 2 }, { 4 }, { 2, 3 }, { 3, 2, 2 } })
  {
    const std::vector<Permutation> elements = Elements(widths);
    const Permutation e(widths);
    REQUIRE(elements.size() == PermutationGroup(widths).Order());
    REQUIRE(elements[0] == e);
    for (const Permutation& g : elements)
    {
      REQUIRE(g * e == g);
      REQUIRE(e * g == g);
      REQUIRE(g * g.Inverse() == e);
      REQUIRE(g.Inverse() * g == e);
      for (const Permutation& h : elements)
      {
        REQUIRE((g * h).Inverse() == h.Inverse() * g.Inverse());
        REQUIRE(std::count(elements.begin(), elements.end(), g * h) == 1);
        REQUIRE((g * h) * elements.back() == g * (h * elements.back()));
      }
    }
  }
}

TEST_CASE("PermutationLeavesTheFunctionAlone", "[symmetry]")
{
  for (const std::vector<size_t>& sizes : std::vector<std::vector<size_t>>{
           { 3, 2, 2 }, { 3, 4, 2 }, { 3, 2, 3, 2 }, { 2, 3, 2, 2, 1 } })
    for (const bool bias : { true, false })
    {
      RandomChain<double> net(sizes, 1.0, 0.3, 1, bias);
      std::vector<double> x(sizes[0]);
      net.stream.FillNormal(x.data(), x.size());
      const std::vector<double> y = Network(net.chain, net.weights, x);
      for (const Permutation& g :
          Elements({ sizes.begin() + 1, sizes.end() - 1 }))
      {
        const auto moved = Moved(g, net, net.weights);
        const std::vector<double> z = Network(net.chain, moved, x);
        for (size_t i = 0; i < y.size(); ++i)
          REQUIRE(z[i] == Approx(y[i]).epsilon(1e-12));
        if (!g.IsIdentity())
          REQUIRE(moved != net.weights);
      }
    }
}

TEST_CASE("PermutationActsFromTheLeft", "[symmetry]")
{
  RandomChain<double> net({ 2, 3, 2, 1 }, 1.0, 0.3, 2);
  const std::vector<Permutation> elements = Elements({ 3, 2 });
  for (const Permutation& g : elements)
    for (const Permutation& h : elements)
    {
      REQUIRE(Moved(g * h, net, net.weights) ==
          Moved(g, net, Moved(h, net, net.weights)));
      // Means and deviations move with the weights.
      const auto mu = Moved(g, net, net.means);
      const auto sigma = Moved(g, net, net.sigmas);
      const auto eps = Moved(g, net, net.noise);
      const auto w = Moved(g, net, net.weights);
      for (size_t l = 0; l < w.size(); ++l)
        for (size_t i = 0; i < w[l].size(); ++i)
          REQUIRE(w[l][i] == Approx(mu[l][i] + sigma[l][i] * eps[l][i]));
    }
}

TEST_CASE("PermutationRefusesWhatIsNone", "[symmetry]")
{
  REQUIRE_THROWS_AS(
      Permutation(std::vector<std::vector<UnitIndex>>{ { 0, 1, 1 } }),
      std::invalid_argument);
  REQUIRE_THROWS_AS(
      Permutation(std::vector<std::vector<UnitIndex>>{ { 0, 2 } }),
      std::invalid_argument);
  REQUIRE_THROWS_AS(Permutation(std::vector<size_t>{ 2 }) *
          Permutation(std::vector<size_t>{ 3 }),
      std::invalid_argument);
  REQUIRE_THROWS_AS(Permutation(std::vector<size_t>{ 2 }) *
          Permutation(std::vector<size_t>{ 2, 2 }),
      std::invalid_argument);
}
