/**
 * @file network_categorical.cpp
 *
 * Classifiers, and what all networks share.
 */
#include "network_of.hpp"

namespace symvi {
namespace cli {

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

const NamedLayer layers[] = {
  { "relu", Make<symvi::compat::ReLU<arma::mat>> },
  { "tanh", Make<symvi::compat::TanH<arma::mat>> },
  { "sigmoid", Make<symvi::compat::Sigmoid<arma::mat>> },
  { "leaky_relu", Make<symvi::compat::LeakyReLU<arma::mat>> },
  { "elu", Make<symvi::compat::ELU<arma::mat>> },
  { "softplus", Make<symvi::compat::SoftPlus<arma::mat>> },
  { "gelu", Make<symvi::compat::GELU<arma::mat>> } };

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
  throw std::invalid_argument("Network: there is no activation function '" +
      name + "'.");
}

std::vector<std::string> Network::Estimators()
{
  return EstimatorNames();
}

std::unique_ptr<Network> MakeCategorical(const NetworkSpec& spec,
                                         const uint64_t seed)
{
  return std::make_unique<NetworkOf<CategoricalLikelihood>>(spec,
      CategoricalLikelihood(), seed);
}

std::unique_ptr<Network> Network::Create(const NetworkSpec& spec,
                                         const uint64_t seed)
{
  spec.Check();
  if (spec.IsClassification())
    return MakeCategorical(spec, seed);
  if (spec.noise == "fixed")
    return MakeGaussian(spec, seed);
  return MakeHeteroscedastic(spec, seed);
}

std::unique_ptr<Network> Network::Create(const Model& model)
{
  std::unique_ptr<Network> network = Create(model.spec, model.seed);
  network->SetParameters(model.parameters);
  return network;
}

} // namespace cli
} // namespace symvi
