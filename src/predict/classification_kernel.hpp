/**
 * @file src/predict/classification_kernel.hpp
 *
 * The inner loops of the classification accumulators: from logits to sums of
 * probabilities, of their squares and of entropies.
 */
#ifndef SYMVI_SRC_PREDICT_CLASSIFICATION_KERNEL_HPP
#define SYMVI_SRC_PREDICT_CLASSIFICATION_KERNEL_HPP

#include "kernel/vector_math.hpp"

#include <cmath>
#include <cstddef>

namespace symvi {
namespace predict {

//! Differences of logits below this have probability zero in both precisions;
//! the bound keeps 0 * infinity out of the entropy.
template<typename eT>
constexpr eT LowestLogit()
{
  return eT(-1e4);
}

//! logits - max over the column, bounded below.
template<typename eT>
SYMVI_INLINE void ShiftByMaximum(eT* z, const size_t classes)
{
  eT top = z[0];
  for (size_t c = 1; c < classes; ++c)
    top = z[c] > top ? z[c] : top;
  for (size_t c = 0; c < classes; ++c)
  {
    const eT difference = z[c] - top;
    z[c] = difference > LowestLogit<eT>() ? difference : LowestLogit<eT>();
  }
}

/**
 * Adds the softmax of every column of one point's draws to running sums.  With
 * z = a - max a and e = exp z,
 *
 *   p = e / sum e,   H(p) = log sum e - (sum e z) / (sum e).
 *
 * @param z Logits, classes x draws; overwritten.
 * @param e Work array of the same size.
 * @param sum,squares Sums of p and of p^2, one per class.
 * @return Sum of the entropies.
 */
template<typename eT>
SYMVI_MULTIVERSION
double AddSoftmax(eT* SYMVI_RESTRICT z, eT* SYMVI_RESTRICT e,
    const size_t classes, const size_t draws, double* SYMVI_RESTRICT sum,
    double* SYMVI_RESTRICT squares)
{
  for (size_t s = 0; s < draws; ++s)
    ShiftByMaximum(z + s * classes, classes);
  for (size_t i = 0; i < draws * classes; ++i)
    e[i] = kernel::ExpMinusAbs(z[i]); // z <= 0

  double entropy = 0;
  for (size_t s = 0; s < draws; ++s)
  {
    const eT* zs = z + s * classes;
    const eT* es = e + s * classes;
    eT total = 0, moment = 0;
    for (size_t c = 0; c < classes; ++c)
    {
      total += es[c];
      moment += es[c] * zs[c];
    }
    const eT inverse = eT(1) / total;
    for (size_t c = 0; c < classes; ++c)
    {
      const double p = double(es[c] * inverse);
      sum[c] += p;
      squares[c] += p * p;
    }
    entropy += std::log(double(total)) - double(moment) * double(inverse);
  }
  return entropy;
}

/**
 * The same for independent events with p = sigmoid(a): with e = exp(-|a|),
 * the likelier of the two outcomes has probability 1 / (1 + e) and
 * H = log(1 + e) + |a| e / (1 + e).
 *
 * @param a Logits, outputs x draws.
 * @param entropy Sums of entropies, one per output.
 */
template<typename eT>
SYMVI_MULTIVERSION
void AddSigmoid(const eT* SYMVI_RESTRICT a, const size_t outputs,
    const size_t draws, double* SYMVI_RESTRICT sum,
    double* SYMVI_RESTRICT squares, double* SYMVI_RESTRICT entropy)
{
  for (size_t s = 0; s < draws; ++s)
  {
    for (size_t k = 0; k < outputs; ++k)
    {
      const double logit = double(a[s * outputs + k]);
      const double size = std::abs(logit) < 1e4 ? std::abs(logit) : 1e4;
      const double e = std::exp(-size);
      const double p = (logit >= 0 ? 1.0 : e) / (1 + e);
      sum[k] += p;
      squares[k] += p * p;
      entropy[k] += std::log1p(e) + size * e / (1 + e);
    }
  }
}

} // namespace predict
} // namespace symvi

#endif
