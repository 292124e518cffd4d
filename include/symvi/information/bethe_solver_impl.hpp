/**
 * @file symvi/information/bethe_solver_impl.hpp
 */
#ifndef SYMVI_INFORMATION_BETHE_SOLVER_IMPL_HPP
#define SYMVI_INFORMATION_BETHE_SOLVER_IMPL_HPP

#include "bethe_solver.hpp"

#include <algorithm>
#include <cmath>

namespace symvi {
namespace information {

inline void BetheSolver::Reserve(const size_t d)
{
  for (std::vector<double>* v : { &weights, &toColumn, &toRow, &beliefs })
    v->reserve(d * d);
  before.reserve(d + 1);
}

inline BlockSolution BetheSolver::SolvePair(const MatchingBlock& block,
                                            double* marginals) const
{
  BlockSolution solution;
  double swap = 0.0;
  if (block.size == 2)
    swap = std::exp(block.scores[1] + block.scores[2]);
  solution.log = solution.high = solution.low = std::log1p(swap);
  if (marginals && block.size == 1)
    marginals[0] = 1.0;
  else if (marginals)
  {
    marginals[0] = marginals[3] = 1.0 / (1.0 + swap);
    marginals[1] = marginals[2] = swap / (1.0 + swap);
  }
  return solution;
}

//! One round: new messages from rows, then from columns; largest change of P.
inline double BetheSolver::Sweep(const size_t m)
{
  // Sums without one term, from both ends, so that nothing cancels.
  for (size_t i = 0; i < m; ++i)
  {
    const double* a = weights.data() + i * m;
    const double* y = toRow.data() + i * m;
    before[0] = 0.0;
    for (size_t j = 0; j < m; ++j)
      before[j + 1] = before[j] + a[j] * y[j];
    double after = 0.0;
    for (size_t j = m; j-- > 0; after += a[j] * y[j])
      toColumn[i * m + j] = 1.0 / (before[j] + after + 1e-280);
  }
  double change = 0.0;
  for (size_t j = 0; j < m; ++j)
  {
    before[0] = 0.0;
    for (size_t i = 0; i < m; ++i)
      before[i + 1] = before[i] + weights[i * m + j] * toColumn[i * m + j];
    double after = 0.0;
    for (size_t i = m; i-- > 0; )
    {
      const size_t e = i * m + j;
      toRow[e] = 1.0 / (before[i] + after + 1e-280);
      const double odds = weights[e] * toColumn[e] * toRow[e];
      const double belief = (odds < 1e280) ? odds / (1.0 + odds) : 1.0;
      change = std::max(change, std::abs(belief - beliefs[e]));
      beliefs[e] = belief;
      after += weights[e] * toColumn[e];
    }
  }
  return change;
}

inline void BetheSolver::Project(const size_t m)
{
  for (size_t round = 0; round < 50; ++round)
  {
    double error = 0.0;
    for (size_t j = 0; j < m; ++j)
    {
      double sum = 0.0;
      for (size_t i = 0; i < m; ++i)
        sum += beliefs[i * m + j];
      for (size_t i = 0; i < m; ++i)
        beliefs[i * m + j] /= sum;
      error = std::max(error, std::abs(sum - 1.0));
    }
    for (size_t i = 0; i < m; ++i)
    {
      double sum = 0.0;
      for (size_t j = 0; j < m; ++j)
        sum += beliefs[i * m + j];
      for (size_t j = 0; j < m; ++j)
        beliefs[i * m + j] /= sum;
      error = std::max(error, std::abs(sum - 1.0));
    }
    if (error < 1e-13)
      return;
  }
}

inline BlockSolution BetheSolver::Solve(const MatchingBlock& block,
                                        RandomStream& /* stream */,
                                        double* marginals)
{
  const size_t m = block.size;
  if (m <= 2)
    return SolvePair(block, marginals);
  weights.resize(m * m);
  toColumn.resize(m * m);
  before.resize(m + 1);
  for (size_t i = 0; i < m * m; ++i)
    weights[i] = std::exp(block.scores[i]);
  toRow.assign(m * m, 1.0);
  beliefs.assign(m * m, 0.0);
  for (size_t round = 0; round < rounds; ++round)
    if (Sweep(m) < 1e-13)
      break;
  Project(m);

  double log = 0.0;
  for (size_t i = 0; i < m * m; ++i)
  {
    const double p = std::min(beliefs[i], 1.0);
    if (p > 0.0)
      log += p * (block.scores[i] - std::log(p));
    if (p < 1.0)
      log += (1.0 - p) * std::log1p(-p);
  }
  BlockSolution solution;
  solution.low = log;
  solution.log = solution.high = log + 0.5 * double(m) * std::log(2.0);
  solution.exact = false;
  if (marginals)
    std::copy(beliefs.begin(), beliefs.end(), marginals);
  return solution;
}

} // namespace information
} // namespace symvi

#endif
