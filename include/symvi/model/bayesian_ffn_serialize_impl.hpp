/**
 * @file model/bayesian_ffn_serialize_impl.hpp
 *
 * Implementation of BayesianFFN: saving and loading.
 */
#ifndef SYMVI_MODEL_BAYESIAN_FFN_SERIALIZE_IMPL_HPP
#define SYMVI_MODEL_BAYESIAN_FFN_SERIALIZE_IMPL_HPP

#include "bayesian_ffn.hpp"

#include <memory>

namespace symvi {

template<typename LikelihoodType, typename InitType, typename MatType>
template<typename Archive>
void BayesianFFN<LikelihoodType, InitType, MatType>::serialize(
    Archive& ar,
    const uint32_t /* version */)
{
  // "symvi" in ASCII and the version of the format: a foreign file fails here.
  const uint64_t expectedMagic = 0x73796d7669u;
  const uint32_t expectedFormat = 1;

  uint64_t magic = expectedMagic;
  uint32_t format = expectedFormat;
  ar(CEREAL_NVP(magic));
  if (magic != expectedMagic)
    throw cereal::Exception("BayesianFFN: this is not a model of symvi.");
  ar(CEREAL_NVP(format));
  if (format != expectedFormat)
  {
    throw cereal::Exception("BayesianFFN: the model has format " +
        std::to_string(format) + ", but this version of symvi reads format " +
        std::to_string(expectedFormat) + " only.");
  }

  if constexpr (Archive::is_loading::value)
    LoadFrom(ar);
  else
    SaveTo(ar);
}

template<typename LikelihoodType, typename InitType, typename MatType>
template<typename Archive>
void BayesianFFN<LikelihoodType, InitType, MatType>::SerializeSettings(
    Archive& ar)
{
  std::string estimatorName = estimator->Name();
  size_t permutations = EstimatorPermutations(*estimator);
  ar(CEREAL_NVP(estimatorName));
  ar(CEREAL_NVP(permutations));
  ar(CEREAL_NVP(symmetrize));
  ar(CEREAL_NVP(samples));
  ar(CEREAL_NVP(temperature));
  ar(CEREAL_NVP(warmUpEpochs));
  ar(CEREAL_NVP(predictSamples));
  ar(CEREAL_NVP(elboSamples));
  if (Archive::is_loading::value)
    estimator = MakeEstimator(estimatorName, permutations);
}

template<typename LikelihoodType, typename InitType, typename MatType>
template<typename Archive>
void BayesianFFN<LikelihoodType, InitType, MatType>::SaveTo(Archive& ar)
{
  for (const mlpack::Layer<MatType>* layer : NetworkLayers(network))
    RequireSavable(*layer);
  uint32_t elementSize = sizeof(ElemType);
  size_t numLayers = NetworkLayers(network).size();
  std::vector<size_t> inputDimensions =
      std::as_const(network).InputDimensions();
  ar(CEREAL_NVP(elementSize));
  ar(CEREAL_NVP(likelihood));
  SerializeSettings(ar);
  ar(CEREAL_NVP(inputDimensions));
  ar(CEREAL_NVP(numLayers));
  for (mlpack::Layer<MatType>* layer : NetworkLayers(network))
    SaveLayer(ar, *layer);
  ar(cereal::make_nvp("parameters", network.Parameters()));
}

template<typename LikelihoodType, typename InitType, typename MatType>
template<typename Archive>
void BayesianFFN<LikelihoodType, InitType, MatType>::LoadFrom(Archive& ar)
{
  uint32_t elementSize = 0;
  ar(CEREAL_NVP(elementSize));
  if (elementSize != sizeof(ElemType))
  {
    throw cereal::Exception("BayesianFFN: the model's numbers have " +
        std::to_string(elementSize) + " bytes, but " +
        std::to_string(sizeof(ElemType)) + " are expected; load it into a "
        "model of the matching matrix type.");
  }

  LikelihoodType loadedLikelihood;
  ar(cereal::make_nvp("likelihood", loadedLikelihood));
  BayesianFFN loaded(loadedLikelihood);
  loaded.SerializeSettings(ar);

  std::vector<size_t> inputDimensions;
  size_t numLayers = 0;
  ar(CEREAL_NVP(inputDimensions));
  ar(CEREAL_NVP(numLayers));
  size_t weights = 0;
  for (size_t l = 0; l < numLayers; ++l)
  {
    std::unique_ptr<mlpack::Layer<MatType>> layer = LoadLayer<MatType>(ar);
    weights += layer->WeightSize();
    loaded.Add(layer.release());
  }
  MatType parameters;
  ar(CEREAL_NVP(parameters));
  if (!parameters.is_empty() && parameters.n_elem != weights)
  {
    throw cereal::Exception("BayesianFFN: the layers need " +
        std::to_string(weights) + " parameters, but the file holds " +
        std::to_string(parameters.n_elem) + ".");
  }

  loaded.network.InputDimensions() = inputDimensions;
  loaded.network.Parameters() = std::move(parameters);
  *this = std::move(loaded);
}

} // namespace symvi

#endif
