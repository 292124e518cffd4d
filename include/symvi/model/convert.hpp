/**
 * @file symvi/model/convert.hpp
 *
 * From a trained deterministic network to a Bayesian one, and back.
 */
#ifndef SYMVI_MODEL_CONVERT_HPP
#define SYMVI_MODEL_CONVERT_HPP

#include <symvi/model/bayesian_ffn.hpp>

#include <algorithm>
#include <memory>
#include <vector>

namespace symvi {

//! The posterior that a deterministic network starts with.
struct ConvertOptions
{
  //! sigma = max(relativeSigma * |w|, minSigma).
  double relativeSigma = 0.1;
  //! Least standard deviation of a weight; positive.
  double minSigma = 1e-3;
  //! Standard deviation of the prior of every converted layer.
  double priorStddev = 1.0;
  //! Centre the prior at the given weights instead of zero.  Such a prior is
  //! not permutation invariant: these layers take no part in the group G.
  bool centrePrior = false;
};

namespace convert {

//! Layers that take the place of others, and all of their parameters.
template<typename MatType>
struct Converted
{
  std::vector<std::unique_ptr<mlpack::Layer<MatType>>> layers;
  MatType parameters;
  //! Of ToBayesian(): the given weights of every converted layer.
  std::vector<MatType> centres;
};

//! ToBayesian() without the network around the layers.
template<typename MatType>
Converted<MatType> ToBayesian(
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters, const ClassLink link,
    const ConvertOptions& options);

//! ToDeterministic() without the network around the layers; a LearnedNoise
//! layer at the end is kept or left out.
template<typename MatType>
Converted<MatType> ToDeterministic(
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters, const bool keepNoise);

//! Give layers and parameters to an empty network or model.
template<typename NetworkType, typename MatType>
void Fill(Converted<MatType>& converted,
    const std::vector<size_t>& inputDimensions, NetworkType& network)
{
  for (std::unique_ptr<mlpack::Layer<MatType>>& layer : converted.layers)
    AddOwned(network, layer.release());
  network.InputDimensions() = inputDimensions;
  network.Reset();
  std::copy(converted.parameters.begin(), converted.parameters.end(),
      network.Parameters().begin());
}

} // namespace convert

/**
 * A BayesianFFN whose posterior is centred at the weights of a trained network:
 *
 *   mu = w,  sigma = max(relativeSigma |w|, minSigma).
 *
 * Linear and LinearNoBias layers, with any regularizer, become BayesianLinear
 * and BayesianLinearNoBias, Convolution layers BayesianConvolution; every other
 * layer is copied with its weights.  The likelihoods take logits, so a last
 * layer that only turns logits into (log-)probabilities is left out: LogSoftMax
 * or Softmax for a Categorical likelihood, Sigmoid for a Bernoulli one.
 *
 * @param network A network that has been trained or reset.
 * @param likelihood The likelihood of the new model.
 * @param options Width of the posterior, and the prior.
 */
template<typename LikelihoodType, typename OutputLayerType, typename InitType,
    typename MatType>
BayesianFFN<LikelihoodType, InitType, MatType> ToBayesian(
    const mlpack::FFN<OutputLayerType, InitType, MatType>& network,
    const LikelihoodType& likelihood = LikelihoodType(),
    const ConvertOptions& options = ConvertOptions())
{
  convert::Converted<MatType> converted = convert::ToBayesian(network.Network(),
      network.Parameters(), likelihood::linkOf<LikelihoodType>, options);
  BayesianFFN<LikelihoodType, InitType, MatType> model(likelihood);
  convert::Fill(converted, network.InputDimensions(), model);
  if (options.centrePrior)
  {
    const auto bayesian = model.BayesianLayers();
    for (size_t l = 0; l < bayesian.size(); ++l)
      bayesian[l]->SetPriorMean(converted.centres[l]);
  }
  return model;
}

/**
 * A plain network with the posterior means as its weights: BayesianLinear
 * becomes Linear, BayesianLinearNoBias becomes LinearNoBias,
 * BayesianConvolution becomes Convolution, other layers are copied with their
 * weights.
 *
 * @tparam OutputLayerType Output layer of the plain network, default
 *     constructed; the model's likelihood if void.  symvi's likelihoods and the
 *     plain network both work on logits: append LogSoftMax to train further
 *     with mlpack::NegativeLogLikelihood.
 * @param model A model that has been trained or reset.
 */
template<typename OutputLayerType = void, typename LikelihoodType,
    typename InitType, typename MatType>
auto ToDeterministic(
    const BayesianFFN<LikelihoodType, InitType, MatType>& model)
{
  // Another output layer knows nothing of learned noise.
  constexpr bool keep = std::is_void_v<OutputLayerType>;
  using OutputType = std::conditional_t<keep, LikelihoodType, OutputLayerType>;
  convert::Converted<MatType> converted = convert::ToDeterministic(
      model.Network(), model.Parameters(), keep);
  OutputType output;
  if constexpr (keep)
    output = model.Likelihood();
  mlpack::FFN<OutputType, InitType, MatType> network(std::move(output));
  convert::Fill(converted, model.InputDimensions(), network);
  return network;
}

} // namespace symvi

#endif
