/**
 * @file src/onnx/describe.cpp
 *
 * From networks to descriptions.
 */
#include <symvi/onnx/convert.hpp>

#include "kernel/softplus.hpp"
#include "onnx/metadata_keys.hpp"

#include <symvi/layer/fixed_linear.hpp>
#include <symvi/layer/learned_noise.hpp>

#include <algorithm>
#include <memory>
#include <sstream>
#include <type_traits>

namespace symvi {
namespace onnx {
namespace detail {
namespace {

//! Turns the layers of a network, one after the other, into a description.
template<typename MatType>
class LayerDescriber
{
 public:
  using ElemType = typename MatType::elem_type;
  using LayerType = mlpack::Layer<MatType>;

  explicit LayerDescriber(const MatType& parameters) : parameters(parameters)
  {
    result.element = std::is_same<ElemType, float>::value ? ElementKind::Float :
                                                            ElementKind::Double;
  }

  //! Take the next layer.
  void Add(const LayerType& layer)
  {
    if (!AddDense(layer) && !AddConvolution(layer) && !AddWindows(layer) &&
        !AddNorm(layer) && !AddActivation(layer) && !AddOutput(layer) &&
        !IsNothing(layer))
      Refuse(layer, "is not among those that can be described");
    offset += layer.WeightSize();
    ++position;
  }

  NetworkDescription& Result() { return result; }
  //! Standard deviations of a LearnedNoise layer; empty without one.
  const arma::vec& LearnedStddev() const { return learnedStddev; }

 private:
  [[noreturn]] void Refuse(const LayerType& layer, const std::string& why) const
  {
    throw std::invalid_argument("Describe(): layer " +
        std::to_string(position) + " (" + LayerName(layer) + ") " + why + ".");
  }

  static size_t Product(const std::vector<size_t>& sizes)
  {
    size_t product = 1;
    for (const size_t size : sizes)
      product *= size;
    return product;
  }

  //! n numbers of the network's parameters, `from` behind this layer's first.
  arma::mat Numbers(const size_t from, const size_t rows,
      const size_t cols) const
  {
    const ElemType* first = parameters.memptr() + offset + from;
    arma::mat numbers(rows, cols);
    std::copy(first, first + numbers.n_elem, numbers.memptr());
    return numbers;
  }

  void Push(const LayerType& layer, LayerDescription described)
  {
    if (ended)
      Refuse(layer, "follows the network's output");
    activated = false;
    if (result.layers.empty() && described.kind != LayerKind::Dense)
      result.input = InputOf(layer);
    result.layers.push_back(std::move(described));
  }

  //! What a layer takes: an image, unless there is one dimension.
  Extent InputOf(const LayerType& layer) const
  {
    const std::vector<size_t>& sizes = layer.InputDimensions();
    Extent extent;
    extent.isImage = sizes.size() > 1;
    if (!extent.isImage)
    {
      extent.maps = Product(sizes);
      return extent;
    }
    extent.width = sizes[0];
    extent.height = sizes[1];
    extent.maps = sizes.size() > 2 ? sizes[2] : 1;
    if (extent.Size() != Product(sizes))
      Refuse(layer, "takes points of several images each");
    return extent;
  }

  bool AddDense(const LayerType& layer)
  {
    using Bayesian = BayesianLinearType<MatType>;
    using Fixed = FixedLinearType<MatType>;
    const LayerRole role = RoleOf(layer);
    const bool linear = (role == LayerRole::Linear);
    if (dynamic_cast<const BayesianConvolutionType<MatType>*>(&layer))
      return false;
    if (const Bayesian* bayesian = dynamic_cast<const Bayesian*>(&layer))
      AddBayesian(*bayesian);
    else if (const Fixed* fixed = dynamic_cast<const Fixed*>(&layer))
    {
      LayerDescription dense;
      dense.weight = arma::conv_to<arma::mat>::from(fixed->Weight());
      dense.bias = arma::conv_to<arma::vec>::from(
          arma::vectorise(fixed->Bias()));
      Push(layer, dense);
    }
    else if (linear || role == LayerRole::LinearNoBias)
    {
      const size_t in = Product(layer.InputDimensions());
      const size_t out = layer.WeightSize() / (linear ? in + 1 : in);
      LayerDescription dense;
      dense.weight = Numbers(0, out, in);
      if (linear)
        dense.bias = Numbers(out * in, out, 1);
      Push(layer, dense);
    }
    else
      return false;
    return true;
  }

