/**
 * @file src/information/permanent/scaling.cpp
 */
#include "information/permanent/scaling.hpp"

#include "information/scores/log_sum.hpp"
#include "kernel/sqrt_array.hpp"

#include "kernel/multiversion.hpp"
#include "kernel/round_up.hpp"
#include "kernel/vector_math.hpp"
#include "symmetry/log_factorial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace symvi {
namespace information {

//! a_b = exp(score_b - most), zero where that is below exp(-80).
template<typename eT>
SYMVI_MULTIVERSION
void ExpRow(const double* SYMVI_RESTRICT scores, const double most,
    const size_t m, eT* SYMVI_RESTRICT a)
{
  for (size_t b = 0; b < m; ++b)
  {
    const eT y = eT(scores[b] - most);
    const eT x = kernel::Select(y < eT(0), y, eT(0));
    a[b] = kernel::Select(x > eT(-80), kernel::ExpMinusAbs(x), eT(0));
  }
}

/**
 * One round of Sinkhorn's iteration: r_a = 1 / sum_b A_ab c_b and s_b = sum_a
 * r_a A_ab, in one pass over A.  `padded` is a multiple of 16.
 */
template<typename eT>
SYMVI_MULTIVERSION
void ScaleRound(const eT* SYMVI_RESTRICT a, const size_t m, const size_t padded,
    const eT* SYMVI_RESTRICT column, eT* SYMVI_RESTRICT row,
    eT* SYMVI_RESTRICT sums)
{
  for (size_t b = 0; b < padded; ++b)
    sums[b] = eT(0);
  for (size_t i = 0; i < m; ++i)
  {
    const eT* SYMVI_RESTRICT p = a + i * padded;
    eT part[16] = {};
    for (size_t b = 0; b < padded; b += 16)
      for (size_t k = 0; k < 16; ++k)
        part[k] += p[b + k] * column[b + k];
    for (size_t k = 8; k > 0; k /= 2)
      for (size_t j = 0; j < k; ++j)
        part[j] += part[j + k];
    const eT r = eT(1) / part[0];
    row[i] = r;
    for (size_t b = 0; b < padded; ++b)
      sums[b] += r * p[b];
  }
}

//! A = diag(r) A diag(c).
template<typename eT>
SYMVI_MULTIVERSION
void ApplyScaling(const size_t m, const size_t padded,
    const eT* SYMVI_RESTRICT column, const eT* SYMVI_RESTRICT row,
    eT* SYMVI_RESTRICT a)
{
  for (size_t i = 0; i < m; ++i)
    for (size_t b = 0; b < padded; ++b)
      a[i * padded + b] *= row[i] * column[b];
}

//! rest_b = max(1 - r f_b c_b, least); the sum of r f_b c_b.
template<typename eT>
SYMVI_MULTIVERSION
eT Complement(const eT* SYMVI_RESTRICT f, const eT r,
    const eT* SYMVI_RESTRICT column, const size_t padded, const eT least,
    eT* SYMVI_RESTRICT rest)
{
  eT part[16] = {};
  for (size_t b = 0; b < padded; b += 16)
    for (size_t k = 0; k < 16; ++k)
    {
      const eT m = r * f[b + k] * column[b + k];
      part[k] += m;
      const eT q = eT(1) - m;
      rest[b + k] = q > least ? q : least;
    }
  for (size_t k = 8; k > 0; k /= 2)
    for (size_t j = 0; j < k; ++j)
      part[j] += part[j + k];
  return part[0];
}

//! f = p / q.
template<typename eT>
SYMVI_MULTIVERSION
void DivideRow(const eT* SYMVI_RESTRICT p, const eT* SYMVI_RESTRICT q,
    const size_t n, eT* SYMVI_RESTRICT f)
{
  for (size_t b = 0; b < n; ++b)
    f[b] = p[b] / q[b];
}

template<typename eT>
void Scaling<eT>::Reserve(const size_t units)
{
  const size_t most16 = kernel::RoundUp(units, 16);
  const size_t block = std::min(units, largest);
  for (std::vector<eT>* v : { &a, &part, &follow })
    v->reserve(units * most16);
  for (std::vector<eT>* v :
      { &row, &column, &sums, &groupRow, &groupColumn, &groupSums, &rest })
    v->reserve(most16);
  most.reserve(units);
  dense.reserve(units * units);
  assignment.Reserve(units);
  for (std::vector<size_t>* v : { &start, &members })
    v->reserve(units + 1);
  small.reserve(block * block);
  smallMarginals.reserve(block * block);
  permanent.Reserve(block);
}

template<typename eT>
void Scaling<eT>::Load(const double* scores, const size_t step)
{
  padded = kernel::RoundUp(m, 16);
  a.resize(m * padded);
  row.resize(padded);
  column.assign(padded, eT(0));
  sums.resize(padded);
  most.resize(m);
  shift = 0.0;
  for (size_t i = 0; i < m; ++i)
  {
    const double* s = scores + i * step;
    most[i] = *std::max_element(s, s + m);
    eT* p = &a[i * padded];
    ExpRow(s, most[i], m, p);
    std::fill(p + m, p + padded, eT(0));
    column[i] = eT(1);
  }
}

template<typename eT>
void Scaling<eT>::LoadReduced(const double* scores, const size_t step)
{
  dense.resize(m * m);
  for (size_t i = 0; i < m; ++i)
    std::copy_n(scores + i * step, m, &dense[i * m]);
  // The diagonal is finite, so there is a permutation.
  assignment.Solve(dense.data(), m);
  for (size_t i = 0; i < m; ++i)
  {
    double* s = &dense[i * m];
    for (size_t b = 0; b < m; ++b)
      s[b] -= assignment.ColumnDual(b);
    most[i] = assignment.RowDual(i);
    shift += assignment.ColumnDual(i);
    ExpRow(s, most[i], m, &a[i * padded]);
    column[i] = eT(1);
  }
}

template<typename eT>
bool Scaling<eT>::Iterate(const double tolerance, const size_t limit,
    const size_t patience)
{
  const double least = 8.0 * double(std::numeric_limits<eT>::epsilon());
  const eT enough = eT(std::max(tolerance, least));
  for (rounds = 1;; ++rounds)
  {
    ScaleRound(a.data(), m, padded, column.data(), row.data(), sums.data());
    eT worst = eT(0);
    for (size_t b = 0; b < m; ++b)
    {
      const eT error = std::abs(sums[b] * column[b] - eT(1));
      worst = (error <= worst) ? worst : error;
    }
    if (worst <= enough)
      return true;
    // Not a number where a row or column has vanished.
    if (rounds == limit || (rounds == patience && !(worst < eT(0.5))))
      return false;
    for (size_t b = 0; b < m; ++b)
      column[b] = eT(1) / sums[b];
  }
}

//! Sort the rows into groups: `members` from `start[k]` to `start[k + 1]`.
template<typename eT>
void Scaling<eT>::Link(const double tolerance)
{
  // Two units exchange places with the odds P_ab P_ba / (P_aa P_bb), whatever
  // the scaling; longer cycles show in large entries.
  const eT odds = eT((tolerance > 0.0) ? 1e-3 * tolerance : 1e-12);
  const eT entry = eT((tolerance > 0.0) ? 0.2 * tolerance : 1e-6);
  members.resize(m);
  std::iota(members.begin(), members.end(), size_t(0));
  start.clear();
  // Those before `seen` are linked to one before `at`, or to the group's first.
  size_t seen = 0;
  for (size_t at = 0; at < m; ++at)
  {
    if (at == seen)
    {
      start.push_back(at);
      ++seen;
    }
    const size_t i = members[at];
    const eT own = odds * a[i * padded + i];
    for (size_t k = seen; k < m; ++k)
    {
      const size_t j = members[k];
      const eT x = a[i * padded + j], y = a[j * padded + i];
      if (std::max(x, y) > entry || x * y > own * a[j * padded + j])
        std::swap(members[k], members[seen++]);
    }
  }
  start.push_back(m);
}

//! log perm of a group of rows of P, and its marginals.
template<typename eT>
double Scaling<eT>::SolveExactly(const size_t* group, const size_t count,
    double* marginals)
{
  small.resize(count * count);
  smallMarginals.resize(count * count);
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < count; ++j)
      small[i * count + j] = double(a[group[i] * padded + group[j]]);
  const double log = std::log(permanent.Compute(small.data(), count,
      marginals ? smallMarginals.data() : nullptr));
  for (size_t i = 0; i < count && marginals; ++i)
  {
    double* out = marginals + group[i] * m;
    std::fill(out, out + m, 0.0);
    for (size_t j = 0; j < count; ++j)
      out[group[j]] = smallMarginals[i * count + j];
  }
  return log;
}

