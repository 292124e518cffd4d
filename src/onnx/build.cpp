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
#include <tuple>

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
void AddActivation(Layers<MatType>& layers, const LayerDescription& layer)
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
void AddDense(Layers<MatType>& layers, const LayerDescription& layer,
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

//! The same for a convolution.
template<typename MatType>
void AddConvolution(Layers<MatType>& layers, const LayerDescription& layer,
    const BayesianOptions* bayesian)
{
  const Window& w = layer.window;
  const size_t maps = layer.weight.n_rows;
  const auto padW = std::make_tuple(w.padLeft, w.padRight);
  const auto padH = std::make_tuple(w.padTop, w.padBottom);
  const bool hasBias = !layer.bias.is_empty();
  if (bayesian)
    layers.push_back(std::make_unique<BayesianConvolutionType<MatType>>(maps,
        w.width, w.height, w.strideWidth, w.strideHeight, padW, padH, "none",
        hasBias, *bayesian));
  else
    layers.push_back(std::make_unique<compat::DefaultConvolution<MatType>>(maps,
        w.width, w.height, w.strideWidth, w.strideHeight, padW, padH, "none",
        hasBias));
}

//! Add a layer of any kind; its statistics, if any, come later.
template<typename MatType>
void AddLayer(Layers<MatType>& layers, const LayerDescription& layer,
    const Extent& input, const BayesianOptions* bayesian)
{
  const Window& w = layer.window;
  switch (layer.kind)
  {
  case LayerKind::Convolution: AddConvolution(layers, layer, bayesian); break;
  case LayerKind::MaxPooling:
    layers.push_back(std::make_unique<compat::MaxPooling<MatType>>(w.width,
        w.height, w.strideWidth, w.strideHeight, !w.isPartial));
    break;
  case LayerKind::MeanPooling:
    layers.push_back(std::make_unique<compat::MeanPooling<MatType>>(w.width,
        w.height, w.strideWidth, w.strideHeight, !w.isPartial));
    break;
  case LayerKind::Padding:
    layers.push_back(std::make_unique<compat::Padding<MatType>>(w.padLeft,
        w.padRight, w.padTop, w.padBottom));
    break;
  case LayerKind::BatchNorm:
  {
    // Axes of the numbers with statistics of their own: maps, or all.
    const bool perMap = layer.weight.n_elem == input.maps;
    layers.push_back(std::make_unique<compat::BatchNorm<MatType>>(
        perMap && input.isImage ? 2 : 0, input.isImage ? 2 : 0, layer.epsilon));
    break;
  }
  case LayerKind::LayerNorm:
    layers.push_back(
        std::make_unique<compat::LayerNorm<MatType>>(layer.epsilon));
    break;
  default: AddDense(layers, layer, bayesian);
  }
  AddActivation(layers, layer);
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
bool BecomesBayesian(const NetworkDescription& d, const size_t l)
{
  const LayerKind kind = d.layers[l].kind;
  return d.layers[l].IsBayesian() ||
      (d.PosteriorSize() == 0 &&
          (kind == LayerKind::Dense || kind == LayerKind::Convolution));
}

//! Weights and biases as a plain layer of mlpack has them: those of a
//! convolution in one column per output map.
template<typename eT>
void WritePlain(ParameterWriter<eT>& writer, const LayerDescription& layer)
{
  if (layer.kind == LayerKind::Convolution)
    writer.Write(layer.weight.t());
  else
    writer.Write(layer.weight);
  writer.Write(layer.bias);
}

} // namespace

template<typename MatType>
CategoricalLikelihoodType<MatType> MakeLikelihood(const NetworkDescription& d,
    const CategoricalLikelihoodType<MatType>*)
{
  if (d.output == OutputKind::Bernoulli || d.output == OutputKind::Gaussian)
    RefuseOutput("logits or class probabilities");
  return CategoricalLikelihoodType<MatType>();
}

template<typename MatType>
BernoulliLikelihoodType<MatType> MakeLikelihood(const NetworkDescription& d,
    const BernoulliLikelihoodType<MatType>*)
{
  if (d.output != OutputKind::Raw && d.output != OutputKind::Bernoulli)
    RefuseOutput("logits or independent probabilities");
  return BernoulliLikelihoodType<MatType>();
}

template<typename MatType>
GaussianLikelihoodType<MatType> MakeLikelihood(const NetworkDescription& d,
    const GaussianLikelihoodType<MatType>*)
{
  const bool fixed = d.output == OutputKind::Gaussian &&
      d.noise == NoiseKind::Fixed;
  if (!fixed && d.output != OutputKind::Raw &&
      !(d.output == OutputKind::Gaussian && d.noise == NoiseKind::None))
    RefuseOutput("targets with fixed noise");
  if (!fixed)
    return GaussianLikelihoodType<MatType>(1.0);
  if (d.noiseStddev.min() != d.noiseStddev.max())
    RefuseOutput("one noise level for all targets");
  return GaussianLikelihoodType<MatType>(d.noiseStddev[0]);
}

template<typename MatType>
HeteroscedasticGaussianLikelihoodType<MatType> MakeLikelihood(
    const NetworkDescription& d,
    const HeteroscedasticGaussianLikelihoodType<MatType>*)
{
  if (d.output != OutputKind::Raw &&
      !(d.output == OutputKind::Gaussian &&
          (d.noise == NoiseKind::Heteroscedastic ||
              d.noise == NoiseKind::Homoscedastic)))
    RefuseOutput("targets with learned noise");
  return HeteroscedasticGaussianLikelihoodType<MatType>(d.noiseLimit);
}

void RequireBuildable(const NetworkDescription& d, const BuildOptions& options)
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
convert::Converted<MatType> PlainLayers(const NetworkDescription& d)
{
  convert::Converted<MatType> result;
  const std::vector<Extent> extents = d.Extents();
  size_t size = 0;
  for (size_t l = 0; l < d.layers.size(); ++l)
  {
    AddLayer(result.layers, d.layers[l], extents[l], nullptr);
    size += d.layers[l].Size();
  }
  if (d.output == OutputKind::Softmax)
    result.layers.push_back(std::make_unique<compat::Softmax<MatType>>());
  else if (d.output == OutputKind::LogSoftmax)
    result.layers.push_back(std::make_unique<compat::LogSoftMax<MatType>>());
  else if (d.output == OutputKind::Bernoulli)
    result.layers.push_back(std::make_unique<compat::Sigmoid<MatType>>());

  result.parameters.set_size(size, 1);
  ParameterWriter<typename MatType::elem_type> writer(
      result.parameters.memptr());
  for (const LayerDescription& layer : d.layers)
    WritePlain(writer, layer);
  return result;
}

template<typename MatType>
convert::Converted<MatType> BayesianLayers(const NetworkDescription& d,
    const BayesianOptions& options)
{
  convert::Converted<MatType> result;
  const std::vector<Extent> extents = d.Extents();
  size_t size = 0;
  for (size_t l = 0; l < d.layers.size(); ++l)
  {
    const bool bayesian = BecomesBayesian(d, l);
    AddLayer(result.layers, d.layers[l], extents[l],
        bayesian ? &options : nullptr);
    size += (bayesian ? 2 : 1) * d.layers[l].Size();
  }
  const bool learned = d.noise == NoiseKind::Homoscedastic;
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
    const LayerDescription& layer = d.layers[l];
    if (!BecomesBayesian(d, l))
    {
      WritePlain(writer, layer);
      continue;
    }
    writer.Write(layer.weight);
    writer.Write(layer.bias);
    if (layer.IsBayesian())
    {
      writer.WriteRhos(layer.weightSigma);
      writer.WriteRhos(layer.biasSigma);
    }
    else
      writer.Fill(InverseSoftplus(options.InitialSigma()), layer.Size());
  }
  if (learned)
    writer.WriteRhos(d.noiseStddev - 1e-6); // The likelihood's floor.
  return result;
}

