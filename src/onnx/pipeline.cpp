/**
 * @file src/onnx/pipeline.cpp
 */
#include "onnx/metadata_keys.hpp"

#include <symvi/onnx/convert.hpp>
#include <symvi/require.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace symvi {
namespace onnx {

namespace {

const std::pair<const char*, Activation> activations[] = {
  { "relu", Activation::ReLU }, { "tanh", Activation::TanH },
  { "sigmoid", Activation::Sigmoid }, { "leaky_relu", Activation::LeakyReLU },
  { "elu", Activation::ELU }, { "softplus", Activation::Softplus },
  { "gelu", Activation::GELU }
};

//! Parameter of an activation as mlpack's layers have it by default.
double AlphaOf(const Activation activation)
{
  return (activation == Activation::LeakyReLU) ? 0.03 :
      (activation == Activation::ELU)          ? 1.0 :
                                                 0.0;
}

Activation ActivationOf(const std::string& name)
{
  for (const auto& entry : activations)
    if (name == entry.first)
      return entry.second;
  throw std::invalid_argument(
      "Describe(): the activation function '" + name + "' has no ONNX form.");
}

//! The metadata that Describe() gives to a BayesianFFN.
void DescribeTraining(const Pipeline& model, NetworkDescription& description)
{
  std::map<std::string, std::string>& metadata = description.metadata;
  const bool symmetrized = model.Bound().symmetrize;
  for (const LayerPrior& prior : model.Priors())
  {
    std::string& text = metadata[keys::PriorStddev];
    text += (text.empty() ? "" : " ") + ValueText(prior.weights);
  }
  metadata[keys::Objective] = keys::ObjectiveName(symmetrized);
  if (symmetrized)
    metadata[keys::Estimator] = model.Bound().estimator;
  metadata[keys::NumPoints] = std::to_string(model.TrainedPoints());
  const EpochRecord* record = model.KeptEpoch();
  if (!record)
    return;
  metadata[keys::Elbo] = ValueText(record->logLikelihood - record->kl);
  if (symmetrized)
    metadata[keys::SymmetrizedElbo] = ValueText(record->elbo);
}

std::string ImportedTask(const NetworkDescription& description,
    const std::string& given)
{
  if (description.output == OutputKind::Bernoulli)
    throw std::invalid_argument("the network has independent sigmoid outputs, "
                                "which a Pipeline does not train.");
  if (description.output == OutputKind::Raw)
  {
    if (given.empty())
      throw std::invalid_argument(
          "the network does not say whether it is a "
          "classification or a regression; the task is needed.");
    return given;
  }
  const std::string found = (description.output == OutputKind::Gaussian) ?
      "regression" :
      "classification";
  if (!given.empty() && given != found)
    throw std::invalid_argument("the task " + given +
        " contradicts the "
        "network, which is a " +
        found + ".");
  return found;
}

//! The one activation of all hidden layers.
std::string ImportedActivation(const NetworkDescription& description)
{
  std::string name = "relu";
  for (size_t l = 0; l + 1 < description.layers.size(); ++l)
  {
    const LayerDescription& layer = description.layers[l];
    const auto entry = std::find_if(std::begin(activations),
        std::end(activations),
        [&](const auto& e) { return e.second == layer.activation; });
    const bool known = entry != std::end(activations);
    if (!known || (l > 0 && name != entry->first) ||
        std::abs(layer.alpha - AlphaOf(layer.activation)) > 1e-6)
      throw std::invalid_argument("hidden layer " + std::to_string(l + 1) +
          " has an activation function that a Pipeline cannot train; all "
          "hidden layers need the same one of its own.");
    name = entry->first;
  }
  return name;
}

std::vector<std::string> ImportedNames(const NetworkDescription& description,
    std::vector<std::string> names)
{
  if (names.empty())
  {
    names = description.classNames;
    for (size_t i = names.size(); i < description.OutSize(); ++i)
      names.push_back(std::to_string(i));
  }
  if (names.size() != description.OutSize())
    throw std::invalid_argument("the class names must name " +
        std::to_string(description.OutSize()) + " classes, but name " +
        std::to_string(names.size()) + ".");
  return names;
}

std::vector<LayerPosterior> ImportedPosterior(
    const NetworkDescription& description, const double relativeSigma)
{
  std::vector<LayerPosterior> layers;
  for (const LayerDescription& from : description.layers)
  {
    LayerPosterior layer;
    const arma::vec bias = from.bias.is_empty() ?
        arma::vec(from.weight.n_rows, arma::fill::zeros) :
        from.bias;
    layer.mean = arma::join_rows(from.weight, bias);
    layer.sigma = arma::clamp(relativeSigma * arma::abs(layer.mean), 1e-3,
        1e30);
    if (from.IsBayesian())
    {
      layer.sigma.head_cols(from.weight.n_cols) = from.weightSigma;
      if (!from.biasSigma.is_empty())
        layer.sigma.col(from.weight.n_cols) = from.biasSigma;
    }
    layers.push_back(std::move(layer));
  }
  return layers;
}

} // namespace

NetworkDescription Describe(const Pipeline& model)
{
  const NetworkSpec& spec = model.Spec();
  NetworkDescription description;
  const std::vector<LayerPosterior> posterior = model.Posterior();
  for (size_t l = 0; l < posterior.size(); ++l)
  {
    const LayerPosterior& from = posterior[l];
    const size_t in = from.mean.n_cols - 1;
    LayerDescription layer;
    layer.weight = from.mean.head_cols(in);
    layer.bias = from.mean.col(in);
    layer.weightSigma = from.sigma.head_cols(in);
    layer.biasSigma = from.sigma.col(in);
    if (l + 1 < posterior.size())
      layer.activation = ActivationOf(spec.activation);
    layer.alpha = AlphaOf(layer.activation);
    description.layers.push_back(std::move(layer));
  }
  description.inputMean = arma::vec(model.InputScaling().Means());
  description.inputScale = arma::vec(model.InputScaling().Scales());
  description.classNames = model.ClassNames();
  description.output = OutputKind::Softmax;
  if (!spec.IsClassification())
  {
    description.output = OutputKind::Gaussian;
    description.noise = (spec.noise == "fixed") ? NoiseKind::Fixed :
        spec.HasLearnedNoise()                  ? NoiseKind::Homoscedastic :
                                                  NoiseKind::Heteroscedastic;
    description.noiseStddev = model.Noise();
    if (spec.IsHeteroscedastic())
      description.noiseLimit = spec.NoiseLimit();
    description.targetMean = arma::vec(model.TargetScaling().Means());
    description.targetScale = arma::vec(model.TargetScaling().Scales());
  }
  DescribeTraining(model, description);
  return description;
}

std::vector<NetworkDescription> Describe(const Ensemble& model)
{
  std::vector<NetworkDescription> members;
  for (size_t m = 0; m < model.Size(); ++m)
    members.push_back(Describe(model.Member(m)));
  return members;
}

Pipeline BuildPipeline(const NetworkDescription& description,
    const PipelineOptions& options)
{
  for (const LayerDescription& layer : description.layers)
    if (layer.kind != LayerKind::Dense)
      Refuse("BuildPipeline",
          "all layers must be dense; Build() makes a BayesianFFN of any network",
          std::string("there is one of kind ") + Name(layer.kind));
  NetworkSpec spec;
  spec.task = ImportedTask(description, options.task);
  spec.inputs = description.InSize();
  spec.outputs = description.TargetSize();
  spec.activation = ImportedActivation(description);
  spec.priorStddev = options.priorStddev;
  spec.hidden.clear();
  for (size_t l = 0; l + 1 < description.layers.size(); ++l)
    spec.hidden.push_back(description.layers[l].weight.n_rows);

  io::LabelCodec labels;
  arma::vec noise;
  if (spec.IsClassification())
    labels = io::LabelCodec::Ordered(
        ImportedNames(description, options.classNames));
  else if (description.noise == NoiseKind::Heteroscedastic)
  {
    spec.noise = "heteroscedastic";
    spec.standardizeTargets = !std::isinf(description.noiseLimit);
    if (spec.NoiseLimit() != description.noiseLimit)
      throw std::invalid_argument("BuildPipeline(): the noise limit must be 1 "
                                  "or infinite, but is " +
          std::to_string(description.noiseLimit) + ".");
  }
  else if (options.noise > 0.0)
  {
    spec.noise = "fixed";
    spec.noiseStddev = options.noise;
  }
  else
  {
    spec.noise = "learned";
    noise = !description.noiseStddev.is_empty() ?
        description.noiseStddev :
        arma::vec(spec.outputs, arma::fill::ones);
  }
  return Pipeline::FromPosterior(spec,
      ImportedPosterior(description, options.relativeSigma), noise, labels,
      io::Standardizer(description.inputMean, description.inputScale),
      spec.IsClassification() ?
          io::Standardizer() :
          io::Standardizer(description.targetMean, description.targetScale));
}

} // namespace onnx
} // namespace symvi
