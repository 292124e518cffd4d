/**
 * @file src/onnx/read_layers.hpp
 *
 * Follows a value through a graph and notes the layers that it passes.
 */
#ifndef SYMVI_SRC_ONNX_READ_LAYERS_HPP
#define SYMVI_SRC_ONNX_READ_LAYERS_HPP

#include "graph_view.hpp"

#include <limits>

namespace symvi {
namespace onnx {

//! Stands for the size of the batch among sizes that a graph computes.
constexpr int64_t batchSize = std::numeric_limits<int64_t>::min();

//! Most numbers of an image whose standardisation is written out.
constexpr size_t maxSpread = size_t(1) << 20;

//! Reads the layers between an input and the view's target.
class LayerReader
{
 public:
  /**
   * @param graph Graph to read.
   * @param input The input to start from.
   * @param posterior Whether weights may be mu + sigma % eps, on stacks of
   *     draws (symvi's own modes other than mean).
   * @param opset Version of the operators.
   * @param options Limits and choices.
   */
  LayerReader(const GraphView& graph, const ::onnx::ValueInfoProto& input,
      bool posterior, int64_t opset, const ImportOptions& options);

  //! Walk from the input to the target.
  NetworkDescription Read();

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
  //! The nodes that take the value, but for those that ask for its sizes.
  std::vector<int> Takers() const;

  // One method for each kind of operator; all move `value` on.
  void Gemm(const Node& node);
  void MatMul(const Node& node);
  void Add(const Node& node);
  void Sub(const Node& node);
  void MulOrDiv(const Node& node);
  void Conv(const Node& node);
  void Pool(const Node& node);
  void GlobalPool(const Node& node);
  void ReduceMean(const Node& node);
  void Pad(const Node& node);
  void BatchNormalization(const Node& node);
  void LayerNormalization(const Node& node);
  void Activate(const Node& node);
  void Gelu(const Node& node);
  void Probabilities(const Node& node);
  void Flatten(const Node& node);
  void Reshape(const Node& node);
  void Transpose(const Node& node);
  void Squeeze(const Node& node);
  void Identity(const Node& node);
  void Dropout(const Node& node);
  void Cast(const Node& node);
  void Unsqueeze(const Node& node);

  // What symvi writes for layers without an operator: see Flow.
  bool ReadOwnForm(const Node& node);
  void OwnWindows(const Node& node);
  void OwnNorm(const Node& node);
  //! The one node that takes the value; it must be of that kind.
  const Node& Next(const Node& node, const std::string& op);
  //! A column of stored numbers, one for each of a layer's.
  arma::vec Column(const Node& node, int input, size_t size);

  Parameter GetParameter(const Node& node, const std::string& name) const;
  //! The other operand of a node with two, which must be stored.
  Constant Operand(const Node& node) const;
  //! What a layer would give here; refuses one that does not fit.
  Extent OutputOf(const Node& node, const LayerDescription& layer) const;
  //! Add a layer to the network, if it fits.
  void Push(const Node& node, LayerDescription layer);
  void AddDense(const Node& node, Parameter weight, bool transposed);
  void SetBias(const Node& node, const Parameter& bias, double scale);
  void SetActivation(const Node& node, Activation activation, double alpha);
  void RequireFlat(const Node& node) const;
  //! The shape of the value, which must be an image.
  const Extent& RequireImage(const Node& node) const;
  void RequireElement(const Constant& constant);
  Window ReadWindow(const Node& node) const;
  //! Zeros around the image where they do not change what follows.
  void PushPadding(const Node& node, Window& window);

  //! Numbers in one point; 0: not known yet.
  size_t Features() const;
  //! Take new axes of the same numbers.
  void SetAxes(const Node& node, const std::vector<size_t>& sizes);
  //! Sizes in the graph: batchSize for that of the batch.
  std::vector<int64_t> Sizes(const Node& node, const std::string& name,
      int depth) const;
  //! Sizes of a constant along the axes of the value, the batch's first.
  std::vector<size_t> Aligned(const Node& node, const Constant& constant) const;
  //! One number for all, or one for each in mlpack's order.
  arma::vec Spread(const Node& node, const Constant& constant) const;
  //! Where mlpack has number i of an image whose maps are the last axis.
  size_t MapsFirst(size_t i) const;

  //! Add a constant to the input, or scale it, before the first layer.
  void Shift(const Node& node, const Constant& constant, double sign);
  void Scale(const Node& node, const Constant& constant, bool divide);
  void FinishStandardisation();
  void Finish(const Node& node);

  const GraphView& graph;
  const bool posterior;
  const int64_t opset;
  const ImportOptions options;
  NetworkDescription result;
  std::string value;
  std::vector<size_t> axes; //!< Sizes but for the batch's; 0: not known.
  size_t batch = 0;         //!< Size of the batch; 0: any.
  bool isVector = false;    //!< There is no axis of the batch.
  bool mapsLast = false;    //!< The axes are height, width, maps.
  Extent extent;            //!< What a point is to mlpack.
  //! Axes of the values that were passed.
  std::unordered_map<std::string, std::vector<size_t>> passed;
  mutable size_t sizeSteps = 0; //!< Nodes that computed sizes.
  bool activated = false;       //!< The last layer has its activation.
  bool finished = false; //!< Probabilities were made: nothing may follow.
  int element = 0;       //!< ONNX's code of the element type; 0: not known.
  size_t parameters = 0; //!< Numbers read so far.
  arma::vec shift;       //!< Of the input, one number or one a feature.
  arma::vec scale;
};

} // namespace onnx
} // namespace symvi

#endif
