/**
 * @file src/kernel/mean_field.hpp
 *
 * Passes over the parameters of a mean-field Gaussian
 *
 *   q(w) = prod_i N(w_i; mu_i, sigma_i^2),   sigma = softplus(rho),
 *
 * with prior p(w) = prod_i N(w_i; m_i, s^2).
 */
#ifndef SYMVI_SRC_KERNEL_MEAN_FIELD_HPP
#define SYMVI_SRC_KERNEL_MEAN_FIELD_HPP

#include <cstddef>

#include <symvi/kernel/random_stream.hpp>

namespace symvi {
namespace kernel {

/**
 * Draw weights and compute the divergence, in one pass, for float and double:
 *
 *   sigma = log(1 + exp(rho)),   slope = dsigma/drho = 1 / (1 + exp(-rho)),
 *   w = mu + sigma eps,
 *   KL = sum_i log(s / sigma_i) + (sigma_i^2 + (mu_i - m_i)^2) / (2 s^2) - 1/2.
 *
 * Safe for every finite rho: sigma keeps its relative accuracy for rho << 0 as
 * long as exp(rho) is a normal number, and below that stays positive.
 *
 * @param mu Means.
 * @param rho Raw standard deviations.
 * @param priorMean Means of the prior; nullptr for zero.
 * @param priorStddev Standard deviation s of the prior, > 0.
 * @param n Length of all arrays.
 * @param sigma Standard deviations (out).
 * @param slope dsigma/drho (out).
 * @param eps Standard normal noise: filled from stream, or used as it is when
 *     stream is nullptr.
 * @param w The draw (out).
 * @param stream Where the noise comes from, or nullptr.
 * @return KL(q || p) in nats.
 */
template<typename eT>
double DrawAndKL(const eT* mu, const eT* rho, const eT* priorMean,
    const double priorStddev, const size_t n, eT* sigma, eT* slope, eT* eps,
    eT* w, RandomStream* stream);

//! KL(q || p) in nats; parameters as for DrawAndKL().
template<typename eT>
double KL(const eT* mu, const eT* rho, const eT* priorMean,
    const double priorStddev, const size_t n);

/**
 * The reparametrisation gradient of loss(w) + klWeight * KL, in one pass, from
 * g = dloss/dw:
 *
 *   dmu  = g + klWeight (mu - m) / s^2,
 *   drho = (g eps + klWeight (sigma / s^2 - 1 / sigma)) slope.
 *
 * @param gradMu dloss/dw on entry, the gradient for mu on exit.
 * @param gradRho The gradient for rho (out).
 */
template<typename eT>
void MeanFieldGradient(const eT* mu, const eT* sigma, const eT* slope,
    const eT* eps, const eT* priorMean, const double priorStddev,
    const double klWeight, const size_t n, eT* gradMu, eT* gradRho);

} // namespace kernel
} // namespace symvi

#endif
