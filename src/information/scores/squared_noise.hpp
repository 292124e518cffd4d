/**
 * @file src/information/scores/squared_noise.hpp
 */
#ifndef SYMVI_INFORMATION_SQUARED_NOISE_HPP
#define SYMVI_INFORMATION_SQUARED_NOISE_HPP

#include "kernel/multiversion.hpp"

#include <cstddef>

namespace symvi {
namespace information {

//! sum of ((w - mu) / sigma)^2 over n weights.
template<typename eT>
SYMVI_MULTIVERSION
double SquaredNoise(const eT* w, const eT* mu, const eT* sigma, const size_t n)
{
  double sum = 0.0;
  size_t i = 0;
  for (; i + 64 <= n; i += 64)
  {
    eT part[16] = {};
    for (size_t k = 0; k < 64; k += 16)
      for (size_t j = 0; j < 16; ++j)
      {
        const eT e = (w[i + k + j] - mu[i + k + j]) / sigma[i + k + j];
        part[j] += e * e;
      }
    for (size_t j = 0; j < 16; ++j)
      sum += part[j];
  }
  for (; i < n; ++i)
  {
    const double e = (double(w[i]) - double(mu[i])) / double(sigma[i]);
    sum += e * e;
  }
  return sum;
}

} // namespace information
} // namespace symvi

#endif