  //! Convolutions with and without a posterior; false for other layers.
  bool AddConvolution(const LayerType& layer)
  {
    using Naive = mlpack::NaiveConvolution<mlpack::ValidConvolution>;
    using Full = mlpack::NaiveConvolution<mlpack::FullConvolution>;
    using Bayesian = BayesianConvolutionType<MatType>;
    if (const Bayesian* bayesian = dynamic_cast<const Bayesian*>(&layer))
    {
      InputOf(layer);
      const ConvolutionShape& s = bayesian->Shape();
      LayerDescription convolution;
      convolution.kind = LayerKind::Convolution;
      convolution.window = { s.kernelWidth, s.kernelHeight, s.strideWidth,
        s.strideHeight, s.padLeft, s.padRight, s.padTop, s.padBottom, false };
      AddBayesian(*bayesian, std::move(convolution));
      return true;
    }
    return AddPlainConvolution<compat::DefaultConvolution<MatType>>(layer) ||
        AddPlainConvolution<compat::Convolution<MatType, Naive, Full, Naive>>(
            layer);
  }

  //! A convolution of mlpack of this class, whose weights have one column per
  //! output map; false for other layers.
  template<typename ConvolutionType>
  bool AddPlainConvolution(const LayerType& layer)
  {
    const auto* c = dynamic_cast<const ConvolutionType*>(&layer);
    if (!c)
      return false;
    LayerDescription convolution;
    convolution.kind = LayerKind::Convolution;
    convolution.window = { c->KernelWidth(), c->KernelHeight(),
      c->StrideWidth(), c->StrideHeight(), c->PadWLeft(), c->PadWRight(),
      c->PadHTop(), c->PadHBottom(), false };
    const size_t patch = c->KernelWidth() * c->KernelHeight() *
        InputOf(layer).maps;
    convolution.weight = Numbers(0, patch, c->Maps()).t();
    if (layer.WeightSize() > patch * c->Maps())
      convolution.bias = Numbers(patch * c->Maps(), c->Maps(), 1);
    Push(layer, std::move(convolution));
    return true;
  }

  //! Layers that see windows of every map; false for other layers.
  bool AddWindows(const LayerType& layer)
  {
    using PaddingType = compat::Padding<MatType>;
    if (const auto* p = dynamic_cast<const PaddingType*>(&layer))
    {
      // Only a pass tells the number that it pads with.
      LayerDescription padding;
      padding.kind = LayerKind::Padding;
      padding.window = { 1, 1, 1, 1, p->PadWLeft(), p->PadWRight(),
        p->PadHTop(), p->PadHBottom(), false };
      const std::unique_ptr<LayerType> pass(layer.Clone());
      pass->InputDimensions() = layer.InputDimensions(); // A copy lacks some.
      const MatType zeros(Product(layer.InputDimensions()), 1);
      MatType padded(pass->OutputSize(), 1);
      pass->Forward(zeros, padded);
      if (padded.max() != ElemType(0) || padded.min() != ElemType(0))
        Refuse(layer, "must pad with zeros");
      Push(layer, std::move(padding));
      return true;
    }
    return AddPooling<compat::MaxPooling<MatType>>(layer,
               LayerKind::MaxPooling) ||
        AddPooling<compat::MeanPooling<MatType>>(layer,
            LayerKind::MeanPooling) ||
        AddAdaptive<compat::AdaptiveMaxPooling<MatType>>(layer,
            LayerKind::MaxPooling) ||
        AddAdaptive<compat::AdaptiveMeanPooling<MatType>>(layer,
            LayerKind::MeanPooling);
  }

  template<typename PoolingType>
  bool AddPooling(const LayerType& layer, const LayerKind kind)
  {
    const auto* p = dynamic_cast<const PoolingType*>(&layer);
    if (!p)
      return false;
    LayerDescription pooling;
    pooling.kind = kind;
    pooling.window = { p->KernelWidth(), p->KernelHeight(), p->StrideWidth(),
      p->StrideHeight(), 0, 0, 0, 0, !p->Floor() };
    Push(layer, std::move(pooling));
    return true;
  }

  //! mlpack's adaptive pooling has strides of size / output size, rounded down,
  //! and windows that end with the image.
  template<typename PoolingType>
  bool AddAdaptive(const LayerType& layer, const LayerKind kind)
  {
    const auto* p = dynamic_cast<const PoolingType*>(&layer);
    if (!p)
      return false;
    const Extent in = InputOf(layer);
    LayerDescription pooling;
    pooling.kind = kind;
    Window& w = pooling.window;
    w.strideWidth = in.width / p->OutputWidth();
    w.strideHeight = in.height / p->OutputHeight();
    w.width = in.width - (p->OutputWidth() - 1) * w.strideWidth;
    w.height = in.height - (p->OutputHeight() - 1) * w.strideHeight;
    Push(layer, std::move(pooling));
    return true;
  }

