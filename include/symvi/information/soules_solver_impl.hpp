/**
 * @file symvi/information/soules_solver_impl.hpp
 */
#ifndef SYMVI_INFORMATION_SOULES_SOLVER_IMPL_HPP
#define SYMVI_INFORMATION_SOULES_SOLVER_IMPL_HPP

#include "soules_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace symvi {
namespace information {

inline void SoulesSolver::Reserve(const size_t d)
{
  for (std::vector<double>* v : { &shift, &best, &row, &sums })
    v->reserve(d);
  shares.reserve(d * d);
  order.reserve(d);
  double last = 0.0;
  delta.resize(d);
  for (size_t k = 1; k <= d; ++k)
  {
    const double root = std::exp(std::lgamma(double(k) + 1.0) / double(k));
    delta[k - 1] = root - last;
    last = root;
  }
}

inline double SoulesSolver::Bound(const MatchingBlock& block)
{
  const size_t m = block.size;
  double log = 0.0;
  std::fill(sums.begin(), sums.end(), 0.0);
  for (size_t i = 0; i < m; ++i)
  {
    const double* s = block.scores + i * m;
    for (size_t j = 0; j < m; ++j)
    {
      row[j] = s[j] - shift[j];
      order[j] = j;
    }
    std::sort(order.begin(), order.end(), [&](const size_t a, const size_t b)
        { return row[a] > row[b] || (row[a] == row[b] && a < b); });
    const double most = row[order[0]];
    double sum = 0.0;
    for (size_t k = 0; k < m; ++k)
      sum += (shares[i * m + order[k]] =
          delta[k] * std::exp(row[order[k]] - most));
    for (size_t j = 0; j < m; ++j)
      sums[j] += (shares[i * m + j] /= sum);
    log += most + std::log(sum) + shift[i];
  }
  return log;
}

inline BlockSolution SoulesSolver::Solve(const MatchingBlock& block,
                                         RandomStream& /* stream */,
                                         double* marginals)
{
  const size_t m = block.size;
  shift.assign(m, 0.0);
  best.assign(m, 0.0);
  row.resize(m);
  sums.resize(m);
  order.resize(m);
  shares.resize(m * m);
  double least = std::numeric_limits<double>::infinity();
  for (size_t round = 0; round <= rounds; ++round)
  {
    const double log = Bound(block);
    if (log < least)
    {
      least = log;
      best = shift;
    }
    for (size_t j = 0; j < m; ++j)
      shift[j] += std::log(sums[j]);
  }
  BlockSolution solution;
  solution.log = solution.high = least;
  solution.exact = (m == 1);
  solution.low = solution.exact ? least :
      -std::numeric_limits<double>::infinity();
  if (marginals)
  {
    shift = best;
    Bound(block);
    std::copy(shares.begin(), shares.end(), marginals);
  }
  return solution;
}

} // namespace information
} // namespace symvi

#endif
