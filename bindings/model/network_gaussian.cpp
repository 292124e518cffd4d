/**
 * @file network_gaussian.cpp
 *
 * Regression with known noise.
 */
#include <symvi/likelihood/gaussian.hpp>

#include "network_of.hpp"

namespace symvi {
namespace cli {

std::unique_ptr<Network> MakeGaussian(const NetworkSpec& spec,
                                      const uint64_t seed)
{
  return std::make_unique<NetworkOf<GaussianLikelihood>>(spec,
      GaussianLikelihood(spec.noiseStddev), seed);
}

} // namespace cli
} // namespace symvi
