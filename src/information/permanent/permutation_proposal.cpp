/**
 * @file src/information/permanent/permutation_proposal.cpp
 */
#include "information/permanent/permutation_proposal.hpp"

#include "information/scores/log_sum.hpp"

#include "kernel/multiversion.hpp"
#include "kernel/round_up.hpp"
#include "kernel/vector_math.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace symvi {
namespace information {

//! y_i = exp(x_i) for x_i <= 0, and 0 below -700.
template<typename eT>
SYMVI_MULTIVERSION
void ExpScores(const eT* SYMVI_RESTRICT x, const size_t n, eT* SYMVI_RESTRICT y)
{
  for (size_t i = 0; i < n; ++i)
  {
    const eT e = kernel::ExpMinusAbs(x[i]);
    y[i] = x[i] < eT(-700) ? eT(0) : e;
  }
}

//! sums[t] = sum of x_b y_b over b = t, t + 16, ...; returns their sum.
template<typename eT>
SYMVI_MULTIVERSION
eT LaneDots(const eT* SYMVI_RESTRICT x, const eT* SYMVI_RESTRICT y,
    const size_t padded, eT* SYMVI_RESTRICT sums)
{
  eT lane[16] = {};
  for (size_t b = 0; b < padded; b += 16)
    for (size_t t = 0; t < 16; ++t)
      lane[t] += x[b + t] * y[b + t];
  for (size_t t = 0; t < 16; ++t)
    sums[t] = lane[t];
  for (size_t half = 8; half > 0; half /= 2)
    for (size_t t = 0; t < half; ++t)
      lane[t] += lane[t + half];
  return lane[0];
}

//! y += factor * x.
template<typename eT>
SYMVI_MULTIVERSION
void AddScaled(const eT* SYMVI_RESTRICT x, const eT factor, const size_t n,
    eT* SYMVI_RESTRICT y)
{
  for (size_t i = 0; i < n; ++i)
    y[i] += factor * x[i];
}

//! The entropy of p_b = factor * x_b * y_b.
template<typename eT>
SYMVI_MULTIVERSION
eT Entropy(const eT* SYMVI_RESTRICT x, const eT* SYMVI_RESTRICT y,
    const eT factor, const size_t padded)
{
  eT part[8] = {};
  for (size_t b = 0; b < padded; b += 8)
    for (size_t k = 0; k < 8; ++k)
    {
      const eT p = factor * x[b + k] * y[b + k];
      part[k] -= p * kernel::Log(p > eT(1e-300) ? p : eT(1e-300));
    }
  return ((part[0] + part[1]) + (part[2] + part[3])) +
      ((part[4] + part[5]) + (part[6] + part[7]));
}

//! step = row / demand, then demand += row.
template<typename eT>
SYMVI_MULTIVERSION
void MakeStep(const eT* SYMVI_RESTRICT row, const size_t n,
    eT* SYMVI_RESTRICT demand, eT* SYMVI_RESTRICT step)
{
  for (size_t b = 0; b < n; ++b)
  {
    step[b] = row[b] / demand[b];
    demand[b] += row[b];
  }
}

void PermutationProposal::Reserve(const size_t d)
{
  const size_t wide = kernel::RoundUp(d, 16);
  for (std::vector<double>* v : { &weights, &rows, &steps })
    v->reserve(d * wide);
  for (std::vector<double>* v :
      { &rowScale, &columnScale, &sums, &spread, &free })
    v->reserve(wide);
  order.reserve(d);
}

void PermutationProposal::Balance(const double* scores)
{
  weights.resize(m * padded);
  for (size_t i = 0; i < m; ++i)
  {
    double* row = &weights[i * padded];
    ExpScores(scores + i * m, m, row);
    std::fill(row + m, row + padded, 0.0);
  }
  sums.resize(16);
  rowScale.resize(padded);
  columnScale.assign(padded, 1.0);
  spread.resize(padded);
  for (size_t round = 0; round < 5; ++round)
  {
    std::fill(spread.begin(), spread.end(), 0.0);
    for (size_t i = 0; i < m; ++i)
    {
      const double* row = &weights[i * padded];
      rowScale[i] = 1.0 /
          LaneDots(row, columnScale.data(), padded, sums.data());
      if (round < 4)
        AddScaled(row, rowScale[i], padded, spread.data());
    }
    for (size_t b = 0; b < m && round < 4; ++b)
      columnScale[b] = 1.0 / spread[b];
  }
  logScale = 0.0;
  for (size_t i = 0; i < m; ++i)
    logScale -= std::log(rowScale[i]) + std::log(columnScale[i]);
}

void PermutationProposal::SetOrder()
{
  // Rows by increasing entropy; rows are not in order yet.
  order.resize(m);
  for (size_t i = 0; i < m; ++i)
  {
    spread[i] = Entropy(&weights[i * padded], columnScale.data(), rowScale[i],
        padded);
    order[i] = i;
  }
  std::sort(order.begin(), order.end(),
      [&](const size_t a, const size_t b)
      { return spread[a] < spread[b] || (spread[a] == spread[b] && a < b); });
}

void PermutationProposal::Prepare(const double* scores, const size_t size,
    const size_t exactRows)
{
  m = size;
  head = m - std::min(m, exactRows);
  padded = kernel::RoundUp(m, 16);
  Balance(scores);
  SetOrder();
  rows.resize(m * padded);
  for (size_t k = 0; k < m; ++k)
    for (size_t b = 0; b < padded; ++b)
      rows[k * padded + b] = weights[order[k] * padded + b] *
          rowScale[order[k]] * columnScale[b];

  // Weights of step k: P[o_k, b] / sum of P over the rows still to come.
  const double tiny = 1e-10;
  steps.resize(m * padded);
  free.assign(padded, tiny);
  for (size_t k = m; k-- > 0;)
    MakeStep(&rows[k * padded], padded, free.data(), &steps[k * padded]);
}

size_t PermutationProposal::Draw(const size_t k, const double* available,
    RandomStream& stream, double& ratio)
{
  const double* step = &steps[k * padded];
  const double total = LaneDots(step, available, padded, sums.data());
  double mark = stream.NextUniform() * total;
  ratio = 0.0;
  if (!(total > 0.0))
    return m;
  size_t t = 0;
  while (t < 15 && mark > sums[t])
    mark -= sums[t++];
  // Rounding may lead past the last column that is possible, or to a lane
  // without one.
  size_t pick = m;
  for (; pick == m; t = (t + 15) % 16)
    for (size_t b = t; b < padded; b += 16)
    {
      const double weight = step[b] * available[b];
      if (weight > 0.0)
      {
        pick = b;
        if ((mark -= weight) <= 0.0)
          break;
      }
    }
  ratio = rows[k * padded + pick] * total / (step[pick] * available[pick]);
  return pick;
}

double PermutationProposal::Ratio(const size_t k, const double* available,
    const size_t b)
{
  const double* step = &steps[k * padded];
  const double total = LaneDots(step, available, padded, sums.data());
  const double weight = step[b] * available[b];
  return (weight > 0.0) ? rows[k * padded + b] * total / weight : 0.0;
}

double PermutationProposal::Sample(size_t* tau, RandomStream& stream)
{
  double product = 1.0, log = 0.0;
  free.assign(padded, 1.0);
  for (size_t k = 0; k < head; ++k)
  {
    double ratio;
    const size_t pick = Draw(k, free.data(), stream, ratio);
    if (pick == m)
      return std::numeric_limits<double>::infinity();
    tau[order[k]] = pick;
    free[pick] = 0.0;
    MultiplyInto(rows[k * padded + pick] / ratio, product, log);
  }
  return log + std::log(product);
}

double PermutationProposal::LogProbability(const size_t* tau)
{
  double product = 1.0, log = 0.0;
  free.assign(padded, 1.0);
  for (size_t k = 0; k < head; ++k)
  {
    const size_t pick = tau[order[k]];
    const double ratio = Ratio(k, free.data(), pick);
    if (!(ratio > 0.0))
      return -std::numeric_limits<double>::infinity();
    free[pick] = 0.0;
    MultiplyInto(rows[k * padded + pick] / ratio, product, log);
  }
  return log + std::log(product);
}

} // namespace information
} // namespace symvi