  //! Layers that normalise; false for other layers.
  bool AddNorm(const LayerType& layer)
  {
    const size_t n = layer.WeightSize() / 2;
    LayerDescription norm;
    if (const auto* b = dynamic_cast<const compat::BatchNorm<MatType>*>(&layer))
    {
      norm.kind = LayerKind::BatchNorm;
      norm.epsilon = b->Epsilon();
      norm.mean = arma::conv_to<arma::vec>::from(
          arma::vectorise(b->TrainingMean()));
      norm.variance = arma::conv_to<arma::vec>::from(
          arma::vectorise(b->TrainingVariance()));
      const Extent in = InputOf(layer);
      if (n != in.maps && n != in.Size())
        Refuse(layer, "must normalise maps or single numbers");
    }
    else if (const auto* l = dynamic_cast<const compat::LayerNorm<MatType>*>(
                 &layer))
    {
      norm.kind = LayerKind::LayerNorm;
      norm.epsilon = l->Epsilon();
    }
    else
      return false;
    norm.weight = Numbers(0, n, 1);
    norm.bias = Numbers(n, n, 1);
    Push(layer, std::move(norm));
    return true;
  }

  void AddBayesian(const BayesianLinearType<MatType>& layer,
      LayerDescription dense = LayerDescription())
  {
    const size_t out = layer.OutSize(), in = layer.InSize();
    const size_t n = layer.PosteriorSize();
    const auto softplus = [](const double rho)
    { return double(ElemType(kernel::Softplus(rho))); };
    dense.weight = Numbers(0, out, in);
    dense.weightSigma = Numbers(n, out, in).transform(softplus);
    if (layer.HasBias())
    {
      dense.bias = Numbers(out * in, out, 1);
      dense.biasSigma = Numbers(n + out * in, out, 1).transform(softplus);
    }
    Push(layer, std::move(dense));
  }

  //! The activation that a layer is; false for other layers.
  bool AddActivation(const LayerType& layer)
  {
    const PointwiseFunction function = FunctionOf(layer);
    if (function.activation == Activation::Other ||
        function.activation == Activation::Identity)
      return false;
    Activate(layer, function.activation, function.alpha);
    return true;
  }

  void Activate(const LayerType& layer, const Activation activation,
      const double alpha)
  {
    if (result.layers.empty() || activated || ended)
      Refuse(layer, "must follow a layer of another kind directly");
    result.layers.back().activation = activation;
    result.layers.back().alpha = alpha;
    activated = true;
  }

  //! Layers that end a network; false for other layers.
  bool AddOutput(const LayerType& layer)
  {
    if (RoleOf(layer) == LayerRole::Softmax)
      result.output = OutputKind::Softmax;
    else if (RoleOf(layer) == LayerRole::LogSoftmax)
      result.output = OutputKind::LogSoftmax;
    else if (dynamic_cast<const LearnedNoiseType<MatType>*>(&layer))
      learnedStddev =
          Numbers(0, layer.WeightSize(), 1)
              .transform(HeteroscedasticGaussianLikelihoodType<MatType>::Noise);
    else
      return false;
    if (result.layers.empty() || ended)
      Refuse(layer, "must end a network that has a linear layer");
    ended = true;
    return true;
  }

  static bool IsNothing(const LayerType& layer)
  {
    return FunctionOf(layer).activation == Activation::Identity ||
        RoleOf(layer) == LayerRole::Dropout;
  }

