/**
 * @file signed_units_test.cpp
 *
 * Units that may change their signs, against the sum over 2^d d! elements.
 */
#include "bounds.hpp"
#include "catch.hpp"
#include "random_chain.hpp"

#include "information/scores/separation.hpp"
#include "information/scores/unit_scores.hpp"
#include <symvi/information/estimator.hpp>
#include <symvi/information/estimators.hpp>

using namespace symvi;
using namespace symvi::information;
using namespace symvi_tests;

namespace {

//! Multiply the means, and the noise, of unit a of hidden layer h by -1.
template<typename eT>
void Flip(RandomChain<eT>& net, const size_t h, const size_t a)
{
  const PosteriorView<eT>& in = net.chain.layers[h];
  const PosteriorView<eT>& out = net.chain.layers[h + 1];
  for (auto* arrays : { &net.means, &net.noise })
  {
    for (size_t c = 0; c < in.Columns(); ++c)
      (*arrays)[h][c * in.outSize + a] *= eT(-1);
    for (size_t o = 0; o < out.outSize; ++o)
      (*arrays)[h + 1][a * out.outSize + o] *= eT(-1);
  }
  net.Update();
}

} // namespace

TEST_CASE("SignedAgainstBruteForce", "[information]")
{
  ExactEstimator exact, pointwise;
  pointwise.Pointwise() = true;
  AutoEstimator automatic;
  ImportanceEstimator importance(5);
  UniformEstimator uniform(400);
  RandomStream stream(1);
  for (size_t d = 1; d <= 4; ++d)
    for (const double sigma : { 0.03, 0.3, 0.6, 1.0, 3.0, 30.0 })
      for (uint64_t seed = 0; seed < 4; ++seed)
      {
        RandomChain<double> net({ 3, d, 2 }, 0.6, sigma, seed, seed % 2 == 0);
        SetSigns(net, 1);
        const double expected = BruteForce(net);
        CAPTURE(d, sigma, seed);
        const auto near = Approx(expected).epsilon(1e-10).margin(1e-10);
        REQUIRE(exact.Evaluate(net.chain, stream).value == near);
        REQUIRE(pointwise.Evaluate(net.chain, stream).value == near);
        for (const InformationEstimate& e :
            { automatic.Evaluate(net.chain, stream),
                automatic.TrainingValue(net.chain, stream),
                importance.Evaluate(net.chain, stream),
                uniform.Evaluate(net.chain, stream) })
        {
          REQUIRE(e.exact);
          REQUIRE(e.value == near);
          REQUIRE(e.lower == near);
          REQUIRE(e.upper == near);
        }
      }
}

TEST_CASE("SignedWithLabelsAndFixedOutputs", "[information]")
{
  ExactEstimator exact;
  AutoEstimator automatic;
  RandomStream stream(1);
  for (uint64_t seed = 0; seed < 10; ++seed)
  {
    RandomChain<double> net({ 3, 5, 2 }, 0.6, 0.7, seed);
    SetSigns(net, 1);
    net.chain.hidden[0].orbit = { 0, 1, 0, 1, 5 };
    const double expected = BruteForce(net);
    REQUIRE(exact.Evaluate(net.chain, stream).value ==
        Approx(expected).epsilon(1e-10).margin(1e-10));
    REQUIRE(automatic.TrainingValue(net.chain, stream).value ==
        Approx(expected).epsilon(1e-10).margin(1e-10));
    REQUIRE(GradientError(net, exact) < 1e-6);

    // Only the incoming weights are Bayesian.
    RandomChain<double> half({ 3, 4 }, 0.6, 0.7, seed);
    HiddenUnits units;
    units.size = 4;
    units.hasOutgoing = false;
    units.isSigned = true;
    half.chain.hidden.push_back(units);
    REQUIRE(exact.Evaluate(half.chain, stream).value ==
        Approx(BruteForce(half)).epsilon(1e-10).margin(1e-10));
  }
}

