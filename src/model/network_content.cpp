/**
 * @file src/model/network_content.cpp
 *
 * What is saved of a BayesianFFN.
 */
#include <symvi/model/bayesian_ffn.hpp>

#include <cmath>
#include <memory>
#include <new>
#include <sstream>

namespace symvi {
namespace model {
namespace {

//! Write the settings, or read them.
template<typename Archive>
void SerializeSettings(Archive& ar, ModelSettings& settings)
{
  std::string estimatorName = settings.estimator->Name();
  size_t permutations = EstimatorPermutations(*settings.estimator);
  ar(estimatorName, permutations, settings.symmetrize, settings.samples,
      settings.temperature, settings.warmUpEpochs, settings.predictSamples,
      settings.elboSamples);
  if constexpr (Archive::is_loading::value)
  {
    for (const size_t count : { permutations, settings.samples,
             settings.predictSamples, settings.elboSamples })
    {
      if (count > 1000000000)
        throw cereal::Exception("BayesianFFN: a number of samples or "
                                "permutations must be at most 10^9, but is " +
            std::to_string(count) + ".");
    }
    for (const double value : { settings.temperature, settings.warmUpEpochs })
    {
      if (!(value >= 0.0) || !std::isfinite(value))
        throw cereal::Exception(
            "BayesianFFN: Temperature() and WarmUpEpochs() must be finite and "
            "not negative, but one is " +
            std::to_string(value) + ".");
    }
    settings.estimator = MakeEstimator(estimatorName, permutations);
  }
}

template<typename MatType>
NetworkContent<MatType> Read(cereal::BinaryInputArchive& ar,
    const std::function<void(cereal::BinaryInputArchive&)>& readLikelihood)
{
  using ElemType = typename MatType::elem_type;
  uint32_t elementSize = 0;
  ar(elementSize);
  if (elementSize != sizeof(ElemType))
  {
    throw cereal::Exception("BayesianFFN: the model's numbers have " +
        std::to_string(elementSize) + " bytes, but " +
        std::to_string(sizeof(ElemType)) +
        " are expected; load it into a model of the matching matrix type.");
  }
  readLikelihood(ar);

  NetworkContent<MatType> content;
  SerializeSettings(ar, content.settings);
  size_t numLayers = 0;
  ar(content.inputDimensions, numLayers);
  size_t weights = 0;
  for (size_t l = 0; l < numLayers; ++l)
  {
    content.layers.push_back(LoadLayer<MatType>(ar));
    weights += content.layers.back()->WeightSize();
  }
  MatType& parameters = content.parameters;
  ar(parameters);
  if (!parameters.is_empty() && parameters.n_elem != weights)
  {
    throw cereal::Exception("BayesianFFN: the layers need " +
        std::to_string(weights) + " parameters, but the file holds " +
        std::to_string(parameters.n_elem) + ".");
  }
  if (!parameters.is_finite())
    throw cereal::Exception("BayesianFFN: a parameter is not finite.");
  return content;
}

} // namespace

template<typename MatType>
std::string WriteContent(const std::string& likelihood,
    const ModelSettings& settings, const std::vector<size_t>& inputDimensions,
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters)
{
  for (const mlpack::Layer<MatType>* layer : layers)
    RequireSavable(*layer);
  std::ostringstream stream;
  cereal::BinaryOutputArchive ar(stream);
  ar(uint32_t(sizeof(typename MatType::elem_type)));
  ar(cereal::binary_data(likelihood.data(), likelihood.size()));
  // cereal wants to write through the same functions as it reads.
  ModelSettings copy(settings);
  SerializeSettings(ar, copy);
  ar(inputDimensions, layers.size());
  for (mlpack::Layer<MatType>* layer : layers)
    SaveLayer(ar, *layer);
  ar(const_cast<MatType&>(parameters));
  return stream.str();
}

template<typename MatType>
NetworkContent<MatType> ReadContent(const std::string& content,
    const std::function<void(cereal::BinaryInputArchive&)>& readLikelihood)
{
  try
  {
    std::istringstream stream(content);
    cereal::BinaryInputArchive ar(stream);
    return Read<MatType>(ar, readLikelihood);
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

#define SYMVI_CONTENT(MatType) \
  template std::string WriteContent(const std::string&, const ModelSettings&, \
      const std::vector<size_t>&, const std::vector<mlpack::Layer<MatType>*>&, \
      const MatType&); \
  template NetworkContent<MatType> ReadContent(const std::string&, \
      const std::function<void(cereal::BinaryInputArchive&)>&);
SYMVI_CONTENT(arma::mat)
SYMVI_CONTENT(arma::fmat)

} // namespace model
} // namespace symvi
