/**
 * @file src/onnx/graph_builder.hpp
 *
 * Writes the nodes and tensors of an ONNX graph, one call each.
 */
#ifndef SYMVI_SRC_ONNX_GRAPH_BUILDER_HPP
#define SYMVI_SRC_ONNX_GRAPH_BUILDER_HPP

#include "proto.hpp"

#include <symvi/onnx/network_description.hpp>

#include <initializer_list>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace symvi {
namespace onnx {

//! A node's attribute: integer, number or list of integers.
using Attribute =
    std::pair<const char*, std::variant<int64_t, float, std::vector<int64_t>>>;

//! One axis: a size, or (first empty) a name for a size known at run time.
struct Axis
{
  Axis(const char* name) : name(name) { }
  Axis(const size_t size) : size(size) { }
  std::string name;
  size_t size = 0;
};

//! Values of the graph are their names; every node is named as its output is.
class GraphBuilder
{
 public:
  GraphBuilder(::onnx::GraphProto& graph, ElementKind element);

  //! Declare an input or output of the element type.
  void Input(const std::string& name, const std::vector<Axis>& shape);
  void Output(const std::string& name, const std::vector<Axis>& shape);
  //! Declare an integer input.
  void IntegerInput(const std::string& name, const std::vector<Axis>& shape);

  //! A tensor of the element type, from `data` in row-major order.
  std::string Tensor(const std::string& name, const std::vector<size_t>& shape,
      const double* data);
  //! A number, a vector, a list of integers.
  std::string Scalar(const std::string& name, double value);
  std::string Vector(const std::string& name, const arma::vec& values);
  std::string Integers(const std::string& name,
      const std::vector<int64_t>& values);
  //! Integers in row-major order.
  std::string Integers(const std::string& name,
      const std::vector<int64_t>& values, const std::vector<size_t>& shape);

  //! Add a node with one output, whose name is returned.
  std::string Node(const std::string& name, const std::string& op,
      const std::vector<std::string>& inputs,
      std::initializer_list<Attribute> attributes = {});
  //! Add a node with several outputs.
  void Node(const std::vector<std::string>& outputs, const std::string& op,
      const std::vector<std::string>& inputs,
      std::initializer_list<Attribute> attributes = {});

  //! Give the last node a note for the reader.
  void Note(const std::string& text);

  ElementKind Element() const { return element; }

 private:
  void Declare(::onnx::ValueInfoProto& value, const std::string& name, int type,
      const std::vector<Axis>& shape);
  int ElementCode() const;

  ::onnx::GraphProto& graph;
  ElementKind element;
};

} // namespace onnx
} // namespace symvi

#endif
