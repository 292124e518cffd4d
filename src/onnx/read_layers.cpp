#include "read_layers.hpp"

#include "pointwise.hpp"
#include "quoted.hpp"

namespace symvi {
namespace onnx {

namespace {

//! Axes of an input but for the batch's, as far as they are declared.
//! @param first A node that takes the input.
std::vector<size_t> ReadAxes(const ::onnx::ValueInfoProto& input,
    const ::onnx::NodeProto& first, const ImportOptions& options)
{
  if (!input.type().tensor_type().has_shape())
    return { 0 };
  const ::onnx::TensorShapeProto& shape = input.type().tensor_type().shape();
  const size_t rank = size_t(shape.dim_size());
  if (rank < 1 || rank > 8)
    GraphView::Refuse(first,
        "takes the input " + Quoted(input.name()) +
            ", which must be a vector, or have a batch axis and others, but "
            "has " +
            std::to_string(rank) + " axes");
  std::vector<size_t> axes;
  size_t features = 1;
  for (int i = rank > 1 ? 1 : 0; i < shape.dim_size(); ++i)
  {
    const int64_t size = shape.dim(i).dim_value();
    if (size < 0 || uint64_t(size) > options.maxDimension ||
        (size > 0 && features > options.maxDimension / size_t(size)))
      throw ImportError("Import(): the input " + Quoted(input.name()) +
          " has more numbers than maxDimension allows.");
    features *= size > 0 ? size_t(size) : 1;
    axes.push_back(size_t(size)); // 0 where it is known at run time only.
  }
  return axes;
}

//! Size of the batch; 0 where it is not fixed.  A vector is one point.
size_t ReadBatch(const ::onnx::ValueInfoProto& input)
{
  const ::onnx::TensorShapeProto& shape = input.type().tensor_type().shape();
  if (shape.dim_size() == 1)
    return 1;
  return shape.dim_size() > 0 && shape.dim(0).dim_value() > 0 ?
      size_t(shape.dim(0).dim_value()) :
      0;
}

bool HasWeights(const ::onnx::NodeProto& node)
{
  return node.op_type() == "Conv" || node.op_type() == "Gemm" ||
      node.op_type() == "MatMul" || node.op_type() == "BatchNormalization";
}

} // namespace

LayerReader::LayerReader(const GraphView& graph,
    const ::onnx::ValueInfoProto& input, const bool posterior,
    const int64_t opset, const ImportOptions& options) :
    graph(graph),
    posterior(posterior),
    opset(opset),
    options(options),
    value(input.name()),
    axes(ReadAxes(input, graph.At(graph.FirstTaker(input.name())), options)),
    batch(ReadBatch(input)),
    isVector(input.type().tensor_type().shape().dim_size() == 1)
{
  if (axes.size() == 3)
    extent = { axes[2], axes[1], axes[0], true };
}

const std::unordered_map<std::string, LayerReader::Step>& LayerReader::Steps()
{
  static const std::unordered_map<std::string, Step> steps = {
    { "Gemm", &LayerReader::Gemm }, { "MatMul", &LayerReader::MatMul },
    { "Add", &LayerReader::Add }, { "Sub", &LayerReader::Sub },
    { "Mul", &LayerReader::MulOrDiv }, { "Div", &LayerReader::MulOrDiv },
    { "Conv", &LayerReader::Conv }, { "MaxPool", &LayerReader::Pool },
    { "AveragePool", &LayerReader::Pool },
    { "GlobalAveragePool", &LayerReader::GlobalPool },
    { "GlobalMaxPool", &LayerReader::GlobalPool },
    { "ReduceMean", &LayerReader::ReduceMean }, { "Pad", &LayerReader::Pad },
    { "BatchNormalization", &LayerReader::BatchNormalization },
    { "LayerNormalization", &LayerReader::LayerNormalization },
    { "Relu", &LayerReader::Activate }, { "Tanh", &LayerReader::Activate },
    { "Sigmoid", &LayerReader::Activate },
    { "LeakyRelu", &LayerReader::Activate }, { "Elu", &LayerReader::Activate },
    { "Softplus", &LayerReader::Activate }, { "Gelu", &LayerReader::Gelu },
    { "Softmax", &LayerReader::Probabilities },
    { "LogSoftmax", &LayerReader::Probabilities },
    { "Flatten", &LayerReader::Flatten }, { "Reshape", &LayerReader::Reshape },
    { "Transpose", &LayerReader::Transpose },
    { "Squeeze", &LayerReader::Squeeze },
    { "Identity", &LayerReader::Identity },
    { "Dropout", &LayerReader::Dropout }, { "Cast", &LayerReader::Cast },
    { "Unsqueeze", &LayerReader::Unsqueeze }
  };
  return steps;
}

NetworkDescription LayerReader::Read()
{
  while (value != graph.Target())
    Advance();
  if (result.layers.empty() && !graph.Producer(value))
    throw ImportError(
        "Import(): the output " + Quoted(value) + " is the input.");
  if (result.layers.empty())
    GraphView::Refuse(*graph.Producer(value),
        "ends a graph that holds no layer with weights, and no other that is "
        "supported");
  if (mapsLast)
    throw ImportError("Import(): the output " + Quoted(graph.Target()) +
        " has its maps behind its pixels, unlike mlpack's.");
  FinishStandardisation();
  result.element = element == ::onnx::TensorProto::DOUBLE ?
      ElementKind::Double :
      ElementKind::Float;
  return result;
}

std::vector<int> LayerReader::Takers() const
{
  std::vector<int> takers;
  for (const int taker : graph.Consumers(value))
    if (graph.At(taker).op_type() != "Shape")
      takers.push_back(taker);
  return takers;
}

void LayerReader::Advance()
{
  passed[value] = axes;
  const std::vector<int> takers = Takers();
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
  if (takers.size() == 1 && ReadOwnForm(node))
    return;
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
  if (takers.size() > 1 && step != Steps().end() && HasWeights(node))
    GraphView::Refuse(node,
        "takes a value that other nodes take as well, but only layers in a row "
        "are supported");
  const PointwiseMatch match = MatchPointwise(graph, value, options);
  SetActivation(node, match.activation, match.alpha);
  value = match.result;
}

void LayerReader::Finish(const Node& node)
{
  for (const char* op : { "Identity", "Flatten", "Reshape", "Squeeze", "Cast" })
    if (node.op_type() == op)
      return;
  GraphView::Refuse(node,
      "follows the class probabilities, where nothing "
      "may follow");
}

Extent LayerReader::OutputOf(const Node& node,
    const LayerDescription& layer) const
{
  const size_t most = options.maxDimension;
  const auto isModest = [most](const Extent& e)
  {
    return e.width > 0 && e.height > 0 && e.maps > 0 && e.width <= most &&
        e.height <= most / e.width && e.maps <= most / (e.width * e.height);
  };
  const Window& w = layer.window;
  Extent padded = extent;
  padded.width += w.padLeft + w.padRight;
  padded.height += w.padTop + w.padBottom;
  try
  {
    if (isModest(padded) && isModest(layer.Output(extent)))
      return layer.Output(extent);
  }
  catch (const std::invalid_argument& e)
  {
    GraphView::Refuse(node, std::string("does not fit: ") + e.what());
  }
  GraphView::Refuse(node,
      "makes more numbers of a point than maxDimension "
      "allows");
}

void LayerReader::Push(const Node& node, LayerDescription layer)
{
  const Extent output = OutputOf(node, layer);
  if (result.layers.empty() && layer.kind != LayerKind::Dense)
    result.input = extent;
  extent = output;
  activated = false;
  result.layers.push_back(std::move(layer));
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
