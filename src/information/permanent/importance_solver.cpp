/**
 * @file src/information/permanent/importance_solver.cpp
 */
#include "information/permanent/importance_solver.hpp"
#include "information/scores/log_sum.hpp"

#include <symvi/require.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace symvi {
namespace information {

void ImportanceSolver::Reserve(const size_t d)
{
  const size_t rest = std::min(d, tail), k = 3 * draws + 1;
  proposal.Reserve(d);
  lookahead.Reserve(d, k);
  for (PermutationParticles* p : { &drawn, &given, &spare })
    p->Reserve(d, k);
  for (std::vector<double>* v : { &ahead, &products, &logs })
    v->reserve(k);
  for (std::vector<size_t>* v : { &order, &parents })
    v->reserve(k);
  tailWeights.reserve(rest * rest);
  tailMarginals.reserve(k * rest * rest);
  tailColumns.reserve(k * rest);
  permanent.Reserve(rest);
}

void ImportanceSolver::CheckSettings() const
{
  RequirePositive("ImportanceEstimator", "Permutations()", draws);
  if (tail == 0 || tail > Permanent::MaxSize())
    Refuse("ImportanceEstimator",
        "Tail() must be from 1 to " + std::to_string(Permanent::MaxSize()),
        "is " + std::to_string(tail));
}

//! How many particles are draws: not the identity while it is among them.
size_t ImportanceSolver::Draws(const PermutationParticles& particles) const
{
  return (split || proposal.Head() == 0) ? particles.count : draws;
}

//! Whether the effective number of particles is below nine tenths.  It treats
//! all alike, the identity too: that keeps them exchangeable, as dP/dQ needs.
bool ImportanceSolver::Unequal(const size_t count) const
{
  double most = -std::numeric_limits<double>::infinity();
  for (size_t q = 0; q < count; ++q)
    most = std::max(most, ahead[q]);
  double sum = 0.0, squares = 0.0;
  for (size_t q = 0; q < count; ++q)
  {
    const double w = std::exp(ahead[q] - most);
    sum += w;
    squares += w * w;
  }
  return sum * sum < 0.9 * double(count) * squares;
}

//! Row o_k of every particle; the last one follows the identity, if given.
void ImportanceSolver::Step(PermutationParticles& particles, const size_t k,
    const size_t* identity, RandomStream& stream)
{
  const size_t m = proposal.Units(), padded = proposal.Padded();
  const size_t row = proposal.Order()[k];
  for (size_t q = 0; q < particles.count; ++q)
  {
    double* available = &particles.available[q * padded];
    double ratio = 0.0;
    size_t pick = m;
    if (!(particles.logWeights[q] > -std::numeric_limits<double>::infinity()))
      continue;
    if (identity && q + 1 == particles.count)
    {
      pick = identity[row];
      ratio = (pick < m) ? proposal.Ratio(k, available, pick) : 0.0;
    }
    else
      pick = proposal.Draw(k, available, stream, ratio);
    if (ratio > 0.0)
    {
      particles.images[q * m + row] = pick;
      available[pick] = 0.0;
      MultiplyInto(ratio, products[q], particles.logWeights[q]);
    }
    else
      particles.logWeights[q] = -std::numeric_limits<double>::infinity();
  }
}

/**
 * Draw rows o_first, ...  Shared particles stop at the first row at which they
 * need replacements, and the row is returned; others are replaced and go on.
 */
size_t ImportanceSolver::Advance(PermutationParticles& particles,
    const size_t first, const size_t* identity, const bool shared,
    RandomStream& stream)
{
  const size_t head = proposal.Head(), n = particles.count;
  const size_t shortest = std::max<size_t>(7, head / 14);
  ahead.resize(n);
  products.assign(n, 1.0);
  size_t gap = shortest, next = first + gap;
  for (size_t k = first; k < head; ++k)
  {
    Step(particles, k, identity, stream);
    if (k + 1 < head && k + 1 != next)
      continue;
    for (size_t q = 0; q < n; ++q)
    {
      particles.logWeights[q] += std::log(products[q]);
      products[q] = 1.0;
    }
    if (k + 1 == head)
      break;
    lookahead.Compute(proposal, k + 1, particles, ahead.data());
    for (size_t q = 0; q < n; ++q)
      ahead[q] += particles.logWeights[q];
    const bool unequal = Unequal(n);
    if (shared && unequal)
      return k + 1;
    if (unequal)
      Replace(particles, n, identity != nullptr, stream);
    gap = unequal ? shortest : 2 * gap;
    next = k + 1 + gap;
  }
  return head;
}

//! Replace particles in proportion to their prospects; `ahead` holds the
//! log-weights, and there are `count` particles afterwards.
void ImportanceSolver::Replace(PermutationParticles& particles,
    const size_t count, const bool keepLast, RandomStream& stream)
{
  const double none = -std::numeric_limits<double>::infinity();
  const size_t n = particles.count;
  const double mean = LogSum(ahead.data(), n) - std::log(double(n));
  const bool dead = !(ahead[n - 1] > none);
  order.resize(n);
  parents.resize(count);
  if (mean > none)
    Resample(ahead.data(), n, count, keepLast && !dead, stream, order.data(),
        parents.data());
  else
    std::fill(parents.begin(), parents.end(), 0);
  // A particle of weight omega and prospects h was drawn in proportion to
  // omega h: what is left of its weight is 1 / h, up to the mean.
  spare.Take(proposal, particles, parents.data(), count);
  for (size_t q = 0; q < count && mean > none; ++q)
    spare.logWeights[q] += mean - ahead[parents[q]];
  if (keepLast && dead)
    spare.logWeights[count - 1] = none;
  std::swap(spare, particles);
}

void ImportanceSolver::Sample(const MatchingBlock& block, RandomStream& stream)
{
  const size_t head = proposal.Head();
  split = false;
  drawn.Start(proposal, (head == 0) ? 1 : draws + 1);
  if (head == 0)
    return;
  lookahead.Reset(proposal);
  const size_t k = Advance(drawn, 0, block.own, true, stream);
  if (k == head)
    return;
  // Part ways: K draws, and K - 1 of them with the identity; 3 K from now on.
  split = true;
  parents.resize(draws);
  for (size_t q = 0; q < draws; ++q)
    parents[q] = (q + 1 < draws) ? q : draws;
  given.Take(proposal, drawn, parents.data(), draws);
  drawn.count = draws;
  logs.assign(ahead.begin(), ahead.end());
  Replace(drawn, 3 * draws, false, stream);
  Advance(drawn, k, nullptr, false, stream);

  logs[draws - 1] = logs[draws];
  ahead.assign(logs.begin(), logs.begin() + draws);
  Replace(given, 3 * draws, true, stream);
  Advance(given, k, block.own, false, stream);
}

//! Multiply the weights of particles by the permanents of their tails.
void ImportanceSolver::AddTails(PermutationParticles& particles,
    const bool withMarginals)
{
  const size_t m = proposal.Units(), padded = proposal.Padded();
  const size_t head = proposal.Head(), rest = m - head;
  tailWeights.resize(rest * rest);
  tailColumns.resize(std::max(tailColumns.size(), particles.count * rest));
  tailMarginals.resize(
      std::max(tailMarginals.size(), particles.count * rest * rest));
  for (size_t q = 0; q < particles.count; ++q)
  {
    if (!(particles.logWeights[q] > -std::numeric_limits<double>::infinity()))
      continue;
    size_t* column = &tailColumns[q * rest];
    const double* available = &particles.available[q * padded];
    for (size_t b = 0, j = 0; b < m; ++b)
      if (available[b] > 0.0)
        column[j++] = b;
    for (size_t i = 0; i < rest; ++i)
      for (size_t j = 0; j < rest; ++j)
        tailWeights[i * rest + j] = proposal.Row(head + i)[column[j]];
    particles.logWeights[q] += std::log(permanent.Compute(tailWeights.data(),
        rest, withMarginals ? &tailMarginals[q * rest * rest] : nullptr));
  }
}

void ImportanceSolver::Marginals(const MatchingBlock& block,
    const double logAll, double* marginals) const
{
  const size_t m = proposal.Units(), head = proposal.Head(), rest = m - head;
  const std::vector<size_t>& order = proposal.Order();
  std::fill(marginals, marginals + m * m, 0.0);
  if (!(logAll > -std::numeric_limits<double>::infinity()))
  {
    // Every draw ran into a dead end: no gradient, if the identity is here.
    bool whole = true;
    for (size_t i = 0; i < m; ++i)
      whole &= (block.own[i] != noUnits);
    for (size_t i = 0; i < m; ++i)
      marginals[i * m + (whole ? block.own[i] : i)] = 1.0;
    return;
  }
  for (size_t q = 0; q < Draws(drawn); ++q)
  {
    const double share = std::exp(drawn.logWeights[q] - logAll);
    if (share < 1e-17)
      continue;
    const size_t* tau = &drawn.images[q * m];
    for (size_t k = 0; k < head; ++k)
      marginals[order[k] * m + tau[order[k]]] += share;
    const double* t = &tailMarginals[q * rest * rest];
    const size_t* column = &tailColumns[q * rest];
    for (size_t i = 0; i < rest; ++i)
      for (size_t j = 0; j < rest; ++j)
        marginals[order[head + i] * m + column[j]] += share * t[i * rest + j];
  }
}

BlockSolution ImportanceSolver::Solve(const MatchingBlock& block,
    RandomStream& stream, double* marginals)
{
  CheckSettings();
  proposal.Prepare(block.scores, block.size, tail);
  Sample(block, stream);
  AddTails(drawn, marginals != nullptr);
  const double logAll = LogSum(drawn.logWeights.data(), Draws(drawn));
  if (marginals)
    Marginals(block, logAll, marginals);

  logs.assign(drawn.logWeights.begin(),
      drawn.logWeights.begin() + Draws(drawn));
  if (split)
  {
    AddTails(given, false);
    logs = given.logWeights;
  }
  else if (proposal.Head() > 0)
    logs[draws - 1] = drawn.logWeights[draws];
  BlockSolution solution;
  solution.low = logAll - std::log(double(Draws(drawn))) + proposal.LogScale();
  solution.high = LogSum(logs.data(), logs.size()) -
      std::log(double(logs.size())) + proposal.LogScale();
  solution.log = solution.high;
  solution.exact = (proposal.Head() == 0);
  return solution;
}

} // namespace information
} // namespace symvi
