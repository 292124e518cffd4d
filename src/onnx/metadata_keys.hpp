/**
 * @file src/onnx/metadata_keys.hpp
 *
 * Keys of the metadata that symvi writes into its models.
 */
#ifndef SYMVI_SRC_ONNX_METADATA_KEYS_HPP
#define SYMVI_SRC_ONNX_METADATA_KEYS_HPP

namespace symvi {
namespace onnx {
namespace keys {

// Of the graph; Serialize() writes them.
constexpr const char* Version = "symvi.version";
constexpr const char* Mode = "symvi.mode";
constexpr const char* Samples = "symvi.samples";
constexpr const char* Seed = "symvi.seed";
constexpr const char* Output = "symvi.output";
constexpr const char* Noise = "symvi.noise";
//! Name of the value that the last dense layer computes.
constexpr const char* LastLayer = "symvi.last_layer";
constexpr const char* ClassNames = "class_names";

// Of the training; Describe() and symvi_onnx write them.
constexpr const char* PriorStddev = "symvi.prior_stddev";
//! "ELBO" or "symmetrized ELBO".
constexpr const char* Objective = "symvi.objective";
constexpr const char* Estimator = "symvi.estimator";
constexpr const char* Elbo = "symvi.elbo";
constexpr const char* SymmetrizedElbo = "symvi.symmetrized_elbo";
constexpr const char* NumPoints = "symvi.num_points";

//! The word for what was maximised, L or L^G.
inline const char* ObjectiveName(const bool symmetrized)
{
  return symmetrized ? "symmetrized ELBO" : "ELBO";
}

} // namespace keys
} // namespace onnx
} // namespace symvi

#endif
