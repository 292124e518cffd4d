/**
 * @file src/model/convert.cpp
 */
#include <symvi/model/convert.hpp>
#include <symvi/require.hpp>

#include "kernel/softplus.hpp"

#include <symvi/network/layer_registry.hpp>

#include <cmath>
#include <tuple>

namespace symvi {
namespace convert {
namespace {

//! Whether the layer is an mlpack Linear (without bias: LinearNoBias) layer.
template<typename MatType>
bool IsLinear(const mlpack::Layer<MatType>& layer, bool& hasBias)
{
  const LayerRole role = RoleOf(layer);
  hasBias = (role == LayerRole::Linear);
  return hasBias || role == LayerRole::LinearNoBias;
}

//! Whether the likelihood applies this last layer itself.
template<typename MatType>
bool IsLink(const mlpack::Layer<MatType>& layer, const ClassLink link)
{
  const LayerRole role = RoleOf(layer);
  if (link == ClassLink::Softmax)
    return role == LayerRole::LogSoftmax || role == LayerRole::Softmax;
  return link == ClassLink::Sigmoid &&
      FunctionOf(layer).activation == Activation::Sigmoid;
}

//! All parameters must be there.
template<typename MatType>
void CheckReady(const char* where,
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters)
{
  size_t total = 0;
  for (const mlpack::Layer<MatType>* layer : layers)
    total += layer->WeightSize();
  if (layers.empty() || parameters.is_empty() || parameters.n_elem != total)
    throw std::logic_error(std::string(where) +
        "(): the network must have been trained or reset, so that it has " +
        std::to_string(total) + " parameters, but it has " +
        std::to_string(parameters.n_elem) + ".");
}

//! The options must make sense.
void CheckOptions(const ConvertOptions& options)
{
  Require(options.relativeSigma >= 0 && std::isfinite(options.relativeSigma),
      "ToBayesian", "relativeSigma must be finite and not negative",
      options.relativeSigma);
  RequirePositive("ToBayesian", "minSigma", options.minSigma);
}

//! Write mu and rho of one layer whose weights were deterministic.
template<typename eT>
void WritePosterior(const eT* weights, const size_t n,
    const ConvertOptions& options, eT* parameters)
{
  for (size_t i = 0; i < n; ++i)
  {
    const double sigma = std::max(options.minSigma,
        options.relativeSigma * std::abs(double(weights[i])));
    parameters[i] = weights[i];
    parameters[n + i] = eT(kernel::InverseSoftplus(sigma));
  }
}

//! The Bayesian layer that takes the place of a linear one.
template<typename MatType>
std::unique_ptr<mlpack::Layer<MatType>> NewBayesian(
    const mlpack::Layer<MatType>& layer, const bool hasBias,
    const ConvertOptions& options)
{
  const std::unique_ptr<mlpack::Layer<MatType>> clone(layer.Clone());
  const size_t outSize = clone->OutputSize();
  BayesianOptions start;
  start.PriorStddev(options.priorStddev);
  if (hasBias)
    return std::make_unique<BayesianLinearType<MatType>>(outSize, start);
  return std::make_unique<BayesianLinearNoBiasType<MatType>>(outSize, start);
}

/**
 * Weights of a convolution and its biases in the other order: mlpack has one
 * column per output map, symvi one row.
 *
 * @param weights All weights, then the biases if there are any.
 * @param rows Rows of the matrix of weights, as it is in the given order.
 * @param cols Its columns.
 */
template<typename MatType>
MatType Transposed(MatType weights, const size_t rows, const size_t cols)
{
  weights.head_rows(rows * cols) = arma::vectorise(
      arma::reshape(MatType(weights.head_rows(rows * cols)), rows, cols).t());
  return weights;
}

//! The Bayesian layer that takes the place of a convolution of this class, and
//! the weights in its order; nothing for a layer of another class.
template<typename ConvolutionType, typename MatType>
std::unique_ptr<mlpack::Layer<MatType>> NewConvolution(
    const mlpack::Layer<MatType>& layer, const ConvertOptions& options,
    MatType& weights)
{
  const auto* c = dynamic_cast<const ConvolutionType*>(&layer);
  if (!c)
    return nullptr;
  const std::vector<size_t>& input = c->InputDimensions();
  const size_t patch = c->KernelWidth() * c->KernelHeight() *
      (input.size() > 2 ? input[2] : 1);
  weights = Transposed(std::move(weights), patch, c->Maps());
  return std::make_unique<BayesianConvolutionType<MatType>>(c->Maps(),
      c->KernelWidth(), c->KernelHeight(), c->StrideWidth(), c->StrideHeight(),
      std::make_tuple(c->PadWLeft(), c->PadWRight()),
      std::make_tuple(c->PadHTop(), c->PadHBottom()), "none",
      c->WeightSize() > patch * c->Maps(),
      BayesianOptions().PriorStddev(options.priorStddev));
}

//! The Bayesian layer that takes the place of a linear one or a convolution,
//! and the weights in its order.
template<typename MatType>
std::unique_ptr<mlpack::Layer<MatType>> NewBayesian(
    const mlpack::Layer<MatType>& layer, const ConvertOptions& options,
    MatType& weights)
{
  using Naive = mlpack::NaiveConvolution<mlpack::ValidConvolution>;
  using Full = mlpack::NaiveConvolution<mlpack::FullConvolution>;
  bool hasBias;
  if (IsLinear(layer, hasBias))
    return NewBayesian(layer, hasBias, options);
  if (RoleOf(layer) != LayerRole::Convolution)
    return nullptr;
  std::unique_ptr<mlpack::Layer<MatType>> converted =
      NewConvolution<compat::DefaultConvolution<MatType>>(layer, options,
          weights);
  return converted ?
      std::move(converted) :
      NewConvolution<compat::Convolution<MatType, Naive, Full, Naive>>(layer,
          options, weights);
}

//! The plain layer that takes the place of a Bayesian one.
template<typename MatType>
std::unique_ptr<mlpack::Layer<MatType>> NewPlain(
    const BayesianLinearType<MatType>& layer)
{
  if (const auto* c = dynamic_cast<const BayesianConvolutionType<MatType>*>(
          &layer))
  {
    const ConvolutionShape& s = c->Shape();
    return std::make_unique<compat::DefaultConvolution<MatType>>(c->Maps(),
        s.kernelWidth, s.kernelHeight, s.strideWidth, s.strideHeight,
        std::make_tuple(s.padLeft, s.padRight),
        std::make_tuple(s.padTop, s.padBottom), "none", c->HasBias());
  }
  if (layer.HasBias())
    return std::make_unique<compat::Linear<MatType>>(layer.OutSize());
  return std::make_unique<compat::LinearNoBias<MatType>>(layer.OutSize());
}

template<typename MatType>
const BayesianLinearType<MatType>* AsBayesian(
    const mlpack::Layer<MatType>* layer)
{
  return dynamic_cast<const BayesianLinearType<MatType>*>(layer);
}

} // namespace

template<typename MatType>
Converted<MatType> ToBayesian(
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters, const ClassLink link,
    const ConvertOptions& options)
{
  CheckOptions(options);
  CheckReady("ToBayesian", layers, parameters);
  const size_t count = layers.size() - (IsLink(*layers.back(), link) ? 1 : 0);

  Converted<MatType> result;
  result.parameters.set_size(2 * parameters.n_elem, 1);
  const auto* source = parameters.memptr();
  auto* target = result.parameters.memptr();
  for (size_t i = 0; i < count; ++i)
  {
    const size_t n = layers[i]->WeightSize();
    MatType weights(source, n, 1);
    if (auto bayesian = NewBayesian(*layers[i], options, weights))
    {
      result.layers.push_back(std::move(bayesian));
      WritePosterior(weights.memptr(), n, options, target);
      result.centres.push_back(std::move(weights));
      target += 2 * n;
    }
    else
    {
      result.layers.emplace_back(layers[i]->Clone());
      target = std::copy(source, source + n, target);
    }
    source += n;
  }
  result.parameters.resize(target - result.parameters.memptr(), 1);
  return result;
}

template<typename MatType>
Converted<MatType> ToDeterministic(
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters, const bool keepNoise)
{
  CheckReady("ToDeterministic", layers, parameters);
  Converted<MatType> result;
  result.parameters.set_size(parameters.n_elem, 1);
  const auto* source = parameters.memptr();
  auto* target = result.parameters.memptr();
  for (const mlpack::Layer<MatType>* layer : layers)
  {
    if (!keepNoise && layer == layers.back() &&
        dynamic_cast<const LearnedNoiseType<MatType>*>(layer))
      break;
    const BayesianLinearType<MatType>* bayesian = AsBayesian(layer);
    const size_t n = layer->WeightSize() / (bayesian ? 2 : 1);
    MatType weights(source, n, 1);
    if (bayesian)
      result.layers.push_back(NewPlain(*bayesian));
    else
      result.layers.emplace_back(layer->Clone());
    if (dynamic_cast<const BayesianConvolutionType<MatType>*>(layer))
      weights = Transposed(std::move(weights), bayesian->OutSize(),
          bayesian->InSize());
    target = std::copy(weights.begin(), weights.end(), target);
    source += layer->WeightSize();
  }
  result.parameters.resize(target - result.parameters.memptr(), 1);
  return result;
}

#define SYMVI_CONVERT(MatType) \
  template Converted<MatType> ToBayesian( \
      const std::vector<mlpack::Layer<MatType>*>&, const MatType&, \
      const ClassLink, const ConvertOptions&); \
  template Converted<MatType> ToDeterministic( \
      const std::vector<mlpack::Layer<MatType>*>&, const MatType&, \
      const bool);
SYMVI_CONVERT(arma::mat)
SYMVI_CONVERT(arma::fmat)

} // namespace convert
} // namespace symvi
