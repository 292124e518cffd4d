/**
 * @file model_builder.hpp
 *
 * ONNX models as other programs write them.
 */
#ifndef SYMVI_TESTS_ONNX_MODEL_BUILDER_HPP
#define SYMVI_TESTS_ONNX_MODEL_BUILDER_HPP

#include "graph_builder.hpp"

namespace symvi {
namespace test {

//! A model with one input x, N x features, and one output y.
struct ModelBuilder
{
  explicit ModelBuilder(const size_t features = 3,
      const ElementKind element = ElementKind::Float,
      const int64_t opset = 13) :
      graph(*model.mutable_graph()),
      build(graph, element)
  {
    model.set_ir_version(7);
    model.set_producer_name("test");
    ::onnx::OperatorSetIdProto* set = model.add_opset_import();
    set->set_domain("");
    set->set_version(opset);
    graph.set_name("test");
    if (features > 0)
      build.Input("x", { "N", features });
  }

  //! A tensor with the numbers 1, 2, 3 ... divided by 8.
  std::string Numbers(const std::string& name, const std::vector<size_t>& shape)
  {
    size_t n = 1;
    for (const size_t size : shape)
      n *= size;
    std::vector<double> data(n);
    for (size_t i = 0; i < n; ++i)
      data[i] = double(i + 1) / 8.0;
    return build.Tensor(name, shape, data.data());
  }

  //! A layer of the given size, from `value` (x is N x 3).
  std::string Dense(const std::string& name, const std::string& value,
      const size_t in, const size_t out)
  {
    return build.Node(name, "Gemm",
        { value, Numbers(name + ".w", { in, out }),
            Numbers(name + ".b", { out }) });
  }

  //! The bytes, with `value` as the output.
  std::string Bytes(const std::string& value)
  {
    if (graph.output_size() == 0)
      build.Output(value, { "N", size_t(2) });
    return model.SerializeAsString();
  }

  ::onnx::ModelProto model;
  ::onnx::GraphProto& graph;
  onnx::GraphBuilder build;
};

} // namespace test
} // namespace symvi

#endif
