#include "graph_view.hpp"

#include "quoted.hpp"

namespace symvi {
namespace onnx {

using Node = ::onnx::NodeProto;

namespace {

const std::vector<int> nobody;

bool PassesConstants(const Node& node)
{
  return (node.op_type() == "Identity" || node.op_type() == "Transpose") &&
      node.input_size() == 1 && node.output_size() == 1;
}

//! Sizes of a stored Reshape: no more axes than a tensor may have.
constexpr int64_t maxAxes = 8;

//! The tensor of a Constant node; nullptr for other nodes.
const ::onnx::TensorProto* ConstantTensor(const Node& node)
{
  if (node.op_type() != "Constant")
    return nullptr;
  for (const ::onnx::AttributeProto& attribute : node.attribute())
    if (attribute.name() == "value" && attribute.has_t())
      return &attribute.t();
  return nullptr;
}

//! No permutation, or (1, 0): what Transpose does to a matrix.
bool ExchangesTwoAxes(const Node& node)
{
  for (const ::onnx::AttributeProto& attribute : node.attribute())
    if (attribute.name() == "perm")
      return attribute.ints_size() == 2 && attribute.ints(0) == 1 &&
          attribute.ints(1) == 0;
  return true;
}

//! The sizes of a stored tensor as a Reshape makes them.
void Reshape(const Node& node, const Constant& sizes, Constant& constant)
{
  const size_t n = constant.data.size();
  std::vector<size_t> shape;
  size_t known = 1, open = sizes.data.size();
  for (size_t i = 0; i < sizes.data.size(); ++i)
  {
    double size = sizes.data[i];
    if (size == 0.0 && i < constant.shape.size())
      size = double(constant.shape[i]);
    if (size == -1.0 && open == sizes.data.size())
    {
      open = i;
      size = 1.0;
    }
    if (size < 1.0 || size > double(n) || known > n / size_t(size))
      GraphView::Refuse(node, "does not fit the stored tensor");
    shape.push_back(size_t(size));
    known *= shape.back();
  }
  if (open < shape.size())
    shape[open] = n / known;
  if (known == 0 || (open < shape.size() ? n % known != 0 : known != n))
    GraphView::Refuse(node, "does not fit the stored tensor");
  constant.shape = shape;
}

} // namespace

GraphView::GraphView(const ::onnx::GraphProto& graph, const std::string& target,
    const ImportOptions& options) :
    graph(graph),
    target(target),
    options(options),
    needed(size_t(graph.node_size()), false)
{
  CheckOrder();
  IndexTensors();
  IndexNodes();
}

void GraphView::CheckOrder() const
{
  std::unordered_set<std::string> known;
  for (const auto& input : graph.input())
    known.insert(input.name());
  for (const auto& tensor : graph.initializer())
    known.insert(tensor.name());
  for (const Node& node : graph.node())
  {
    for (const std::string& input : node.input())
      if (!input.empty() && known.count(input) == 0)
        Refuse(node,
            "takes " + Quoted(input) +
                ", which nothing before it "
                "makes");
    for (const std::string& output : node.output())
      if (!output.empty() && !known.insert(output).second)
        Refuse(node, "makes " + Quoted(output) + ", which exists already");
  }
  if (known.count(target) == 0)
    throw ImportError("Import(): nothing in the graph makes the output " +
        Quoted(target) + ".");
}

void GraphView::IndexTensors()
{
  for (const ::onnx::TensorProto& tensor : graph.initializer())
    if (!tensors.emplace(tensor.name(), &tensor).second)
      throw ImportError("Import(): there are two tensors with the name " +
          Quoted(tensor.name()) + ".");
}

void GraphView::IndexNodes()
{
  // Backwards: a node is needed if a needed node, or the target, takes from it.
  std::unordered_set<std::string> wanted{ target };
  for (int i = graph.node_size() - 1; i >= 0; --i)
  {
    const Node& node = graph.node(i);
    for (const std::string& output : node.output())
    {
      producers.emplace(output, i);
      if (wanted.count(output) > 0)
        needed[size_t(i)] = true;
    }
    if (needed[size_t(i)])
      wanted.insert(node.input().begin(), node.input().end());
  }
  for (int i = 0; i < graph.node_size(); ++i)
  {
    if (!needed[size_t(i)])
      continue;
    for (const std::string& input : graph.node(i).input())
    {
      std::vector<int>& takers = consumers[input];
      if (takers.empty() || takers.back() != i)
        takers.push_back(i);
    }
  }
}

std::vector<const ::onnx::ValueInfoProto*> GraphView::Inputs() const
{
  std::vector<const ::onnx::ValueInfoProto*> inputs;
  for (const ::onnx::ValueInfoProto& input : graph.input())
    if (tensors.count(input.name()) == 0 &&
        (!Consumers(input.name()).empty() || input.name() == target))
      inputs.push_back(&input);
  return inputs;
}

const std::vector<int>& GraphView::Consumers(const std::string& value) const
{
  const auto found = consumers.find(value);
  return found == consumers.end() ? nobody : found->second;
}

int GraphView::FirstTaker(const std::string& value) const
{
  if (Consumers(value).empty())
    throw ImportError("Import(): the output " + Quoted(target) +
        " is the input " + Quoted(value) + ".");
  return Consumers(value).front();
}

const Node* GraphView::Producer(const std::string& value) const
{
  const auto found = producers.find(value);
  return found == producers.end() ? nullptr : &graph.node(found->second);
}

GraphView::Stored GraphView::FindTensor(const std::string& value) const
{
  Stored stored;
  std::string name = value;
  for (int step = 0; step < 64; ++step)
  {
    const auto found = tensors.find(name);
    if (found != tensors.end())
    {
      stored.tensor = found->second;
      return stored;
    }
    const Node* node = Producer(name);
    if (!node)
      return Stored();
    if (node->op_type() == "Reshape" && node->input_size() == 2 &&
        !stored.reshape && !stored.transposed)
      stored.reshape = node;
    else if (!PassesConstants(*node))
    {
      stored.tensor = ConstantTensor(*node);
      return stored.tensor ? stored : Stored();
    }
    else if (node->op_type() == "Transpose")
    {
      if (!ExchangesTwoAxes(*node) || stored.reshape)
        return Stored();
      stored.transposed = !stored.transposed;
    }
    name = node->input(0);
  }
  return Stored();
}

bool GraphView::IsConstant(const std::string& value) const
{
  return FindTensor(value).tensor != nullptr;
}

bool GraphView::IsSmall(const std::string& value, const int64_t size) const
{
  const ::onnx::TensorProto* tensor = FindTensor(value).tensor;
  int64_t left = size;
  for (int i = 0; tensor && i < tensor->dims_size(); ++i)
    left = tensor->dims(i) > 0 ? left / tensor->dims(i) : 0;
  return tensor && left > 0;
}

bool GraphView::IsFalse(const std::string& value) const
{
  const ::onnx::TensorProto* tensor = FindTensor(value).tensor;
  return tensor && tensor->data_type() == ::onnx::TensorProto::BOOL &&
      (tensor->raw_data() == std::string(1, '\0') ||
          (tensor->int32_data_size() == 1 && tensor->int32_data(0) == 0));
}

Constant GraphView::GetConstant(const std::string& value) const
{
  const Stored stored = FindTensor(value);
  if (!stored.tensor)
    throw ImportError("Import(): " + Quoted(value) +
        " must be stored in the "
        "file, but is computed.");
  Constant constant = ReadTensor(*stored.tensor, value, options);
  if (stored.reshape)
  {
    const std::string& sizes = stored.reshape->input(1);
    if (!IsSmall(sizes, maxAxes) || FindTensor(sizes).reshape)
      Refuse(*stored.reshape, "must reshape to stored sizes");
    Reshape(*stored.reshape, GetConstant(sizes), constant);
  }
  if (stored.transposed && constant.shape.size() == 2)
    return Transpose(constant);
  if (stored.transposed && constant.shape.size() > 2)
    throw ImportError("Import(): tensor " + Quoted(value) +
        " is transposed, "
        "but has " +
        std::to_string(constant.shape.size()) + " axes.");
  return constant;
}

std::string GraphView::Describe(const Node& node)
{
  const std::string name = !node.name().empty() ? node.name() :
      node.output_size() > 0                    ? node.output(0) :
                                                  "";
  const std::string op = Quoted(node.op_type());
  return "node " + Quoted(name) + " (" +
      (node.op_type().empty() ? "no operator" : op.substr(1, op.size() - 2)) +
      ")";
}

void GraphView::Refuse(const Node& node, const std::string& why)
{
  throw ImportError("Import(): " + Describe(node) + " " + why + ".");
}

} // namespace onnx
} // namespace symvi
