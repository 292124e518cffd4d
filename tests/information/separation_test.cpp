/**
 * @file separation_test.cpp
 *
 * Units that are declared separate are separate.
 */
#include "catch.hpp"
#include "random_chain.hpp"

#include <symvi/information/estimators.hpp>
#include "information/scores/separation.hpp"
#include <symvi/kernel/threads.hpp>

using namespace symvi;
using namespace symvi::information;
using namespace symvi_tests;

namespace {

//! The Bhattacharyya distance of two units.
template<typename eT>
double Distance(const RandomChain<eT>& net, const size_t a, const size_t b)
{
  double sum = 0.0;
  ForEachPair(net, a, b,
      [&](const size_t l, const size_t i, const size_t j)
      {
    const double s = net.sigmas[l][i], t = net.sigmas[l][j];
    const double v = s * s + t * t;
    sum += 0.25 * std::pow(double(net.means[l][i]) - net.means[l][j], 2) / v +
        0.5 * std::log(v / (2 * s * t));
  });
  return sum;
}

} // namespace

TEMPLATE_TEST_CASE("SeparationNeverPartsWhatIsClose", "[information]", float,
    double)
{
  size_t parted = 0, kept = 0;
  for (uint64_t seed = 0; seed < 40; ++seed)
  {
    const size_t d = 5 + seed;
    RandomChain<TestType> net({ 100, d, 4 }, 0.2, 0.1 + 0.01 * seed, seed);
    // Units of different size, and some that are nearly at the prior.
    for (size_t c = 0; c < 101; ++c)
      for (size_t a = 0; a < d; a += 4)
        net.sigmas[0][c * d + a] *= TestType(1 + a);
    const double need = 15.0 + std::log(double(d));
    Separation<TestType> separation;
    separation.Compute(MakeUnitBlocks(net.chain, 0),
        Orbits(net.chain.hidden[0]));
    std::vector<size_t> cluster(d, 0);
    for (size_t k = 0; k < separation.Count(); ++k)
      for (size_t i = 0; i < separation.Size(k); ++i)
        cluster[separation.Members(k)[i]] = k + 1;
    for (size_t a = 0; a < d; ++a)
      for (size_t b = 0; b < a; ++b)
        if (cluster[a] != cluster[b] || cluster[a] == 0)
        {
          ++parted;
          REQUIRE(Distance(net, a, b) >= need);
        }
        else
          ++kept;
  }
  REQUIRE(parted > 1000);
  REQUIRE(kept > 1000);
}

TEST_CASE("SeparationDoesNotDependOnThreads", "[information]")
{
  RandomChain<float> net({ 100, 300, 4 }, 0.2, 0.1, 5);
  net.CopyUnit(0, 3, 170);
  net.CopyUnit(0, 5, 299);
  const Orbits orbits(net.chain.hidden[0]);
  std::vector<UnitIndex> found[2];
  size_t used[2];
  for (size_t i = 0; i < 2; ++i)
  {
    SetThreads(i + 1);
    Separation<float> separation;
    separation.Compute(MakeUnitBlocks(net.chain, 0), orbits);
    for (size_t k = 0; k < separation.Count(); ++k)
      found[i].insert(found[i].end(), separation.Members(k),
          separation.Members(k) + separation.Size(k));
    used[i] = separation.Used();
  }
  SetThreads(1);
  REQUIRE(!found[0].empty());
  REQUIRE(found[0].size() < 300);
  REQUIRE(found[0] == found[1]);
  REQUIRE(used[0] == used[1]);
}

TEST_CASE("SeparationFindsPairs", "[information]")
{
  RandomChain<double> net({ 200, 40, 4 }, 1.0, 0.05, 1);
  net.CopyUnit(0, 3, 17);
  net.CopyUnit(0, 5, 39);
  net.CopyUnit(0, 5, 0);
  Separation<double> separation;
  const Orbits orbits(net.chain.hidden[0]);
  separation.Compute(MakeUnitBlocks(net.chain, 0), orbits);
  REQUIRE(separation.Count() == 2);
  REQUIRE(separation.Size(0) + separation.Size(1) == 5);
  REQUIRE(separation.Used() <= 205);

  // Two of the same kind, three of the same kind: 40! / (2! 3!) modes.
  RandomStream stream(1);
  AutoEstimator estimator;
  const InformationEstimate estimate = estimator.Evaluate(net.chain, stream);
  REQUIRE(estimate.exact);
  REQUIRE(estimate.value == Approx(orbits.LogOrder() - std::log(12.0)));

  net.chain.hidden[0].orbit.assign(40, 0);
  net.chain.hidden[0].orbit[17] = 1;
  separation.Compute(MakeUnitBlocks(net.chain, 0), Orbits(net.chain.hidden[0]));
  REQUIRE(separation.Count() == 1);
}

TEST_CASE("SeparationChangesNothingAboutTheEstimate", "[information]")
{
  AutoEstimator fast;
  ExactEstimator exact;
  exact.Pointwise() = true;
  RandomStream stream(1);
  for (uint64_t seed = 0; seed < 60; ++seed)
  {
    RandomChain<double> net({ 30, 8, 3 }, 0.3, 0.05 + 0.01 * seed, seed);
    REQUIRE(fast.Evaluate(net.chain, stream).value ==
        Approx(exact.Evaluate(net.chain, stream).value)
            .epsilon(1e-12)
            .margin(1e-10));
  }
}
