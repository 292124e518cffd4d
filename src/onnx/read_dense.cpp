#include "read_layers.hpp"

#include "quoted.hpp"

#include <algorithm>

namespace symvi {
namespace onnx {

using Node = ::onnx::NodeProto;

namespace {

arma::vec ToVector(const Constant& constant)
{
  return arma::vec(constant.data);
}

//! Row-major in x out is column-major out x in; else the rows are outputs.
arma::mat ToWeights(const Constant& c, const bool transposed)
{
  const arma::mat m(c.data.data(), c.shape[1], c.shape[0]);
  return transposed ? arma::mat(m.t()) : m;
}

//! One number for all, or one for each.
arma::vec Expand(const arma::vec& v, const size_t size)
{
  return v.n_elem == size ? v : arma::vec(size, arma::fill::value(v[0]));
}

} // namespace

void LayerReader::RequireFlat(const Node& node) const
{
  for (size_t i = 0; i + 1 < axes.size(); ++i)
    if (axes[i] != 1)
      GraphView::Refuse(node,
          "takes points with " + std::to_string(axes.size()) +
              " axes, which must be flattened first");
}

void LayerReader::AddDense(const Node& node, Parameter weight,
    const bool transposed)
{
  RequireFlat(node);
  const std::vector<size_t>& shape = weight.mean.shape;
  if (shape.size() == 3)
    GraphView::Refuse(node,
        "has " + std::to_string(shape[0]) +
            " sets of "
            "weights: an ensemble holds draws, not the posterior they come from");
  if (shape.size() != 2)
    GraphView::Refuse(node,
        "must have a weight matrix, but its weights have " +
            std::to_string(shape.size()) + " axes");
  const size_t in = shape[transposed ? 1 : 0];
  if (Features() != 0 && Features() != in)
    GraphView::Refuse(node,
        "takes " + std::to_string(in) +
            " numbers, but "
            "there are " +
            std::to_string(Features()));
  RequireElement(weight.mean);

  LayerDescription layer;
  layer.weight = ToWeights(weight.mean, transposed);
  if (weight.IsBayesian())
  {
    RequireElement(weight.sigma);
    layer.weightSigma = ToWeights(weight.sigma, transposed);
  }
  if (Features() == 0 || !extent.isImage)
  {
    extent = Extent();
    extent.maps = in;
  }
  if (mapsLast)
  {
    arma::uvec order(in);
    for (size_t i = 0; i < in; ++i)
      order[MapsFirst(i)] = i;
    layer.weight = layer.weight.cols(order);
    if (layer.IsBayesian())
      layer.weightSigma = layer.weightSigma.cols(order);
    mapsLast = false;
  }
  Push(node, std::move(layer));
  axes.back() = extent.maps;
  value = node.output(0);
}

void LayerReader::SetBias(const Node& node, const Parameter& bias,
    const double scale)
{
  LayerDescription& layer = result.layers.back();
  const bool dense = layer.kind == LayerKind::Dense;
  if (activated || !layer.bias.is_empty() ||
      (!dense && layer.kind != LayerKind::Convolution))
    GraphView::Refuse(node,
        "adds to a value that is not W x: only one bias, "
        "right after the product, is supported");
  const size_t size = bias.mean.data.size();
  const std::vector<size_t> sizes = Aligned(node, bias.mean);
  // The axis of the maps: the last one of dense layers.
  const size_t along = dense || mapsLast ? axes.size() : 1;
  bool fits = size == 1 || size == layer.weight.n_rows;
  for (size_t i = 0; i < sizes.size(); ++i)
    fits = fits && (i == along || sizes[i] == 1);
  if (!fits)
    GraphView::Refuse(node,
        "must add one number to each of " +
            std::to_string(layer.weight.n_rows) +
            " outputs, but adds a tensor "
            "with " +
            std::to_string(size) + " numbers");
  if (bias.IsBayesian() != layer.IsBayesian())
    GraphView::Refuse(node,
        "adds a bias that is " + std::string(bias.IsBayesian() ? "" : "not ") +
            "drawn, unlike the weights");
  RequireElement(bias.mean);
  layer.bias = scale * Expand(ToVector(bias.mean), layer.weight.n_rows);
  if (bias.IsBayesian())
    layer.biasSigma = Expand(ToVector(bias.sigma), layer.weight.n_rows);
}

void LayerReader::Gemm(const Node& node)
{
  const int inputs = node.input_size();
  if (inputs < 2 || inputs > 3 || node.input(0) != value)
    GraphView::Refuse(node, "must multiply the value by stored weights");
  if (IntegerAttribute(node, "transA", 0) != 0)
    GraphView::Refuse(node, "transposes the value, which is not supported");
  const double alpha = NumberAttribute(node, "alpha", 1.0);
  const double beta = NumberAttribute(node, "beta", 1.0);

  AddDense(node, GetParameter(node, node.input(1)),
      IntegerAttribute(node, "transB", 0) != 0);
  if (alpha != 1.0)
    result.layers.back().weight *= alpha;
  if (inputs == 3 && !node.input(2).empty() && beta != 0.0)
    SetBias(node, GetParameter(node, node.input(2)), beta);
}

void LayerReader::MatMul(const Node& node)
{
  // W x, for a vector, or x W.
  const bool fromLeft = isVector && node.input_size() == 2 &&
      node.input(1) == value;
  if (node.input_size() != 2 || node.input(fromLeft ? 1 : 0) != value ||
      node.input(0) == node.input(1))
    GraphView::Refuse(node,
        "must multiply the value, from its right, by "
        "stored weights");
  AddDense(node, GetParameter(node, node.input(fromLeft ? 0 : 1)), fromLeft);
}

void LayerReader::Add(const Node& node)
{
  if (result.layers.empty())
  {
    Shift(node, Operand(node), -1.0);
    return;
  }
  if (node.input_size() != 2 || node.input(0) == node.input(1))
    GraphView::Refuse(node, "must add a stored bias");
  SetBias(node, GetParameter(node, node.input(node.input(0) == value ? 1 : 0)),
      1.0);
  value = node.output(0);
}

void LayerReader::Sub(const Node& node)
{
  if (!result.layers.empty() || node.input_size() != 2 ||
      node.input(0) != value)
    GraphView::Refuse(node,
        "is supported only to subtract constants from the "
        "network's input");
  Shift(node, Operand(node), 1.0);
}

void LayerReader::MulOrDiv(const Node& node)
{
  const bool divide = node.op_type() == "Div";
  if (divide && (node.input_size() != 2 || node.input(0) != value))
    GraphView::Refuse(node, "must divide the value by a constant");
  Scale(node, Operand(node), divide);
}

// The standardised input is (x - shift) / scale.  Both start empty, as 0 and 1,
// so that a plain Sub and Div keep their constants bit for bit.

void LayerReader::Shift(const Node& node, const Constant& constant,
    const double sign)
{
  RequireElement(constant);
  arma::vec by = sign * Spread(node, constant);
  const size_t size = std::max({ by.n_elem, shift.n_elem, scale.n_elem });
  for (const arma::vec* v : { &by, &shift, &scale })
    if (v->n_elem > 1 && v->n_elem != size)
      GraphView::Refuse(node, "must have one constant for each feature");
  if (!scale.is_empty())
    by = Expand(by, size) % Expand(scale, size);
  shift = shift.is_empty() ? by :
                             arma::vec(Expand(shift, size) + Expand(by, size));
  value = node.output(0);
}

void LayerReader::Scale(const Node& node, const Constant& constant,
    const bool divide)
{
  RequireElement(constant);
  const arma::vec given = Spread(node, constant);
  const arma::vec by = divide ? given : arma::vec(1.0 / given);
  if (!by.is_finite() || by.min() <= 0.0)
    GraphView::Refuse(node, "must scale each feature by a positive number");
  const size_t size = std::max(by.n_elem, scale.n_elem);
  for (const arma::vec* v : { &by, static_cast<const arma::vec*>(&scale) })
    if (v->n_elem > 1 && v->n_elem != size)
      GraphView::Refuse(node, "must have one constant for each feature");
  scale = scale.is_empty() ? by :
                             arma::vec(Expand(scale, size) % Expand(by, size));
  value = node.output(0);
}

void LayerReader::FinishStandardisation()
{
  if (shift.is_empty() && scale.is_empty())
    return;
  const size_t size = result.InSize();
  if (result.input.isImage && size > maxSpread)
    throw ImportError(
        "Import(): images whose pixels are standardised must have "
        "at most " +
        std::to_string(maxSpread) + " numbers, but have " +
        std::to_string(size) + ".");
  for (const arma::vec* v : { &shift, &scale })
    if (v->n_elem > 1 && v->n_elem != size)
      throw ImportError("Import(): the input has " + std::to_string(size) +
          " features, but is standardised with " + std::to_string(v->n_elem) +
          " constants.");
  result.inputMean = shift.is_empty() ? arma::vec(size, arma::fill::zeros) :
                                        Expand(shift, size);
  result.inputScale = scale.is_empty() ? arma::vec(size, arma::fill::ones) :
                                         Expand(scale, size);
}

} // namespace onnx
} // namespace symvi
