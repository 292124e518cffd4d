/**
 * @file src/onnx/read_images.cpp
 *
 * Convolutions, pooling, padding and norms.
 */
#include "read_layers.hpp"

#include "quoted.hpp"

#include <algorithm>

namespace symvi {
namespace onnx {

using Node = ::onnx::NodeProto;

namespace {

//! Sizes of a window, all positive and none of a size that could overflow.
std::vector<size_t> PositiveSizes(const Node& node, const std::string& name,
    const std::vector<int64_t>& given, const size_t most)
{
  std::vector<size_t> sizes;
  for (const int64_t size : given)
  {
    if (size < 1 || uint64_t(size) > most)
      GraphView::Refuse(node,
          "must have " + name + " within 1 and " + std::to_string(most) +
              ", but has " + std::to_string(size));
    sizes.push_back(size_t(size));
  }
  if (sizes.size() != 2)
    GraphView::Refuse(node,
        "must have two " + name + ", as only images are supported, but has " +
            std::to_string(sizes.size()));
  return sizes;
}

bool HasPads(const Window& w)
{
  return w.padLeft + w.padRight + w.padTop + w.padBottom > 0;
}

//! Zeros on both sides of an image for as many windows as size / stride,
//! rounded up.
void SetSame(const size_t size, const size_t window, const size_t stride,
    const bool atBegin, size_t& before, size_t& after)
{
  const size_t windows = (size + stride - 1) / stride;
  const size_t needed = (windows - 1) * stride + window;
  const size_t total = needed > size ? needed - size : 0;
  before = atBegin ? total - total / 2 : total / 2;
  after = total - before;
}

//! A function with no negative values: zeros around it are no maxima.
bool IsNonnegative(const LayerDescription& layer)
{
  return layer.activation == Activation::ReLU ||
      layer.activation == Activation::Sigmoid ||
      layer.activation == Activation::Softplus;
}

} // namespace

const Extent& LayerReader::RequireImage(const Node& node) const
{
  if (axes.size() != 3 || mapsLast)
    GraphView::Refuse(node,
        "must take an image with the axes maps, height and width, but takes "
        "points with " +
            std::to_string(axes.size()) + " axes" +
            (mapsLast ? ", the maps last" : ""));
  if (Features() == 0)
    GraphView::Refuse(node,
        "needs the sizes of its images, which the file does not give");
  if (!extent.isImage ||
      axes != std::vector<size_t>{ extent.maps, extent.height, extent.width })
    GraphView::Refuse(node,
        "takes an image made of a vector inside of the network, which mlpack "
        "has no layer for");
  return extent;
}

Window LayerReader::ReadWindow(const Node& node) const
{
  const size_t most = options.maxDimension;
  const Extent& image = RequireImage(node);
  const auto kernel = PositiveSizes(node, "kernel sizes",
      IntegersAttribute(node, "kernel_shape", {}), most);
  const auto strides = PositiveSizes(node, "strides",
      IntegersAttribute(node, "strides", { 1, 1 }), most);
  for (const int64_t dilation : IntegersAttribute(node, "dilations", { 1, 1 }))
    if (dilation != 1)
      GraphView::Refuse(node, "has dilations, which mlpack lacks");

  Window w;
  w.width = kernel[1];
  w.height = kernel[0];
  w.strideWidth = strides[1];
  w.strideHeight = strides[0];
  w.isPartial = IntegerAttribute(node, "ceil_mode", 0) != 0;
  const std::string autoPad = TextAttribute(node, "auto_pad", "NOTSET");
  if (autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER")
  {
    const bool lower = autoPad == "SAME_LOWER";
    SetSame(image.width, w.width, w.strideWidth, lower, w.padLeft, w.padRight);
    SetSame(image.height, w.height, w.strideHeight, lower, w.padTop,
        w.padBottom);
  }
  else if (autoPad == "NOTSET")
  {
    const std::vector<int64_t> pads = IntegersAttribute(node, "pads",
        { 0, 0, 0, 0 });
    if (pads.size() != 4 ||
        std::any_of(pads.begin(), pads.end(),
            [&](const int64_t pad) { return pad < 0 || uint64_t(pad) > most; }))
      GraphView::Refuse(node, "must have four pads that are not negative");
    w.padTop = size_t(pads[0]);
    w.padLeft = size_t(pads[1]);
    w.padBottom = size_t(pads[2]);
    w.padRight = size_t(pads[3]);
  }
  else if (autoPad != "VALID")
    GraphView::Refuse(node, "has an unknown auto_pad " + Quoted(autoPad));
  return w;
}

void LayerReader::Conv(const Node& node)
{
  const int inputs = node.input_size();
  if (inputs < 2 || inputs > 3 || node.input(0) != value)
    GraphView::Refuse(node, "must convolve the value with stored weights");
  const int64_t group = IntegerAttribute(node, "group", 1);
  if (group != 1)
    GraphView::Refuse(node,
        "has " + std::to_string(group) +
            " groups of maps, but only one is supported");
  const Constant weight = GetParameter(node, node.input(1)).mean;
  if (weight.shape.size() != 4)
    GraphView::Refuse(node,
        "must have filters of images, but its weights have " +
            std::to_string(weight.shape.size()) + " axes");
  RequireElement(weight);
  Node sized = node;
  if (IntegersAttribute(node, "kernel_shape", {}).empty())
  {
    ::onnx::AttributeProto& shape = *sized.add_attribute();
    shape.set_name("kernel_shape");
    shape.set_type(::onnx::AttributeProto::INTS);
    shape.add_ints(int64_t(weight.shape[2]));
    shape.add_ints(int64_t(weight.shape[3]));
  }
  LayerDescription layer;
  layer.kind = LayerKind::Convolution;
  layer.window = ReadWindow(sized);
  if (layer.window.height != weight.shape[2] ||
      layer.window.width != weight.shape[3])
    GraphView::Refuse(node,
        "has filters of another size than its kernel_shape");
  // One row per output map, in ONNX's row-major order.
  layer.weight = arma::mat(weight.data.data(),
      weight.data.size() / weight.shape[0], weight.shape[0])
                     .t();
  Push(node, std::move(layer));
  axes = { extent.maps, extent.height, extent.width };
  if (inputs == 3 && !node.input(2).empty())
  {
    const Constant bias = GetParameter(node, node.input(2)).mean;
    if (bias.data.size() != extent.maps)
      GraphView::Refuse(node, "must have one bias for each map");
    RequireElement(bias);
    result.layers.back().bias = arma::vec(bias.data);
  }
  value = node.output(0);
}

void LayerReader::PushPadding(const Node& node, Window& window)
{
  LayerDescription padding;
  padding.kind = LayerKind::Padding;
  padding.window = { 1, 1, 1, 1, window.padLeft, window.padRight, window.padTop,
    window.padBottom, false };
  Push(node, std::move(padding));
  window.padLeft = window.padRight = window.padTop = window.padBottom = 0;
}

void LayerReader::Pool(const Node& node)
{
  if (node.input_size() != 1 || node.output_size() != 1)
    GraphView::Refuse(node, "must have one input and one output");
  LayerDescription layer;
  layer.kind = node.op_type() == "MaxPool" ? LayerKind::MaxPooling :
                                             LayerKind::MeanPooling;
  layer.window = ReadWindow(node);
  if (HasPads(layer.window))
  {
    const bool harmless = layer.kind == LayerKind::MaxPooling ?
        !result.layers.empty() && IsNonnegative(result.layers.back()) :
        IntegerAttribute(node, "count_include_pad", 0) != 0;
    if (!harmless || layer.window.isPartial)
      GraphView::Refuse(node,
          "pads its input with what is no zero to mlpack, which is not "
          "supported");
    PushPadding(node, layer.window);
  }
  Push(node, std::move(layer));
  axes = { extent.maps, extent.height, extent.width };
  value = node.output(0);
}

void LayerReader::GlobalPool(const Node& node)
{
  const Extent& image = RequireImage(node);
  LayerDescription layer;
  layer.kind = node.op_type() == "GlobalMaxPool" ? LayerKind::MaxPooling :
                                                   LayerKind::MeanPooling;
  layer.window.width = image.width;
  layer.window.height = image.height;
  Push(node, std::move(layer));
  axes = { extent.maps, 1, 1 };
  value = node.output(0);
}

void LayerReader::ReduceMean(const Node& node)
{
  std::vector<int64_t> which = node.input_size() == 2 ?
      Sizes(node, node.input(1), 0) :
      IntegersAttribute(node, "axes", {});
  for (int64_t& axis : which)
    axis += axis < 0 ? int64_t(axes.size()) + 1 : 0;
  std::sort(which.begin(), which.end());
  if (which != std::vector<int64_t>{ 2, 3 })
    GraphView::Refuse(node, "must take the mean of every map of an image");
  GlobalPool(node);
  if (IntegerAttribute(node, "keepdims", 1) == 0)
    axes = { extent.maps };
}

void LayerReader::Pad(const Node& node)
{
  RequireImage(node);
  std::vector<int64_t> pads;
  if (opset < 11)
    pads = IntegersAttribute(node, "pads", {});
  else if (node.input_size() >= 2 && node.input(0) == value)
    pads = Sizes(node, node.input(1), 0);
  double fill = opset < 11 ? NumberAttribute(node, "value", 0.0) : 0.0;
  if (opset >= 11 && node.input_size() > 2 && !node.input(2).empty())
    fill = graph.IsSmall(node.input(2), 1) ?
        graph.GetConstant(node.input(2)).data[0] :
        1.0;
  bool fits = TextAttribute(node, "mode", "constant") == "constant" &&
      fill == 0.0 && pads.size() == 8 && node.input_size() < 4;
  for (size_t i = 0; fits && i < 8; ++i)
    fits = pads[i] >= 0 && uint64_t(pads[i]) <= options.maxDimension &&
        (i % 4 > 1 || pads[i] == 0);
  if (!fits)
    GraphView::Refuse(node, "must put zeros around the maps of an image");
  Window window;
  window.padTop = size_t(pads[2]);
  window.padLeft = size_t(pads[3]);
  window.padBottom = size_t(pads[6]);
  window.padRight = size_t(pads[7]);
  PushPadding(node, window);
  axes = { extent.maps, extent.height, extent.width };
  value = node.output(0);
}

arma::vec LayerReader::Column(const Node& node, const int input,
    const size_t size)
{
  const Constant constant = GetParameter(node, node.input(input)).mean;
  if (constant.data.size() != size)
    GraphView::Refuse(node,
        "must take " + std::to_string(size) + " numbers as " +
            Quoted(constant.name) + ", but takes " +
            std::to_string(constant.data.size()));
  RequireElement(constant);
  return arma::vec(constant.data);
}

void LayerReader::BatchNormalization(const Node& node)
{
  const bool training = opset < 7 ? IntegerAttribute(node, "is_test", 0) == 0 :
                                    IntegerAttribute(node, "training_mode", 0);
  if (training || IntegerAttribute(node, "spatial", 1) != 1)
    GraphView::Refuse(node, "must be at inference, with statistics per map");
  if (node.input_size() != 5 || node.input(0) != value || mapsLast)
    GraphView::Refuse(node, "must take the value and four stored vectors");
  const bool isFlat = Features() == axes[0];
  if (!isFlat)
    RequireImage(node);
  const size_t size = axes[0] > 0 ?
      axes[0] :
      GetParameter(node, node.input(1)).mean.data.size();
  LayerDescription layer;
  layer.kind = LayerKind::BatchNorm;
  layer.weight = Column(node, 1, size);
  layer.bias = Column(node, 2, size);
  layer.mean = Column(node, 3, size);
  layer.variance = Column(node, 4, size);
  layer.epsilon = NumberAttribute(node, "epsilon", 1e-5);
  if (isFlat && !extent.isImage)
    extent.maps = axes[0] = size;
  Push(node, std::move(layer));
  value = node.output(0);
}

void LayerReader::LayerNormalization(const Node& node)
{
  const int inputs = node.input_size();
  int64_t axis = IntegerAttribute(node, "axis", -1);
  axis += axis < 0 ? int64_t(axes.size()) + 1 : 0;
  bool fits = inputs >= 2 && inputs <= 3 && node.input(0) == value &&
      node.output_size() == 1 && !mapsLast && axis >= 1 && Features() > 0;
  // All numbers of a point are normalised together.
  for (int64_t i = 1; fits && i < axis && i <= int64_t(axes.size()); ++i)
    fits = axes[size_t(i) - 1] == 1;
  if (!fits)
    GraphView::Refuse(node, "must normalise all numbers of a point at once");
  const size_t size = Features();
  LayerDescription layer;
  layer.kind = LayerKind::LayerNorm;
  layer.weight = Column(node, 1, size);
  layer.bias = inputs == 3 && !node.input(2).empty() ?
      Column(node, 2, size) :
      arma::vec(size, arma::fill::zeros);
  layer.epsilon = NumberAttribute(node, "epsilon", 1e-5);
  if (!extent.isImage)
    extent.maps = size;
  Push(node, std::move(layer));
  value = node.output(0);
}

} // namespace onnx
} // namespace symvi
