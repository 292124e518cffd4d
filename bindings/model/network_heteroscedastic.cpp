/**
 * @file network_heteroscedastic.cpp
 *
 * Regression with learned noise, the same for all points or not.
 */
#include <symvi/likelihood/heteroscedastic_gaussian.hpp>

#include "network_of.hpp"

namespace symvi {
namespace cli {

std::unique_ptr<Network> MakeHeteroscedastic(const NetworkSpec& spec,
                                             const uint64_t seed)
{
  return std::make_unique<NetworkOf<HeteroscedasticGaussianLikelihood>>(spec,
      HeteroscedasticGaussianLikelihood(), seed);
}

} // namespace cli
} // namespace symvi
