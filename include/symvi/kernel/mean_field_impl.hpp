/**
 * @file symvi/kernel/mean_field_impl.hpp
 */
#ifndef SYMVI_KERNEL_MEAN_FIELD_IMPL_HPP
#define SYMVI_KERNEL_MEAN_FIELD_IMPL_HPP

#include "mean_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace symvi {
namespace kernel {

//! sigma = softplus(rho) and slope = sigmoid(rho); both stay positive.
template<typename eT>
inline void Softplus(const eT rho, eT& sigma, eT& slope)
{
  const eT tiny = std::numeric_limits<eT>::min();
  const eT e = std::exp(-std::abs(rho));
  sigma = std::max(std::max(rho, eT(0)) + std::log1p(e), tiny);
  slope = std::max((rho >= eT(0) ? eT(1) : e) / (eT(1) + e), tiny);
}

template<typename eT>
double DrawAndKL(const eT* mu, const eT* rho, const eT* priorMean,
                 const double priorStddev, const size_t n, eT* sigma,
                 eT* slope, eT* eps, eT* w, RandomStream* stream)
{
  if (stream)
    stream->FillNormal(eps, n);
  for (size_t i = 0; i < n; ++i)
  {
    Softplus(rho[i], sigma[i], slope[i]);
    w[i] = mu[i] + sigma[i] * eps[i];
  }
  return KL(mu, rho, priorMean, priorStddev, n);
}

template<typename eT>
double KL(const eT* mu, const eT* rho, const eT* priorMean,
          const double priorStddev, const size_t n)
{
  const double half = 0.5 / (priorStddev * priorStddev);
  double sum = n * (std::log(priorStddev) - 0.5);
  for (size_t i = 0; i < n; ++i)
  {
    eT sigma, slope;
    Softplus(rho[i], sigma, slope);
    const double s = sigma;
    const double d = double(mu[i]) - (priorMean ? double(priorMean[i]) : 0.0);
    sum += half * (s * s + d * d) - std::log(s);
  }
  return sum;
}

template<typename eT>
void MeanFieldGradient(const eT* mu, const eT* sigma, const eT* slope,
                       const eT* eps, const eT* priorMean,
                       const double priorStddev, const double klWeight,
                       const size_t n, eT* gradMu, eT* gradRho)
{
  const eT precision = eT(klWeight / (priorStddev * priorStddev));
  const eT weight = eT(klWeight);
  for (size_t i = 0; i < n; ++i)
  {
    const eT m = priorMean ? priorMean[i] : eT(0);
    gradRho[i] = (gradMu[i] * eps[i] + precision * sigma[i] -
        weight / sigma[i]) * slope[i];
    gradMu[i] += precision * (mu[i] - m);
  }
}

} // namespace kernel
} // namespace symvi

#endif