TEST_CASE("SignedDeepAgainstBruteForce", "[information]")
{
  // One to three hidden layers, all mixtures of signed and unsigned ones.
  ExactEstimator exact;
  UniformEstimator uniform(4000);
  RandomStream stream(1);
  for (const std::vector<size_t>& sizes : std::vector<std::vector<size_t>>{
           { 2, 2, 2, 1 }, { 3, 3, 3, 2 }, { 2, 1, 3, 1 }, { 2, 3, 2, 2, 1 } })
    for (size_t bits = 1; bits < (size_t(1) << (sizes.size() - 2)); ++bits)
      for (const double sigma : { 0.03, 0.3, 0.7, 1.5 })
      {
        RandomChain<double> net(sizes, 0.6, sigma, 7);
        SetSigns(net, bits);
        CAPTURE(sizes, bits, sigma);
        const double expected = BruteForce(net);
        const InformationEstimate e = exact.Evaluate(net.chain, stream);
        REQUIRE(e.exact);
        REQUIRE(e.value == Approx(expected).epsilon(1e-10).margin(1e-10));
        REQUIRE(uniform.Evaluate(net.chain, stream).value ==
            Approx(expected).epsilon(1e-9).margin(1e-9));
      }
}

TEST_CASE("SignedImportanceBoundsHold", "[information]")
{
  // Rows beyond the first are drawn, so that nothing is exact.
  ImportanceEstimator importance(5);
  importance.Tail() = 1;
  for (const double sigma : { 0.3, 0.6, 1.0, 2.0 })
  {
    RandomChain<double> net({ 2, 7, 1 }, 0.6, sigma, 3);
    SetSigns(net, 1);
    CAPTURE(sigma);
    REQUIRE(CheckBounds(net, importance, 1500, 0.2) == 0);
  }
}

TEST_CASE("SignedDeepBoundsHoldAndAreClose", "[information]")
{
  AutoEstimator automatic(20);
  for (const size_t bits : { 1, 2, 3 })
    for (const double sigma : { 0.1, 0.3, 0.6, 1.0 })
    {
      RandomChain<double> net({ 3, 3, 3, 2 }, 0.6, sigma, 5);
      SetSigns(net, bits);
      CAPTURE(bits, sigma);
      CheckBounds(net, automatic, 300, 0.25);
    }
}

TEST_CASE("SignedUniformIsALowerBound", "[information]")
{
  ExactEstimator exact;
  for (const std::vector<size_t>& sizes :
      std::vector<std::vector<size_t>>{ { 2, 4, 1 }, { 2, 3, 2, 1 } })
  {
    RandomChain<double> net(sizes, 0.6, 0.8, 3);
    SetSigns(net, 3);
    RandomStream stream(4);
    UniformEstimator few(10), many(200);
    few.EnumerateSmallGroups() = many.EnumerateSmallGroups() = false;
    RunningMean less, more, step;
    for (size_t i = 0; i < 2000; ++i)
    {
      net.Draw();
      const double value = exact.Evaluate(net.chain, stream).value;
      const double x = few.Evaluate(net.chain, stream).value;
      const double y = many.Evaluate(net.chain, stream).value;
      less.Add(x - value);
      more.Add(y - value);
      step.Add(x - y);
    }
    // It grows with K towards I(g; w).
    REQUIRE(less.Mean() <= 4 * less.StandardError());
    REQUIRE(more.Mean() <= 4 * more.StandardError());
    REQUIRE(step.Mean() <= 4 * step.StandardError());
    REQUIRE(more.Mean() > less.Mean());
  }
}

TEST_CASE("SignedGradients", "[information]")
{
  ExactEstimator exact;
  AutoEstimator automatic;
  UniformEstimator uniform(7), all(400);
  for (const double sigma : { 0.1, 0.5, 1.0, 2.0 })
    for (const size_t d : { 1, 4 })
    {
      RandomChain<double> net({ 3, d, 2 }, 0.7, sigma, 1, d == 4);
      SetSigns(net, 1);
      CAPTURE(sigma, d);
      REQUIRE(GradientError(net, exact) < 1e-6);
      REQUIRE(GradientError(net, automatic) < 1e-6);
      REQUIRE(GradientError(net, uniform) < 1e-6);
      REQUIRE(GradientError(net, all) < 1e-6);
    }
  for (const double sigma : { 0.7, 1.5 })
  {
    RandomChain<double> wide({ 2, 15, 1 }, 0.7, sigma, 1);
    SetSigns(wide, 1);
    REQUIRE(GradientError(wide, automatic) < 1e-5);
  }
}

