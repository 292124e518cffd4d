/**
 * @file build_impl.hpp
 *
 * From descriptions to networks.
 */
#ifndef SYMVI_ONNX_BUILD_IMPL_HPP
#define SYMVI_ONNX_BUILD_IMPL_HPP

#include "convert.hpp"

#include <symvi/layer/bayesian_linear.hpp>
#include <symvi/layer/learned_noise.hpp>
#include <symvi/likelihood/bernoulli.hpp>
#include <symvi/likelihood/categorical.hpp>
#include <symvi/likelihood/gaussian.hpp>
#include <symvi/likelihood/heteroscedastic_gaussian.hpp>

#include <algorithm>
#include <cmath>

namespace symvi {
namespace onnx {
namespace detail {

//! softplus^-1; a standard deviation of zero becomes a very small one.
inline double InverseSoftplus(const double sigma)
{
  const double s = std::max(sigma, 1e-30);
  return s + std::log(-std::expm1(-s));
}

[[noreturn]] inline void RefuseOutput(const char* wanted)
{
  throw std::invalid_argument(std::string("Build(): the network's output does "
      "not suit the likelihood, which needs ") + wanted + ".");
}

// The likelihood for a description; the pointer only selects the type.

template<typename MatType>
CategoricalLikelihoodType<MatType> MakeLikelihood(
    const MlpDescription& d, const CategoricalLikelihoodType<MatType>*)
{
  if (d.output == MlpOutput::Bernoulli || d.output == MlpOutput::Gaussian)
    RefuseOutput("logits or class probabilities");
  return CategoricalLikelihoodType<MatType>();
}

template<typename MatType>
BernoulliLikelihoodType<MatType> MakeLikelihood(
    const MlpDescription& d, const BernoulliLikelihoodType<MatType>*)
{
  if (d.output != MlpOutput::Raw && d.output != MlpOutput::Bernoulli)
    RefuseOutput("logits or independent probabilities");
  return BernoulliLikelihoodType<MatType>();
}

template<typename MatType>
GaussianLikelihoodType<MatType> MakeLikelihood(
    const MlpDescription& d, const GaussianLikelihoodType<MatType>*)
{
  const bool fixed = d.output == MlpOutput::Gaussian &&
      d.noise == MlpNoise::Fixed;
  if (!fixed && d.output != MlpOutput::Raw &&
      !(d.output == MlpOutput::Gaussian && d.noise == MlpNoise::None))
    RefuseOutput("targets with fixed noise");
  if (!fixed)
    return GaussianLikelihoodType<MatType>(1.0);
  if (d.noiseStddev.min() != d.noiseStddev.max())
    RefuseOutput("one noise level for all targets");
  return GaussianLikelihoodType<MatType>(d.noiseStddev[0]);
}

template<typename MatType>
HeteroscedasticGaussianLikelihoodType<MatType> MakeLikelihood(
    const MlpDescription& d,
    const HeteroscedasticGaussianLikelihoodType<MatType>*)
{
  if (d.output != MlpOutput::Raw && !(d.output == MlpOutput::Gaussian &&
      (d.noise == MlpNoise::Heteroscedastic ||
       d.noise == MlpNoise::Homoscedastic)))
    RefuseOutput("targets with learned noise");
  return HeteroscedasticGaussianLikelihoodType<MatType>(d.noiseLimit);
}

template<typename MatType, typename NetworkType>
void AddActivation(NetworkType& network, const MlpLayer& layer)
{
  switch (layer.activation)
  {
    case Activation::ReLU:
      network.template Add<compat::ReLU<MatType>>();
      break;
    case Activation::TanH:
      network.template Add<compat::TanH<MatType>>();
      break;
    case Activation::Sigmoid:
      network.template Add<compat::Sigmoid<MatType>>();
      break;
    case Activation::LeakyReLU:
      network.template Add<compat::LeakyReLU<MatType>>(
          typename MatType::elem_type(layer.alpha));
      break;
    case Activation::ELU:
      network.template Add<compat::ELU<MatType>>(layer.alpha);
      break;
    case Activation::Softplus:
      network.template Add<compat::SoftPlus<MatType>>();
      break;
    case Activation::GELU:
      network.template Add<compat::GELU<MatType>>();
      break;
    default:
      break;
  }
}

//! Add a dense layer; Bayesian where `bayesian` is not null.
template<typename MatType, typename NetworkType>
void AddDense(NetworkType& network,
              const MlpLayer& layer,
              const BayesianOptions* bayesian)
{
  const size_t out = layer.weight.n_rows;
  if (bayesian && layer.bias.is_empty())
    network.template Add<BayesianLinearNoBiasType<MatType>>(out, *bayesian);
  else if (bayesian)
    network.template Add<BayesianLinearType<MatType>>(out, *bayesian);
  else if (layer.bias.is_empty())
    network.template Add<compat::LinearNoBias<MatType>>(out);
  else
    network.template Add<compat::Linear<MatType>>(out);
}

//! Write numbers behind one another into a network's parameters.
template<typename eT>
class ParameterWriter
{
 public:
  explicit ParameterWriter(eT* at) : at(at) { }

