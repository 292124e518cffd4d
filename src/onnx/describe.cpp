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
    result.element = std::is_same<ElemType, float>::value ? MlpElement::Float :
                                                            MlpElement::Double;
  }

  //! Take the next layer.
  void Add(const LayerType& layer)
  {
    if (!AddDense(layer) && !AddActivation(layer) && !AddOutput(layer) &&
        !IsNothing(layer))
      Refuse(layer, "is not among those that can be described");
    offset += layer.WeightSize();
    ++position;
  }

  MlpDescription& Result() { return result; }
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

  void Push(const LayerType& layer, MlpLayer dense)
  {
    if (ended)
      Refuse(layer, "follows the network's output");
    activated = false;
    result.layers.push_back(std::move(dense));
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
      MlpLayer dense;
      dense.weight = arma::conv_to<arma::mat>::from(fixed->Weight());
      dense.bias = arma::conv_to<arma::vec>::from(
          arma::vectorise(fixed->Bias()));
      Push(layer, dense);
    }
    else if (linear || role == LayerRole::LinearNoBias)
    {
      const size_t in = Product(layer.InputDimensions());
      const size_t out = layer.WeightSize() / (linear ? in + 1 : in);
      MlpLayer dense;
      dense.weight = Numbers(0, out, in);
      if (linear)
        dense.bias = Numbers(out * in, out, 1);
      Push(layer, dense);
    }
    else
      return false;
    return true;
  }

  void AddBayesian(const BayesianLinearType<MatType>& layer)
  {
    const size_t out = layer.OutSize(), in = layer.InSize();
    const size_t n = layer.PosteriorSize();
    const auto softplus = [](const double rho)
    { return double(ElemType(kernel::Softplus(rho))); };
    MlpLayer dense;
    dense.weight = Numbers(0, out, in);
    dense.weightSigma = Numbers(n, out, in).transform(softplus);
    if (layer.HasBias())
    {
      dense.bias = Numbers(out * in, out, 1);
      dense.biasSigma = Numbers(n + out * in, out, 1).transform(softplus);
    }
    Push(layer, dense);
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
      Refuse(layer, "must follow a linear layer directly");
    result.layers.back().activation = activation;
    result.layers.back().alpha = alpha;
    activated = true;
  }

  //! Layers that end a network; false for other layers.
  bool AddOutput(const LayerType& layer)
  {
    if (RoleOf(layer) == LayerRole::Softmax)
      result.output = MlpOutput::Softmax;
    else if (RoleOf(layer) == LayerRole::LogSoftmax)
      result.output = MlpOutput::LogSoftmax;
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
  MlpDescription result;
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
MlpDescription DescribeLayers(
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
void SetOutput(MlpDescription& d, const arma::vec& /* learnedStddev */,
    const CategoricalLikelihoodType<MatType>*)
{
  d.output = MlpOutput::Softmax;
}

template<typename MatType>
void SetOutput(MlpDescription& d, const arma::vec& /* learnedStddev */,
    const BernoulliLikelihoodType<MatType>*)
{
  d.output = MlpOutput::Bernoulli;
}

template<typename MatType>
void SetOutput(MlpDescription& d, const arma::vec& learnedStddev,
    const GaussianLikelihoodType<MatType>* likelihood)
{
  d.output = MlpOutput::Gaussian;
  if (!likelihood)
    return;
  if (likelihood->IsLearned())
  {
    d.noise = MlpNoise::Homoscedastic;
    d.noiseStddev = learnedStddev;
    return;
  }
  d.noise = MlpNoise::Fixed;
  d.noiseStddev = arma::vec(d.OutSize(),
      arma::fill::value(likelihood->NoiseStddev()));
}

template<typename MatType>
void SetOutput(MlpDescription& d, const arma::vec& learnedStddev,
    const HeteroscedasticGaussianLikelihoodType<MatType>* likelihood)
{
  d.output = MlpOutput::Gaussian;
  if (likelihood)
    d.noiseLimit = likelihood->Limit();
  d.noiseStddev = learnedStddev;
  d.noise = d.noiseStddev.is_empty() ? MlpNoise::Heteroscedastic :
                                       MlpNoise::Homoscedastic;
}

void SetOutput(MlpDescription& d, const arma::vec& /* learnedStddev */,
    const void*)
{
  if (d.layers.empty() || d.output != MlpOutput::Raw ||
      d.layers.back().activation != Activation::Sigmoid)
    return;
  d.layers.back().activation = Activation::Identity;
  d.output = MlpOutput::Bernoulli;
}

template<typename MatType>
void AddFacts(const std::vector<mlpack::Layer<MatType>*>& layers,
    const ModelSettings& settings, MlpDescription& d)
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

void AddFacts(const ElboReport& report, MlpDescription& d)
{
  d.metadata[keys::Elbo] = NumberText(report.elbo);
  d.metadata[keys::SymmetrizedElbo] = NumberText(report.symmetrizedElbo);
  d.metadata[keys::NumPoints] = std::to_string(report.numPoints);
}

#define SYMVI_DESCRIBE(MatType) \
  template MlpDescription DescribeLayers( \
      const std::vector<mlpack::Layer<MatType>*>&, const MatType&, \
      arma::vec&); \
  template void SetOutput(MlpDescription&, const arma::vec&, \
      const CategoricalLikelihoodType<MatType>*); \
  template void SetOutput(MlpDescription&, const arma::vec&, \
      const BernoulliLikelihoodType<MatType>*); \
  template void SetOutput(MlpDescription&, const arma::vec&, \
      const GaussianLikelihoodType<MatType>*); \
  template void SetOutput(MlpDescription&, const arma::vec&, \
      const HeteroscedasticGaussianLikelihoodType<MatType>*); \
  template void AddFacts(const std::vector<mlpack::Layer<MatType>*>&, \
      const ModelSettings&, MlpDescription&);
SYMVI_DESCRIBE(arma::mat)
SYMVI_DESCRIBE(arma::fmat)

} // namespace detail
} // namespace onnx
} // namespace symvi
