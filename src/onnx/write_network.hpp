/**
 * @file src/onnx/write_network.hpp
 *
 * The two halves of an exported graph: layers, and what follows them.
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
    const NetworkDescription& description,
    const std::vector<NetworkDescription>& draws, const ExportOptions& options);

//! Layers that name their weights as values of the graph, by mode.
struct LayerValues
{
  std::string weight;
  std::string bias; //!< Empty: the layer has none.
};

/**
 * What flows through the layers of a graph.  Graphs of one set of weights in
 * float keep images as they are, N x maps x height x width, for the operators
 * that runtimes are fast at.  Runtimes have no double kernels of most of these,
 * and no operator for a stack of filters of unknown height, so that the others
 * gather the numbers of every window from flat points, (S x) N x D.
 */
struct Flow
{
  std::string value;
  Extent extent; //!< What a point is to mlpack.
  bool stacked;  //!< There is an axis for the draws.
  bool gathered; //!< Points are always flat.
  bool flat;     //!< The value is flat.
};

//! Writes the layers that know images, and norms, without their activation; the
//! output is called `name`.  Convolutions are native where `values` are.
void WriteImageLayer(GraphBuilder& builder, const std::string& name,
    const LayerDescription& layer, const LayerValues& values, Flow& flow);

//! Makes the value flat, (S x) N x D.
void WriteFlat(GraphBuilder& builder, const std::string& name, Flow& flow);

/**
 * For every number of a layer's output (of a convolution: of one output map)
 * the positions in a flat input that it is made of, one row of equal length for
 * each; the input's size stands for a zero.
 */
struct WindowIndices
{
  size_t rows = 0, cols = 0;
  std::vector<int64_t> positions; //!< Row by row.
  std::vector<double> counts;     //!< Positions that are pixels, row by row.
  bool needsZero = false;
};
WindowIndices IndicesOf(const LayerDescription& layer, const Extent& input);

//! The kind and window of a layer as a note to the node that gathers.
std::string WindowNote(const LayerDescription& layer);

//! Note of the factors that a BatchNorm becomes.
constexpr const char* normNote = "symvi batch norm";

//! Whether the last layer's output is what mean mode calls `mean`, a name that
//! WriteLayers() then gives to it.
bool LastIsMean(const NetworkDescription& description);

//! Writes one activation applied to `value`.
std::string WriteActivation(GraphBuilder& builder, const std::string& value,
    const std::string& name, const LayerDescription& layer);

//! log(1 + exp(value)), from operators that runtimes have in every type.
std::string WriteSoftplus(GraphBuilder& builder, const std::string& value,
    const std::string& name);

//! Outputs of mean mode, from the last layer's output.
void WriteMeanOutputs(GraphBuilder& builder,
    const NetworkDescription& description, const std::string& last);

//! Outputs of the modes that see S draws, from the last layer's output; with
//! options.members, also what every draw predicts.
void WritePosteriorOutputs(GraphBuilder& builder,
    const NetworkDescription& description, const std::string& last,
    const ExportOptions& options);

} // namespace onnx
} // namespace symvi

#endif
