/**
 * @file mutate_model.hpp
 *
 * Deterministic damage to models that leaves them valid protobuf messages: it
 * gets past the parser and into the reader.
 */
#ifndef SYMVI_TESTS_ONNX_FUZZ_MUTATE_MODEL_HPP
#define SYMVI_TESTS_ONNX_FUZZ_MUTATE_MODEL_HPP

#include "proto.hpp"

#include <symvi/kernel/random_stream.hpp>

namespace symvi {
namespace test {

//! A size that a file might claim.
inline int64_t RandomSize(RandomStream& stream)
{
  static const int64_t sizes[] = { 0, 1, 2, 3, 5, -1, 1 << 24, 1 << 30,
    int64_t(1) << 40, INT64_MAX, INT64_MIN };
  return sizes[stream.NextIndex(11)];
}

//! Names and operators that exist somewhere.
inline std::string RandomName(const ::onnx::GraphProto& graph,
    RandomStream& stream)
{
  const ::onnx::NodeProto& node = graph.node(
      int(stream.NextIndex(size_t(graph.node_size()))));
  if (node.input_size() > 0 && stream.NextIndex(2) == 0)
    return node.input(int(stream.NextIndex(size_t(node.input_size()))));
  return node.output_size() > 0 ? node.output(0) : "";
}

inline void MutateNode(::onnx::GraphProto& graph, RandomStream& stream)
{
  static const char* operators[] = { "Gemm", "MatMul", "Add", "Sub", "Mul",
    "Div", "Relu", "Exp", "Softmax", "Flatten", "Reshape", "Identity",
    "Transpose", "Constant", "Gelu", "Unsqueeze", "LeakyRelu", "", "Conv",
    "MaxPool", "AveragePool", "GlobalAveragePool", "BatchNormalization",
    "LayerNormalization", "Pad", "Gather", "Squeeze", "ReduceMean", "Shape",
    "Cast", "Dropout" };
  static const char* attributes[] = { "axis", "alpha", "pads", "strides",
    "kernel_shape", "ceil_mode", "group", "perm" };
  ::onnx::NodeProto& node = *graph.mutable_node(
      int(stream.NextIndex(size_t(graph.node_size()))));
  switch (stream.NextIndex(9))
  {
  case 0: node.set_op_type(operators[stream.NextIndex(31)]); break;
  case 1: node.add_input(RandomName(graph, stream)); break;
  case 2:
    if (node.input_size() > 0)
      node.set_input(int(stream.NextIndex(size_t(node.input_size()))),
          RandomName(graph, stream));
    break;
  case 3:
    if (node.input_size() > 0)
      node.mutable_input()->RemoveLast();
    break;
  case 4: node.clear_output(); break;
  case 5:
  {
    ::onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(attributes[stream.NextIndex(8)]);
    attribute.set_type(
        ::onnx::AttributeProto::AttributeType(1 + stream.NextIndex(7)));
    for (size_t n = stream.NextIndex(5); n > 0; --n)
      attribute.add_ints(RandomSize(stream));
    attribute.set_i(RandomSize(stream));
    attribute.set_f(float(RandomSize(stream)));
    break;
  }
  case 6: node.set_doc_string("symvi convolution: 2 2 1 1 0 0 0 0 0"); break;
  case 7:
    for (::onnx::AttributeProto& attribute : *node.mutable_attribute())
      if (attribute.ints_size() > 0)
        attribute.set_ints(int(stream.NextIndex(size_t(attribute.ints_size()))),
            RandomSize(stream));
    break;
  default: *graph.add_node() = node;
  }
}

inline void MutateTensor(::onnx::GraphProto& graph, RandomStream& stream)
{
  ::onnx::TensorProto& tensor = *graph.mutable_initializer(
      int(stream.NextIndex(size_t(graph.initializer_size()))));
  switch (stream.NextIndex(5))
  {
  case 0:
    if (tensor.dims_size() > 0)
      tensor.set_dims(int(stream.NextIndex(size_t(tensor.dims_size()))),
          RandomSize(stream));
    break;
  case 1: tensor.add_dims(RandomSize(stream)); break;
  case 2: tensor.set_data_type(int(stream.NextIndex(18))); break;
  case 3: tensor.mutable_raw_data()->resize(stream.NextIndex(64)); break;
  default: tensor.set_name(RandomName(graph, stream));
  }
}

inline void MutateShell(::onnx::ModelProto& model, RandomStream& stream)
{
  ::onnx::GraphProto& graph = *model.mutable_graph();
  switch (stream.NextIndex(4))
  {
  case 0:
    if (model.metadata_props_size() > 0)
      model
          .mutable_metadata_props(
              int(stream.NextIndex(size_t(model.metadata_props_size()))))
          ->set_value(RandomName(graph, stream));
    break;
  case 1:
    if (graph.output_size() > 0)
      graph.mutable_output(0)->set_name(RandomName(graph, stream));
    break;
  case 2:
    if (graph.input_size() > 0)
      graph.mutable_input(0)
          ->mutable_type()
          ->mutable_tensor_type()
          ->mutable_shape()
          ->add_dim()
          ->set_dim_value(RandomSize(stream));
    break;
  default: model.clear_metadata_props();
  }
}

//! One to four changes of a model.
inline void MutateModel(::onnx::ModelProto& model, RandomStream& stream)
{
  ::onnx::GraphProto& graph = *model.mutable_graph();
  for (size_t n = 1 + stream.NextIndex(4); n > 0; --n)
  {
    const size_t what = stream.NextIndex(8);
    if (what < 4 && graph.node_size() > 0)
      MutateNode(graph, stream);
    else if (what < 7 && graph.initializer_size() > 0 && graph.node_size() > 0)
      MutateTensor(graph, stream);
    else if (graph.node_size() > 0)
      MutateShell(model, stream);
  }
}

} // namespace test
} // namespace symvi

#endif
