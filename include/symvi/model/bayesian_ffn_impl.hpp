/**
 * @file symvi/model/bayesian_ffn_impl.hpp
 *
 * Implementation of BayesianFFN.
 */
#ifndef SYMVI_MODEL_BAYESIAN_FFN_IMPL_HPP
#define SYMVI_MODEL_BAYESIAN_FFN_IMPL_HPP

#include "bayesian_ffn.hpp"

#include <symvi/io/file.hpp>
#include <symvi/kernel/threads.hpp>
#include <symvi/layer/learned_noise.hpp>
#include <symvi/optimizer/adam.hpp>
#include <symvi/require.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <sstream>

namespace symvi {

// Callbacks of ensmallen that compare objectives, and an objective that grows
// while the weight of its KL term does.
namespace objective {

/**
 * Hands the epochs behind the warm-up to ens::EarlyStopAtMinLoss, so that
 * patience begins there.
 */
template<typename ObjectiveType, typename MatType>
class WarmEarlyStop
{
 public:
  WarmEarlyStop(const ObjectiveType& elbo,
      ens::EarlyStopAtMinLossType<MatType>& callback) :
      elbo(elbo),
      callback(callback)
  { }

  template<typename OptimizerType, typename FunctionType, typename CoordType>
  bool EndEpoch(OptimizerType& optimizer, FunctionType& function,
      const CoordType& coordinates, const size_t epoch, const double loss)
  {
    const bool isWarm = elbo.WarmUpEpochs() == 0.0 ||
        elbo.EpochsSeen() >= elbo.WarmUpEpochs() + 1.0;
    return isWarm &&
        callback.EndEpoch(optimizer, function, coordinates, epoch, loss);
  }

 private:
  const ObjectiveType& elbo;
  ens::EarlyStopAtMinLossType<MatType>& callback;
};

//! The same with the batches for ens::StoreBestCoordinates.
template<typename ObjectiveType, typename MatType>
class WarmStoreBest
{
 public:
  WarmStoreBest(const ObjectiveType& elbo,
      ens::StoreBestCoordinates<MatType>& callback) :
      elbo(elbo),
      callback(callback)
  { }

  template<typename OptimizerType, typename FunctionType, typename CoordType>
  bool Evaluate(OptimizerType& optimizer, FunctionType& function,
      const CoordType& coordinates, const double loss)
  {
    return elbo.EpochsSeen() >= elbo.WarmUpEpochs() &&
        callback.Evaluate(optimizer, function, coordinates, loss);
  }