TEST_CASE("SignedGradientsOfDeepNetworks", "[information]")
{
  ExactEstimator exact;
  AutoEstimator automatic;
  UniformEstimator uniform(7);
  for (const std::vector<size_t>& sizes :
      std::vector<std::vector<size_t>>{ { 3, 3, 2, 2 }, { 2, 2, 2, 2, 1 } })
    for (size_t bits = 1; bits < (size_t(1) << (sizes.size() - 2)); ++bits)
      for (const double sigma : { 0.4, 1.2 })
      {
        RandomChain<double> net(sizes, 0.7, sigma, 1);
        SetSigns(net, bits);
        CAPTURE(sizes, bits, sigma);
        REQUIRE(GradientError(net, exact) < 1e-6);
        REQUIRE(GradientError(net, uniform) < 1e-6);
        REQUIRE(GradientError(net, automatic) < 1e-5);
      }
}

TEST_CASE("SignedTrainingIsCloseToExactInDeepNetworks", "[information]")
{
  // The mean-field value of training against the exact one, and gradients.
  AutoEstimator automatic;
  ExactEstimator exact;
  RandomStream stream(1);
  for (const double sigma : { 0.1, 0.4, 1.0 })
  {
    RandomChain<double> net({ 2, 3, 3, 1 }, 0.7, sigma, 3);
    SetSigns(net, 3);
    std::vector<std::vector<double>> sums[2];
    RunningMean difference;
    for (const bool cheap : { true, false })
    {
      net.ZeroGradient();
      for (size_t i = 0; i < 300; ++i)
      {
        net.Draw();
        if (cheap)
        {
          automatic.EvaluateWithGradient(net.chain, stream, 1.0, net.gradient);
          difference.Add(automatic.TrainingValue(net.chain, stream).value -
              exact.Evaluate(net.chain, stream).value);
        }
        else
          exact.EvaluateWithGradient(net.chain, stream, 1.0, net.gradient);
      }
      sums[cheap] = net.path;
    }
    CAPTURE(sigma, difference.Mean());
    REQUIRE(std::abs(difference.Mean()) < 1.0);
    if (Dot(sums[0], sums[0]) > 1e-12)
      REQUIRE(Cosine(sums[0], sums[1]) > 0.8);
  }
}

TEST_CASE("SignedInformationIsInvariantUnderFlips", "[information]")
{
  ExactEstimator exact;
  AutoEstimator automatic;
  RandomStream stream(1);
  for (const std::vector<size_t>& sizes : std::vector<std::vector<size_t>>{
           { 3, 6, 2 }, { 3, 30, 2 }, { 2, 3, 3, 1 } })
    for (const double sigma : { 0.2, 0.7, 2.0 })
    {
      RandomChain<double> net(sizes, 0.7, sigma, 2);
      SetSigns(net, 3);
      const auto values = [&]()
      {
        return std::vector<double>{
          automatic.TrainingValue(net.chain, stream).value,
          sizes[1] < 20 ? exact.Evaluate(net.chain, stream).value : 0.0
        };
      };
      const std::vector<double> before = values();
      for (size_t h = 0; h + 2 < sizes.size(); ++h)
        for (size_t a = h; a < sizes[h + 1]; a += 2)
          Flip(net, h, a);
      const std::vector<double> after = values();
      CAPTURE(sizes, sigma);
      for (const size_t i : { 0, 1 })
        REQUIRE(after[i] == Approx(before[i]).epsilon(1e-9).margin(1e-9));
    }

  // And q^G is invariant: log q^G(w) = log q(w) - I(w) at any element's image.
  exact.Pointwise() = true;
  RandomChain<double> net({ 2, 3, 2, 1 }, 0.7, 0.6, 2);
  SetSigns(net, 3);
  const double density = LogDensity(net.chain, net.weights) -
      exact.Evaluate(net.chain, stream).value;
  PermutationGroup group(net.chain);
  const auto weights = net.weights;
  for (size_t i = 0; i < 20; ++i)
  {
    const Permutation g = group.Sample(stream);
    for (size_t l = 0; l < weights.size(); ++l)
      Apply(g, net.chain, l, weights[l].data(), net.weights[l].data());
    REQUIRE(LogDensity(net.chain, net.weights) -
            exact.Evaluate(net.chain, stream).value ==
        Approx(density).epsilon(1e-9));
  }
}

