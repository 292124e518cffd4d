#include "read_layers.hpp"

#include "pointwise.hpp"
#include "quoted.hpp"

namespace symvi {
namespace onnx {

namespace {

//! Rank and number of features of an input, as far as they are declared.
void ReadInputShape(const ::onnx::ValueInfoProto& input,
    const ImportOptions& options, size_t& rank, size_t& features)
{
  if (!input.type().tensor_type().has_shape())
    return;
  const ::onnx::TensorShapeProto& shape = input.type().tensor_type().shape();
  rank = size_t(shape.dim_size());
  if (rank < 2 || rank > 8)
    throw ImportError("Import(): the input " + Quoted(input.name()) +
        " must "
        "have a batch axis and at least one other, but has " +
        std::to_string(rank) + " axes.");
  features = 1;
  for (int i = 1; i < shape.dim_size(); ++i)
  {
    const int64_t size = shape.dim(i).dim_value();
    if (size < 0 || uint64_t(size) > options.maxDimension ||
        (size > 0 && features > options.maxDimension / size_t(size)))
      throw ImportError("Import(): the input " + Quoted(input.name()) +
          " has more numbers than maxDimension allows.");
    features *= size_t(size); // A size known at run time only counts as 0.
  }
}

} // namespace

LayerReader::LayerReader(const GraphView& graph,
    const ::onnx::ValueInfoProto& input, const bool posterior,
    const ImportOptions& options) :
    graph(graph),
    posterior(posterior),
    options(options),
    value(input.name())
{
  ReadInputShape(input, options, rank, features);
}

const std::unordered_map<std::string, LayerReader::Step>& LayerReader::Steps()
{
  static const std::unordered_map<std::string, Step> steps = {
    { "Gemm", &LayerReader::Gemm }, { "MatMul", &LayerReader::MatMul },
    { "Add", &LayerReader::Add }, { "Sub", &LayerReader::Sub },
    { "Mul", &LayerReader::MulOrDiv }, { "Div", &LayerReader::MulOrDiv },
    { "Relu", &LayerReader::Activate }, { "Tanh", &LayerReader::Activate },
    { "Sigmoid", &LayerReader::Activate },
    { "LeakyRelu", &LayerReader::Activate }, { "Elu", &LayerReader::Activate },
    { "Softplus", &LayerReader::Activate }, { "Gelu", &LayerReader::Gelu },
    { "Softmax", &LayerReader::Probabilities },
    { "LogSoftmax", &LayerReader::Probabilities },
    { "Flatten", &LayerReader::Flatten }, { "Reshape", &LayerReader::Reshape },
    { "Identity", &LayerReader::Identity },
    { "Dropout", &LayerReader::Identity },
    { "Unsqueeze", &LayerReader::Unsqueeze }
  };
  return steps;
}

MlpDescription LayerReader::Read()
{
  while (value != graph.Target())
    Advance();
  if (result.layers.empty())
    throw ImportError("Import(): the graph holds no dense layer.");
  result.element = element == ::onnx::TensorProto::FLOAT ? MlpElement::Float :
                                                           MlpElement::Double;
  return result;
}

void LayerReader::Advance()
{
  const std::vector<int>& takers = graph.Consumers(value);
  if (takers.empty())
    throw ImportError("Import(): the output " + Quoted(graph.Target()) +
        " does not depend on the input alone.");
  const Node& node = graph.At(takers.front());
  if (!node.domain().empty() && node.domain() != "ai.onnx")
    GraphView::Refuse(node,
        "is of the domain " + Quoted(node.domain()) +
            ", which is not supported");
  if (node.output_size() < 1)
    GraphView::Refuse(node, "has no output");

  const auto step = Steps().find(node.op_type());
  const bool plain = takers.size() == 1 && step != Steps().end();
  if (plain &&
      (node.op_type() != "Mul" && node.op_type() != "Div" ?
              true :
              result.layers.empty()))
  {
    if (finished)
      Finish(node);
    (this->*step->second)(node);
    return;
  }
  if (result.layers.empty())
    GraphView::Refuse(node, "is not supported on the network's input");
  const PointwiseMatch match = MatchPointwise(graph, value, options);
  SetActivation(node, match.activation, match.alpha);
  value = match.result;
}

void LayerReader::Finish(const Node& node)
{
  if (node.op_type() != "Identity" && node.op_type() != "Flatten")
    GraphView::Refuse(node,
        "follows the class probabilities, where nothing "
        "may follow");
}

LayerReader::Parameter LayerReader::GetParameter(const Node& node,
    const std::string& name) const
{
  Parameter parameter;
  if (graph.IsConstant(name))
  {
    parameter.mean = graph.GetConstant(name);
    return parameter;
  }
  // symvi's own draw: Add(mean, Mul(sigma, eps)).
  const Node* sum = posterior ? graph.Producer(name) : nullptr;
  const Node* product = sum && sum->op_type() == "Add" &&
          sum->input_size() == 2 ?
      graph.Producer(sum->input(1)) :
      nullptr;
  if (!product || product->op_type() != "Mul" || product->input_size() != 2)
    GraphView::Refuse(node,
        "takes the weights " + Quoted(name) +
            ", which are not stored in the file");
  parameter.mean = graph.GetConstant(sum->input(0));
  parameter.sigma = graph.GetConstant(product->input(0));
  if (parameter.sigma.shape != parameter.mean.shape)
    GraphView::Refuse(*product,
        "has standard deviations of another shape "
        "than the means");
  return parameter;
}

Constant LayerReader::Operand(const Node& node) const
{
  if (node.input_size() != 2)
    GraphView::Refuse(node,
        "must take two values, but takes " + std::to_string(node.input_size()));
  const std::string& other = node.input(node.input(0) == value ? 1 : 0);
  if (!graph.IsConstant(other))
    GraphView::Refuse(node,
        "joins two computed values, which is not "
        "supported");
  return graph.GetConstant(other);
}

void LayerReader::RequireElement(const Constant& constant)
{
  if (constant.type != ::onnx::TensorProto::FLOAT &&
      constant.type != ::onnx::TensorProto::DOUBLE)
    throw ImportError("Import(): tensor " + Quoted(constant.name) +
        " must be "
        "float or double.");
  if (element != 0 && constant.type != element)
    throw ImportError("Import(): tensor " + Quoted(constant.name) +
        " is of "
        "another element type than the tensors before it.");
  element = constant.type;
  parameters += constant.data.size();
  if (parameters > options.maxParameters)
    throw ImportError("Import(): with tensor " + Quoted(constant.name) +
        " the network has more numbers than maxParameters allows.");
}

} // namespace onnx
} // namespace symvi