  void Write(const arma::mat& numbers)
  {
    at = std::transform(numbers.begin(), numbers.end(), at,
        [](const double x) { return eT(x); });
  }
  void WriteRhos(const arma::mat& sigmas)
  {
    at = std::transform(sigmas.begin(), sigmas.end(), at,
        [](const double x) { return eT(InverseSoftplus(x)); });
  }
  void Fill(const double value, const size_t n) { at = std::fill_n(at, n,
      eT(value)); }

 private:
  eT* at;
};

//! Whether layer `l` becomes Bayesian in a model: all, or those that were.
inline bool BecomesBayesian(const MlpDescription& d, const size_t l)
{
  return d.PosteriorSize() == 0 || d.layers[l].IsBayesian();
}

inline void RequireBuildable(const MlpDescription& d,
                             const BuildOptions& options)
{
  if (d.layers.empty())
    throw std::invalid_argument("Build(): the description has no layers.");
  if (!options.standardised &&
      !(d.inputMean.is_empty() && d.targetMean.is_empty()))
    throw std::invalid_argument("Build(): the network expects standardised "
        "data, which BuildOptions::standardised must acknowledge.");
}

//! Mean weights in a plain network.
template<typename OutputLayerType, typename InitType, typename MatType>
void BuildInto(const MlpDescription& d,
               const BuildOptions& /* options */,
               mlpack::FFN<OutputLayerType, InitType, MatType>& network)
{
  for (const MlpLayer& layer : d.layers)
  {
    AddDense<MatType>(network, layer, nullptr);
    AddActivation<MatType>(network, layer);
  }
  if (d.output == MlpOutput::Softmax)
    network.template Add<compat::Softmax<MatType>>();
  else if (d.output == MlpOutput::LogSoftmax)
    network.template Add<compat::LogSoftMax<MatType>>();
  else if (d.output == MlpOutput::Bernoulli)
    network.template Add<compat::Sigmoid<MatType>>();
  network.Reset(d.InSize());

  ParameterWriter<typename MatType::elem_type> writer(
      network.Parameters().memptr());
  for (const MlpLayer& layer : d.layers)
  {
    writer.Write(layer.weight);
    writer.Write(layer.bias);
  }
}

//! Posterior, or means with new standard deviations, in a model.
template<typename LikelihoodType, typename InitType, typename MatType>
void BuildInto(const MlpDescription& d,
               const BuildOptions& options,
               BayesianFFN<LikelihoodType, InitType, MatType>& model)
{
  model = BayesianFFN<LikelihoodType, InitType, MatType>(
      MakeLikelihood(d, static_cast<const LikelihoodType*>(nullptr)));
  for (size_t l = 0; l < d.layers.size(); ++l)
  {
    AddDense<MatType>(model, d.layers[l],
        BecomesBayesian(d, l) ? &options.bayesian : nullptr);
    AddActivation<MatType>(model, d.layers[l]);
  }
  const bool learned = d.noise == MlpNoise::Homoscedastic;
  if (learned)
    model.template Add<LearnedNoiseType<MatType>>();
  model.Reset(d.InSize());

  ParameterWriter<typename MatType::elem_type> writer(
      model.Parameters().memptr());
  for (size_t l = 0; l < d.layers.size(); ++l)
  {
    const MlpLayer& layer = d.layers[l];
    writer.Write(layer.weight);
    writer.Write(layer.bias);
    if (layer.IsBayesian())
    {
      writer.WriteRhos(layer.weightSigma);
      writer.WriteRhos(layer.biasSigma);
    }
    else if (BecomesBayesian(d, l))
      writer.Fill(InverseSoftplus(options.bayesian.InitialSigma()),
          layer.Size());
  }
  if (learned)
    writer.WriteRhos(d.noiseStddev - 1e-6); // The likelihood's floor.
}

} // namespace detail

template<typename NetworkType>
NetworkType Build(const MlpDescription& description,
                  const BuildOptions& options)
{
  detail::RequireBuildable(description, options);
  NetworkType network;
  detail::BuildInto(description, options, network);
  return network;
}

template<typename MatType>
MatType StandardiseInput(const MlpDescription& description, const MatType& x)
{
  using ColType = arma::Col<typename MatType::elem_type>;
  MatType result = x;
  if (description.inputMean.is_empty())
    return result;
  result.each_col() -=
      arma::conv_to<ColType>::from(description.inputMean);
  result.each_col() /=
      arma::conv_to<ColType>::from(description.inputScale);
  return result;
}

} // namespace onnx
} // namespace symvi

#endif