TEST_CASE("SignedUnitsAtThePriorAddNothing", "[information]")
{
  ExactEstimator exact;
  AutoEstimator automatic;
  RandomStream stream(1);
  // A posterior centred at zero is its own mirror image.
  RandomChain<double> centred({ 3, 1, 2 }, 0.0, 0.7, 1);
  SetSigns(centred, 1);
  for (size_t i = 0; i < 20; ++i)
  {
    centred.Draw();
    REQUIRE(std::abs(exact.Evaluate(centred.chain, stream).value) < 1e-12);
    REQUIRE(
        std::abs(automatic.TrainingValue(centred.chain, stream).value) < 1e-12);
  }

  // One unit: I rises from 0 to log 2 with the distance from zero.
  double last = 0.0;
  for (const double spread : { 0.1, 0.5, 1.0, 20.0 })
  {
    RandomChain<double> net({ 3, 1, 2 }, spread, 1.0, 1);
    SetSigns(net, 1);
    RunningMean mean;
    for (size_t i = 0; i < 4000; ++i)
    {
      net.Draw();
      mean.Add(automatic.Evaluate(net.chain, stream).value);
    }
    REQUIRE(mean.Mean() > last);
    REQUIRE(mean.Mean() <= std::log(2.0) + 1e-12);
    last = mean.Mean();
  }
  REQUIRE(last == Approx(std::log(2.0)));
}

TEMPLATE_TEST_CASE("SignedScoresAreRelativeLogDensities", "[information]",
    float, double)
{
  const double tolerance = std::is_same<TestType, float>::value ? 1e-5 : 1e-11;
  for (const size_t d : { 1, 3, 16, 21 })
  {
    RandomChain<TestType> net({ 37, d, 5 }, 0.1, 0.8, d);
    SetSigns(net, 1);
    UnitScores<TestType> scores;
    const Orbits orbits(net.chain.hidden[0]);
    const UnitBlocks<TestType> blocks = MakeUnitBlocks(net.chain, 0);
    const auto reference = [&](const size_t a, const size_t b, const int sign)
    {
      double sum = 0.0;
      for (size_t i = 0; i < blocks.Coordinates(); ++i)
      {
        size_t at, step;
        blocks.Draw(i, at, step);
        const PosteriorView<TestType>& v = blocks.Layer(i);
        const double w = v.weight[at + a * step];
        const double s = v.sigma[at + a * step], t = v.sigma[at + b * step];
        sum += std::log(s / t) +
            0.5 * std::pow((w - v.mu[at + a * step]) / s, 2) -
            0.5 * std::pow((sign * w - v.mu[at + b * step]) / t, 2);
      }
      return sum;
    };
    scores.Compute(blocks, orbits, INFINITY);
    for (size_t a = 0; a < d; ++a)
      for (size_t b = 0; b < d; ++b)
      {
        REQUIRE(scores(a, b) ==
            Approx(reference(a, b, 1))
                .epsilon(tolerance)
                .margin(40 * tolerance));
        REQUIRE(scores.Negated(a, b) ==
            Approx(reference(a, b, -1))
                .epsilon(tolerance)
                .margin(40 * tolerance));
      }
    scores.Fold();
    for (size_t a = 0; a < d; ++a)
      for (size_t b = 0; b < d; ++b)
      {
        const double x = reference(a, b, 1), y = reference(a, b, -1);
        const double most = std::max(x, y);
        REQUIRE(scores(a, b) ==
            Approx(most + std::log(std::exp(x - most) + std::exp(y - most)))
                .epsilon(tolerance)
                .margin(40 * tolerance));
        REQUIRE(scores.Negated(a, b) ==
            Approx(1 / (1 + std::exp(x - y)))
                .epsilon(40 * tolerance)
                .margin(40 * tolerance));
      }

    // A part of the units, and the front columns with other signs.
    if (d < 3)
      continue;
    std::vector<UnitIndex> same(37);
    std::vector<UnitSign> signs(37, 1);
    for (size_t c = 0; c < 37; ++c)
      same[c] = UnitIndex(c);
    UnitBlocks<TestType> given = blocks;
    given.inputs = same.data();
    given.inputSigns = signs.data();
    const UnitIndex members[] = { 2, 0 };
    scores.Compute(given, members, 2, orbits, INFINITY);
    REQUIRE(scores.Negated(0, 1) ==
        Approx(reference(2, 0, -1)).epsilon(tolerance).margin(40 * tolerance));
    signs[5] = -1;
    RandomChain<TestType> other({ 37, d, 5 }, 0.1, 0.8, d);
    SetSigns(other, 1);
    for (size_t a = 0; a < d; ++a)
      other.weights[0][5 * d + a] *= -1;
    UnitScores<TestType> moved;
    scores.Compute(given, orbits, INFINITY);
    moved.Compute(MakeUnitBlocks(other.chain, 0), orbits, INFINITY);
    for (size_t a = 0; a < d; ++a)
      for (size_t b = 0; b < d; ++b)
        REQUIRE(scores.Negated(a, b) == moved.Negated(a, b));
  }
}