template<typename eT>
void Scaling<eT>::LoadGroup(const size_t* group, const size_t count)
{
  wide = kernel::RoundUp(count, 16);
  part.assign(count * wide, eT(0));
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < count; ++j)
      part[i * wide + j] = a[group[i] * padded + group[j]];
  follow = part;
  groupRow.assign(wide, eT(1));
  groupColumn.assign(wide, eT(0));
  std::fill_n(groupColumn.begin(), count, eT(1));
  groupSums.resize(wide);
  rest.resize(wide);
}

template<typename eT>
void Scaling<eT>::NextColumns(const size_t count)
{
  for (size_t b = 0; b < count; ++b)
    groupColumn[b] = eT(1) / groupSums[b];
}

template<typename eT>
void Scaling<eT>::Follow(const size_t count)
{
  const eT least = eT(16) * std::numeric_limits<eT>::epsilon();
  for (size_t i = 0; i < count; ++i)
  {
    // 1 - M_aa is what the others have: no digits are lost.
    eT* f = &follow[i * wide];
    f[i] = eT(0);
    const eT others = Complement(f, groupRow[i], groupColumn.data(), wide,
        least, rest.data());
    rest[i] = std::max(others, least);
    kernel::SqrtArray(rest.data(), rest.data(), wide);
    DivideRow(&part[i * wide], rest.data(), wide, f);
  }
}

