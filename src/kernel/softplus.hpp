/**
 * @file src/kernel/softplus.hpp
 *
 * sigma = softplus(rho) and its inverse, one number at a time.
 */
#ifndef SYMVI_SRC_KERNEL_SOFTPLUS_HPP
#define SYMVI_SRC_KERNEL_SOFTPLUS_HPP

#include <algorithm>
#include <cmath>

namespace symvi {
namespace kernel {

//! log(1 + exp(rho)).
inline double Softplus(const double rho)
{
  return std::max(rho, 0.0) + std::log1p(std::exp(-std::abs(rho)));
}

//! rho with softplus(rho) = sigma > 0: sigma + log(1 - exp(-sigma)).
inline double InverseSoftplus(const double sigma)
{
  return sigma + std::log(-std::expm1(-sigma));
}

} // namespace kernel
} // namespace symvi

#endif