TEST_CASE("SignedSeparationFindsOppositeUnits", "[information]")
{
  RandomChain<double> net({ 200, 40, 4 }, 1.0, 0.05, 1);
  SetSigns(net, 1);
  const Orbits orbits(net.chain.hidden[0]);
  Separation<double> separation;
  separation.Compute(MakeUnitBlocks(net.chain, 0), orbits);
  REQUIRE(separation.Count() == 0);

  // Units 3 and 17 are opposite, unit 8 is its own mirror image.
  net.CopyUnit(0, 3, 17);
  Flip(net, 0, 17);
  for (size_t c = 0; c < 201; ++c)
    net.means[0][c * 40 + 8] = 0.0;
  for (size_t o = 0; o < 4; ++o)
    net.means[1][8 * 4 + o] = 0.0;
  net.Update();
  separation.Compute(MakeUnitBlocks(net.chain, 0), orbits);
  REQUIRE(separation.Count() == 2);
  REQUIRE(separation.Size(0) + separation.Size(1) == 3);

  AutoEstimator estimator;
  RandomStream stream(1);
  const InformationEstimate estimate = estimator.Evaluate(net.chain, stream);
  REQUIRE(estimate.exact);
  REQUIRE(estimate.value ==
      Approx(40 * std::log(2.0) + std::lgamma(41.0) - 2 * std::log(2.0)));
  REQUIRE(estimator.TrainingValue(net.chain, stream).value ==
      Approx(estimate.value));
}

