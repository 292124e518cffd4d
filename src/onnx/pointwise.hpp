/**
 * @file src/onnx/pointwise.hpp
 *
 * Recognises activations that were written as several arithmetic nodes.
 */
#ifndef SYMVI_SRC_ONNX_POINTWISE_HPP
#define SYMVI_SRC_ONNX_POINTWISE_HPP

#include "graph_view.hpp"

namespace symvi {
namespace onnx {

//! An activation, and the value that holds its result.
struct PointwiseMatch
{
  Activation activation;
  double alpha;
  std::string result;
};

/**
 * Exporters take Gelu, Softplus and others apart in many ways.  Instead of
 * comparing shapes of graphs, the nodes after `value` are evaluated at points
 * between -6 and 6 until one value, that all the others lead to, is a known
 * function of `value`.
 *
 * @throws ImportError, naming the first node, where that does not happen.
 */
PointwiseMatch MatchPointwise(const GraphView& graph, const std::string& value,
    const ImportOptions& options);

} // namespace onnx
} // namespace symvi

#endif
