/**
 * @file src/onnx/graph_view.hpp
 *
 * An ONNX graph as its reader wants it: who makes and who takes a value.
 */
#ifndef SYMVI_SRC_ONNX_GRAPH_VIEW_HPP
#define SYMVI_SRC_ONNX_GRAPH_VIEW_HPP

#include "read_tensor.hpp"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace symvi {
namespace onnx {

/**
 * Only nodes on the way from an input to one value, the target, are seen.  The
 * constructor refuses graphs in which a name is given twice or a value is used
 * before it is made.
 */
class GraphView
{
 public:
  using Node = ::onnx::NodeProto;

  /**
   * @param graph Graph, which must live longer than the view.
   * @param target Value to compute.
   * @param options Limits for constants.
   */
  GraphView(const ::onnx::GraphProto& graph, const std::string& target,
      const ImportOptions& options);

  const std::string& Target() const { return target; }

  //! Inputs without a stored value that the target depends on.
  std::vector<const ::onnx::ValueInfoProto*> Inputs() const;

  //! Positions of the nodes that take the value, in order.
  const std::vector<int>& Consumers(const std::string& value) const;
  //! Position of the first node that takes the value; ImportError where there
  //! is none.
  int FirstTaker(const std::string& value) const;
  const Node& At(const int index) const { return graph.node(index); }
  int Size() const { return graph.node_size(); }
  //! Whether the target depends on the node at this position.
  bool IsNeeded(const int index) const { return needed[size_t(index)]; }

  //! The node that makes the value, or nullptr.
  const Node* Producer(const std::string& value) const;

  //! Whether the value is stored: an initialiser, a Constant node, or one of
  //! those behind Identity, Transpose and Reshape.
  bool IsConstant(const std::string& value) const;
  //! Whether the stored value claims to have at most so many numbers; costs
  //! nothing, however large the tensor.
  bool IsSmall(const std::string& value, int64_t size) const;
  //! Whether the stored value is a false truth value.
  bool IsFalse(const std::string& value) const;
  //! The stored value; ImportError where there is none or it is unusable.
  Constant GetConstant(const std::string& value) const;

  //! "node 'name' (operator)".
  static std::string Describe(const Node& node);
  //! Throws an ImportError that names the node.
  [[noreturn]] static void Refuse(const Node& node, const std::string& why);

 private:
  void CheckOrder() const;
  void IndexTensors();
  void IndexNodes();
  //! A stored tensor, and how the graph changes it.
  struct Stored
  {
    const ::onnx::TensorProto* tensor = nullptr;
    bool transposed = false;       //!< By an odd number of Transposes.
    const Node* reshape = nullptr; //!< By a Reshape to stored sizes.
  };
  //! The initialiser or Constant node behind Identity and Transpose nodes, or
  //! behind one Reshape.
  Stored FindTensor(const std::string& value) const;

  const ::onnx::GraphProto& graph;
  std::string target;
  ImportOptions options;
  std::unordered_map<std::string, const ::onnx::TensorProto*> tensors;
  std::unordered_map<std::string, int> producers;
  std::unordered_map<std::string, std::vector<int>> consumers;
  std::vector<bool> needed;
};

//! An attribute of a node, or the default; ImportError where it has another
//! type.
int64_t IntegerAttribute(const ::onnx::NodeProto& node, const std::string& name,
    int64_t otherwise);
double NumberAttribute(const ::onnx::NodeProto& node, const std::string& name,
    double otherwise);
std::vector<int64_t> IntegersAttribute(const ::onnx::NodeProto& node,
    const std::string& name, const std::vector<int64_t>& otherwise);
std::string TextAttribute(const ::onnx::NodeProto& node,
    const std::string& name, const std::string& otherwise);

} // namespace onnx
} // namespace symvi

#endif
