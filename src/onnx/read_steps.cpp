#include "read_layers.hpp"

#include "quoted.hpp"

#include <algorithm>

namespace symvi {
namespace onnx {

using Node = ::onnx::NodeProto;

void LayerReader::SetActivation(const Node& node, const Activation activation,
    const double alpha)
{
  if (result.layers.empty())
    GraphView::Refuse(node,
        "is an activation before the first layer, "
        "which is not supported");
  if (activated)
    GraphView::Refuse(node,
        "is a second activation of one layer, which is "
        "not supported");
  result.layers.back().activation = activation;
  result.layers.back().alpha = alpha;
  activated = true;
}

void LayerReader::Activate(const Node& node)
{
  static const std::unordered_map<std::string, Activation> kinds = {
    { "Relu", Activation::ReLU }, { "Tanh", Activation::TanH },
    { "Sigmoid", Activation::Sigmoid }, { "LeakyRelu", Activation::LeakyReLU },
    { "Elu", Activation::ELU }, { "Softplus", Activation::Softplus }
  };
  const Activation kind = kinds.at(node.op_type());
  double alpha = 0.0;
  if (kind == Activation::LeakyReLU)
    alpha = NumberAttribute(node, "alpha", 0.01);
  if (kind == Activation::ELU)
    alpha = NumberAttribute(node, "alpha", 1.0);
  if (kind == Activation::LeakyReLU && !(alpha >= 0.0 && alpha <= 1.0))
    GraphView::Refuse(node,
        "must have alpha in [0, 1], but has " + std::to_string(alpha));
  if (kind == Activation::ELU && !(alpha > 0.0))
    GraphView::Refuse(node,
        "must have a positive alpha, but has " + std::to_string(alpha));
  SetActivation(node, kind, alpha);
  value = node.output(0);
}

void LayerReader::Gelu(const Node& node)
{
  if (TextAttribute(node, "approximate", "none") != "tanh" &&
      !options.approximateGelu)
    GraphView::Refuse(node,
        "is the exact GELU (with erf), but mlpack's has "
        "tanh and differs by up to 5e-4; the option approximateGelu accepts "
        "it");
  SetActivation(node, Activation::GELU, 0.0);
  value = node.output(0);
}

void LayerReader::Probabilities(const Node& node)
{
  // Before opset 13, all axes from the given one on are taken as one.
  const int64_t rank = int64_t(axes.size()) + 1;
  const int64_t axis = IntegerAttribute(node, "axis", opset < 13 ? 1 : -1);
  const int64_t at = axis < 0 ? axis + rank : axis;
  const bool all = opset < 13 && at == 1;
  if (result.layers.empty() || at < 1 || at >= rank ||
      (!all && axes[size_t(at) - 1] != Features()))
    GraphView::Refuse(node,
        "must be over the outputs of a layer, but "
        "is over axis " +
            std::to_string(axis));
  result.output = node.op_type() == "Softmax" ? OutputKind::Softmax :
                                                OutputKind::LogSoftmax;
  finished = true;
  value = node.output(0);
}

void LayerReader::Identity(const Node& node)
{
  value = node.output(0);
}

void LayerReader::Dropout(const Node& node)
{
  // A third input, or before opset 7 an attribute, can switch it on.
  const bool given = node.input_size() == 3 && !node.input(2).empty();
  if ((given && !graph.IsFalse(node.input(2))) ||
      (opset < 7 && IntegerAttribute(node, "is_test", 0) == 0))
    GraphView::Refuse(node, "must be at inference, without a training mode");
  value = node.output(0);
}

void LayerReader::Cast(const Node& node)
{
  const int64_t to = IntegerAttribute(node, "to", 0);
  const bool real = to == ::onnx::TensorProto::FLOAT ||
      to == ::onnx::TensorProto::DOUBLE;
  if (!real || (element != 0 && to != element))
    GraphView::Refuse(node,
        "casts to element type " + std::to_string(to) +
            ", but only float or double in front of all layers is supported");
  element = int(to);
  value = node.output(0);
}

void LayerReader::Unsqueeze(const Node& node)
{
  std::vector<int64_t> which = node.input_size() == 2 ?
      Sizes(node, node.input(1), 0) :
      IntegersAttribute(node, "axes", {});
  // symvi's own stack of draws begins with an axis for them.
  if (posterior && result.layers.empty() && which == std::vector<int64_t>{ 0 })
  {
    value = node.output(0);
    return;
  }
  const int64_t rank = int64_t(axes.size() + which.size()) + 1;
  for (int64_t& axis : which)
    axis += axis < 0 ? rank : 0;
  std::sort(which.begin(), which.end());
  std::vector<size_t> sizes = axes;
  for (const int64_t axis : which)
  {
    if (axis < 1 || axis > int64_t(sizes.size()) + 1 || sizes.size() > 7 ||
        isVector)
      GraphView::Refuse(node, "must add axes of a point");
    sizes.insert(sizes.begin() + (axis - 1), 1);
  }
  SetAxes(node, sizes);
}

} // namespace onnx
} // namespace symvi