  const MatType& parameters;
  NetworkDescription result;
  arma::vec learnedStddev;
  size_t offset = 0;   //!< Of the layer's parameters among the network's.
  size_t position = 0; //!< Of the layer in the network.
  bool activated = false;
  bool ended = false;
};

//! Enough digits to read the same number again.
std::string NumberText(const double value)
{
  std::ostringstream text;
  text.precision(17);
  text << value;
  return text.str();
}

} // namespace

template<typename MatType>
NetworkDescription DescribeLayers(
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters, arma::vec& learnedStddev)
{
  size_t total = 0;
  for (const mlpack::Layer<MatType>* layer : layers)
    total += layer->WeightSize();
  if (total == 0 || parameters.n_elem != total)
    throw std::logic_error("Describe(): the network must have been trained or "
                           "reset, so that it has " +
        std::to_string(total) +
        " parameters, but "
        "it has " +
        std::to_string(parameters.n_elem) + ".");
  LayerDescriber<MatType> describer(parameters);
  for (const mlpack::Layer<MatType>* layer : layers)
    describer.Add(*layer);
  learnedStddev = describer.LearnedStddev();
  return describer.Result();
}

template<typename MatType>
void SetOutput(NetworkDescription& d, const arma::vec& /* learnedStddev */,
    const CategoricalLikelihoodType<MatType>*)
{
  d.output = OutputKind::Softmax;
}

template<typename MatType>
void SetOutput(NetworkDescription& d, const arma::vec& /* learnedStddev */,
    const BernoulliLikelihoodType<MatType>*)
{
  d.output = OutputKind::Bernoulli;
}

template<typename MatType>
void SetOutput(NetworkDescription& d, const arma::vec& learnedStddev,
    const GaussianLikelihoodType<MatType>* likelihood)
{
  d.output = OutputKind::Gaussian;
  if (!likelihood)
    return;
  if (likelihood->IsLearned())
  {
    d.noise = NoiseKind::Homoscedastic;
    d.noiseStddev = learnedStddev;
    return;
  }
  d.noise = NoiseKind::Fixed;
  d.noiseStddev = arma::vec(d.OutSize(),
      arma::fill::value(likelihood->NoiseStddev()));
}

template<typename MatType>
void SetOutput(NetworkDescription& d, const arma::vec& learnedStddev,
    const HeteroscedasticGaussianLikelihoodType<MatType>* likelihood)
{
  d.output = OutputKind::Gaussian;
  if (likelihood)
    d.noiseLimit = likelihood->Limit();
  d.noiseStddev = learnedStddev;
  d.noise = d.noiseStddev.is_empty() ? NoiseKind::Heteroscedastic :
                                       NoiseKind::Homoscedastic;
}

void SetOutput(NetworkDescription& d, const arma::vec& /* learnedStddev */,
    const void*)
{
  if (d.layers.empty() || d.output != OutputKind::Raw ||
      d.layers.back().activation != Activation::Sigmoid)
    return;
  d.layers.back().activation = Activation::Identity;
  d.output = OutputKind::Bernoulli;
}

template<typename MatType>
void AddFacts(const std::vector<mlpack::Layer<MatType>*>& layers,
    const ModelSettings& settings, NetworkDescription& d)
{
  std::string priors;
  for (const mlpack::Layer<MatType>* layer : layers)
  {
    const auto* bayesian = dynamic_cast<const BayesianLinearType<MatType>*>(
        layer);
    if (bayesian)
      priors += (priors.empty() ? "" : " ") +
          NumberText(bayesian->PriorStddev());
  }
  d.metadata[keys::PriorStddev] = priors;
  d.metadata[keys::Objective] = keys::ObjectiveName(settings.symmetrize);
  if (settings.symmetrize)
    d.metadata[keys::Estimator] = settings.estimator->Name();
}

void AddFacts(const ElboReport& report, NetworkDescription& d)
{
  d.metadata[keys::Elbo] = NumberText(report.elbo);
  d.metadata[keys::SymmetrizedElbo] = NumberText(report.symmetrizedElbo);
  d.metadata[keys::NumPoints] = std::to_string(report.numPoints);
}

#define SYMVI_DESCRIBE(MatType) \
  template NetworkDescription DescribeLayers( \
      const std::vector<mlpack::Layer<MatType>*>&, const MatType&, \
      arma::vec&); \
  template void SetOutput(NetworkDescription&, const arma::vec&, \
      const CategoricalLikelihoodType<MatType>*); \
  template void SetOutput(NetworkDescription&, const arma::vec&, \
      const BernoulliLikelihoodType<MatType>*); \
  template void SetOutput(NetworkDescription&, const arma::vec&, \
      const GaussianLikelihoodType<MatType>*); \
  template void SetOutput(NetworkDescription&, const arma::vec&, \
      const HeteroscedasticGaussianLikelihoodType<MatType>*); \
  template void AddFacts(const std::vector<mlpack::Layer<MatType>*>&, \
      const ModelSettings&, NetworkDescription&);
SYMVI_DESCRIBE(arma::mat)
SYMVI_DESCRIBE(arma::fmat)

} // namespace detail
} // namespace onnx
} // namespace symvi
