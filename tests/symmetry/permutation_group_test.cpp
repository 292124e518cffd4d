/**
 * @file permutation_group_test.cpp
 *
 * Order, enumeration, sampling, labels, errors.
 */
#include "catch.hpp"

#include <symvi/symmetry/permutation_group.hpp>

#include <map>
#include <set>

using namespace symvi;

namespace {

using Key = std::vector<std::vector<UnitIndex>>;

Key KeyOf(const Permutation& g)
{
  Key key;
  for (size_t h = 0; h < g.Layers(); ++h)
    key.push_back(g.Images(h));
  return key;
}

//! A chain with one hidden layer of labelled units.
SymmetricChain<double> Labelled(const std::vector<size_t>& labels)
{
  SymmetricChain<double> chain;
  chain.layers.resize(2);
  chain.layers[0].outSize = labels.size();
  chain.layers[0].inSize = 1;
  chain.layers[1].outSize = 1;
  chain.layers[1].inSize = labels.size();
  HiddenUnits units;
  units.size = labels.size();
  units.orbit = labels;
  chain.hidden.push_back(units);
  return chain;
}

} // namespace

TEST_CASE("PermutationGroupOrder", "[symmetry]")
{
  REQUIRE(PermutationGroup(std::vector<size_t>{ 1 }).Order() == 1);
  REQUIRE(PermutationGroup(std::vector<size_t>{ 3, 2, 2 }).Order() == 24);
  REQUIRE(PermutationGroup(std::vector<size_t>{ 3, 2, 2 }).LogOrder() ==
      Approx(std::log(24.0)));
  REQUIRE(PermutationGroup(std::vector<size_t>{ 30 }).LogOrder() ==
      Approx(74.6582363));
  REQUIRE(PermutationGroup(std::vector<size_t>{ 20 }).Order() ==
      2432902008176640000u);
  REQUIRE(
      PermutationGroup(std::vector<size_t>{ 20, 20 }).Order() == size_t(-1));
  REQUIRE(PermutationGroup(std::vector<size_t>{ 30 }).Order() == size_t(-1));
  REQUIRE(PermutationGroup().Order() == 1);
}

TEST_CASE("PermutationGroupEnumeratesEachElementOnce", "[symmetry]")
{
  for (const std::vector<size_t>& widths : std::vector<std::vector<size_t>>{
           { 1 }, { 2 }, { 4 }, { 5 }, { 2, 3 }, { 3, 2, 2 } })
  {
    PermutationGroup group(widths);
    std::set<Key> seen;
    Permutation g = group.Identity();
    do
    {
      REQUIRE(group.Contains(g));
      seen.insert(KeyOf(g));
    }
    while (group.Next(g));
    REQUIRE(seen.size() == group.Order());
    REQUIRE(g.IsIdentity());
  }
}

TEST_CASE("PermutationGroupSamplesUniformly", "[symmetry]")
{
  for (const std::vector<size_t>& widths :
      std::vector<std::vector<size_t>>{ { 2 }, { 4 }, { 2, 3 }, { 3, 2, 2 } })
  {
    PermutationGroup group(widths);
    const double order = double(group.Order());
    const size_t n = 200 * group.Order();
    std::map<Key, double> counts;
    RandomStream stream(3);
    for (size_t i = 0; i < n; ++i)
      ++counts[KeyOf(group.Sample(stream))];
    REQUIRE(counts.size() == group.Order());
    // Pearson's statistic: mean order - 1, variance 2 (order - 1).
    double chi = 0.0;
    for (const auto& item : counts)
      chi += std::pow(item.second - n / order, 2) / (n / order);
    REQUIRE(std::abs(chi - (order - 1)) <= 5 * std::sqrt(2 * (order - 1)));
  }
}

TEST_CASE("PermutationGroupKeepsLabels", "[symmetry]")
{
  const std::vector<size_t> labels{ 7, 1, 7, 1, 7, 3 };
  PermutationGroup group(Labelled(labels));
  REQUIRE(group.Order() == 12);
  std::set<Key> seen, drawn;
  Permutation g = group.Identity();
  do
  {
    for (size_t a = 0; a < labels.size(); ++a)
      REQUIRE(labels[g(0, a)] == labels[a]);
    seen.insert(KeyOf(g));
  }
  while (group.Next(g));
  REQUIRE(seen.size() == 12);
  RandomStream stream(4);
  for (size_t i = 0; i < 500; ++i)
    drawn.insert(KeyOf(group.Sample(stream)));
  REQUIRE(drawn == seen);
  REQUIRE(!group.Contains(Permutation(Key{ { 1, 0, 2, 3, 4, 5 } })));
  REQUIRE_THROWS_AS(group.Transposition(0, 0, 1), std::invalid_argument);
  REQUIRE(group.Contains(group.Transposition(0, 0, 2)));
}

TEST_CASE("PermutationGroupTranspositions", "[symmetry]")
{
  PermutationGroup group(std::vector<size_t>{ 3, 4 });
  const Permutation g = group.Transposition(1, 0, 3);
  REQUIRE(g * g == group.Identity());
  REQUIRE(g(1, 0) == 3);
  REQUIRE(g(1, 3) == 0);
  REQUIRE(g(1, 1) == 1);
  REQUIRE(g(0, 2) == 2);
  REQUIRE_THROWS_AS(group.Transposition(2, 0, 1), std::invalid_argument);
  REQUIRE_THROWS_AS(group.Transposition(0, 0, 3), std::invalid_argument);
}

TEST_CASE("PermutationGroupRefusesChainsThatDoNotFit", "[symmetry]")
{
  REQUIRE_THROWS_AS(PermutationGroup(std::vector<size_t>{ 3, 0 }),
      std::invalid_argument);
  SymmetricChain<double> chain = Labelled({ 0, 0 });
  chain.layers[1].inSize = 3;
  REQUIRE_THROWS_AS(PermutationGroup(chain), std::invalid_argument);
  chain = Labelled({ 0, 0 });
  chain.hidden[0].orbit.push_back(0);
  REQUIRE_THROWS_AS(PermutationGroup(chain), std::invalid_argument);
  chain = Labelled({ 0, 0 });
  chain.hidden[0].incoming = 1;
  REQUIRE_THROWS_AS(PermutationGroup(chain), std::invalid_argument);
  chain = Labelled({ 0, 0 });
  chain.layers[0].outSize = 3;
  REQUIRE_THROWS_AS(PermutationGroup(chain), std::invalid_argument);
}
