/**
 * @file src/onnx/build.cpp
 *
 * From descriptions to networks.
 */
#include <symvi/onnx/convert.hpp>

#include "kernel/softplus.hpp"

#include <symvi/layer/learned_noise.hpp>

#include <algorithm>
#include <memory>

namespace symvi {
namespace onnx {
namespace detail {
namespace {

//! softplus^-1; a standard deviation of zero becomes a very small one.
double InverseSoftplus(const double sigma)
{
  return kernel::InverseSoftplus(std::max(sigma, 1e-30));
}

[[noreturn]] void RefuseOutput(const char* wanted)
{
  throw std::invalid_argument(
      std::string("Build(): the network's output does "
                  "not suit the likelihood, which needs ") +
      wanted + ".");
}

template<typename MatType>
using Layers = std::vector<std::unique_ptr<mlpack::Layer<MatType>>>;

template<typename MatType>
void AddActivation(Layers<MatType>& layers, const MlpLayer& layer)
{
  using ElemType = typename MatType::elem_type;
  switch (layer.activation)
  {
  case Activation::ReLU:
    layers.push_back(std::make_unique<compat::ReLU<MatType>>());
    break;
  case Activation::TanH:
    layers.push_back(std::make_unique<compat::TanH<MatType>>());
    break;
  case Activation::Sigmoid:
    layers.push_back(std::make_unique<compat::Sigmoid<MatType>>());
    break;
  case Activation::LeakyReLU:
    layers.push_back(
        std::make_unique<compat::LeakyReLU<MatType>>(ElemType(layer.alpha)));
    break;
  case Activation::ELU:
    layers.push_back(std::make_unique<compat::ELU<MatType>>(layer.alpha));
    break;
  case Activation::Softplus:
    layers.push_back(std::make_unique<compat::SoftPlus<MatType>>());
    break;
  case Activation::GELU:
    layers.push_back(std::make_unique<compat::GELU<MatType>>());
    break;
  default: break;
  }
}

//! Add a dense layer; Bayesian where `bayesian` is not null.
template<typename MatType>
void AddDense(Layers<MatType>& layers, const MlpLayer& layer,
    const BayesianOptions* bayesian)
{
  const size_t out = layer.weight.n_rows;
  if (bayesian && layer.bias.is_empty())
    layers.push_back(
        std::make_unique<BayesianLinearNoBiasType<MatType>>(out, *bayesian));
  else if (bayesian)
    layers.push_back(
        std::make_unique<BayesianLinearType<MatType>>(out, *bayesian));
  else if (layer.bias.is_empty())
    layers.push_back(std::make_unique<compat::LinearNoBias<MatType>>(out));
  else
    layers.push_back(std::make_unique<compat::Linear<MatType>>(out));
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
  void Fill(const double value, const size_t n)
  {
    at = std::fill_n(at, n, eT(value));
  }

 private:
  eT* at;
};

//! Whether layer `l` becomes Bayesian in a model: all, or those that were.
bool BecomesBayesian(const MlpDescription& d, const size_t l)
{
  return d.PosteriorSize() == 0 || d.layers[l].IsBayesian();
}

} // namespace

template<typename MatType>
CategoricalLikelihoodType<MatType> MakeLikelihood(const MlpDescription& d,
    const CategoricalLikelihoodType<MatType>*)
{
  if (d.output == MlpOutput::Bernoulli || d.output == MlpOutput::Gaussian)
    RefuseOutput("logits or class probabilities");
  return CategoricalLikelihoodType<MatType>();
}

template<typename MatType>
BernoulliLikelihoodType<MatType> MakeLikelihood(const MlpDescription& d,
    const BernoulliLikelihoodType<MatType>*)
{
  if (d.output != MlpOutput::Raw && d.output != MlpOutput::Bernoulli)
    RefuseOutput("logits or independent probabilities");
  return BernoulliLikelihoodType<MatType>();
}

template<typename MatType>
GaussianLikelihoodType<MatType> MakeLikelihood(const MlpDescription& d,
    const GaussianLikelihoodType<MatType>*)
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
  if (d.output != MlpOutput::Raw &&
      !(d.output == MlpOutput::Gaussian &&
          (d.noise == MlpNoise::Heteroscedastic ||
              d.noise == MlpNoise::Homoscedastic)))
    RefuseOutput("targets with learned noise");
  return HeteroscedasticGaussianLikelihoodType<MatType>(d.noiseLimit);
}

void RequireBuildable(const MlpDescription& d, const BuildOptions& options)
{
  if (d.layers.empty())
    throw std::invalid_argument("Build(): the description has no layers.");
  if (!options.standardised &&
      !(d.inputMean.is_empty() && d.targetMean.is_empty()))
    throw std::invalid_argument(
        "Build(): the network expects standardised "
        "data, which BuildOptions::standardised must acknowledge.");
}

template<typename MatType>
convert::Converted<MatType> PlainLayers(const MlpDescription& d)
{
  convert::Converted<MatType> result;
  size_t size = 0;
  for (const MlpLayer& layer : d.layers)
  {
    AddDense(result.layers, layer, nullptr);
    AddActivation(result.layers, layer);
    size += layer.Size();
  }
  if (d.output == MlpOutput::Softmax)
    result.layers.push_back(std::make_unique<compat::Softmax<MatType>>());
  else if (d.output == MlpOutput::LogSoftmax)
    result.layers.push_back(std::make_unique<compat::LogSoftMax<MatType>>());
  else if (d.output == MlpOutput::Bernoulli)
    result.layers.push_back(std::make_unique<compat::Sigmoid<MatType>>());

  result.parameters.set_size(size, 1);
  ParameterWriter<typename MatType::elem_type> writer(
      result.parameters.memptr());
  for (const MlpLayer& layer : d.layers)
  {
    writer.Write(layer.weight);
    writer.Write(layer.bias);
  }
  return result;
}

template<typename MatType>
convert::Converted<MatType> BayesianLayers(const MlpDescription& d,
    const BayesianOptions& options)
{
  convert::Converted<MatType> result;
  size_t size = 0;
  for (size_t l = 0; l < d.layers.size(); ++l)
  {
    const bool bayesian = BecomesBayesian(d, l);
    AddDense(result.layers, d.layers[l], bayesian ? &options : nullptr);
    AddActivation(result.layers, d.layers[l]);
    size += (bayesian ? 2 : 1) * d.layers[l].Size();
  }
  const bool learned = d.noise == MlpNoise::Homoscedastic;
  if (learned)
  {
    result.layers.push_back(std::make_unique<LearnedNoiseType<MatType>>());
    size += d.noiseStddev.n_elem;
  }

  result.parameters.set_size(size, 1);
  ParameterWriter<typename MatType::elem_type> writer(
      result.parameters.memptr());
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
      writer.Fill(InverseSoftplus(options.InitialSigma()), layer.Size());
  }
  if (learned)
    writer.WriteRhos(d.noiseStddev - 1e-6); // The likelihood's floor.
  return result;
}

#define SYMVI_MAKE_LIKELIHOOD(LikelihoodType) \
  template LikelihoodType MakeLikelihood(const MlpDescription&, \
      const LikelihoodType*);
#define SYMVI_BUILD(MatType) \
  SYMVI_MAKE_LIKELIHOOD(CategoricalLikelihoodType<MatType>) \
  SYMVI_MAKE_LIKELIHOOD(BernoulliLikelihoodType<MatType>) \
  SYMVI_MAKE_LIKELIHOOD(GaussianLikelihoodType<MatType>) \
  SYMVI_MAKE_LIKELIHOOD(HeteroscedasticGaussianLikelihoodType<MatType>) \
  template convert::Converted<MatType> PlainLayers(const MlpDescription&); \
  template convert::Converted<MatType> BayesianLayers(const MlpDescription&, \
      const BayesianOptions&);
SYMVI_BUILD(arma::mat)
SYMVI_BUILD(arma::fmat)

} // namespace detail

template<typename MatType>
MatType StandardiseInput(const MlpDescription& description, const MatType& x)
{
  using ColType = arma::Col<typename MatType::elem_type>;
  MatType result = x;
  if (description.inputMean.is_empty())
    return result;
  result.each_col() -= arma::conv_to<ColType>::from(description.inputMean);
  result.each_col() /= arma::conv_to<ColType>::from(description.inputScale);
  return result;
}

template arma::mat StandardiseInput(const MlpDescription&, const arma::mat&);
template arma::fmat StandardiseInput(const MlpDescription&, const arma::fmat&);

} // namespace onnx
} // namespace symvi
