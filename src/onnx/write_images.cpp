/**
 * @file src/onnx/write_images.cpp
 *
 * Convolutions, pooling, padding and norms as nodes.
 */
#include "write_network.hpp"

#include <cmath>
#include <sstream>

namespace symvi {
namespace onnx {

namespace {

std::vector<int64_t> Pads(const Window& w)
{
  return { int64_t(w.padTop), int64_t(w.padLeft), int64_t(w.padBottom),
    int64_t(w.padRight) };
}

//! Makes a flat value an image again.
void WriteImage(GraphBuilder& b, const std::string& name, Flow& flow)
{
  if (!flow.flat)
    return;
  const Extent& e = flow.extent;
  flow.value = b.Node(name + ".image", "Reshape",
      { flow.value,
          b.Integers(name + ".image_shape",
              { -1, int64_t(e.maps), int64_t(e.height), int64_t(e.width) }) });
  flow.flat = false;
}

//! Convolutions, pooling and padding as the operators made for them.
void WriteNative(GraphBuilder& b, const std::string& name,
    const LayerDescription& layer, const LayerValues& values, Flow& flow)
{
  WriteImage(b, name, flow);
  const Window& w = layer.window;
  if (layer.kind == LayerKind::Padding)
  {
    flow.value = b.Node(name, "Pad",
        { flow.value,
            b.Integers(name + ".pads",
                { 0, 0, int64_t(w.padTop), int64_t(w.padLeft), 0, 0,
                    int64_t(w.padBottom), int64_t(w.padRight) }) });
    return;
  }
  const Attribute kernel{ "kernel_shape",
    std::vector<int64_t>{ int64_t(w.height), int64_t(w.width) } };
  const Attribute strides{ "strides",
    std::vector<int64_t>{ int64_t(w.strideHeight), int64_t(w.strideWidth) } };
  if (layer.kind == LayerKind::Convolution)
  {
    std::vector<std::string> inputs{ flow.value, values.weight };
    if (!values.bias.empty())
      inputs.push_back(values.bias);
    flow.value = b.Node(name, "Conv", inputs,
        { kernel, strides, { "pads", Pads(w) } });
    return;
  }
  flow.value = b.Node(name,
      layer.kind == LayerKind::MaxPooling ? "MaxPool" : "AveragePool",
      { flow.value },
      { kernel, strides, { "ceil_mode", int64_t(w.isPartial) } });
}

//! Windows of a flat value: (S x) N x rows x cols, or without the last axis
//! where there is one column.
std::string WriteGather(GraphBuilder& b, const std::string& name,
    const LayerDescription& layer, const WindowIndices& indices,
    const Flow& flow)
{
  std::string value = flow.value;
  if (indices.needsZero)
  {
    std::vector<int64_t> pads(flow.stacked ? 6 : 4, 0);
    pads.back() = 1;
    value = b.Node(name + ".with_zero", "Pad",
        { value, b.Integers(name + ".zero", pads) });
  }
  std::vector<size_t> shape{ indices.rows };
  if (layer.kind != LayerKind::Padding)
    shape.push_back(indices.cols);
  value = b.Node(name + ".windows", "Gather",
      { value, b.Integers(name + ".positions", indices.positions, shape) },
      { { "axis", int64_t(flow.stacked ? 2 : 1) } });
  b.Note(WindowNote(layer));
  return value;
}

//! A convolution as the product of windows and weights.
std::string WriteProduct(GraphBuilder& b, const std::string& name,
    const LayerDescription& layer, const LayerValues& values,
    const WindowIndices& indices, std::string value, const bool stacked)
{
  const int64_t patches = int64_t(indices.rows);
  const int64_t maps = int64_t(layer.weight.n_rows);
  // With draws, the windows of all points share the rows of one matrix each.
  if (stacked)
    value = b.Node(name + ".rows", "Reshape",
        { value,
            b.Integers(name + ".rows_shape",
                { 0, -1, int64_t(indices.cols) }) });
  value = b.Node(name + ".product", "MatMul", { value, values.weight });
  if (!values.bias.empty())
    value = b.Node(name + ".sum", "Add", { value, values.bias });
  if (stacked)
    value = b.Node(name + ".patches", "Reshape",
        { value,
            b.Integers(name + ".patches_shape", { 0, -1, patches, maps }) });
  value = b.Node(name + ".by_map", "Transpose", { value },
      { { "perm",
          stacked ? std::vector<int64_t>{ 0, 1, 3, 2 } :
                    std::vector<int64_t>{ 0, 2, 1 } } });
  return b.Node(name, "Reshape",
      { value,
          b.Integers(name + ".shape",
              stacked ? std::vector<int64_t>{ 0, 0, patches * maps } :
                        std::vector<int64_t>{ 0, patches * maps }) });
}

//! The same layers as WriteNative(), from the windows of flat points.
void WriteGathered(GraphBuilder& b, const std::string& name,
    const LayerDescription& layer, const LayerValues& values, Flow& flow)
{
  const WindowIndices indices = IndicesOf(layer, flow.extent);
  const std::string windows = WriteGather(b, name, layer, indices, flow);
  const int64_t last = flow.stacked ? 3 : 2;
  if (layer.kind == LayerKind::Convolution)
    flow.value = WriteProduct(b, name, layer, values, indices, windows,
        flow.stacked);
  else if (layer.kind == LayerKind::MaxPooling)
    flow.value = b.Node(name, "ReduceMax", { windows },
        { { "axes", std::vector<int64_t>{ last } },
            { "keepdims", int64_t(0) } });
  else if (layer.kind == LayerKind::MeanPooling)
  {
    const std::string sum = b.Node(name + ".sum", "ReduceSum",
        { windows, b.Integers(name + ".axis", { last }) },
        { { "keepdims", int64_t(0) } });
    flow.value = b.Node(name, "Mul",
        { sum, b.Vector(name + ".weight", 1.0 / arma::vec(indices.counts)) });
  }
  else
    flow.value = b.Node(name, "Identity", { windows });
}

//! One number per map as one per number of a point.
arma::vec PerNumber(const arma::vec& v, const Extent& extent)
{
  return v.n_elem == extent.Size() ?
      v :
      arma::vec(arma::vectorise(
          arma::repmat(v.t(), extent.width * extent.height, 1)));
}

void WriteBatchNorm(GraphBuilder& b, const std::string& name,
    const LayerDescription& layer, Flow& flow)
{
  const arma::vec scale(layer.weight);
  const bool perMap = scale.n_elem == flow.extent.maps && flow.extent.isImage;
  if (!flow.stacked && !(flow.gathered && perMap))
  {
    // The operator's second axis is maps, or single numbers.
    if (perMap)
      WriteImage(b, name, flow);
    else
      WriteFlat(b, name + ".flat", flow);
    flow.value = b.Node(name, "BatchNormalization",
        { flow.value, b.Vector(name + ".weight", scale),
            b.Vector(name + ".bias", layer.bias),
            b.Vector(name + ".mean", layer.mean),
            b.Vector(name + ".variance", layer.variance) },
        { { "epsilon", float(layer.epsilon) } });
    return;
  }
  const arma::vec factor = scale / arma::sqrt(layer.variance + layer.epsilon);
  const arma::vec offset = layer.bias - layer.mean % factor;
  const std::string scaled = b.Node(name + ".scaled", "Mul",
      { flow.value,
          b.Vector(name + ".weight", PerNumber(factor, flow.extent)) });
  b.Note(normNote);
  flow.value = b.Node(name, "Add",
      { scaled, b.Vector(name + ".bias", PerNumber(offset, flow.extent)) });
}

void WriteLayerNorm(GraphBuilder& b, const std::string& name,
    const LayerDescription& layer, Flow& flow)
{
  WriteFlat(b, name + ".flat", flow);
  flow.value = b.Node(name, "LayerNormalization",
      { flow.value, b.Vector(name + ".weight", arma::vec(layer.weight)),
          b.Vector(name + ".bias", layer.bias) },
      { { "axis", int64_t(-1) }, { "epsilon", float(layer.epsilon) } });
}

} // namespace

WindowIndices IndicesOf(const LayerDescription& layer, const Extent& input)
{
  const Extent output = layer.Output(input);
  const bool padding = layer.kind == LayerKind::Padding;
  const bool across = layer.kind == LayerKind::Convolution;
  const Window& w = layer.window;
  const size_t width = padding ? 1 : w.width, height = padding ? 1 : w.height;
  WindowIndices indices;
  indices.rows = output.width * output.height * (across ? 1 : input.maps);
  indices.cols = width * height * (across ? input.maps : 1);
  indices.positions.reserve(indices.rows * indices.cols);
  for (size_t row = 0; row < indices.rows; ++row)
  {
    const size_t pixel = row % (output.width * output.height);
    const size_t left = pixel % output.width * w.strideWidth;
    const size_t top = pixel / output.width * w.strideHeight;
    size_t count = 0;
    int64_t first = -1;
    for (size_t col = 0; col < indices.cols; ++col)
    {
      const size_t map = across ? col / (width * height) :
                                  row / (output.width * output.height);
      // Below zero, these are large.
      const size_t x = left + col % width - w.padLeft;
      const size_t y = top + col / width % height - w.padTop;
      const bool inside = x < input.width && y < input.height;
      const int64_t at = int64_t((map * input.height + y) * input.width + x);
      if (inside && first < 0)
        first = at;
      count += inside;
      // A maximum does not mind the same pixel again.
      indices.positions.push_back(inside          ? at :
              layer.kind == LayerKind::MaxPooling ? first :
                                                    int64_t(input.Size()));
      indices.needsZero |= indices.positions.back() == int64_t(input.Size());
    }
    indices.counts.push_back(double(count));
  }
  return indices;
}

std::string WindowNote(const LayerDescription& layer)
{
  const Window& w = layer.window;
  std::ostringstream note;
  note << "symvi " << Name(layer.kind) << ":";
  for (const size_t n : { w.width, w.height, w.strideWidth, w.strideHeight,
           w.padLeft, w.padRight, w.padTop, w.padBottom, size_t(w.isPartial) })
    note << " " << n;
  return note.str();
}

void WriteFlat(GraphBuilder& b, const std::string& name, Flow& flow)
{
  if (flow.flat)
    return;
  flow.value = b.Node(name, "Flatten", { flow.value },
      { { "axis", int64_t(1) } });
  flow.flat = true;
}

void WriteImageLayer(GraphBuilder& b, const std::string& name,
    const LayerDescription& layer, const LayerValues& values, Flow& flow)
{
  if (layer.kind == LayerKind::BatchNorm)
    WriteBatchNorm(b, name, layer, flow);
  else if (layer.kind == LayerKind::LayerNorm)
    WriteLayerNorm(b, name, layer, flow);
  else if (flow.gathered)
    WriteGathered(b, name, layer, values, flow);
  else
    WriteNative(b, name, layer, values, flow);
}

} // namespace onnx
} // namespace symvi