template<typename eT>
double Scaling<eT>::LogRest(const size_t count)
{
  double log = 0.0;
  for (size_t i = 0; i < count; ++i)
  {
    const eT* p = &part[i * wide];
    const eT* f = &follow[i * wide];
    for (size_t b = 0; b < count; ++b)
      rest[b] = f[b] > eT(0) ? p[b] / f[b] : eT(1);
    log += 2.0 * SumLog(rest.data(), count);
  }
  return log;
}

template<typename eT>
eT Scaling<eT>::Round(const size_t count)
{
  ScaleRound(follow.data(), count, wide, groupColumn.data(), groupRow.data(),
      groupSums.data());
  eT worst = eT(0);
  for (size_t b = 0; b < count; ++b)
    worst = std::max(worst, std::abs(groupSums[b] * groupColumn[b] - eT(1)));
  return worst;
}

//! log Z of a group of rows of P, and its marginals.
template<typename eT>
double Scaling<eT>::SolveFractionally(const size_t* group, const size_t count,
    const double tolerance, double* marginals)
{
  LoadGroup(group, count);
  Round(count);
  // For two units a round halves the error of log M: five are enough where it
  // may stop early.
  const bool early = (tolerance > 0.0);
  const size_t most = early ? 40 : 3000, inner = early ? 1 : 20;
  const eT enough = early ? eT(tolerance) :
                            eT(8) * std::numeric_limits<eT>::epsilon();
  double logRest = 0.0;
  bool done = false;
  for (size_t k = 1; k <= most && !done; ++k)
  {
    NextColumns(count);
    Follow(count);
    eT worst = Round(count);
    for (size_t j = 1; j < inner && worst > enough; ++j)
    {
      NextColumns(count);
      worst = Round(count);
    }
    if (early)
    {
      done = (worst <= enough && k >= 5);
      continue;
    }
    const double before = logRest;
    logRest = LogRest(count);
    done = worst <= enough &&
        std::abs(logRest - before) <= 1e-13 * std::abs(logRest);
  }
  double log = 0.5 * LogRest(count);
  for (size_t i = 0; i < count; ++i)
  {
    log -= std::log(double(groupRow[i])) + std::log(double(groupColumn[i]));
    double* out = marginals + group[i] * m;
    if (!marginals)
      continue;
    std::fill(out, out + m, 0.0);
    for (size_t j = 0; j < count; ++j)
      out[group[j]] = double(
          groupRow[i] * follow[i * wide + j] * groupColumn[j]);
  }
  return log;
}

template<typename eT>
ScaledPermanent Scaling<eT>::Solve(const double* scores, const size_t units,
    const size_t step, const double tolerance, double* marginals)
{
  m = units;
  Load(scores, step);
  const double near = (tolerance > 0.0) ? 4.0 * tolerance : 0.0;
  const size_t limit = (tolerance > 0.0) ? 100 : 5000;
  if (!Iterate(near, limit, 6) && rounds < limit)
  {
    LoadReduced(scores, step);
    Iterate(near, limit, limit);
  }
  ScaledPermanent solution;
  solution.log = shift;
  for (size_t i = 0; i < m; ++i)
    solution.log += most[i] - std::log(double(row[i])) -
        std::log(double(column[i]));
  ApplyScaling(m, padded, column.data(), row.data(), a.data());
  Link(tolerance);
  for (size_t k = 0; k + 1 < start.size(); ++k)
  {
    const size_t first = start[k], count = start[k + 1] - first;
    if (count == 1 || count <= largest)
    {
      solution.log += SolveExactly(&members[first], count, marginals);
      continue;
    }
    const double size = double(count);
    solution.log += SolveFractionally(&members[first], count, tolerance,
        marginals);
    solution.below += size * std::log(size) - LogFactorial(count);
    solution.above += 0.5 * size * std::log(2.0);
  }
  return solution;
}

template class Scaling<float>;
template class Scaling<double>;

} // namespace information
} // namespace symvi
