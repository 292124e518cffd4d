/**
 * @file symvi/kernel/mean_field_impl.hpp
 *
 * Arrays are walked in chunks of fixed length, which compilers turn into vector
 * instructions without knowing anything about the arrays; a last, shorter chunk
 * goes through a padded copy.
 */
#ifndef SYMVI_KERNEL_MEAN_FIELD_IMPL_HPP
#define SYMVI_KERNEL_MEAN_FIELD_IMPL_HPP

#include "mean_field.hpp"

#include <cmath>

#include "multiversion.hpp"
#include "normal.hpp"
#include "vector_math.hpp"

namespace symvi {
namespace kernel {

/**
 * One chunk of DrawAndKL().  With e = exp(-|rho|),
 *
 *   sigma = max(rho, 0) + log(1 + e),   slope = (rho > 0 ? 1 : e) / (1 + e),
 *
 * and the divergence of one weight but for a constant is
 *
 *   (sigma^2 + (mu - m)^2) / (2 s^2) - log sigma.
 *
 * Three loops rather than one: each is a chain of operations that wait for each
 * other, and short bodies let the processor overlap many of them.
 *
 * @param half 1 / (2 s^2).
 * @param term That divergence for each weight (out).
 */
template<typename eT>
SYMVI_INLINE void DrawChunk(const eT* SYMVI_RESTRICT mu,
                            const eT* SYMVI_RESTRICT rho,
                            const eT* SYMVI_RESTRICT priorMean,
                            const eT half,
                            const eT* SYMVI_RESTRICT eps,
                            eT* SYMVI_RESTRICT sigma,
                            eT* SYMVI_RESTRICT slope,
                            eT* SYMVI_RESTRICT w,
                            eT* SYMVI_RESTRICT term)
{
  constexpr size_t chunk = NormalChunk<eT>();
  for (size_t i = 0; i < chunk; ++i)
    slope[i] = ExpNegative(Select(rho[i] > eT(0), -rho[i], rho[i]));
  for (size_t i = 0; i < chunk; ++i)
  {
    const eT e = slope[i];
    const bool positive = rho[i] > eT(0);
    sigma[i] = Select(positive, rho[i], eT(0)) + Log1pUnit(e);
    slope[i] = Select(positive, eT(1), e) / (eT(1) + e);
  }
  for (size_t i = 0; i < chunk; ++i)
  {
    const eT s = sigma[i];
    const eT shift = mu[i] - priorMean[i];
    w[i] = mu[i] + s * eps[i];
    term[i] = half * (s * s + shift * shift) - Log(s);
  }
}

//! The sum of a chunk, each of eight lanes first by itself.
template<typename eT>
SYMVI_INLINE void AddChunk(const eT* SYMVI_RESTRICT term,
                           double* SYMVI_RESTRICT lanes)
{
  eT sum[8] = { 0, 0, 0, 0, 0, 0, 0, 0 };
  for (size_t i = 0; i < NormalChunk<eT>(); i += 8)
    for (size_t j = 0; j < 8; ++j)
      sum[j] += term[i + j];
  for (size_t j = 0; j < 8; ++j)
    lanes[j] += double(sum[j]);
}

//! The arrays of DrawAndKL(), and one padded chunk of each.
template<typename eT>
struct DrawArrays
{
  const eT *mu, *rho, *priorMean;
  eT *sigma, *slope, *eps, *w;
};

//! The last n < chunk weights, from offset i on.
template<typename eT>
SYMVI_INLINE void DrawTail(const DrawArrays<eT>& a, const size_t i,
                           const size_t n, const eT half, const bool draw,
                           const uint64_t key, const uint64_t counter,
                           double* lanes)
{
  constexpr size_t chunk = NormalChunk<eT>();
  eT mu[chunk] = { }, rho[chunk] = { }, priorMean[chunk] = { };
  eT sigma[chunk], slope[chunk], eps[chunk] = { }, w[chunk], term[chunk];
  for (size_t j = 0; j < n; ++j)
  {
    mu[j] = a.mu[i + j];
    rho[j] = a.rho[i + j];
    priorMean[j] = a.priorMean ? a.priorMean[i + j] : eT(0);
    eps[j] = draw ? eT(0) : a.eps[i + j];
  }
  if (draw)
    NormalBlock(key, counter, eps);
  DrawChunk(mu, rho, priorMean, half, eps, sigma, slope, w, term);
  for (size_t j = 0; j < n; ++j)
  {
    a.sigma[i + j] = sigma[j];
    a.slope[i + j] = slope[j];
    a.eps[i + j] = eps[j];
    a.w[i + j] = w[j];
  }
  for (size_t j = n; j < chunk; ++j)
    term[j] = eT(0);
  AddChunk(term, lanes);
}

/**
 * DrawAndKL() but for the constant of the divergence, and with the position in
 * the random stream given.
 */
template<typename eT>
SYMVI_MULTIVERSION
double DrawPass(const DrawArrays<eT>& a, const size_t n, const double half,
                const bool draw, const uint64_t key, uint64_t counter)
{
  constexpr size_t chunk = NormalChunk<eT>();
  const eT zeros[chunk] = { };
  double lanes[8] = { };
  size_t i = 0;
  for (; i + chunk <= n; i += chunk, counter += normalBlocks)
  {
    eT term[chunk];
    if (draw)
      NormalBlock(key, counter, a.eps + i);
    DrawChunk(a.mu + i, a.rho + i, a.priorMean ? a.priorMean + i : zeros,
        eT(half), a.eps + i, a.sigma + i, a.slope + i, a.w + i, term);
    AddChunk(term, lanes);
  }
  if (i < n)
    DrawTail(a, i, n - i, eT(half), draw, key, counter, lanes);
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
      ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

//! The part of the divergence of n weights that only depends on the prior.
inline double KLConstant(const double priorStddev, const size_t n)
{
  return double(n) * (std::log(priorStddev) - 0.5);
}

template<typename eT>
double DrawAndKL(const eT* mu, const eT* rho, const eT* priorMean,
                 const double priorStddev, const size_t n, eT* sigma,
                 eT* slope, eT* eps, eT* w, RandomStream* stream)
{
  const DrawArrays<eT> arrays = { mu, rho, priorMean, sigma, slope, eps, w };
  const double sum = DrawPass(arrays, n, 0.5 / (priorStddev * priorStddev),
      stream != nullptr, stream ? stream->Key() : 0,
      stream ? stream->Counter() : 0);
  if (stream)
  {
    const size_t chunks = (n + NormalChunk<eT>() - 1) / NormalChunk<eT>();
    stream->Seek(stream->Counter() + chunks * normalBlocks);
  }
  return sum + KLConstant(priorStddev, n);
}

template<typename eT>
double KL(const eT* mu, const eT* rho, const eT* priorMean,
          const double priorStddev, const size_t n)
{
  // Chunk by chunk with frozen noise; what is drawn is thrown away.
  constexpr size_t chunk = NormalChunk<eT>();
  eT sigma[chunk], slope[chunk], eps[chunk] = { }, w[chunk];
  double sum = 0.0;
  for (size_t i = 0; i < n; i += chunk)
  {
    const DrawArrays<eT> arrays = { mu + i, rho + i,
        priorMean ? priorMean + i : nullptr, sigma, slope, eps, w };
    sum += DrawPass(arrays, n - i < chunk ? n - i : chunk,
        0.5 / (priorStddev * priorStddev), false, 0, 0);
  }
  return sum + KLConstant(priorStddev, n);
}

//! MeanFieldGradient() for a few weights; precision is klWeight / s^2.
template<typename eT>
SYMVI_INLINE void GradientChunk(const size_t n,
                                const eT* SYMVI_RESTRICT mu,
                                const eT* SYMVI_RESTRICT sigma,
                                const eT* SYMVI_RESTRICT slope,
                                const eT* SYMVI_RESTRICT eps,
                                const eT* SYMVI_RESTRICT priorMean,
                                const eT precision,
                                const eT weight,
                                eT* SYMVI_RESTRICT gradMu,
                                eT* SYMVI_RESTRICT gradRho)
{
  for (size_t i = 0; i < n; ++i)
  {
    const eT g = gradMu[i];
    const eT s = sigma[i];
    gradRho[i] = (g * eps[i] + (precision * s - weight / s)) * slope[i];
    gradMu[i] = g + precision * (mu[i] - priorMean[i]);
  }
}

template<typename eT>
SYMVI_MULTIVERSION
void MeanFieldGradient(const eT* mu, const eT* sigma, const eT* slope,
                       const eT* eps, const eT* priorMean,
                       const double priorStddev, const double klWeight,
                       const size_t n, eT* gradMu, eT* gradRho)
{
  constexpr size_t chunk = NormalChunk<eT>();
  const eT zeros[chunk] = { };
  const eT weight = eT(klWeight);
  const eT precision = eT(klWeight / (priorStddev * priorStddev));
  size_t i = 0;
  for (; i + chunk <= n; i += chunk)
    GradientChunk(chunk, mu + i, sigma + i, slope + i, eps + i,
        priorMean ? priorMean + i : zeros, precision, weight, gradMu + i,
        gradRho + i);
  if (i < n)
    GradientChunk(n - i, mu + i, sigma + i, slope + i, eps + i,
        priorMean ? priorMean + i : zeros, precision, weight, gradMu + i,
        gradRho + i);
}

} // namespace kernel
} // namespace symvi

#endif
