/**
 * @file model/bayesian_ffn_serialize_impl.hpp
 *
 * Implementation of BayesianFFN: saving and loading.
 */
#ifndef SYMVI_MODEL_BAYESIAN_FFN_SERIALIZE_IMPL_HPP
#define SYMVI_MODEL_BAYESIAN_FFN_SERIALIZE_IMPL_HPP

#include "bayesian_ffn.hpp"

#include <symvi/io/container.hpp>

#include <memory>
#include <new>
#include <sstream>

namespace symvi {

template<typename LikelihoodType, typename InitType, typename MatType>
template<typename Archive>
void BayesianFFN<LikelihoodType, InitType, MatType>::serialize(
    Archive& ar,
    const uint32_t /* version */)
{
  // "symvi" in ASCII and the version of the format: a foreign file fails here.
  const uint64_t expectedMagic = 0x73796d7669u;
  const uint32_t expectedFormat = 2;

  uint64_t magic = expectedMagic;
  uint32_t format = expectedFormat;
  io::ArchiveField(ar, "magic", magic);
  if (magic != expectedMagic)
    throw cereal::Exception("BayesianFFN: this is not a model of symvi.");
  io::ArchiveField(ar, "format", format);
  if (format != expectedFormat)
  {
    throw cereal::Exception("BayesianFFN: the model has format " +
        std::to_string(format) + ", but this version of symvi reads format " +
        std::to_string(expectedFormat) + " only.");
  }

  // Whatever the archive, the content is the same bytes: they are read only
  // after their checksum was found to be right.
  if constexpr (Archive::is_loading::value)
    SetContent(io::LoadSealed(ar));
  else
    io::SaveSealed(ar, Content());
}

template<typename LikelihoodType, typename InitType, typename MatType>
void BayesianFFN<LikelihoodType, InitType, MatType>::Save(
    const std::string& path) const
{
  io::SaveContainer(path, "network", Content());
}

template<typename LikelihoodType, typename InitType, typename MatType>
void BayesianFFN<LikelihoodType, InitType, MatType>::Load(
    const std::string& path)
{
  const std::string content = io::LoadContainer(path, "network");
  try
  {
    SetContent(content);
  }
  catch (const cereal::Exception& e)
  {
    throw std::invalid_argument("'" + path + "': " + e.what());
  }
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
  if constexpr (Archive::is_loading::value)
  {
    for (const size_t count : { permutations, samples, predictSamples,
        elboSamples })
    {
      if (count > 1000000000)
        throw cereal::Exception("BayesianFFN: a number of samples or "
            "permutations must be at most 10^9, but is " +
            std::to_string(count) + ".");
    }
    for (const double value : { temperature, warmUpEpochs })
    {
      if (!(value >= 0.0) || !std::isfinite(value))
        throw cereal::Exception("BayesianFFN: Temperature() and "
            "WarmUpEpochs() must be finite and not negative, but one is " +
            std::to_string(value) + ".");
    }
    estimator = MakeEstimator(estimatorName, permutations);
  }
}

template<typename LikelihoodType, typename InitType, typename MatType>
std::string BayesianFFN<LikelihoodType, InitType, MatType>::Content() const
{
  for (const mlpack::Layer<MatType>* layer : NetworkLayers(network))
    RequireSavable(*layer);
  std::ostringstream stream;
  cereal::BinaryOutputArchive ar(stream);
  // cereal wants to write through the same functions as it reads.
  BayesianFFN& self = const_cast<BayesianFFN&>(*this);
  uint32_t elementSize = sizeof(ElemType);
  std::vector<size_t> inputDimensions = network.InputDimensions();
  ar(elementSize, self.likelihood);
  self.SerializeSettings(ar);
  size_t numLayers = network.Network().size();
  ar(inputDimensions, numLayers);
  for (mlpack::Layer<MatType>* layer : network.Network())
    SaveLayer(ar, *layer);
  ar(self.network.Parameters());
  return stream.str();
}

template<typename LikelihoodType, typename InitType, typename MatType>
void BayesianFFN<LikelihoodType, InitType, MatType>::SetContent(
    const std::string& content)
{
  try
  {
    std::istringstream stream(content);
    cereal::BinaryInputArchive ar(stream);
    LoadFrom(ar);
  }
  catch (const std::bad_alloc&)
  {
    throw;
  }
  catch (const cereal::Exception&)
  {
    throw;
  }
  catch (const std::exception& e)
  {
    throw cereal::Exception(e.what());
  }
}

template<typename LikelihoodType, typename InitType, typename MatType>
void BayesianFFN<LikelihoodType, InitType, MatType>::LoadFrom(
    cereal::BinaryInputArchive& ar)
{
  uint32_t elementSize = 0;
  ar(elementSize);
  if (elementSize != sizeof(ElemType))
  {
    throw cereal::Exception("BayesianFFN: the model's numbers have " +
        std::to_string(elementSize) + " bytes, but " +
        std::to_string(sizeof(ElemType)) + " are expected; load it into a "
        "model of the matching matrix type.");
  }

  LikelihoodType loadedLikelihood;
  ar(loadedLikelihood);
  BayesianFFN loaded(loadedLikelihood);
  loaded.SerializeSettings(ar);

  std::vector<size_t> inputDimensions;
  size_t numLayers = 0;
  ar(inputDimensions, numLayers);
  size_t weights = 0;
  for (size_t l = 0; l < numLayers; ++l)
  {
    std::unique_ptr<mlpack::Layer<MatType>> layer = LoadLayer<MatType>(ar);
    weights += layer->WeightSize();
    loaded.Add(layer.release());
  }
  MatType parameters;
  ar(parameters);
  if (!parameters.is_empty() && parameters.n_elem != weights)
  {
    throw cereal::Exception("BayesianFFN: the layers need " +
        std::to_string(weights) + " parameters, but the file holds " +
        std::to_string(parameters.n_elem) + ".");
  }
  if (!parameters.is_finite())
    throw cereal::Exception("BayesianFFN: a parameter is not finite.");

  loaded.network.InputDimensions() = inputDimensions;
  loaded.network.Parameters() = std::move(parameters);
  *this = std::move(loaded);
}

} // namespace symvi

#endif