 private:
  const ObjectiveType& elbo;
  ens::StoreBestCoordinates<MatType>& callback;
};

//! A callback that waits for the end of the warm-up, if it compares objectives;
//! any other is handed on as it is.
template<typename ObjectiveType, typename CallbackType>
CallbackType& AfterWarmUp(const ObjectiveType& /* elbo */,
    CallbackType& callback)
{
  return callback;
}

template<typename ObjectiveType>
WarmEarlyStop<ObjectiveType, typename ObjectiveType::MatType> AfterWarmUp(
    const ObjectiveType& elbo,
    ens::EarlyStopAtMinLossType<typename ObjectiveType::MatType>& callback)
{
  return { elbo, callback };
}

template<typename ObjectiveType>
WarmStoreBest<ObjectiveType, typename ObjectiveType::MatType> AfterWarmUp(
    const ObjectiveType& elbo,
    ens::StoreBestCoordinates<typename ObjectiveType::MatType>& callback)
{
  return { elbo, callback };
}

} // namespace objective

template<typename LikelihoodType, typename InitType, typename MatType>
BayesianFFN<LikelihoodType, InitType, MatType>::BayesianFFN(
    LikelihoodType likelihood) :
    BayesianFFN(std::move(likelihood), InitType())
{
  hasRule = !std::is_same_v<InitType, mlpack::RandomInitialization>;
}

template<typename LikelihoodType, typename InitType, typename MatType>
BayesianFFN<LikelihoodType, InitType, MatType>::BayesianFFN(
    LikelihoodType likelihood, InitType initializeRule) :
    likelihood(likelihood),
    network(std::move(likelihood), initializeRule),
    initializeRule(std::move(initializeRule)),
    hasRule(true)
{ }

template<typename LikelihoodType, typename InitType, typename MatType>
BayesianFFN<LikelihoodType, InitType, MatType>&
BayesianFFN<LikelihoodType, InitType, MatType>::operator=(
    const BayesianFFN& other)
{
  if (this != &other)
  {
    BayesianFFN copy(other);
    *this = std::move(copy);
  }
  return *this;
}

template<typename LikelihoodType, typename InitType, typename MatType>
BayesianFFN<LikelihoodType, InitType, MatType>&
BayesianFFN<LikelihoodType, InitType, MatType>::operator=(BayesianFFN&& other)
{
  if (this != &other)
  {
    // MultiLayer's move assignment drops its layers without deleting them.
    for (mlpack::Layer<MatType>* layer : network.Network())
      delete layer;
    network.Network().clear();

    likelihood = std::move(other.likelihood);
    network = std::move(other.network);
    // Small parameter matrices do not keep their address when moved.
    ForgetLayerMemory(network);
    initializeRule = std::move(other.initializeRule);
    hasRule = other.hasRule;
    settings = std::move(other.settings);
  }
  return *this;
}

template<typename LikelihoodType, typename InitType, typename MatType>
template<typename OptimizerType, typename... CallbackTypes>
typename MatType::elem_type
BayesianFFN<LikelihoodType, InitType, MatType>::Train(MatType predictors,
    MatType responses, OptimizerType& optimizer, CallbackTypes&&... callbacks)
{
  Prepare(predictors, responses);
  SymmetrizedELBO<NetworkType> elbo(network, std::move(predictors),
      std::move(responses),
      settings.symmetrize ? settings.estimator : EstimatorPtr());
  elbo.Samples() = settings.samples;
  elbo.Temperature() = settings.temperature;
  elbo.WarmUpEpochs() = settings.warmUpEpochs;

  // A line search compares values of one function.
  if (std::is_same_v<OptimizerType, ens::L_BFGS>)
    elbo.Freeze();

  // Whatever the optimizer, its moments shrink with the means.
  const kernel::FlushDenormals flush;
  const MatType before = network.Parameters();
  ElemType objective = optimizer.Optimize(elbo, network.Parameters(),
      objective::AfterWarmUp(elbo, callbacks)...);
  network.SetNetworkMode(false);

  // Optimizers of the SGD family return the sum of an unfinished epoch.
  const ElboTerms& terms = elbo.Terms();
  if (terms.points >= elbo.NumFunctions())
    objective = ElemType(terms.negativeLogLikelihood +
        settings.temperature * (terms.kl - terms.information));
  if (!std::isfinite(objective) || !network.Parameters().is_finite())
  {
    network.Parameters().col(0) = before.col(0);
    throw std::runtime_error(
        "BayesianFFN::Train(): training diverged: the objective or a parameter "
        "is not finite; try a smaller step size, and inputs and targets of "
        "about unit scale.");
  }
  return objective;
}

template<typename LikelihoodType, typename InitType, typename MatType>
template<typename OptimizerType, typename... CallbackTypes>
typename MatType::elem_type
BayesianFFN<LikelihoodType, InitType, MatType>::Train(MatType predictors,
    MatType responses, CallbackTypes&&... callbacks)
{
  if constexpr (std::is_same_v<OptimizerType, ens::Adam>)
  {
    // Its defaults mean another step with every generation of ensmallen.
    ens::Adam optimizer(StepSize(1e-3, 32), 32);
    return Train(std::move(predictors), std::move(responses), optimizer,
        callbacks...);
  }
  else
  {
    OptimizerType optimizer;
    return Train(std::move(predictors), std::move(responses), optimizer,
        callbacks...);
  }
}

template<typename LikelihoodType, typename InitType, typename MatType>
void BayesianFFN<LikelihoodType, InitType, MatType>::Reset(
    const size_t inputDimensionality)
{
  AddLearnedNoise(1.0);
  ForgetLayerMemory(network);
  network.Reset(inputDimensionality);
  InitializeMeans();
}

template<typename LikelihoodType, typename InitType, typename MatType>
void BayesianFFN<LikelihoodType, InitType, MatType>::Prepare(
    const MatType& predictors, const MatType& responses)
{
  const double spread = responses.n_elem < 2 ?
      0.0 :
      double(arma::stddev(arma::vectorise(responses)));
  AddLearnedNoise(spread > 0.0 && std::isfinite(spread) ? spread : 1.0);
  if (PrepareNetwork(network, predictors.n_rows))
    InitializeMeans();
  try
  {
    for (const mlpack::Layer<MatType>* layer : NetworkLayers(network))
      RequireSavable(*layer);
  }
  catch (const cereal::Exception& e)
  {
    std::clog << "symvi: " << e.what() << std::endl;
  }
}

template<typename LikelihoodType, typename InitType, typename MatType>
void BayesianFFN<LikelihoodType, InitType, MatType>::AddLearnedNoise(
    const double initialStddev)
{
  if constexpr (std::is_same_v<LikelihoodType, GaussianLikelihoodType<MatType>>)
  {
    const auto& layers = NetworkLayers(network);
    if (!likelihood.IsLearned() || layers.empty() ||
        dynamic_cast<const LearnedNoiseType<MatType>*>(layers.back()))
      return;
    Add(LearnedNoiseType<MatType>(initialStddev));
  }
}

template<typename LikelihoodType, typename InitType, typename MatType>
void BayesianFFN<LikelihoodType, InitType, MatType>::InitializeMeans()
{
  if (!hasRule)
    return;
  size_t offset = 0;
  for (const mlpack::Layer<MatType>* layer : NetworkLayers(network))
  {
    const auto* bayesian = dynamic_cast<const BayesianLinearType<MatType>*>(
        layer);
    // A rule in the options of a layer comes first; He is their default.
    if (bayesian && bayesian->Init() == MeanInit::He)
    {
      // mlpack's rules take rows for the inputs of a unit.
      MatType weight;
      initializeRule.Initialize(weight, bayesian->InSize(),
          bayesian->OutSize());
      const MatType means = weight.t();
      std::copy(means.begin(), means.end(),
          network.Parameters().begin() + offset);
    }
    offset += layer->WeightSize();
  }
}

template<typename LikelihoodType, typename InitType, typename MatType>
void BayesianFFN<LikelihoodType, InitType, MatType>::RequireReady(
    const char* where, const MatType& predictors) const
{
  if (network.Parameters().is_empty())
  {
    throw std::logic_error("BayesianFFN::" + std::string(where) +
        "(): the model has no parameters yet; call Train() or Reset() first.");
  }
  size_t dimensions = 1;
  for (const size_t size : network.InputDimensions())
    dimensions *= size;
  if (predictors.n_rows != dimensions)
    Refuse("BayesianFFN::" + std::string(where),
        "points must have " + std::to_string(dimensions) + " dimensions",
        "have " + std::to_string(predictors.n_rows));
}

template<typename LikelihoodType, typename InitType, typename MatType>
void BayesianFFN<LikelihoodType, InitType, MatType>::Predict(
    const MatType& predictors, MatType& results, const size_t batchSize) const
{
  PredictOptions options(settings.predictSamples);
  options.pointsPerChunk = batchSize;
  options.interval = 0; // Intervals cost time and are not asked for.
  results = Predict(predictors, options).Mean();
}

template<typename LikelihoodType, typename InitType, typename MatType>
arma::rowvec BayesianFFN<LikelihoodType, InitType, MatType>::LogDensity(
    const MatType& predictors, const MatType& responses,
    const PredictOptions& options) const
{
  RequireReady("LogDensity", predictors);
  return Predictive<MatType>(network).LogDensity(predictors, responses,
      likelihood, options);
}

template<typename LikelihoodType, typename InitType, typename MatType>
arma::Cube<typename MatType::elem_type>
BayesianFFN<LikelihoodType, InitType, MatType>::Draws(const MatType& predictors,
    const PredictOptions& options) const
{
  RequireReady("Draws", predictors);
  return Predictive<MatType>(network).Draws(predictors, options);
}

template<typename LikelihoodType, typename InitType, typename MatType>
std::vector<BayesianLinearType<MatType>*>
BayesianFFN<LikelihoodType, InitType, MatType>::BayesianLayers()
{
  size_t dimensions = 1;
  for (const size_t size : std::as_const(network).InputDimensions())
    dimensions *= size;
  const MatType point(dimensions, 1, arma::fill::zeros);
  RequireReady("BayesianLayers", point);

  // A forward pass makes the network set up the memory of its layers.
  MatType outputs;
  network.SetNetworkMode(false);
  network.Forward(point, outputs);
  return FindBayesianLayers<MatType>(NetworkLayers(network));
}

template<typename LikelihoodType, typename InitType, typename MatType>
ElboReport BayesianFFN<LikelihoodType, InitType, MatType>::Elbo(
    const MatType& predictors, const MatType& responses,
    const size_t numSamples, const uint64_t seed)
{
  RequireReady("Elbo", predictors);
  PrepareNetwork(network, predictors.n_rows);
  objective::RequireLogits(*NetworkLayers(network).back(),
      likelihood::linkOf<LikelihoodType>);
  LikelihoodType::CheckTargets(responses,
      NetworkLayers(network).back()->OutputSize(), predictors.n_cols);
  return ComputeElbo(network, likelihood, predictors, responses,
      settings.estimator, (numSamples == 0) ? settings.elboSamples : numSamples,
      seed);
}

template<typename LikelihoodType, typename InitType, typename MatType>
double BayesianFFN<LikelihoodType, InitType, MatType>::Evaluate(
    const MatType& predictors, const MatType& responses,
    const size_t numSamples) const
{
  return -arma::accu(
      LogDensity(predictors, responses, PredictOptions(numSamples)));
}

template<typename LikelihoodType, typename InitType, typename MatType>
double BayesianFFN<LikelihoodType, InitType, MatType>::NegativeElbo(
    const MatType& predictors, const MatType& responses)
{
  const ElboReport report = Elbo(predictors, responses);
  return -(settings.symmetrize ? report.symmetrizedElbo : report.elbo);
}

template<typename LikelihoodType, typename InitType, typename MatType>
template<typename Archive>
void BayesianFFN<LikelihoodType, InitType, MatType>::serialize(Archive& ar,
    const uint32_t /* version */)
{
  // "symvi" in ASCII and the version of the format: a foreign file fails here.
  const uint64_t expectedMagic = 0x73796d7669u;
  const uint32_t expectedFormat = 2;

  uint64_t magic = expectedMagic;
  uint32_t format = expectedFormat;
  io::ArchiveField(ar, "magic", magic);
  if (magic != expectedMagic)
    throw cereal::Exception("BayesianFFN: this is not a model of symvi.");
  io::ArchiveField(ar, "format", format);
  if (format != expectedFormat)
  {
    throw cereal::Exception("BayesianFFN: the model has format " +
        std::to_string(format) + ", but this version of symvi reads format " +
        std::to_string(expectedFormat) + " only.");
  }

  // Whatever the archive, the content is the same bytes: they are read only
  // after their checksum was found to be right.
  if constexpr (Archive::is_loading::value)
    SetContent(io::LoadSealed(ar));
  else
    io::SaveSealed(ar, Content());
}

template<typename LikelihoodType, typename InitType, typename MatType>
void BayesianFFN<LikelihoodType, InitType, MatType>::Save(
    const std::string& path) const
{
  io::SaveContainer(path, "network", Content());
}

template<typename LikelihoodType, typename InitType, typename MatType>
void BayesianFFN<LikelihoodType, InitType, MatType>::Load(
    const std::string& path)
{
  const std::string content = io::LoadContainer(path, "network");
  try
  {
    SetContent(content);
  }
  catch (const cereal::Exception& e)
  {
    throw std::invalid_argument("'" + path + "': " + e.what());
  }
}

template<typename LikelihoodType, typename InitType, typename MatType>
std::string BayesianFFN<LikelihoodType, InitType, MatType>::Content() const
{
  std::ostringstream stream;
  cereal::BinaryOutputArchive ar(stream);
  ar(likelihood);
  return model::WriteContent(stream.str(), settings, network.InputDimensions(),
      network.Network(), network.Parameters());
}

template<typename LikelihoodType, typename InitType, typename MatType>
void BayesianFFN<LikelihoodType, InitType, MatType>::SetContent(
    const std::string& content)
{
  LikelihoodType loadedLikelihood;
  model::NetworkContent<MatType> saved = model::ReadContent<MatType>(content,
      [&](cereal::BinaryInputArchive& ar) { ar(loadedLikelihood); });
  BayesianFFN loaded(loadedLikelihood);
  loaded.settings = saved.settings;
  for (std::unique_ptr<mlpack::Layer<MatType>>& layer : saved.layers)
    loaded.Add(layer.release());
  loaded.network.InputDimensions() = saved.inputDimensions;
  loaded.network.Parameters() = std::move(saved.parameters);
  *this = std::move(loaded);
}

} // namespace symvi

#endif
