/**
 * @file src/model/pipeline_categorical.cpp
 *
 * Classifiers, and what all networks share.
 */
#include <symvi/require.hpp>

#include "model/pipeline_network_of.hpp"

namespace symvi {

namespace {

template<typename LayerType>
mlpack::Layer<arma::mat>* Make()
{
  return new LayerType();
}

struct NamedLayer
{
  const char* name;
  mlpack::Layer<arma::mat>* (*make)();
};

const NamedLayer layers[] = { { "relu", Make<compat::ReLU<arma::mat>> },
  { "tanh", Make<compat::TanH<arma::mat>> },
  { "sigmoid", Make<compat::Sigmoid<arma::mat>> },
  { "leaky_relu", Make<compat::LeakyReLU<arma::mat>> },
  { "elu", Make<compat::ELU<arma::mat>> },
  { "softplus", Make<compat::SoftPlus<arma::mat>> },
  { "gelu", Make<compat::GELU<arma::mat>> } };

} // namespace

const std::vector<std::string>& Activations()
{
  static const std::vector<std::string> names = []
  {
    std::vector<std::string> list;
    for (const NamedLayer& layer : layers)
      list.push_back(layer.name);
    return list;
  }();
  return names;
}

mlpack::Layer<arma::mat>* MakeActivation(const std::string& name)
{
  for (const NamedLayer& layer : layers)
  {
    if (name == layer.name)
      return layer.make();
  }
  Refuse("NetworkSpec", "the activation function must be one of Activations()",
      "is " + ValueText(name));
}

std::unique_ptr<PipelineNetwork> PipelineNetwork::Create(
    const NetworkSpec& spec, const double noise,
    const std::vector<double>& parameters)
{
  spec.Check(true);
  if (spec.IsClassification())
    return MakeNetwork(spec, noise, CategoricalLikelihood(), parameters);
  if (spec.noise == "fixed")
    return MakeGaussian(spec, noise, parameters);
  return MakeHeteroscedastic(spec, noise, parameters);
}

} // namespace symvi
