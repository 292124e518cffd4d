/**
 * @file block_solvers_test.cpp
 *
 * Exact and importance solvers on single blocks.
 */
#include "catch.hpp"

#include "information/permanent/auto_solver.hpp"

#include "random_chain.hpp"

using namespace symvi;
using namespace symvi::information;
using namespace symvi_tests;

namespace {

//! A block of m units with random reduced scores.
struct RandomBlock
{
  RandomBlock(const size_t m, const double spread, const uint64_t seed) :
      units(m),
      own(m),
      scores(m * m)
  {
    RandomStream stream(seed);
    stream.FillNormal(scores.data(), scores.size());
    for (size_t i = 0; i < m; ++i)
    {
      units[i] = UnitIndex(i);
      own[i] = i;
      for (size_t j = 0; j < m; ++j)
        scores[i * m + j] = (i == j) ? 0.0 :
                                       -spread * std::abs(scores[i * m + j]);
    }
    block = MatchingBlock{ m, units.data(), units.data(), scores.data(),
      own.data() };
  }

  std::vector<UnitIndex> units;
  std::vector<size_t> own;
  std::vector<double> scores;
  MatchingBlock block;
};

//! Largest difference between marginals and central differences of `log`.
template<typename SolverType>
double DerivativeError(SolverType& solver, RandomBlock& random)
{
  const size_t m = random.block.size;
  std::vector<double> marginals(m * m);
  RandomStream stream(1);
  solver.Solve(random.block, stream, marginals.data());
  double worst = 0.0;
  for (size_t i = 0; i < m * m; ++i)
  {
    const double x = random.scores[i], h = 1e-5;
    random.scores[i] = x + h;
    const double up = solver.Solve(random.block, stream, nullptr).log;
    random.scores[i] = x - h;
    const double down = solver.Solve(random.block, stream, nullptr).log;
    random.scores[i] = x;
    worst = std::max(worst, std::abs((up - down) / (2 * h) - marginals[i]));
  }
  return worst;
}

//! Draw a permutation from P(tau) = exp(scores of tau) / perm, row by row.
void DrawPosterior(const RandomBlock& random, Permanent& permanent,
    RandomStream& stream, std::vector<size_t>& tau)
{
  const size_t m = random.block.size;
  std::vector<size_t> left(m);
  for (size_t j = 0; j < m; ++j)
    left[j] = j;
  for (size_t i = 0; i < m; ++i)
  {
    const size_t n = m - i;
    std::vector<double> minor(n * n), marginals(n * n);
    for (size_t r = 0; r < n; ++r)
      for (size_t c = 0; c < n; ++c)
        minor[r * n + c] = std::exp(random.scores[(i + r) * m + left[c]]);
    permanent.Compute(minor.data(), n, marginals.data());
    double mark = stream.NextUniform();
    size_t c = 0;
    while (c + 1 < n && (mark -= marginals[c]) > 0.0)
      ++c;
    tau[i] = left[c];
    left.erase(left.begin() + c);
  }
}

} // namespace

TEST_CASE("MarginalsAreDerivatives", "[information]")
{
  ExactSolver exact;
  for (uint64_t seed = 0; seed < 12; ++seed)
  {
    const size_t m = 2 + seed % 6;
    RandomBlock random(m, 1.0 + double(seed % 3), seed);
    REQUIRE(DerivativeError(exact, random) < 1e-8);
  }
}

TEST_CASE("ImportanceWeightsAreUnbiased", "[information]")
{
  // E exp(low) is the permanent, for one draw.
  for (const size_t tail : { 1, 3 })
  {
    ExactSolver exact;
    ImportanceSolver importance(1, tail);
    RandomStream stream(2);
    for (uint64_t seed = 0; seed < 6; ++seed)
    {
      RandomBlock random(6, 0.5 + double(seed), seed);
      const double log = exact.Solve(random.block, stream, nullptr).log;
      RunningMean ratio;
      for (size_t i = 0; i < 4000; ++i)
        ratio.Add(std::exp(
            importance.Solve(random.block, stream, nullptr).low - log));
      REQUIRE(std::abs(ratio.Mean() - 1.0) <= 5 * ratio.StandardError());
    }
  }
}

