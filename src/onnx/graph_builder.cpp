#include "graph_builder.hpp"

#include <cstring>

namespace symvi {
namespace onnx {

namespace {

//! Append numbers to a tensor's raw bytes as type T.
template<typename T>
void AppendRaw(std::string& raw, const double* data, const size_t n)
{
  const size_t start = raw.size();
  raw.resize(start + n * sizeof(T));
  for (size_t i = 0; i < n; ++i)
  {
    const T value = T(data[i]);
    std::memcpy(&raw[start + i * sizeof(T)], &value, sizeof(T));
  }
}

void SetAttribute(::onnx::AttributeProto& proto, const Attribute& attribute)
{
  proto.set_name(attribute.first);
  if (const int64_t* i = std::get_if<int64_t>(&attribute.second))
  {
    proto.set_type(::onnx::AttributeProto::INT);
    proto.set_i(*i);
  }
  else if (const float* f = std::get_if<float>(&attribute.second))
  {
    proto.set_type(::onnx::AttributeProto::FLOAT);
    proto.set_f(*f);
  }
  else
  {
    proto.set_type(::onnx::AttributeProto::INTS);
    for (const int64_t v : std::get<std::vector<int64_t>>(attribute.second))
      proto.add_ints(v);
  }
}

} // namespace

GraphBuilder::GraphBuilder(::onnx::GraphProto& graph,
    const ElementKind element) :
    graph(graph),
    element(element)
{ }

int GraphBuilder::ElementCode() const
{
  return element == ElementKind::Float ? ::onnx::TensorProto::FLOAT :
                                         ::onnx::TensorProto::DOUBLE;
}

void GraphBuilder::Declare(::onnx::ValueInfoProto& value,
    const std::string& name, const int type, const std::vector<Axis>& shape)
{
  value.set_name(name);
  ::onnx::TypeProto::Tensor* tensor =
      value.mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(type);
  ::onnx::TensorShapeProto* proto = tensor->mutable_shape();
  for (const Axis& axis : shape)
  {
    if (axis.name.empty())
      proto->add_dim()->set_dim_value(int64_t(axis.size));
    else
      proto->add_dim()->set_dim_param(axis.name);
  }
}

void GraphBuilder::Input(const std::string& name,
    const std::vector<Axis>& shape)
{
  Declare(*graph.add_input(), name, ElementCode(), shape);
}

void GraphBuilder::Output(const std::string& name,
    const std::vector<Axis>& shape)
{
  Declare(*graph.add_output(), name, ElementCode(), shape);
}

void GraphBuilder::IntegerInput(const std::string& name,
    const std::vector<Axis>& shape)
{
  Declare(*graph.add_input(), name, ::onnx::TensorProto::INT64, shape);
}

std::string GraphBuilder::Tensor(const std::string& name,
    const std::vector<size_t>& shape, const double* data)
{
  ::onnx::TensorProto* tensor = graph.add_initializer();
  tensor->set_name(name);
  tensor->set_data_type(ElementCode());
  size_t n = 1;
  for (const size_t size : shape)
  {
    tensor->add_dims(int64_t(size));
    n *= size;
  }
  if (element == ElementKind::Float)
    AppendRaw<float>(*tensor->mutable_raw_data(), data, n);
  else
    AppendRaw<double>(*tensor->mutable_raw_data(), data, n);
  return name;
}

std::string GraphBuilder::Scalar(const std::string& name, const double value)
{
  return Tensor(name, {}, &value);
}

std::string GraphBuilder::Vector(const std::string& name,
    const arma::vec& values)
{
  return Tensor(name, { values.n_elem }, values.memptr());
}

std::string GraphBuilder::Integers(const std::string& name,
    const std::vector<int64_t>& values)
{
  return Integers(name, values, { values.size() });
}

std::string GraphBuilder::Integers(const std::string& name,
    const std::vector<int64_t>& values, const std::vector<size_t>& shape)
{
  ::onnx::TensorProto* tensor = graph.add_initializer();
  tensor->set_name(name);
  tensor->set_data_type(::onnx::TensorProto::INT64);
  for (const size_t size : shape)
    tensor->add_dims(int64_t(size));
  for (const int64_t value : values)
    tensor->add_int64_data(value);
  return name;
}

std::string GraphBuilder::Node(const std::string& name, const std::string& op,
    const std::vector<std::string>& inputs,
    std::initializer_list<Attribute> attributes)
{
  Node(std::vector<std::string>{ name }, op, inputs, attributes);
  return name;
}

void GraphBuilder::Node(const std::vector<std::string>& outputs,
    const std::string& op, const std::vector<std::string>& inputs,
    std::initializer_list<Attribute> attributes)
{
  ::onnx::NodeProto* node = graph.add_node();
  node->set_name(outputs.front());
  node->set_op_type(op);
  for (const std::string& input : inputs)
    node->add_input(input);
  for (const std::string& output : outputs)
    node->add_output(output);
  for (const Attribute& attribute : attributes)
    SetAttribute(*node->add_attribute(), attribute);
}

void GraphBuilder::Note(const std::string& text)
{
  graph.mutable_node(graph.node_size() - 1)->set_doc_string(text);
}

} // namespace onnx
} // namespace symvi
