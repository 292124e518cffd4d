/**
 * @file src/model/pipeline_gaussian.cpp
 *
 * Regression with known noise.
 */
#include "model/pipeline_network_of.hpp"

namespace symvi {

std::unique_ptr<PipelineNetwork> MakeGaussian(const NetworkSpec& spec,
    const double noise, const std::vector<double>& parameters)
{
  return MakeNetwork(spec, noise, GaussianLikelihood(noise), parameters);
}

} // namespace symvi
