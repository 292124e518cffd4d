/**
 * @file spec_archive.hpp
 *
 * How specifications and models are written by cereal.
 */
#ifndef SYMVI_BINDINGS_MODEL_SPEC_ARCHIVE_HPP
#define SYMVI_BINDINGS_MODEL_SPEC_ARCHIVE_HPP

#include <cereal/cereal.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>

#include <limits>

#include "spec.hpp"

namespace symvi {
namespace cli {

template<typename Archive>
void NetworkSpec::serialize(Archive& ar, const uint32_t /* version */)
{
  ar(CEREAL_NVP(task), CEREAL_NVP(inputs), CEREAL_NVP(outputs),
      CEREAL_NVP(hidden), CEREAL_NVP(activation), CEREAL_NVP(priorStddev),
      CEREAL_NVP(initialSigma), CEREAL_NVP(noise), CEREAL_NVP(noiseStddev));
}

template<typename Archive>
void HistoryRow::serialize(Archive& ar, const uint32_t /* version */)
{
  // JSON has no NaN: a missing value is written as a flag.
  bool validated = (validation == validation);
  double value = validated ? validation : 0.0;
  ar(CEREAL_NVP(epoch), CEREAL_NVP(elbo), CEREAL_NVP(logLikelihood),
      CEREAL_NVP(kl), CEREAL_NVP(information), CEREAL_NVP(validated),
      cereal::make_nvp("validation", value));
  validation = validated ? value : std::numeric_limits<double>::quiet_NaN();
}

template<typename Archive>
void Model::serialize(Archive& ar, const uint32_t /* version */)
{
  ar(CEREAL_NVP(spec), CEREAL_NVP(labels), CEREAL_NVP(inputs),
      CEREAL_NVP(targets), CEREAL_NVP(features), CEREAL_NVP(targetColumn),
      CEREAL_NVP(method), CEREAL_NVP(estimator), CEREAL_NVP(permutations),
      CEREAL_NVP(seed), CEREAL_NVP(points), CEREAL_NVP(keptEpoch),
      CEREAL_NVP(history), CEREAL_NVP(parameters));
}

} // namespace cli
} // namespace symvi

#endif
