/**
 * @file model/bayesian_ffn_impl.hpp
 *
 * Implementation of BayesianFFN: training and reports.
 */
#ifndef SYMVI_MODEL_BAYESIAN_FFN_IMPL_HPP
#define SYMVI_MODEL_BAYESIAN_FFN_IMPL_HPP

#include "bayesian_ffn.hpp"

#include <symvi/kernel/flush_denormals.hpp>
#include <symvi/likelihood/logits.hpp>
#include <symvi/objective/warm_up_callbacks.hpp>
#include <symvi/optimizer/step_size.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>

namespace symvi {

template<typename LikelihoodType, typename InitType, typename MatType>
BayesianFFN<LikelihoodType, InitType, MatType>::BayesianFFN(
    LikelihoodType likelihood) :
    BayesianFFN(std::move(likelihood), InitType())
{
  hasRule = !std::is_same_v<InitType, mlpack::RandomInitialization>;
}

template<typename LikelihoodType, typename InitType, typename MatType>
BayesianFFN<LikelihoodType, InitType, MatType>::BayesianFFN(
    LikelihoodType likelihood,
    InitType initializeRule) :
    likelihood(likelihood),
    network(std::move(likelihood), initializeRule),
    initializeRule(std::move(initializeRule)),
    hasRule(true),
    symmetrize(true),
    samples(1),
    temperature(1.0),
    warmUpEpochs(0.0),
    predictSamples(100),
    elboSamples(100)
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
    estimator = std::move(other.estimator);
    symmetrize = other.symmetrize;
    samples = other.samples;
    temperature = other.temperature;
    warmUpEpochs = other.warmUpEpochs;
    predictSamples = other.predictSamples;
    elboSamples = other.elboSamples;
  }
  return *this;
}

template<typename LikelihoodType, typename InitType, typename MatType>
template<typename OptimizerType, typename... CallbackTypes>
typename MatType::elem_type
BayesianFFN<LikelihoodType, InitType, MatType>::Train(
    MatType predictors,
    MatType responses,
    OptimizerType& optimizer,
    CallbackTypes&&... callbacks)
{
  Prepare(predictors, responses);
  SymmetrizedELBO<NetworkType> elbo(network, std::move(predictors),
      std::move(responses), symmetrize ? estimator : EstimatorPtr());
  elbo.Samples() = samples;
  elbo.Temperature() = temperature;
  elbo.WarmUpEpochs() = warmUpEpochs;

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
        temperature * (terms.kl - terms.information));
  if (!std::isfinite(objective) || !network.Parameters().is_finite())
  {
    network.Parameters().col(0) = before.col(0);
    throw std::runtime_error("BayesianFFN::Train(): training diverged: the "
        "objective or a parameter is not finite; try a smaller step size, and "
        "inputs and targets of about unit scale.");
  }
  return objective;
}

template<typename LikelihoodType, typename InitType, typename MatType>
template<typename OptimizerType, typename... CallbackTypes>
typename MatType::elem_type
BayesianFFN<LikelihoodType, InitType, MatType>::Train(
    MatType predictors,
    MatType responses,
    CallbackTypes&&... callbacks)
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
    const MatType& predictors,
    const MatType& responses)
{
  const double spread = responses.n_elem < 2 ? 0.0 :
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
    const auto* bayesian =
        dynamic_cast<const BayesianLinearType<MatType>*>(layer);
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
    const char* where,
    const MatType& predictors) const
{
  if (network.Parameters().is_empty())
  {
    throw std::logic_error("BayesianFFN::" + std::string(where) + "(): the "
        "model has no parameters yet; call Train() or Reset() first.");
  }
  size_t dimensions = 1;
  for (const size_t size : network.InputDimensions())
    dimensions *= size;
  if (predictors.n_rows != dimensions)
  {
    throw std::invalid_argument("BayesianFFN::" + std::string(where) + "(): "
        "points must have " + std::to_string(dimensions) + " dimensions, but "
        "have " + std::to_string(predictors.n_rows) + ".");
  }
}

template<typename LikelihoodType, typename InitType, typename MatType>
void BayesianFFN<LikelihoodType, InitType, MatType>::Predict(
    const MatType& predictors,
    MatType& results,
    const size_t batchSize) const
{
  PredictOptions options(predictSamples);
  options.pointsPerChunk = batchSize;
  options.interval = 0; // Intervals cost time and are not asked for.
  results = Predict(predictors, options).Mean();
}

template<typename LikelihoodType, typename InitType, typename MatType>
arma::rowvec BayesianFFN<LikelihoodType, InitType, MatType>::LogDensity(
    const MatType& predictors,
    const MatType& responses,
    const PredictOptions& options) const
{
  RequireReady("LogDensity", predictors);
  return Predictive<MatType>(network).LogDensity(predictors, responses,
      likelihood, options);
}

template<typename LikelihoodType, typename InitType, typename MatType>
arma::Cube<typename MatType::elem_type>
BayesianFFN<LikelihoodType, InitType, MatType>::Draws(
    const MatType& predictors,
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
    const MatType& predictors,
    const MatType& responses,
    const size_t numSamples,
    const uint64_t seed)
{
  RequireReady("Elbo", predictors);
  PrepareNetwork(network, predictors.n_rows);
  likelihood::RequireLogits<LikelihoodType>(*NetworkLayers(network).back());
  LikelihoodType::CheckTargets(responses,
      NetworkLayers(network).back()->OutputSize(), predictors.n_cols);
  return ComputeElbo(network, likelihood, predictors, responses, estimator,
      (numSamples == 0) ? elboSamples : numSamples, seed);
}

template<typename LikelihoodType, typename InitType, typename MatType>
double BayesianFFN<LikelihoodType, InitType, MatType>::Evaluate(
    const MatType& predictors,
    const MatType& responses,
    const size_t numSamples) const
{
  return -arma::accu(LogDensity(predictors, responses,
      PredictOptions(numSamples)));
}

template<typename LikelihoodType, typename InitType, typename MatType>
double BayesianFFN<LikelihoodType, InitType, MatType>::NegativeElbo(
    const MatType& predictors,
    const MatType& responses)
{
  const ElboReport report = Elbo(predictors, responses);
  return -(symmetrize ? report.symmetrizedElbo : report.elbo);
}

} // namespace symvi

#include "bayesian_ffn_serialize_impl.hpp"

#endif