TEMPLATE_TEST_CASE("SignedSeparationNeverPartsWhatIsClose", "[information]",
    float, double)
{
  size_t parted = 0, kept = 0, flips = 0;
  for (uint64_t seed = 0; seed < 40; ++seed)
  {
    const size_t d = 5 + seed;
    RandomChain<TestType> net({ 100, d, 4 }, 0.2, 0.1 + 0.01 * seed, seed);
    SetSigns(net, 1);
    const UnitBlocks<TestType> blocks = MakeUnitBlocks(net.chain, 0);
    const auto distance = [&](const size_t a, const size_t b, const int sign)
    {
      double sum = 0.0;
      for (size_t i = 0; i < blocks.Coordinates(); ++i)
      {
        size_t at, step;
        blocks.Draw(i, at, step);
        const PosteriorView<TestType>& v = blocks.Layer(i);
        const double s = v.sigma[at + a * step], t = v.sigma[at + b * step];
        sum += 0.25 *
                std::pow(sign * double(v.mu[at + a * step]) -
                        v.mu[at + b * step],
                    2) /
                (s * s + t * t) +
            0.5 * std::log((s * s + t * t) / (2 * s * t));
      }
      return sum;
    };
    for (size_t c = 0; c < 101; ++c)
      for (size_t a = 0; a < d; a += 4)
        net.sigmas[0][c * d + a] *= TestType(1 + a);
    const double need = 15.0 + std::log(2.0 * d);
    Separation<TestType> separation;
    separation.Compute(blocks, Orbits(net.chain.hidden[0]));
    std::vector<size_t> cluster(d, 0);
    for (size_t k = 0; k < separation.Count(); ++k)
      for (size_t i = 0; i < separation.Size(k); ++i)
        cluster[separation.Members(k)[i]] = k + 1;
    for (size_t a = 0; a < d; ++a)
    {
      if (cluster[a] == 0)
      {
        ++flips;
        REQUIRE(distance(a, a, -1) >= need + 15.0);
      }
      for (size_t b = 0; b < a; ++b)
        if (cluster[a] != cluster[b] || cluster[a] == 0)
        {
          ++parted;
          REQUIRE(std::min(distance(a, b, 1), distance(a, b, -1)) >= need);
        }
        else
          ++kept;
    }
  }
  REQUIRE(parted > 1000);
  REQUIRE(kept > 1000);
  REQUIRE(flips > 20);
}

TEST_CASE("SignedSeparationChangesNothingAboutTheEstimate", "[information]")
{
  AutoEstimator fast;
  ExactEstimator exact;
  exact.Pointwise() = true;
  RandomStream stream(1);
  for (uint64_t seed = 0; seed < 60; ++seed)
  {
    RandomChain<double> net({ 30, 8, 3 }, 0.3, 0.05 + 0.01 * seed, seed);
    SetSigns(net, 1);
    REQUIRE(fast.Evaluate(net.chain, stream).value ==
        Approx(exact.Evaluate(net.chain, stream).value)
            .epsilon(1e-12)
            .margin(1e-10));
  }
}

TEST_CASE("SignedSinglePrecisionFollowsDouble", "[information]")
{
  RandomStream stream(1);
  for (const std::vector<size_t>& sizes :
      std::vector<std::vector<size_t>>{ { 20, 12, 3 }, { 4, 3, 3, 2 } })
    for (const double sigma : { 0.1, 0.5, 2.0 })
    {
      RandomChain<float> single(sizes, 0.7, sigma, 5);
      RandomChain<double> twice(sizes, 0.7, sigma, 5);
      SetSigns(single, 3);
      SetSigns(twice, 3);
      for (size_t l = 0; l < twice.means.size(); ++l)
        for (size_t i = 0; i < twice.means[l].size(); ++i)
        {
          twice.means[l][i] = single.means[l][i];
          twice.sigmas[l][i] = single.sigmas[l][i];
          twice.weights[l][i] = single.weights[l][i];
        }
      AutoEstimator estimator;
      CAPTURE(sizes, sigma);
      REQUIRE(estimator.TrainingValue(single.chain, stream).value ==
          Approx(estimator.TrainingValue(twice.chain, stream).value)
              .epsilon(1e-4)
              .margin(1e-3));
      ExactEstimator exact;
      REQUIRE(exact.Evaluate(single.chain, stream).value ==
          Approx(exact.Evaluate(twice.chain, stream).value)
              .epsilon(1e-4)
              .margin(1e-3));
    }
}

TEST_CASE("SeparatedSignedUnitsLeaveTheGradientUntouched", "[information]")
{
  RandomChain<float> net({ 50, 40, 3 }, 1.0, 0.02, 2);
  SetSigns(net, 1);
  RandomStream stream(1);
  for (const char* name : { "auto", "uniform", "exact", "importance" })
  {
    const auto estimator = MakeEstimator(name);
    estimator->EvaluateWithGradient(net.chain, stream, 1.0f, net.gradient);
    REQUIRE(!net.gradient.touched[0]);
    REQUIRE(!net.gradient.touched[1]);
  }
}
