/**
 * @file src/model/pipeline_heteroscedastic.cpp
 *
 * Regression with learned noise, the same for all points or not.
 */
#include "model/pipeline_network_of.hpp"

namespace symvi {

std::unique_ptr<PipelineNetwork> MakeHeteroscedastic(const NetworkSpec& spec,
    const double noise, const std::vector<double>& parameters)
{
  return MakeNetwork(spec, noise,
      spec.IsHeteroscedastic() ?
          HeteroscedasticGaussianLikelihood(spec.NoiseLimit()) :
          HeteroscedasticGaussianLikelihood(),
      parameters);
}

} // namespace symvi
