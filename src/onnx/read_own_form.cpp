/**
 * @file src/onnx/read_own_form.cpp
 *
 * Layers that symvi wrote as arithmetic, because the file is double or its
 * weights are drawn: see Flow.
 */
#include "read_layers.hpp"

#include "write_network.hpp"

#include <sstream>

namespace symvi {
namespace onnx {

using Node = ::onnx::NodeProto;

namespace {

constexpr LayerKind kinds[] = { LayerKind::Convolution, LayerKind::MaxPooling,
  LayerKind::MeanPooling, LayerKind::Padding };

//! The layer of WindowNote(); false for other texts.
bool ParseNote(const std::string& note, const size_t most,
    LayerDescription& layer)
{
  for (const LayerKind kind : kinds)
  {
    const std::string begin = std::string("symvi ") + Name(kind) + ":";
    if (note.rfind(begin, 0) != 0)
      continue;
    layer.kind = kind;
    std::istringstream numbers(note.substr(begin.size()));
    Window& w = layer.window;
    for (size_t* n : { &w.width, &w.height, &w.strideWidth, &w.strideHeight,
             &w.padLeft, &w.padRight, &w.padTop, &w.padBottom })
      if (!(numbers >> *n) || *n > most)
        return false;
    return bool(numbers >> w.isPartial);
  }
  return false;
}

} // namespace

bool LayerReader::ReadOwnForm(const Node& node)
{
  if (node.op_type() == "Mul" && node.doc_string() == normNote)
    OwnNorm(node);
  else if (node.op_type() == "Gather" &&
      node.doc_string().rfind("symvi ", 0) == 0)
    OwnWindows(node);
  else if (node.op_type() == "Pad" && node.output_size() == 1 &&
      graph.Consumers(node.output(0)).size() == 1 &&
      graph.At(graph.Consumers(node.output(0)).front())
              .doc_string()
              .rfind("symvi ", 0) == 0)
    value = node.output(0); // The zero that windows outside of the image see.
  else
    return false;
  return true;
}

const Node& LayerReader::Next(const Node& node, const std::string& op)
{
  const std::vector<int> takers = Takers();
  if (takers.size() != 1 || graph.At(takers.front()).op_type() != op ||
      graph.At(takers.front()).output_size() != 1)
    GraphView::Refuse(node, "must be followed by one " + op);
  const Node& next = graph.At(takers.front());
  value = next.output(0);
  return next;
}

void LayerReader::OwnWindows(const Node& node)
{
  LayerDescription layer;
  if (!ParseNote(node.doc_string(), options.maxDimension, layer) ||
      node.input_size() != 2 || !extent.isImage)
    GraphView::Refuse(node, "does not gather what its note says");
  const Extent input = extent;
  const bool across = layer.kind == LayerKind::Convolution;
  // Positions are computed anew where the file holds as many.
  const Constant positions = graph.GetConstant(node.input(1));
  LayerDescription windows = layer;
  windows.kind = across ? LayerKind::MaxPooling : layer.kind;
  const Extent output = OutputOf(node, windows);
  const size_t cols = layer.kind == LayerKind::Padding ?
      1 :
      layer.window.width * layer.window.height * (across ? input.maps : 1);
  const size_t rows = output.width * output.height * (across ? 1 : input.maps);
  if (positions.data.size() / cols != rows || positions.data.size() % cols != 0)
    GraphView::Refuse(node, "gathers another number of windows than it should");
  value = node.output(0);

  if (across)
  {
    // Reshape nodes, where there are draws, say nothing more.
    if (posterior)
      Next(node, "Reshape");
    const Node& product = Next(node, "MatMul");
    if (product.input_size() != 2)
      GraphView::Refuse(product, "must multiply the windows by weights");
    const Parameter weight = GetParameter(product, product.input(1));
    if (weight.mean.shape.size() == 3)
      GraphView::Refuse(product,
          "has " + std::to_string(weight.mean.shape[0]) +
              " sets of weights: an ensemble holds draws, not the posterior "
              "they come from");
    if (weight.mean.shape.size() != 2 || weight.mean.shape[0] != cols)
      GraphView::Refuse(product, "must have one row of weights per position");
    RequireElement(weight.mean);
    const size_t maps = weight.mean.shape[1];
    layer.weight = arma::mat(weight.mean.data.data(), maps, cols);
    if (weight.IsBayesian())
    {
      RequireElement(weight.sigma);
      layer.weightSigma = arma::mat(weight.sigma.data.data(), maps, cols);
    }
    Push(node, layer);
    const std::vector<int> takers = Takers();
    if (takers.size() == 1 && graph.At(takers.front()).op_type() == "Add" &&
        graph.At(takers.front()).output_size() == 1)
    {
      axes = { extent.maps };
      Add(graph.At(takers.front()));
    }
    if (posterior)
      Next(node, "Reshape");
    Next(node, "Transpose");
    Next(node, "Reshape");
  }
  else
  {
    Push(node, layer);
    if (layer.kind == LayerKind::MaxPooling)
      Next(node, "ReduceMax");
    else if (layer.kind == LayerKind::MeanPooling)
    {
      Next(node, "ReduceSum");
      Next(node, "Mul");
    }
    else
      Next(node, "Identity");
  }
  axes = { extent.Size() };
  const std::vector<int64_t> expected =
      IndicesOf(result.layers.back(), input).positions;
  if (!std::equal(expected.begin(), expected.end(), positions.data.begin(),
          positions.data.end()))
    GraphView::Refuse(node, "gathers other windows than its note says");
}

void LayerReader::OwnNorm(const Node& node)
{
  const size_t size = extent.Size();
  LayerDescription layer;
  layer.kind = LayerKind::BatchNorm;
  const Constant factor = Operand(node);
  if (factor.data.size() != size)
    GraphView::Refuse(node, "must have one factor for each number of a point");
  RequireElement(factor);
  layer.weight = arma::vec(factor.data);
  value = node.output(0);
  const Node& sum = Next(node, "Add");
  if (sum.input_size() != 2)
    GraphView::Refuse(sum, "must add stored numbers");
  layer.bias = Column(sum, 1, size);
  layer.mean.zeros(size);
  layer.variance.ones(size);
  Push(node, std::move(layer));
}

} // namespace onnx
} // namespace symvi
