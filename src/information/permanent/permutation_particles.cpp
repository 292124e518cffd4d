/**
 * @file src/information/permanent/permutation_particles.cpp
 */
#include "information/permanent/permutation_particles.hpp"

#include "kernel/multiversion.hpp"
#include "kernel/round_up.hpp"

#include <algorithm>
#include <cmath>

namespace symvi {
namespace information {

/**
 * out[i][q] = sum_t x[t][i] y[t][q] for four i and 24 q; rows of x, y and out
 * are `xStep`, `yStep` and `yStep` apart.
 */
template<typename eT>
SYMVI_MULTIVERSION
void MultiplyTile(const eT* SYMVI_RESTRICT x, const size_t xStep,
    const eT* SYMVI_RESTRICT y, const size_t yStep, const size_t count,
    eT* SYMVI_RESTRICT out)
{
  eT sum0[24] = {}, sum1[24] = {}, sum2[24] = {}, sum3[24] = {};
  for (size_t t = 0; t < count; ++t, x += xStep, y += yStep)
    for (size_t q = 0; q < 24; ++q)
    {
      sum0[q] += x[0] * y[q];
      sum1[q] += x[1] * y[q];
      sum2[q] += x[2] * y[q];
      sum3[q] += x[3] * y[q];
    }
  for (size_t q = 0; q < 24; ++q)
  {
    out[q] = sum0[q];
    out[yStep + q] = sum1[q];
    out[2 * yStep + q] = sum2[q];
    out[3 * yStep + q] = sum3[q];
  }
}

//! y = x / max(y, least), in place.
template<typename eT>
SYMVI_MULTIVERSION
void DivideInto(const eT* SYMVI_RESTRICT x, const eT least, const size_t n,
    eT* SYMVI_RESTRICT y)
{
  for (size_t i = 0; i < n; ++i)
    y[i] = x[i] / (y[i] > least ? y[i] : least);
}

void PermutationParticles::Reserve(const size_t d, const size_t k)
{
  logWeights.reserve(k);
  available.reserve(k * kernel::RoundUp(d, 16));
  images.reserve(k * d);
}

void PermutationParticles::Start(const PermutationProposal& proposal,
    const size_t k)
{
  const size_t m = proposal.Units(), padded = proposal.Padded();
  count = k;
  logWeights.assign(k, 0.0);
  images.resize(k * m);
  available.assign(k * padded, 0.0);
  for (size_t q = 0; q < k; ++q)
    std::fill(&available[q * padded], &available[q * padded] + m, 1.0);
}

void PermutationParticles::Take(const PermutationProposal& proposal,
    const PermutationParticles& from, const size_t* which, const size_t k)
{
  const size_t m = proposal.Units(), padded = proposal.Padded();
  count = k;
  logWeights.resize(k);
  images.resize(k * m);
  available.resize(k * padded);
  for (size_t q = 0; q < k; ++q)
  {
    const size_t w = which[q];
    logWeights[q] = from.logWeights[w];
    std::copy(&from.images[w * m], &from.images[w * m] + m, &images[q * m]);
    std::copy(&from.available[w * padded], &from.available[w * padded] + padded,
        &available[q * padded]);
  }
}

void PermutationLookahead::Reserve(const size_t d, const size_t k)
{
  const size_t padded = kernel::RoundUp(d, 16);
  const size_t particles = kernel::RoundUp(k, 24);
  for (std::vector<float>* v : { &p, &transposed })
    v->reserve(padded * padded + 8);
  for (std::vector<float>* v : { &mask, &ones, &columns, &rows })
    v->reserve(padded * particles);
  products.reserve(particles);
  total.reserve(padded);
}

void PermutationLookahead::Reset(const PermutationProposal& proposal)
{
  const size_t m = proposal.Units(), padded = proposal.Padded();
  p.assign(padded * padded, 0.0f);
  // Tiles may reach eight numbers past the end.
  transposed.assign(padded * padded + 8, 0.0f);
  for (size_t k = 0; k < m; ++k)
    for (size_t b = 0; b < m; ++b)
      p[k * padded + b] = transposed[b * padded + k] = float(
          proposal.Row(k)[b]);
}

void PermutationLookahead::Logs(const std::vector<float>& numbers,
    const size_t n, const size_t count, double* log)
{
  // Sums of logarithms, one for eight numbers (at least 1e-30 each).
  products.assign(count, 1.0);
  for (size_t i = 0; i < n; ++i)
  {
    for (size_t q = 0; q < count; ++q)
      products[q] *= double(numbers[i * wide + q]);
    if (i % 8 != 7 && i + 1 != n)
      continue;
    for (size_t q = 0; q < count; ++q)
    {
      log[q] += std::log(products[q]);
      products[q] = 1.0;
    }
  }
}

void PermutationLookahead::Compute(const PermutationProposal& proposal,
    const size_t first, PermutationParticles& particles, double* log)
{
  const size_t m = proposal.Units(), padded = proposal.Padded();
  const size_t left = m - first, count = particles.count;
  const float tiny = 1e-30f;
  wide = kernel::RoundUp(count, 24);
  mask.assign(padded * wide, 0.0f);
  ones.assign(padded * wide, 1.0f);
  rows.resize(padded * wide);
  for (size_t q = 0; q < count; ++q)
    for (size_t b = 0; b < m; ++b)
      mask[b * wide + q] = particles.available[q * padded + b] > 0.0;
  columns = mask;
  for (size_t round = 0; round < 3; ++round)
  {
    // 1 / r, with P transposed; then c.
    for (size_t i = 0; i < left; i += 4)
      for (size_t q = 0; q < wide; q += 24)
        MultiplyTile(&transposed[first + i], padded, &columns[q], wide, m,
            &rows[i * wide + q]);
    DivideInto(ones.data(), tiny, left * wide, rows.data());
    for (size_t b = 0; b < m; b += 4)
      for (size_t q = 0; q < wide; q += 24)
        MultiplyTile(&p[first * padded + b], padded, &rows[q], wide, left,
            &columns[b * wide + q]);
    DivideInto(mask.data(), tiny, m * wide, columns.data());
  }

  // f is the sum of P over the rows left, relative to the balanced one.
  total.assign(m, 0.0);
  for (size_t k = first; k < m; ++k)
    for (size_t b = 0; b < m; ++b)
      total[b] += proposal.Row(k)[b];
  for (size_t q = 0; q < count; ++q)
    for (size_t b = 0; b < m; ++b)
    {
      float& c = columns[b * wide + q];
      if (c > 0.0f)
        particles.available[q * padded + b] = (total[b] + 1e-30) * double(c);
      else
        c = 1.0f;
    }
  std::fill(log, log + count, 0.0);
  Logs(rows, left, count, log);
  Logs(columns, m, count, log);
  for (size_t q = 0; q < count; ++q)
    log[q] = -log[q];
}

void Resample(const double* ahead, const size_t count, const size_t places,
    const bool given, RandomStream& stream, size_t* order, size_t* parents)
{
  for (size_t i = 0; i < count; ++i)
    order[i] = i;
  for (size_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[stream.NextIndex(i)]);
  const double all = LogSum(ahead, count);
  const auto share = [&](const size_t i)
  { return double(places) * std::exp(ahead[i] - all); };

  // In units of one tooth of the comb: where it begins, and the tooth that
  // falls on the particle to be kept.
  double start = stream.NextUniform();
  size_t kept = places;
  if (given)
  {
    double before = 0.0;
    for (size_t i = 0; order[i] != count - 1; ++i)
      before += share(order[i]);
    const double x = before + start * share(count - 1);
    kept = std::min(size_t(x), places - 1);
    start = x - std::floor(x);
  }
  size_t at = 0;
  double end = share(order[0]);
  for (size_t i = 0; i < places; ++i)
  {
    while (end <= double(i) + start && at + 1 < count)
      end += share(order[++at]);
    parents[i] = order[at];
  }
  if (given)
  {
    parents[kept] = count - 1;
    std::swap(parents[kept], parents[places - 1]);
  }
}

} // namespace information
} // namespace symvi
