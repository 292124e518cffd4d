/**
 * @file src/onnx/write_network.hpp
 *
 * The two halves of an exported graph: dense layers, and what follows them.
 */
#ifndef SYMVI_SRC_ONNX_WRITE_NETWORK_HPP
#define SYMVI_SRC_ONNX_WRITE_NETWORK_HPP

#include "graph_builder.hpp"

#include <symvi/onnx/file.hpp>

namespace symvi {
namespace onnx {

//! Names that the writer gives and the reader of symvi's own files looks for.
namespace names {

constexpr const char* Input = "x";
constexpr const char* InputMean = "input_mean";
constexpr const char* InputScale = "input_scale";
constexpr const char* TargetMean = "target_mean";
constexpr const char* TargetScale = "target_scale";
constexpr const char* NoiseStddev = "noise_stddev";
constexpr const char* NoiseLimit = "noise.limit";

} // namespace names

//! Writes the nodes of a_l(W_l h + b_l); returns the last layer's output: N x
//! outputs in mean mode, S x N x outputs in the others.  Ensemble mode holds
//! the weight sets `draws`.
std::string WriteLayers(GraphBuilder& builder,
    const MlpDescription& description, const std::vector<MlpDescription>& draws,
    const ExportOptions& options);

//! Whether the last layer's output is what mean mode calls `mean`, a name that
//! WriteLayers() then gives to it.
bool LastIsMean(const MlpDescription& description);

//! Writes one activation applied to `value`.
std::string WriteActivation(GraphBuilder& builder, const std::string& value,
    const std::string& name, const MlpLayer& layer);

//! log(1 + exp(value)), from operators that runtimes have in every type.
std::string WriteSoftplus(GraphBuilder& builder, const std::string& value,
    const std::string& name);

//! Outputs of mean mode, from the last layer's output.
void WriteMeanOutputs(GraphBuilder& builder, const MlpDescription& description,
    const std::string& last);

//! Outputs of the modes that see S draws, from the last layer's output; with
//! options.members, also what every draw predicts.
void WritePosteriorOutputs(GraphBuilder& builder,
    const MlpDescription& description, const std::string& last,
    const ExportOptions& options);

} // namespace onnx
} // namespace symvi

#endif