TEST_CASE("ReplacedDrawsAreUnbiased", "[information]")
{
  // Blocks with enough rows for two looks ahead.  E_Q mean(omega) = perm for
  // draws without, and E_P perm / mean(omega) = 1 for draws with the identity:
  // both laws, and so both bounds, are as they should be.
  for (const size_t draws : { 3 })
    for (const double spread : { 1.0, 3.0 })
    {
      RandomBlock random(16, spread, 5);
      ExactSolver exact;
      Permanent permanent;
      ImportanceSolver importance(draws, 1);
      RandomStream stream(2);
      const double log = exact.Solve(random.block, stream, nullptr).log;
      RunningMean mean, inverse, low, high;
      for (size_t i = 0; i < 1000; ++i)
      {
        DrawPosterior(random, permanent, stream, random.own);
        const BlockSolution s = importance.Solve(random.block, stream, nullptr);
        mean.Add(std::exp(s.low - log));
        inverse.Add(std::exp(log - s.high));
        low.Add(s.low - log);
        high.Add(s.high - log);
      }
      CAPTURE(draws, spread);
      REQUIRE(std::abs(mean.Mean() - 1.0) <= 4 * mean.StandardError());
      REQUIRE(std::abs(inverse.Mean() - 1.0) <= 4 * inverse.StandardError());
      REQUIRE(low.Mean() <= 4 * low.StandardError());
      REQUIRE(high.Mean() >= -4 * high.StandardError());
    }
}

TEST_CASE("ResamplingKeepsExpectations", "[information]")
{
  // Offspring in proportion to the weights, at most one off; given the last
  // particle survives, counts follow the law weighted by its offspring.
  const std::vector<double> ahead{ -1.0, 0.0, -3.0, 0.5, -0.3 };
  const size_t n = ahead.size();
  const double all = LogSum(ahead.data(), n);
  RandomStream stream(3);
  std::vector<size_t> order(n), parents(n);
  std::vector<RunningMean> free(n), weighted(n), given(n);
  for (size_t i = 0; i < 20000; ++i)
    for (const bool keep : { false, true })
    {
      Resample(ahead.data(), n, n, keep, stream, order.data(), parents.data());
      const double last = double(std::count(parents.begin(), parents.end(),
                              n - 1)) /
          (n * std::exp(ahead[n - 1] - all));
      REQUIRE((!keep || parents[n - 1] == n - 1));
      for (size_t k = 0; k < n; ++k)
      {
        const double count = double(
            std::count(parents.begin(), parents.end(), k));
        const double share = n * std::exp(ahead[k] - all);
        REQUIRE(std::abs(count - share) < 1.0 + 1e-12);
        (keep ? given : free)[k].Add(count);
        if (!keep)
          weighted[k].Add(count * last);
      }
    }
  for (size_t k = 0; k < n; ++k)
  {
    REQUIRE(std::abs(free[k].Mean() - n * std::exp(ahead[k] - all)) <=
        4 * free[k].StandardError() + 1e-12);
    REQUIRE(std::abs(given[k].Mean() - weighted[k].Mean()) <=
        4 * std::hypot(given[k].StandardError(), weighted[k].StandardError()) +
            1e-12);
  }
}

TEST_CASE("ImportanceProbabilitiesAddUp", "[information]")
{
  RandomBlock random(5, 2.0, 3);
  PermutationProposal importance;
  importance.Prepare(random.scores.data(), 5, 0);
  std::vector<size_t> tau{ 0, 1, 2, 3, 4 };
  double sum = 0.0;
  do
    sum += std::exp(importance.LogProbability(tau.data()));
  while (std::next_permutation(tau.begin(), tau.end()));
  REQUIRE(sum == Approx(1.0).epsilon(1e-12));
  RandomStream stream(1);
  for (size_t i = 0; i < 50; ++i)
  {
    const double log = importance.Sample(tau.data(), stream);
    REQUIRE(
        log == Approx(importance.LogProbability(tau.data())).epsilon(1e-10));
  }
}

TEST_CASE("ImportanceMarginalsConverge", "[information]")
{
  ExactSolver exact;
  ImportanceSolver importance(20000, 2);
  RandomBlock random(6, 1.5, 3);
  RandomStream stream(1);
  std::vector<double> expected(36), marginals(36);
  exact.Solve(random.block, stream, expected.data());
  importance.Solve(random.block, stream, marginals.data());
  for (size_t i = 0; i < 36; ++i)
    REQUIRE(std::abs(marginals[i] - expected[i]) < 0.02);
}

TEST_CASE("ImportanceWithALongTailIsExact", "[information]")
{
  ExactSolver exact;
  ImportanceSolver importance(3, 8);
  RandomBlock random(8, 1.0, 3);
  RandomStream stream(1);
  std::vector<double> expected(64), marginals(64);
  const BlockSolution e = exact.Solve(random.block, stream, expected.data());
  const BlockSolution s = importance.Solve(random.block, stream,
      marginals.data());
  REQUIRE(s.exact);
  REQUIRE(s.log == Approx(e.log).epsilon(1e-12));
  for (size_t i = 0; i < 64; ++i)
    REQUIRE(std::abs(marginals[i] - expected[i]) < 1e-12);
}
