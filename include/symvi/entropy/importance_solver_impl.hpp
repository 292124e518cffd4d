/**
 * @file symvi/entropy/importance_solver_impl.hpp
 */
#ifndef SYMVI_ENTROPY_IMPORTANCE_SOLVER_IMPL_HPP
#define SYMVI_ENTROPY_IMPORTANCE_SOLVER_IMPL_HPP

#include "importance_solver.hpp"
#include "log_sum.hpp"

#include <symvi/kernel/multiversion.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace symvi {
namespace entropy {

//! sum_b x_b y_b.
template<typename eT>
SYMVI_MULTIVERSION
eT Dot(const eT* x, const eT* y, const size_t n)
{
  eT part[8] = { };
  size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (size_t k = 0; k < 8; ++k)
      part[k] += x[i + k] * y[i + k];
  for (; i < n; ++i)
    part[0] += x[i] * y[i];
  return ((part[0] + part[1]) + (part[2] + part[3])) +
      ((part[4] + part[5]) + (part[6] + part[7]));
}

inline void ImportanceSolver::Reserve(const size_t d)
{
  const size_t rest = std::min(d, tail), k = draws + 1;
  for (std::vector<double>* v : { &weights, &balanced, &steps })
    v->reserve(d * d);
  for (std::vector<double>* v : { &scale, &spread, &available })
    v->reserve(d);
  for (std::vector<size_t>* v : { &order, &left })
    v->reserve(d);
  images.reserve(k * d);
  logWeights.reserve(k);
  tailWeights.reserve(rest * rest);
  tailMarginals.reserve(k * rest * rest);
  tailColumns.reserve(k * rest);
  permanent.Reserve(rest);
}

inline void ImportanceSolver::Balance(const double* scores, const size_t m)
{
  weights.resize(m * m);
  for (size_t i = 0; i < m * m; ++i)
    weights[i] = std::exp(scores[i]);
  balanced = weights;
  scale.resize(m);
  for (size_t round = 0; round < 5; ++round)
  {
    std::fill(scale.begin(), scale.end(), 0.0);
    for (size_t i = 0; i < m; ++i)
    {
      double* row = balanced.data() + i * m;
      double sum = 0.0;
      for (size_t j = 0; j < m; ++j)
        sum += row[j];
      const double inverse = 1.0 / sum;
      for (size_t j = 0; j < m; ++j)
        scale[j] += (row[j] *= inverse);
    }
    if (round == 4)
      break;
    for (size_t j = 0; j < m; ++j)
      scale[j] = 1.0 / scale[j];
    for (size_t i = 0; i < m; ++i)
      for (size_t j = 0; j < m; ++j)
        balanced[i * m + j] *= scale[j];
  }
}

inline void ImportanceSolver::Prepare(const double* scores, const size_t size,
                                      const size_t exactRows)
{
  m = size;
  head = m - std::min(m, exactRows);
  Balance(scores, m);

  // Rows by increasing entropy.
  spread.resize(m);
  order.resize(m);
  for (size_t i = 0; i < m; ++i)
  {
    spread[i] = 0.0;
    for (size_t j = 0; j < m; ++j)
    {
      const double p = balanced[i * m + j];
      spread[i] -= (p > 0.0) ? p * std::log(p) : 0.0;
    }
    order[i] = i;
  }
  std::sort(order.begin(), order.end(), [&](const size_t a, const size_t b)
      { return spread[a] < spread[b] || (spread[a] == spread[b] && a < b); });

  // Weights of step k: P[o_k, b] / sum of P over the rows still to come.
  const double tiny = 1e-10;
  steps.resize(m * m);
  scale.assign(m, tiny);
  for (size_t k = m; k-- > 0; )
  {
    const double* row = balanced.data() + order[k] * m;
    for (size_t j = 0; j < m; ++j)
    {
      steps[k * m + j] = row[j] / scale[j];
      scale[j] += row[j];
    }
  }
}

inline double ImportanceSolver::Sample(size_t* tau, RandomStream& stream)
{
  double probability = 1.0, log = 0.0;
  available.assign(m, 1.0);
  for (size_t k = 0; k < head; ++k)
  {
    const double* step = steps.data() + k * m;
    const double total = Dot(step, available.data(), m);
    double mark = stream.NextUniform() * total;
    if (!(total > 0.0))
      return std::numeric_limits<double>::infinity();
    size_t pick = m;
    for (size_t j = 0; j < m; ++j)
    {
      const double weight = step[j] * available[j];
      if (weight > 0.0)
      {
        pick = j;
        if ((mark -= weight) <= 0.0)
          break;
      }
    }
    tau[order[k]] = pick;
    available[pick] = 0.0;
    probability *= step[pick] / total;
    if (probability < 1e-200)
    {
      log += std::log(probability);
      probability = 1.0;
    }
  }
  return log + std::log(probability);
}

inline double ImportanceSolver::LogProbability(const size_t* tau)
{
  double log = 0.0;
  available.assign(m, 1.0);
  for (size_t k = 0; k < head; ++k)
  {
    const double* step = steps.data() + k * m;
    const size_t pick = tau[order[k]];
    const double total = Dot(step, available.data(), m);
    log += std::log(step[pick] / total);
    available[pick] = 0.0;
  }
  return log;
}

inline double ImportanceSolver::LogWeight(const double* scores,
                                          const size_t* tau,
                                          const double logProbability,
                                          double* marginals)
{
  // available[] still tells which columns the head has left.
  const size_t rest = m - head;
  double log = -logProbability;
  for (size_t k = 0; k < head; ++k)
    log += scores[order[k] * m + tau[order[k]]];
  left.clear();
  for (size_t j = 0; j < m; ++j)
    if (available[j] > 0.0)
      left.push_back(j);
  tailWeights.resize(rest * rest);
  for (size_t i = 0; i < rest; ++i)
    for (size_t j = 0; j < rest; ++j)
      tailWeights[i * rest + j] = weights[order[head + i] * m + left[j]];
  return log + std::log(permanent.Compute(tailWeights.data(), rest, marginals));
}

inline BlockSolution ImportanceSolver::Solve(const MatchingBlock& block,
                                             RandomStream& stream,
                                             double* marginals)
{
  const double none = -std::numeric_limits<double>::infinity();
  if (draws == 0)
    throw std::invalid_argument("ImportanceEstimator: Permutations() must be "
        "at least 1, but is 0.");
  if (tail == 0 || tail > Permanent::MaxSize())
    throw std::invalid_argument("ImportanceEstimator: Tail() must be from 1 to "
        + std::to_string(Permanent::MaxSize()) + ", but is " +
        std::to_string(tail) + ".");
  Prepare(block.scores, block.size, tail);
  const size_t rest = m - head, count = (head == 0) ? 1 : draws;
  images.resize(count * m);
  logWeights.resize(count + 1);
  tailColumns.resize(count * rest);
  tailMarginals.resize(count * rest * rest);

  // The identity, unless it left the block (it then weighs nothing).
  bool whole = true;
  for (size_t i = 0; i < m; ++i)
    whole &= (block.own[i] != noUnits);
  logWeights[count] = none;
  if (whole && head > 0)
  {
    const double log = LogProbability(block.own);
    if (log > none)
      logWeights[count] = LogWeight(block.scores, block.own, log, nullptr);
  }
  for (size_t j = 0; j < count; ++j)
  {
    size_t* tau = images.data() + j * m;
    const double log = Sample(tau, stream);
    if (log < std::numeric_limits<double>::infinity())
    {
      logWeights[j] = LogWeight(block.scores, tau, log, marginals ?
          tailMarginals.data() + j * rest * rest : nullptr);
      std::copy(left.begin(), left.end(), tailColumns.data() + j * rest);
    }
    else
      logWeights[j] = none;
  }

  BlockSolution solution;
  const double logAll = LogSum(logWeights.data(), count);
  solution.low = logAll - std::log(double(count));
  solution.exact = (head == 0);
  std::swap(logWeights[count - 1], logWeights[count]);
  solution.high = (head == 0) ? solution.low :
      LogSum(logWeights.data(), count) - std::log(double(count));
  std::swap(logWeights[count - 1], logWeights[count]);
  solution.log = solution.high;
  if (!marginals)
    return solution;

  std::fill(marginals, marginals + m * m, 0.0);
  if (!(logAll > none))
  {
    for (size_t i = 0; i < m; ++i)
      marginals[i * m + (whole ? block.own[i] : i)] = 1.0;
    return solution;
  }
  for (size_t j = 0; j < count; ++j)
  {
    const double share = std::exp(logWeights[j] - logAll);
    if (share < 1e-17)
      continue;
    const size_t* tau = images.data() + j * m;
    for (size_t k = 0; k < head; ++k)
      marginals[order[k] * m + tau[order[k]]] += share;
    const double* t = tailMarginals.data() + j * rest * rest;
    const size_t* column = tailColumns.data() + j * rest;
    for (size_t i = 0; i < rest; ++i)
      for (size_t k = 0; k < rest; ++k)
        marginals[order[head + i] * m + column[k]] += share * t[i * rest + k];
  }
  return solution;
}

} // namespace entropy
} // namespace symvi

#endif
