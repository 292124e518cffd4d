/**
 * @file symvi/onnx/convert.hpp
 *
 * From networks of mlpack and symvi, and from pipelines, to descriptions, and
 * back.
 */
#ifndef SYMVI_ONNX_CONVERT_HPP
#define SYMVI_ONNX_CONVERT_HPP

#include <symvi/layer/bayesian_options.hpp>
#include <symvi/model/convert.hpp>
#include <symvi/model/ensemble.hpp>
#include <symvi/onnx/network_description.hpp>

#include <utility>
#include <vector>

namespace symvi {
namespace onnx {

struct BuildOptions;

// The functions below for layers and likelihoods, without the network.
namespace detail {

//! @param learnedStddev Noise of a LearnedNoise layer; empty without one (out).
template<typename MatType>
NetworkDescription DescribeLayers(
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters, arma::vec& learnedStddev);

// The output kind of a likelihood; its noise only where it is not null.  Of
// other losses: a last sigmoid predicts probabilities.
template<typename MatType>
void SetOutput(NetworkDescription& d, const arma::vec& learnedStddev,
    const CategoricalLikelihoodType<MatType>* likelihood);
template<typename MatType>
void SetOutput(NetworkDescription& d, const arma::vec& learnedStddev,
    const BernoulliLikelihoodType<MatType>* likelihood);
template<typename MatType>
void SetOutput(NetworkDescription& d, const arma::vec& learnedStddev,
    const GaussianLikelihoodType<MatType>* likelihood);
template<typename MatType>
void SetOutput(NetworkDescription& d, const arma::vec& learnedStddev,
    const HeteroscedasticGaussianLikelihoodType<MatType>* likelihood);
void SetOutput(NetworkDescription& d, const arma::vec& learnedStddev,
    const void* loss);

//! Prior, objective and estimator as metadata.
template<typename MatType>
void AddFacts(const std::vector<mlpack::Layer<MatType>*>& layers,
    const ModelSettings& settings, NetworkDescription& d);
//! Bounds and number of points as metadata.
void AddFacts(const ElboReport& report, NetworkDescription& d);

void RequireBuildable(const NetworkDescription& d, const BuildOptions& options);

// The likelihood for a description; the pointer only selects the type.
template<typename MatType>
CategoricalLikelihoodType<MatType> MakeLikelihood(const NetworkDescription& d,
    const CategoricalLikelihoodType<MatType>*);
template<typename MatType>
BernoulliLikelihoodType<MatType> MakeLikelihood(const NetworkDescription& d,
    const BernoulliLikelihoodType<MatType>*);
template<typename MatType>
GaussianLikelihoodType<MatType> MakeLikelihood(const NetworkDescription& d,
    const GaussianLikelihoodType<MatType>*);
template<typename MatType>
HeteroscedasticGaussianLikelihoodType<MatType> MakeLikelihood(
    const NetworkDescription& d,
    const HeteroscedasticGaussianLikelihoodType<MatType>*);

//! Mean weights in layers of mlpack.
template<typename MatType>
convert::Converted<MatType> PlainLayers(const NetworkDescription& d);

//! Sizes of the input as mlpack wants them: { width, height, maps }, or the
//! length of a vector.
std::vector<size_t> InputDimensions(const NetworkDescription& d);

//! Give BatchNorm layers the statistics of the description; they are no
//! parameters, and setting up a network forgets them.
template<typename MatType>
void SetStatistics(const NetworkDescription& d,
    const std::vector<mlpack::Layer<MatType>*>& layers);

//! Posterior, or means with new standard deviations, in Bayesian layers.
template<typename MatType>
convert::Converted<MatType> BayesianLayers(const NetworkDescription& d,
    const BayesianOptions& options);

} // namespace detail

/**
 * The network of an mlpack::FFN that was trained or reset: Linear,
 * LinearNoBias, BayesianLinear, BayesianLinearNoBias and FixedLinear layers,
 * Convolution and BayesianConvolution, MaxPooling, MeanPooling and their
 * adaptive kin, Padding with zeros, BatchNorm and LayerNorm, the activations of
 * Activation, Identity and Dropout (both do nothing), LearnedNoise, and a last
 * Softmax, LogSoftMax or Sigmoid.  A likelihood of symvi as output layer sets
 * the output kind.
 *
 * @throws std::invalid_argument with the place and type of a layer that is none
 *     of these; std::logic_error where there are no parameters yet.
 */
template<typename OutputLayerType, typename InitType, typename MatType>
NetworkDescription Describe(
    const mlpack::FFN<OutputLayerType, InitType, MatType>& network)
{
  arma::vec learnedStddev;
  NetworkDescription d = detail::DescribeLayers(network.Network(),
      network.Parameters(), learnedStddev);
  detail::SetOutput(d, learnedStddev,
      static_cast<const OutputLayerType*>(nullptr));
  return d;
}

//! The same for a model, with prior and estimator as metadata.
template<typename LikelihoodType, typename InitType, typename MatType>
NetworkDescription Describe(
    const BayesianFFN<LikelihoodType, InitType, MatType>& model)
{
  arma::vec learnedStddev;
  NetworkDescription d = detail::DescribeLayers(model.Network(),
      model.Parameters(), learnedStddev);
  detail::SetOutput(d, learnedStddev, &model.Likelihood());
  detail::AddFacts(model.Network(), model.Settings(), d);
  return d;
}

//! The same, with the numbers of a report as metadata.
template<typename LikelihoodType, typename InitType, typename MatType>
NetworkDescription Describe(
    const BayesianFFN<LikelihoodType, InitType, MatType>& model,
    const ElboReport& report)
{
  NetworkDescription d = Describe(model);
  detail::AddFacts(report, d);
  return d;
}

//! How Build() makes a network.
struct BuildOptions
{
  //! Prior, and the standard deviations of layers that come without.
  BayesianOptions bayesian;
  //! The caller standardises inputs (StandardiseInput()) and takes targets in
  //! the standardised unit.  Otherwise Build() refuses a description that has a
  //! standardisation, which a network of mlpack cannot hold.
  bool standardised = false;
};

namespace detail {

template<typename OutputLayerType, typename InitType, typename MatType>
void BuildInto(const NetworkDescription& d, const BuildOptions& /* options */,
    mlpack::FFN<OutputLayerType, InitType, MatType>& network)
{
  convert::Converted<MatType> built = PlainLayers<MatType>(d);
  convert::Fill(built, InputDimensions(d), network);
  SetStatistics<MatType>(d, std::as_const(network).Network());
}

template<typename LikelihoodType, typename InitType, typename MatType>
void BuildInto(const NetworkDescription& d, const BuildOptions& options,
    BayesianFFN<LikelihoodType, InitType, MatType>& model)
{
  model = BayesianFFN<LikelihoodType, InitType, MatType>(
      MakeLikelihood(d, static_cast<const LikelihoodType*>(nullptr)));
  convert::Converted<MatType> built = BayesianLayers<MatType>(d,
      options.bayesian);
  convert::Fill(built, InputDimensions(d), model);
  SetStatistics<MatType>(d, std::as_const(model).Network());
}

} // namespace detail

/**
 * A network with the parameters of the description, bit for bit.
 *
 *  - mlpack::FFN<...>: Linear and Convolution layers at the means; a last
 *    Softmax, LogSoftMax or Sigmoid layer as the output kind says.
 *  - BayesianFFN<...>: BayesianLinear and BayesianConvolution layers.  Where the description has
 *    standard deviations they are kept, and layers without are plain; where it
 *    has none at all, every layer starts with BayesianOptions::InitialSigma().
 *    The likelihood must suit the output kind; raw outputs suit every one.
 *
 * @throws std::invalid_argument where the description cannot become that type.
 */
template<typename NetworkType>
NetworkType Build(const NetworkDescription& description,
    const BuildOptions& options = BuildOptions())
{
  detail::RequireBuildable(description, options);
  NetworkType network;
  detail::BuildInto(description, options, network);
  return network;
}

//! (x - inputMean) / inputScale for every column; x where there is none.
template<typename MatType>
MatType StandardiseInput(const NetworkDescription& description,
    const MatType& x);

//! The network of a pipeline with its scaling, class names and, as metadata,
//! how it was trained.
NetworkDescription Describe(const Pipeline& model);

//! The same for every member of an ensemble.
std::vector<NetworkDescription> Describe(const Ensemble& model);

//! What a description leaves open.
struct PipelineOptions
{
  //! "classification" or "regression"; empty: as the description says.
  std::string task;
  //! Class names; empty: those of the description, or numbers from 0.
  std::vector<std::string> classNames;
  //! Standard deviation of a weight that has none, relative to its size; at
  //! least 0.001.
  double relativeSigma = 0.1;
  double priorStddev = 1.0;
  //! Standard deviation of fixed noise in the units of the responses; 0:
  //! learned.
  double noise = 0.0;
};

/**
 * A pipeline with the weights of a description.
 *
 * @throws std::invalid_argument if it cannot be trained as a Pipeline: all
 *     hidden layers need the same activation, one of Activations().
 */
Pipeline BuildPipeline(const NetworkDescription& description,
    const PipelineOptions& options = PipelineOptions());

} // namespace onnx
} // namespace symvi

#endif