std::vector<size_t> InputDimensions(const NetworkDescription& d)
{
  if (d.input.isImage)
    return { d.input.width, d.input.height, d.input.maps };
  return { d.InSize() };
}

template<typename MatType>
void SetStatistics(const NetworkDescription& d,
    const std::vector<mlpack::Layer<MatType>*>& layers)
{
  auto layer = d.layers.begin();
  for (mlpack::Layer<MatType>* built : layers)
  {
    auto* norm = dynamic_cast<compat::BatchNorm<MatType>*>(built);
    if (!norm)
      continue;
    layer = std::find_if(layer, d.layers.end(),
        [](const LayerDescription& l)
        { return l.kind == LayerKind::BatchNorm; });
    norm->TrainingMean() = arma::conv_to<MatType>::from(layer->mean);
    norm->TrainingVariance() = arma::conv_to<MatType>::from(layer->variance);
    ++layer;
  }
}

#define SYMVI_MAKE_LIKELIHOOD(LikelihoodType) \
  template LikelihoodType MakeLikelihood(const NetworkDescription&, \
      const LikelihoodType*);
#define SYMVI_BUILD(MatType) \
  SYMVI_MAKE_LIKELIHOOD(CategoricalLikelihoodType<MatType>) \
  SYMVI_MAKE_LIKELIHOOD(BernoulliLikelihoodType<MatType>) \
  SYMVI_MAKE_LIKELIHOOD(GaussianLikelihoodType<MatType>) \
  SYMVI_MAKE_LIKELIHOOD(HeteroscedasticGaussianLikelihoodType<MatType>) \
  template convert::Converted<MatType> PlainLayers(const NetworkDescription&); \
  template void SetStatistics(const NetworkDescription&, \
      const std::vector<mlpack::Layer<MatType>*>&); \
  template convert::Converted<MatType> BayesianLayers( \
      const NetworkDescription&, const BayesianOptions&);
SYMVI_BUILD(arma::mat)
SYMVI_BUILD(arma::fmat)

} // namespace detail

template<typename MatType>
MatType StandardiseInput(const NetworkDescription& description,
    const MatType& x)
{
  using ColType = arma::Col<typename MatType::elem_type>;
  MatType result = x;
  if (description.inputMean.is_empty())
    return result;
  result.each_col() -= arma::conv_to<ColType>::from(description.inputMean);
  result.each_col() /= arma::conv_to<ColType>::from(description.inputScale);
  return result;
}

template arma::mat StandardiseInput(const NetworkDescription&,
    const arma::mat&);
template arma::fmat StandardiseInput(const NetworkDescription&,
    const arma::fmat&);

} // namespace onnx
} // namespace symvi
