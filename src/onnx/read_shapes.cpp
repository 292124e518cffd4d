#include "read_layers.hpp"

#include "quoted.hpp"

namespace symvi {
namespace onnx {

using Node = ::onnx::NodeProto;

void LayerReader::SetActivation(const Node& node, const Activation activation,
    const double alpha)
{
  if (result.layers.empty())
    GraphView::Refuse(node,
        "is an activation before the first dense layer, "
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
  const int64_t axis = IntegerAttribute(node, "axis", -1);
  if (result.layers.empty() || (axis != 1 && axis != -1))
    GraphView::Refuse(node,
        "must be over the outputs of a dense layer, but "
        "is over axis " +
            std::to_string(axis));
  result.output = node.op_type() == "Softmax" ? MlpOutput::Softmax :
                                                MlpOutput::LogSoftmax;
  finished = true;
  value = node.output(0);
}

void LayerReader::Flatten(const Node& node)
{
  const int64_t axis = IntegerAttribute(node, "axis", 1);
  if (axis != 1 && axis != 1 - int64_t(rank))
    GraphView::Refuse(node,
        "must keep the batch axis and no other, but "
        "flattens from axis " +
            std::to_string(axis));
  rank = 2;
  value = node.output(0);
}

void LayerReader::Reshape(const Node& node)
{
  if (node.input_size() != 2 || node.input(0) != value ||
      !graph.IsSmall(node.input(1), 2))
    GraphView::Refuse(node,
        "must reshape the value to a stored shape with two "
        "axes");
  const Constant shape = graph.GetConstant(node.input(1));
  const bool two = shape.type == ::onnx::TensorProto::INT64 &&
      shape.data.size() == 2;
  // The batch axis stays (0), or is what is left (-1).
  const bool batch = two && (shape.data[0] == 0 || shape.data[0] == -1);
  const bool rest = two &&
      ((shape.data[1] == -1 && shape.data[0] == 0) ||
          (features != 0 && shape.data[1] == double(features)));
  if (!batch || !rest)
    GraphView::Refuse(node, "must flatten a point and nothing else");
  rank = 2;
  value = node.output(0);
}

void LayerReader::Identity(const Node& node)
{
  // Dropout's third input can switch it on.
  if (node.input_size() == 3 && !node.input(2).empty())
    GraphView::Refuse(node, "must be at inference, without a training mode");
  value = node.output(0);
}

void LayerReader::Unsqueeze(const Node& node)
{
  // symvi's own stack of draws begins with an axis for them.
  if (!posterior || !result.layers.empty() || node.input_size() != 2 ||
      !graph.IsSmall(node.input(1), 1))
    GraphView::Refuse(node, "is not supported");
  const Constant axes = graph.GetConstant(node.input(1));
  if (axes.data.size() != 1 || axes.data[0] != 0.0)
    GraphView::Refuse(node, "must add the first axis");
  value = node.output(0);
}

} // namespace onnx
} // namespace symvi
