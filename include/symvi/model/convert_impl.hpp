/**
 * @file symvi/model/convert_impl.hpp
 *
 * Implementation of the conversions.
 */
#ifndef SYMVI_MODEL_CONVERT_IMPL_HPP
#define SYMVI_MODEL_CONVERT_IMPL_HPP

#include "convert.hpp"

#include <symvi/network/layer_registry.hpp>

#include <memory>
#include <type_traits>

namespace symvi {
namespace convert {

//! rho with softplus(rho) = sigma.
inline double Rho(const double sigma)
{
  return sigma + std::log(-std::expm1(-sigma));
}

//! Whether the layer is an mlpack Linear (without bias: LinearNoBias) layer.
template<typename MatType>
bool IsLinear(const mlpack::Layer<MatType>& layer, bool& hasBias)
{
  const LayerRole role = RoleOf(layer);
  hasBias = (role == LayerRole::Linear);
  return hasBias || role == LayerRole::LinearNoBias;
}

//! Whether the likelihood applies this last layer itself.
template<typename LikelihoodType, typename MatType>
bool IsLink(const mlpack::Layer<MatType>& layer)
{
  const LayerRole role = RoleOf(layer);
  if (std::is_same_v<LikelihoodType, CategoricalLikelihoodType<MatType>>)
    return role == LayerRole::LogSoftmax || role == LayerRole::Softmax;
  return std::is_same_v<LikelihoodType, BernoulliLikelihoodType<MatType>> &&
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
    throw std::logic_error(std::string(where) + "(): the network must have "
        "been trained or reset, so that it has " + std::to_string(total) +
        " parameters, but it has " + std::to_string(parameters.n_elem) + ".");
}

//! The options must make sense.
inline void CheckOptions(const ConvertOptions& options)
{
  if (!(options.relativeSigma >= 0 && std::isfinite(options.relativeSigma)))
    throw std::invalid_argument("ToBayesian(): relativeSigma must be finite "
        "and not negative, but is " + std::to_string(options.relativeSigma) +
        ".");
  if (!(options.minSigma > 0 && std::isfinite(options.minSigma)))
    throw std::invalid_argument("ToBayesian(): minSigma must be positive and "
        "finite, but is " + std::to_string(options.minSigma) + ".");
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
    parameters[n + i] = eT(Rho(sigma));
  }
}

//! The Bayesian layer that takes the place of a linear one.
template<typename MatType>
mlpack::Layer<MatType>* NewBayesian(const mlpack::Layer<MatType>& layer,
                                    const bool hasBias,
                                    const ConvertOptions& options)
{
  const std::unique_ptr<mlpack::Layer<MatType>> clone(layer.Clone());
  const size_t outSize = clone->OutputSize();
  BayesianOptions start;
  start.PriorStddev(options.priorStddev);
  if (hasBias)
    return new BayesianLinearType<MatType>(outSize, start);
  return new BayesianLinearNoBiasType<MatType>(outSize, start);
}

} // namespace convert

template<typename LikelihoodType,
         typename OutputLayerType,
         typename InitType,
         typename MatType>
BayesianFFN<LikelihoodType, InitType, MatType> ToBayesian(
    const mlpack::FFN<OutputLayerType, InitType, MatType>& network,
    const LikelihoodType& likelihood,
    const ConvertOptions& options)
{
  using ElemType = typename MatType::elem_type;
  convert::CheckOptions(options);
  const std::vector<mlpack::Layer<MatType>*>& layers = network.Network();
  convert::CheckReady("ToBayesian", layers, network.Parameters());
  const size_t count = layers.size() -
      (convert::IsLink<LikelihoodType>(*layers.back()) ? 1 : 0);

  BayesianFFN<LikelihoodType, InitType, MatType> model(likelihood);
  bool hasBias;
  for (size_t i = 0; i < count; ++i)
  {
    if (convert::IsLinear(*layers[i], hasBias))
      model.Add(convert::NewBayesian(*layers[i], hasBias, options));
    else
      model.Add(layers[i]->Clone());
  }
  model.InputDimensions() = network.InputDimensions();
  model.Reset();

  const ElemType* source = network.Parameters().memptr();
  ElemType* target = model.Parameters().memptr();
  std::vector<MatType> centres;
  for (size_t i = 0; i < count; ++i)
  {
    const size_t n = layers[i]->WeightSize();
    if (convert::IsLinear(*layers[i], hasBias))
    {
      convert::WritePosterior(source, n, options, target);
      centres.push_back(MatType(source, n, 1));
      target += 2 * n;
    }
    else
    {
      target = std::copy(source, source + n, target);
    }
    source += n;
  }

  if (options.centrePrior)
  {
    const auto bayesian = model.BayesianLayers();
    for (size_t l = 0; l < bayesian.size(); ++l)
      bayesian[l]->SetPriorMean(centres[l]);
  }
  return model;
}

template<typename OutputLayerType,
         typename LikelihoodType,
         typename InitType,
         typename MatType>
auto ToDeterministic(
    const BayesianFFN<LikelihoodType, InitType, MatType>& model)
{
  using ElemType = typename MatType::elem_type;
  constexpr bool keep = std::is_void<OutputLayerType>::value;
  using OutputType = std::conditional_t<keep, LikelihoodType, OutputLayerType>;
  std::vector<mlpack::Layer<MatType>*> layers = model.Network();
  convert::CheckReady("ToDeterministic", layers, model.Parameters());
  // Another output layer knows nothing of learned noise.
  if (!keep && dynamic_cast<const LearnedNoiseType<MatType>*>(layers.back()))
    layers.pop_back();

  OutputType output;
  if constexpr (keep)
    output = model.Likelihood();
  mlpack::FFN<OutputType, InitType, MatType> network(std::move(output));
  for (const mlpack::Layer<MatType>* layer : layers)
  {
    const auto* bayesian =
        dynamic_cast<const BayesianLinearType<MatType>*>(layer);
    if (!bayesian)
      AddOwned(network, layer->Clone());
    else if (bayesian->HasBias())
      network.template Add<compat::Linear<MatType>>(bayesian->OutSize());
    else
      network.template Add<compat::LinearNoBias<MatType>>(
          bayesian->OutSize());
  }
  network.InputDimensions() = model.InputDimensions();
  network.Reset();

  const ElemType* source = model.Parameters().memptr();
  ElemType* target = network.Parameters().memptr();
  for (const mlpack::Layer<MatType>* layer : layers)
  {
    const bool isBayesian =
        dynamic_cast<const BayesianLinearType<MatType>*>(layer) != nullptr;
    const size_t n = layer->WeightSize() / (isBayesian ? 2 : 1);
    target = std::copy(source, source + n, target);
    source += layer->WeightSize();
  }
  return network;
}

} // namespace symvi

#endif
