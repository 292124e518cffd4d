/**
 * @file src/kernel/mean_field.cpp
 *
 * Arrays are walked in chunks of fixed length, which compilers turn into vector
 * instructions without knowing anything about the arrays; a last, shorter chunk
 * goes through a padded copy.
 */
#include "kernel/mean_field.hpp"
#include "kernel/multiversion.hpp"
#include "kernel/vector_math.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/normal.hpp"
#include "kernel/share_blocks.hpp"

namespace symvi {
namespace kernel {

//! Unsigned integers as wide as float and double.
template<typename eT>
struct WordType;
template<>
struct WordType<float>
{
  using Type = uint32_t;
};
template<>
struct WordType<double>
{
  using Type = uint64_t;
};

/**
 * What the divergence of some weights needs: sum of sigma^2 + (mu - m)^2, and
 * sum of log sigma as the logarithm of a product.  The factors are mantissas in
 * [sqrt(1/2), sqrt(2)), so that the product of a few cannot overflow, and one
 * logarithm does for all of them.
 */
template<typename eT>
struct KLSum
{
  typename WordType<eT>::Type exponents;
  eT product, squares;
};

template<typename eT>
SYMVI_INLINE KLSum<eT> KLTerm(const eT mu, const eT sigma, const eT priorMean)
{
  KLSum<eT> term;
  const eT shift = mu - priorMean;
  term.squares = sigma * sigma + shift * shift;
  Split(sigma, term.product, term.exponents);
  return term;
}

template<typename eT>
SYMVI_INLINE KLSum<eT> operator+(const KLSum<eT>& a, const KLSum<eT>& b)
{
  return { a.exponents + b.exponents, a.product * b.product,
    a.squares + b.squares };
}

/**
 * sigma and slope of a chunk.  Two loops rather than one: each is a chain of
 * operations that wait for each other, and short bodies let the processor
 * overlap many of them.
 */
template<typename eT>
SYMVI_INLINE void SoftplusChunk(const eT* SYMVI_RESTRICT rho,
    eT* SYMVI_RESTRICT sigma, eT* SYMVI_RESTRICT slope)
{
  constexpr size_t chunk = NormalChunk<eT>();
  eT e[chunk];
  for (size_t i = 0; i < chunk; ++i)
    e[i] = ExpMinusAbs(rho[i]);
  for (size_t i = 0; i < chunk; ++i)
  {
    eT s, d;
    Softplus(rho[i], e[i], s, d);
    sigma[i] = s;
    slope[i] = d;
  }
}

/**
 * The sums of a few chunks, each in step lanes: lane j holds every step-th
 * weight from the j-th on.
 */
template<typename eT>
struct KLLanes
{
  static constexpr size_t step = NormalChunk<eT>() / 8;
  typename WordType<eT>::Type exponents[step];
  eT product[step], squares[step];
};

//! How many chunks KLLanes can take: the product stays within 2^(+-32).
constexpr size_t klChunks = 8;

template<typename eT>
SYMVI_INLINE void ClearLanes(KLLanes<eT>& lanes)
{
  for (size_t j = 0; j < KLLanes<eT>::step; ++j)
  {
    lanes.exponents[j] = 0;
    lanes.product[j] = eT(1);
    lanes.squares[j] = eT(0);
  }
}

//! Add a chunk.
template<typename eT>
SYMVI_INLINE void KLChunk(const eT* SYMVI_RESTRICT mu,
    const eT* SYMVI_RESTRICT sigma, const eT* SYMVI_RESTRICT priorMean,
    KLLanes<eT>& lanes)
{
  constexpr size_t step = KLLanes<eT>::step;
  for (size_t j = 0; j < step; ++j)
  {
    const auto term = [&](const size_t i) SYMVI_INLINE_LAMBDA
    {
      return KLTerm(mu[j + i * step], sigma[j + i * step],
          priorMean[j + i * step]);
    };
    const KLSum<eT> sum = ((term(0) + term(1)) + (term(2) + term(3))) +
        ((term(4) + term(5)) + (term(6) + term(7)));
    lanes.exponents[j] += sum.exponents;
    lanes.product[j] *= sum.product;
    lanes.squares[j] += sum.squares;
  }
}

/**
 * (sum of squares) / (2 s^2) - sum of log sigma of some chunks.
 *
 * @param half 1 / (2 s^2).
 * @param terms Weights in each lane.
 */
template<typename eT>
SYMVI_INLINE double SumLanes(const KLLanes<eT>& lanes, const double half,
    const size_t terms)
{
  double sum = 0.0;
  for (size_t j = 0; j < KLLanes<eT>::step; ++j)
  {
    const eT log = Log(lanes.product[j]) +
        Exponents(lanes.exponents[j], eT(terms)) * eT(0.69314718055994530942);
    sum += half * double(lanes.squares[j]) - double(log);
  }
  return sum;
}

//! The arrays of DrawAndKL().
template<typename eT>
struct DrawArrays
{
  const eT *mu, *rho, *priorMean;
  eT *sigma, *slope, *eps, *w;
};

//! w = mu + sigma eps for a chunk, and the divergence.
template<typename eT>
SYMVI_INLINE void DrawChunk(const DrawArrays<eT>& a, KLLanes<eT>& lanes)
{
  SoftplusChunk(a.rho, a.sigma, a.slope);
  KLChunk(a.mu, a.sigma, a.priorMean, lanes);
  const eT* SYMVI_RESTRICT mu = a.mu;
  const eT* SYMVI_RESTRICT sigma = a.sigma;
  const eT* SYMVI_RESTRICT eps = a.eps;
  eT* SYMVI_RESTRICT w = a.w;
  for (size_t i = 0; i < NormalChunk<eT>(); ++i)
    w[i] = mu[i] + sigma[i] * eps[i];
}

/**
 * The last n < chunk weights, through padded copies; the padding, with sigma
 * = 1 and mu = m, adds 1 each to the sum of squares.
 */
template<typename eT>
SYMVI_INLINE void DrawTail(const DrawArrays<eT>& a, const size_t n,
    const bool draw, const uint64_t key, const uint64_t counter,
    KLLanes<eT>& lanes)
{
  constexpr size_t chunk = NormalChunk<eT>();
  const eT one = eT(0.54132485461291806); // softplus(one) = 1.
  eT mu[chunk] = {}, rho[chunk], priorMean[chunk] = {};
  eT sigma[chunk], slope[chunk], eps[chunk] = {}, w[chunk];
  for (size_t j = 0; j < chunk; ++j)
    rho[j] = j < n ? a.rho[j] : one;
  for (size_t j = 0; j < n; ++j)
  {
    mu[j] = a.mu[j];
    priorMean[j] = a.priorMean[j];
    eps[j] = draw ? eT(0) : a.eps[j];
  }
  if (draw)
    NormalBlock(key, counter, eps);
  const DrawArrays<eT> padded = { mu, rho, priorMean, sigma, slope, eps, w };
  DrawChunk(padded, lanes);
  for (size_t j = 0; j < n; ++j)
  {
    a.sigma[j] = sigma[j];
    a.slope[j] = slope[j];
    a.eps[j] = eps[j];
    a.w[j] = w[j];
  }
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
  const eT zeros[chunk] = {};
  double sum = 0.0;
  size_t padding = 0;
  for (size_t first = 0; first < n; first += klChunks * chunk)
  {
    const size_t end = n - first < klChunks * chunk ? n :
                                                      first + klChunks * chunk;
    KLLanes<eT> lanes;
    ClearLanes(lanes);
    size_t terms = 0;
    for (size_t i = first; i < end;
         i += chunk, counter += normalBlocks, terms += 8)
    {
      const DrawArrays<eT> part = { a.mu + i, a.rho + i,
        a.priorMean ? a.priorMean + i : zeros, a.sigma + i, a.slope + i,
        a.eps + i, a.w + i };
      if (n - i < chunk)
      {
        padding = chunk - (n - i);
        DrawTail(part, n - i, draw, key, counter, lanes);
        continue;
      }
      if (draw)
        NormalBlock(key, counter, part.eps);
      DrawChunk(part, lanes);
    }
    sum += SumLanes(lanes, half, terms);
  }
  return sum - half * double(padding);
}

//! Weights that a thread takes at a time, and how many times before a sum.
constexpr size_t drawBlock = 1 << 14;
constexpr size_t maxDrawBlocks = 512;

//! The part of the divergence of n weights that only depends on the prior.
double KLConstant(const double priorStddev, const size_t n)
{
  return double(n) * (std::log(priorStddev) - 0.5);
}

template<typename eT>
double DrawAndKL(const eT* mu, const eT* rho, const eT* priorMean,
    const double priorStddev, const size_t n, eT* sigma, eT* slope, eT* eps,
    eT* w, RandomStream* stream)
{
  // Blocks are summed up one by one, so that the threads do not matter.
  const double half = 0.5 / (priorStddev * priorStddev);
  constexpr size_t most = drawBlock * maxDrawBlocks;
  double sums[maxDrawBlocks];
  double sum = 0.0;
  for (size_t first = 0; first < n; first += most)
  {
    const size_t length = std::min(most, n - first);
    ShareBlocks(length, drawBlock,
        [&](const size_t begin, const size_t count)
        {
      const size_t i = first + begin;
      const DrawArrays<eT> arrays = { mu + i, rho + i,
        priorMean ? priorMean + i : nullptr, sigma + i, slope + i, eps + i,
        w + i };
      sums[begin / drawBlock] = DrawPass(arrays, count, half, stream != nullptr,
          stream ? stream->Key() : 0,
          stream ? stream->Counter() + i / NormalChunk<eT>() * normalBlocks :
                   0);
    });
    for (size_t block = 0; block * drawBlock < length; ++block)
      sum += sums[block];
  }
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
  eT sigma[chunk], slope[chunk], eps[chunk] = {}, w[chunk];
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
SYMVI_INLINE void GradientChunk(const size_t n, const eT* SYMVI_RESTRICT mu,
    const eT* SYMVI_RESTRICT sigma, const eT* SYMVI_RESTRICT slope,
    const eT* SYMVI_RESTRICT eps, const eT* SYMVI_RESTRICT priorMean,
    const eT precision, const eT weight, eT* SYMVI_RESTRICT gradMu,
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
void GradientPass(const eT* mu, const eT* sigma, const eT* slope, const eT* eps,
    const eT* priorMean, const double priorStddev, const double klWeight,
    const size_t n, eT* gradMu, eT* gradRho)
{
  constexpr size_t chunk = NormalChunk<eT>();
  const eT zeros[chunk] = {};
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

template<typename eT>
void MeanFieldGradient(const eT* mu, const eT* sigma, const eT* slope,
    const eT* eps, const eT* priorMean, const double priorStddev,
    const double klWeight, const size_t n, eT* gradMu, eT* gradRho)
{
  ShareBlocks(n, drawBlock,
      [&](const size_t i, const size_t count)
      {
    GradientPass(mu + i, sigma + i, slope + i, eps + i,
        priorMean ? priorMean + i : nullptr, priorStddev, klWeight, count,
        gradMu + i, gradRho + i);
  });
}

#define SYMVI_MEAN_FIELD(eT) \
  template double DrawAndKL<eT>(const eT*, const eT*, const eT*, double, \
      size_t, eT*, eT*, eT*, eT*, RandomStream*); \
  template double KL<eT>(const eT*, const eT*, const eT*, double, size_t); \
  template void MeanFieldGradient<eT>(const eT*, const eT*, const eT*, \
      const eT*, const eT*, double, double, size_t, eT*, eT*);
SYMVI_MEAN_FIELD(float)
SYMVI_MEAN_FIELD(double)
#undef SYMVI_MEAN_FIELD

} // namespace kernel
} // namespace symvi
