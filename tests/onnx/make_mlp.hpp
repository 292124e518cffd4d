/**
 * @file make_mlp.hpp
 *
 * Random networks for the tests, and what they compute, in plain Armadillo.
 */
#ifndef SYMVI_TESTS_ONNX_MAKE_MLP_HPP
#define SYMVI_TESTS_ONNX_MAKE_MLP_HPP

#include <symvi/kernel/random_stream.hpp>
#include <symvi/onnx/network_description.hpp>

#include <cmath>

namespace symvi {
namespace test {

//! Standard normal numbers times a scale, rounded to the element type.
inline arma::mat Normal(RandomStream& stream, const size_t rows,
    const size_t cols, const double scale, const ElementKind element)
{
  arma::mat m(rows, cols);
  stream.FillNormal(m.memptr(), m.n_elem);
  m *= scale;
  if (element == ElementKind::Float)
    m = arma::conv_to<arma::mat>::from(arma::conv_to<arma::fmat>::from(m));
  return m;
}

//! A Bayesian network of the given layer sizes and hidden activation.
inline NetworkDescription MakeMlp(const std::vector<size_t>& sizes,
    const Activation activation, const ElementKind element, const uint64_t seed)
{
  RandomStream stream(seed);
  NetworkDescription d;
  d.element = element;
  for (size_t l = 0; l + 1 < sizes.size(); ++l)
  {
    const double scale = 1.0 / std::sqrt(double(sizes[l]));
    LayerDescription layer;
    layer.weight = Normal(stream, sizes[l + 1], sizes[l], scale, element);
    layer.bias = Normal(stream, sizes[l + 1], 1, 0.3, element);
    layer.weightSigma = arma::abs(
        Normal(stream, sizes[l + 1], sizes[l], 0.2, element));
    layer.biasSigma = arma::abs(Normal(stream, sizes[l + 1], 1, 0.2, element));
    if (l + 2 < sizes.size())
    {
      layer.activation = activation;
      if (activation == Activation::LeakyReLU)
        layer.alpha = 0.03;
      if (activation == Activation::ELU)
        layer.alpha = 0.7;
    }
    d.layers.push_back(layer);
  }
  return d;
}

//! A convolution of the given window, from a number of maps to another.
inline LayerDescription MakeConvolution(RandomStream& stream,
    const Window& window, const size_t from, const size_t to,
    const ElementKind element)
{
  LayerDescription layer;
  layer.kind = LayerKind::Convolution;
  layer.window = window;
  const size_t patch = window.width * window.height * from;
  layer.weight = Normal(stream, to, patch, 0.4, element);
  layer.bias = Normal(stream, to, 1, 0.3, element);
  layer.weightSigma = arma::abs(Normal(stream, to, patch, 0.1, element));
  layer.biasSigma = arma::abs(Normal(stream, to, 1, 0.1, element));
  layer.activation = Activation::ReLU;
  return layer;
}

//! A layer of windows without weights.
inline LayerDescription MakeWindows(const LayerKind kind, const Window& window)
{
  LayerDescription layer;
  layer.kind = kind;
  layer.window = window;
  return layer;
}

//! A norm of n numbers; a batch norm has statistics, too.
inline LayerDescription MakeNorm(RandomStream& stream, const LayerKind kind,
    const size_t n, const ElementKind element)
{
  LayerDescription layer;
  layer.kind = kind;
  layer.weight = Normal(stream, n, 1, 1.0, element);
  layer.bias = Normal(stream, n, 1, 1.0, element);
  layer.epsilon = 0.125;
  if (kind == LayerKind::BatchNorm)
  {
    layer.mean = Normal(stream, n, 1, 1.0, element);
    layer.variance = arma::square(Normal(stream, n, 1, 1.0, element));
    layer.variance = arma::conv_to<arma::vec>::from(
        arma::conv_to<arma::fvec>::from(layer.variance));
  }
  return layer;
}

//! A Bayesian network that takes images of 6 x 5 pixels in two maps.
inline NetworkDescription MakeImageNetwork(const ElementKind element,
    const uint64_t seed, const bool norms = true)
{
  RandomStream stream(seed);
  NetworkDescription d = MakeMlp({ 16, 4, 3 }, Activation::TanH, element, seed);
  d.input = { 6, 5, 2, true };
  d.output = OutputKind::Softmax;
  std::vector<LayerDescription> images;
  // 7 x 6 x 3, 4 x 3 x 3, 5 x 4 x 3, 4 x 2 x 2
  images.push_back(
      MakeConvolution(stream, { 2, 3, 1, 1, 1, 1, 2, 1 }, 2, 3, element));
  if (norms)
    images.push_back(MakeNorm(stream, LayerKind::BatchNorm, 3, element));
  images.push_back(
      MakeWindows(LayerKind::MaxPooling, { 2, 3, 2, 2, 0, 0, 0, 0, true }));
  images.push_back(MakeWindows(LayerKind::Padding, { 1, 1, 1, 1, 1, 0, 0, 1 }));
  images.push_back(MakeConvolution(stream, { 2, 2, 1, 2 }, 3, 2, element));
  images.back().bias.reset();
  images.back().biasSigma.reset();
  images.push_back(MakeWindows(LayerKind::MeanPooling, { 1, 1, 1, 1 }));
  if (norms)
    images.push_back(MakeNorm(stream, LayerKind::LayerNorm, 16, element));
  d.layers.insert(d.layers.begin(), images.begin(), images.end());
  return d;
}

//! Gives the network a standardised input.
inline void Standardise(NetworkDescription& d, const uint64_t seed)
{
  RandomStream stream(seed);
  d.inputMean = Normal(stream, d.InSize(), 1, 1.0, d.element);
  d.inputScale = 0.5 + arma::abs(Normal(stream, d.InSize(), 1, 1.0, d.element));
  if (d.element == ElementKind::Float)
    d.inputScale = arma::conv_to<arma::vec>::from(
        arma::conv_to<arma::fvec>::from(d.inputScale));
}

inline arma::mat Softplus(const arma::mat& z)
{
  return arma::clamp(z, 0.0, arma::datum::inf) +
      arma::log1p(arma::exp(-arma::abs(z)));
}

inline arma::mat Activate(const arma::mat& z, const LayerDescription& layer)
{
  switch (layer.activation)
  {
  case Activation::ReLU: return arma::clamp(z, 0.0, arma::datum::inf);
  case Activation::TanH: return arma::tanh(z);
  case Activation::Sigmoid: return 1.0 / (1.0 + arma::exp(-z));
  case Activation::LeakyReLU: return arma::max(z, layer.alpha * z);
  case Activation::ELU:
    return arma::clamp(z, 0.0, arma::datum::inf) +
        layer.alpha * arma::expm1(arma::clamp(z, -arma::datum::inf, 0.0));
  case Activation::Softplus: return Softplus(z);
  case Activation::GELU:
    return 0.5 * z %
        (1.0 +
            arma::tanh(
                std::sqrt(2.0 / M_PI) * (z + 0.044715 * arma::pow(z, 3.0))));
  default: return z;
  }
}

//! The last layer's output at the mean weights, one column for each of X.
inline arma::mat Forward(const NetworkDescription& d, const arma::mat& X)
{
  arma::mat h = X;
  if (!d.inputMean.is_empty())
  {
    h.each_col() -= d.inputMean;
    h.each_col() /= d.inputScale;
  }
  for (const LayerDescription& layer : d.layers)
  {
    arma::mat z = layer.weight * h;
    if (!layer.bias.is_empty())
      z.each_col() += layer.bias;
    h = Activate(z, layer);
  }
  return h;
}

//! softmax of every column.
inline arma::mat Softmax(const arma::mat& z)
{
  arma::mat p = arma::exp(z.each_row() - arma::max(z, 0));
  p.each_row() /= arma::sum(p, 0);
  return p;
}

} // namespace test
} // namespace symvi

#endif
