/**
 * @file src/onnx/read_layers.hpp
 *
 * Follows a value through a graph and notes the layers that it passes.
 */
#ifndef SYMVI_SRC_ONNX_READ_LAYERS_HPP
#define SYMVI_SRC_ONNX_READ_LAYERS_HPP

#include "graph_view.hpp"

namespace symvi {
namespace onnx {

//! Reads the layers between an input and the view's target.
class LayerReader
{
 public:
  /**
   * @param graph Graph to read.
   * @param input The input to start from.
   * @param posterior Whether weights may be mu + sigma % eps, on stacks of
   *     draws (symvi's own modes other than mean).
   * @param options Limits and choices.
   */
  LayerReader(const GraphView& graph, const ::onnx::ValueInfoProto& input,
      bool posterior, const ImportOptions& options);

  //! Walk from the input to the target.
  MlpDescription Read();

 private:
  using Node = ::onnx::NodeProto;
  using Step = void (LayerReader::*)(const Node&);

  //! A weight or bias: points, or points and standard deviations.
  struct Parameter
  {
    Constant mean;
    Constant sigma; //!< No data where the parameter is points.
    bool IsBayesian() const { return !sigma.data.empty(); }
  };

  static const std::unordered_map<std::string, Step>& Steps();
  void Advance();

  // One method for each kind of operator; all move `value` on.
  void Gemm(const Node& node);
  void MatMul(const Node& node);
  void Add(const Node& node);
  void Sub(const Node& node);
  void MulOrDiv(const Node& node);
  void Activate(const Node& node);
  void Gelu(const Node& node);
  void Probabilities(const Node& node);
  void Flatten(const Node& node);
  void Reshape(const Node& node);
  void Identity(const Node& node);
  void Unsqueeze(const Node& node);

  Parameter GetParameter(const Node& node, const std::string& name) const;
  //! The other operand of a node with two, which must be stored.
  Constant Operand(const Node& node) const;
  void AddDense(const Node& node, Parameter weight, bool transposed);
  void SetBias(const Node& node, const Parameter& bias, double scale);
  void SetActivation(const Node& node, Activation activation, double alpha);
  void RequireFlat(const Node& node) const;
  void RequireElement(const Constant& constant);
  //! Add a constant to the input, or scale it, before the first layer.
  void Shift(const Node& node, const Constant& constant, double sign);
  void Scale(const Node& node, const Constant& constant, bool divide);
  void FinishStandardisation();
  void Finish(const Node& node);

  const GraphView& graph;
  const bool posterior;
  const ImportOptions options;
  MlpDescription result;
  std::string value;
  size_t rank = 2;        //!< Axes of the value, the batch's included.
  size_t features = 0;    //!< Numbers in one point; 0: not known yet.
  bool activated = false; //!< The last layer has its activation.
  bool finished = false;  //!< Probabilities were made: nothing may follow.
  int element = 0;        //!< ONNX's code of the element type; 0: not known.
  size_t parameters = 0;  //!< Numbers read so far.
  arma::vec shift;        //!< Of the input, one number or one a feature.
  arma::vec scale;
};

} // namespace onnx
} // namespace symvi

#endif
