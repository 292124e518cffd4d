/**
 * @file src/objective/symmetrized_elbo.cpp
 */
#include <symvi/objective/symmetrized_elbo.hpp>

#include "objective/parameter_scope.hpp"

#include <symvi/kernel/flush_denormals.hpp>
#include <symvi/network/layer_registry.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>

namespace symvi {
namespace objective {

template<typename MatType>
void RequireLogits(const mlpack::Layer<MatType>& last, const ClassLink link)
{
  const bool isProbability = (link == ClassLink::Softmax &&
                                 RoleOf(last) == LayerRole::Softmax) ||
      (link == ClassLink::Sigmoid &&
          FunctionOf(last).activation == Activation::Sigmoid);
  if (isProbability)
  {
    throw std::invalid_argument(
        "ELBO(): the likelihood reads logits and turns "
        "them into probabilities itself, but the network ends in " +
        LayerName(last) + "; leave that layer out.");
  }
}

template void RequireLogits(const mlpack::Layer<arma::mat>&, const ClassLink);
template void RequireLogits(const mlpack::Layer<arma::fmat>&, const ClassLink);

} // namespace objective

template<typename MatType>
ElboObjective<MatType>::ElboObjective(
    std::shared_ptr<objective::ElboNetwork<MatType>> passes, MatType predictors,
    MatType responses, EstimatorPtr estimator) :
    passes(std::move(passes)),
    predictors(std::move(predictors)),
    responses(std::move(responses)),
    estimator(std::move(estimator)),
    numPoints(this->predictors.n_cols),
    samples(1),
    temperature(1.0),
    warmUpEpochs(0.0),
    pointsSeen(0.0),
    fullGradient(false),
    frozen(false),
    primedBatch(0)
{
  if (this->predictors.is_empty())
    throw std::invalid_argument("ELBO(): the data must not be empty.");
}

template<typename MatType>
void ElboObjective<MatType>::Attach(
    const std::vector<mlpack::Layer<MatType>*>& all)
{
  layers = FindBayesianLayers<MatType>(all);
  if (layers.empty())
  {
    throw std::invalid_argument("ELBO(): the network has no Bayesian layer; "
                                "add symvi::BayesianLinear layers.");
  }
  if (estimator)
    symmetry = NetworkSymmetry<MatType>(all);
  for (const auto& notes : { symmetry.Notes(), BatchNotes<MatType>(all) })
    for (const std::string& note : notes)
      std::clog << "symvi: " << note << std::endl;

  size_t offset = 0;
  for (mlpack::Layer<MatType>* layer : all)
  {
    if (dynamic_cast<LayerType*>(layer))
      offsets.push_back(offset);
    offset += layer->WeightSize();
  }

  isFirstBayesian = (layers.front() == all.front());
  // Nobody reads the delta of the network's input.
  for (LayerType* layer : layers)
  {
    layer->InputDelta() = (layer != all.front());
    layer->SetStream(RandomStream(RandomKey()));
  }
  stream = RandomStream(RandomKey());
  PreparePathGradients();
}

template<typename MatType>
void ElboObjective<MatType>::CheckData(const mlpack::Layer<MatType>& last,
    const ClassLink link) const
{
  if (responses.n_cols != predictors.n_cols)
  {
    throw std::invalid_argument("ELBO(): there must be one response per point, "
                                "but there are " +
        std::to_string(predictors.n_cols) + " points and " +
        std::to_string(responses.n_cols) + " responses.");
  }
  for (size_t c = 0; c < predictors.n_cols; ++c)
  {
    if (!predictors.col(c).is_finite())
    {
      throw std::invalid_argument("ELBO(): predictors must be finite, but "
                                  "column " +
          std::to_string(c) + " holds a NaN or an infinity.");
    }
  }
  objective::RequireLogits(last, link);
}

template<typename MatType>
void ElboObjective<MatType>::CheckSettings() const
{
  if (samples == 0)
  {
    throw std::invalid_argument("ELBO::Samples(): must be positive, but is "
                                "0.");
  }
  if (!(temperature >= 0.0) || !(warmUpEpochs >= 0.0))
  {
    throw std::invalid_argument("ELBO(): Temperature() and WarmUpEpochs() must "
                                "not be negative, but are " +
        std::to_string(temperature) + " and " + std::to_string(warmUpEpochs) +
        ".");
  }
}

template<typename MatType>
void ElboObjective<MatType>::PreparePathGradients()
{
  chainGradients.resize(symmetry.NumChains());
  for (size_t i = 0; i < symmetry.NumChains(); ++i)
  {
    for (LayerType* layer : symmetry.ChainLayers(i))
    {
      layer->PathGradient().zeros(layer->PosteriorSize(), 1);
      chainGradients[i].path.push_back(layer->PathGradient().memptr());
    }
    chainGradients[i].touched.assign(chainGradients[i].path.size(), false);
  }
}

template<typename MatType>
void ElboObjective<MatType>::Seed(const uint64_t key)
{
  RandomStream keys(key);
  for (LayerType* layer : layers)
    layer->SetStream(RandomStream(keys.NextBits()));
  stream = RandomStream(keys.NextBits());
  wait = 0;
}

template<typename MatType>
void ElboObjective<MatType>::Freeze()
{
  frozen = true;
  frozenStream = stream;
  frozenLayerStreams.clear();
  for (const LayerType* layer : layers)
    frozenLayerStreams.push_back(layer->Stream());
}

template<typename MatType>
double ElboObjective<MatType>::BatchWeight(const size_t batchSize) const
{
  const double points = double(numPoints);
  const double warmUp = (warmUpEpochs > 0.0) ?
      std::min(1.0,
          (pointsSeen + double(batchSize)) / (warmUpEpochs * points)) :
      1.0;
  return temperature * warmUp * double(batchSize) / (points * double(parts));
}

template<typename MatType>
void ElboObjective<MatType>::HoldPart(const size_t points, const size_t parts)
{
  if (points < predictors.n_cols || parts == 0)
  {
    throw std::invalid_argument("ELBO::HoldPart(): there must be at least the "
                                "objective's own " +
        std::to_string(predictors.n_cols) +
        " points and "
        "one part, but there are " +
        std::to_string(points) + " and " + std::to_string(parts) + ".");
  }
  for (const LayerType* layer : layers)
  {
    if (parts > 1 && layer->Sample() == Sampling::Local)
    {
      throw std::invalid_argument(
          "ELBO::HoldPart(): Sampling::Local draws for "
          "every point, so that parts would not see the same weights; use "
          "Sampling::Weights.");
    }
  }
  numPoints = points;
  this->parts = parts;
}

template<typename MatType>
void ElboObjective<MatType>::Begin(const BatchPart& part)
{
  const size_t begin = part.begin, batchSize = part.size;
  if (begin + batchSize > predictors.n_cols || part.batchSize == 0 ||
      (batchSize == 0 && parts == 1))
  {
    throw std::invalid_argument("ELBO(): a batch must lie inside the " +
        std::to_string(predictors.n_cols) + " points, but is " +
        std::to_string(begin) + " to " + std::to_string(begin + batchSize) +
        ".");
  }
  CheckSettings();
  const size_t first = (batchSize == 0) ? 0 : begin;
  mlpack::MakeAlias(batchPredictors, predictors, predictors.n_rows, batchSize,
      first * predictors.n_rows);
  mlpack::MakeAlias(batchResponses, responses, responses.n_rows, batchSize,
      first * responses.n_rows);
  // The user may have reset the network since the last pass.
  if (layers.front()->Means().memptr() !=
      passes->Parameters().memptr() + offsets.front())
    passes->ForgetMemory();
  if (batchSize > primedBatch)
    Prime(batchSize);
  passes->SetTraining();
  Rewind();
}

template<typename MatType>
void ElboObjective<MatType>::Rewind()
{
  if (!frozen)
    return;
  stream = frozenStream;
  for (size_t l = 0; l < layers.size(); ++l)
    layers[l]->SetStream(frozenLayerStreams[l]);
}

template<typename MatType>
void ElboObjective<MatType>::Prime(const size_t batchSize)
{
  // Some mlpack layers, Convolution among them, write the delta of their input
  // into a matrix that only FFN::EvaluateWithGradient() sizes, and that is
  // reached only through FFN::Train().  A Bayesian first layer needs no delta.
  primedBatch = batchSize;
  if (isFirstBayesian)
    return;

  std::vector<RandomStream> streams;
  for (LayerType* layer : layers)
  {
    streams.push_back(layer->Stream());
    layer->UsePathGradient() = false;
  }
  passes->TrainOnce(batchPredictors, batchResponses);
  for (size_t l = 0; l < layers.size(); ++l)
    layers[l]->SetStream(streams[l]);
}

template<typename MatType>
void ElboObjective<MatType>::ClearPathGradients()
{
  for (size_t i = 0; i < chainGradients.size(); ++i)
  {
    const std::vector<LayerType*>& chain = symmetry.ChainLayers(i);
    for (size_t l = 0; l < chain.size(); ++l)
    {
      // A buffer that was not written to is still zero.
      if (chainGradients[i].touched[l])
        chain[l]->PathGradient().zeros();
    }
    for (size_t l = 0; l < chainGradients[i].mu.size(); ++l)
    {
      std::fill_n(chainGradients[i].mu[l], chain[l]->PosteriorSize(),
          ElemType(0));
      std::fill_n(chainGradients[i].sigma[l], chain[l]->PosteriorSize(),
          ElemType(0));
    }
  }
}

template<typename MatType>
size_t ElboObjective<MatType>::ChooseInterval(const size_t batchSize)
{
  if (informationInterval > 0)
    return informationInterval;
  // Multiplications of the rest of a step: three products with the batch, and
  // what is done for each weight.  A count, not a clock: runs are reproducible.
  const double step = double(passes->Parameters().n_elem) *
      (1.5 * double(batchSize) + 40.0);
  double work = 0.0;
  for (size_t i = 0; i < symmetry.NumChains(); ++i)
    work += estimator->Work(symmetry.GetChain(i));
  const double share = std::min(std::max(std::ceil(5.0 * work / step), 1.0),
      16.0);
  // Evenly over the epoch, whose first batch computes it anyway.
  const double batches = std::ceil(double(numPoints) / double(batchSize));
  const double times = std::max(std::round(batches / share), 1.0);
  return size_t(std::ceil(batches / times));
}

template<typename MatType>
typename ElboObjective<MatType>::InformationPass
ElboObjective<MatType>::NextInformation(const size_t begin,
    const size_t batchSize)
{
  // Nothing is held from one epoch to the next, so that an epoch can be
  // repeated from its parameters.
  if (begin == 0 || fullGradient)
    wait = 0;
  InformationPass pass;
  pass.tolerance = 0.05;
  pass.compute = (wait == 0);
  if (pass.compute)
    wait = ChooseInterval(batchSize);
  pass.hold = !fullGradient && (wait > 1 || !pass.compute);
  --wait;
  return pass;
}

template<typename MatType>
double ElboObjective<MatType>::Information(const double klWeight,
    const InformationPass& pass, const bool withGradient)
{
  double information = 0.0;
  if (!withGradient)
  {
    for (size_t i = 0; i < symmetry.NumChains(); ++i)
    {
      information +=
          estimator->TrainingValue(symmetry.GetChain(i), stream).value;
    }
    return information;
  }

  if (pass.compute)
    ClearPathGradients();
  for (size_t i = 0; i < symmetry.NumChains(); ++i)
  {
    InformationGradient<ElemType>& gradient = chainGradients[i];
    if (pass.compute)
    {
      // The objective holds -klWeight * I; what is held gets its weight later.
      gradient.tolerance = pass.tolerance;
      information += estimator
                         ->EvaluateWithGradient(symmetry.GetChain(i), stream,
                             ElemType(pass.hold ? -1.0 : -klWeight), gradient)
                         .value;
    }
    const std::vector<LayerType*>& chain = symmetry.ChainLayers(i);
    for (size_t l = 0; l < chain.size(); ++l)
      chain[l]->UsePathGradient() = gradient.touched[l] && !pass.hold;
  }
  if (!pass.compute)
    return lastInformation;
  if (pass.hold)
    Hold();
  return lastInformation = information;
}

template<typename MatType>
void ElboObjective<MatType>::Hold()
{
  heldNoise.resize(symmetry.NumChains());
  for (size_t i = 0; i < symmetry.NumChains(); ++i)
  {
    const std::vector<LayerType*>& chain = symmetry.ChainLayers(i);
    heldNoise[i].resize(chain.size());
    for (size_t l = 0; l < chain.size(); ++l)
    {
      heldNoise[i][l].set_size(chain[l]->PosteriorSize(), 1);
      if (chainGradients[i].touched[l])
        heldNoise[i][l] = chain[l]->PathGradient() % chain[l]->Noise();
    }
  }
}

template<typename MatType>
void ElboObjective<MatType>::AddHeld(const double klWeight,
    MatType& gradient) const
{
  const ElemType weight = ElemType(klWeight);
  for (size_t i = 0; i < chainGradients.size(); ++i)
  {
    const std::vector<LayerType*>& chain = symmetry.ChainLayers(i);
    for (size_t l = 0; l < chain.size(); ++l)
    {
      if (!chainGradients[i].touched[l])
        continue;
      const size_t n = chain[l]->PosteriorSize();
      const ElemType* path = chain[l]->PathGradient().memptr();
      const ElemType* noise = heldNoise[i][l].memptr();
      const ElemType* slope = chain[l]->DrawnSlopes().memptr();
      ElemType* gradMu = gradient.memptr() + Offset(chain[l]);
      ElemType* gradRho = gradMu + n;
      for (size_t j = 0; j < n; ++j)
      {
        gradMu[j] += weight * path[j];
        gradRho[j] += weight * noise[j] * slope[j];
      }
    }
  }
}

template<typename MatType>
size_t ElboObjective<MatType>::Offset(const LayerType* layer) const
{
  return offsets[std::find(layers.begin(), layers.end(), layer) -
      layers.begin()];
}

template<typename MatType>
void ElboObjective<MatType>::AddScore(MatType& gradient) const
{
  for (size_t i = 0; i < chainGradients.size(); ++i)
  {
    const std::vector<LayerType*>& chain = symmetry.ChainLayers(i);
    for (size_t l = 0; l < chainGradients[i].mu.size(); ++l)
    {
      const size_t n = chain[l]->PosteriorSize();
      const MatType& slope = chain[l]->DrawnSlopes();
      ElemType* gradMu = gradient.memptr() + Offset(chain[l]);
      for (size_t j = 0; j < n; ++j)
      {
        gradMu[j] += chainGradients[i].mu[l][j];
        gradMu[n + j] += chainGradients[i].sigma[l][j] * slope[j];
      }
    }
  }
}

template<typename MatType>
void ElboObjective<MatType>::EmptyForward()
{
  MatType none;
  for (size_t l = 0; l < layers.size(); ++l)
  {
    // The network would do so in its next pass.
    layers[l]->Training() = true;
    MatType own;
    mlpack::MakeAlias(own, passes->Parameters(), layers[l]->WeightSize(), 1,
        offsets[l]);
    layers[l]->SetWeights(own);
    layers[l]->Forward(MatType(layers[l]->InSize(), 0), none);
  }
}

template<typename MatType>
double ElboObjective<MatType>::EmptyLoss() const
{
  double loss = 0.0;
  for (const LayerType* layer : layers)
    loss += layer->Loss();
  return loss;
}

template<typename MatType>
double ElboObjective<MatType>::EmptyBackward(MatType& gradient)
{
  gradient.zeros(passes->Parameters().n_rows, passes->Parameters().n_cols);
  for (size_t l = 0; l < layers.size(); ++l)
  {
    MatType part;
    mlpack::MakeAlias(part, gradient, layers[l]->WeightSize(), 1, offsets[l]);
    layers[l]->Gradient(MatType(layers[l]->InSize(), 0),
        MatType(layers[l]->OutSize(), 0), part);
  }
  return EmptyLoss();
}

template<typename MatType>
double ElboObjective<MatType>::Sample(const double klWeight,
    const InformationPass& pass, MatType* gradient)
{
  for (LayerType* layer : layers)
    layer->KLWeight() = klWeight;

  double objective = 0.0, information = 0.0;
  const bool empty = batchPredictors.n_cols == 0;
  if (empty)
    EmptyForward();
  if (gradient)
  {
    if (!empty)
      passes->Forward(batchPredictors, outputs);
    information = Information(klWeight, pass, true);
    objective = empty ?
        EmptyBackward(*gradient) :
        passes->Backward(batchPredictors, batchResponses, *gradient);
    if (pass.hold)
      AddHeld(klWeight, *gradient);
    if (fullGradient)
      AddScore(*gradient);
  }
  else
  {
    objective = empty ? EmptyLoss() :
                        passes->Loss(batchPredictors, batchResponses);
    information = Information(klWeight, pass, false);
  }

  double kl = 0.0;
  for (const LayerType* layer : layers)
    kl += layer->KL();
  terms.negativeLogLikelihood += (objective - klWeight * kl) / samples;
  ++terms.draws;
  terms.kl += (kl - terms.kl) / double(terms.draws);
  terms.information += (information - terms.information) / double(terms.draws);
  return objective - klWeight * information;
}

template<typename MatType>
typename MatType::elem_type ElboObjective<MatType>::Evaluate(
    const MatType& parameters, const BatchPart& part)
{
  const kernel::FlushDenormals flush;
  const objective::ParameterScope<MatType> scope(passes->Parameters(),
      parameters, kept);
  Begin(part);
  if (outputs.n_cols != part.size && part.size > 0)
  {
    // Sizes the network's outputs, which FFN::Evaluate() takes as they are.
    passes->Forward(batchPredictors, outputs);
    Rewind();
  }

  const ElboTerms epoch = terms;
  const double klWeight = BatchWeight(part.batchSize);
  double sum = 0.0;
  for (size_t s = 0; s < samples; ++s)
    sum += Sample(klWeight, InformationPass(), nullptr);
  terms = epoch;
  return ElemType(sum / double(samples));
}

template<typename MatType>
typename MatType::elem_type ElboObjective<MatType>::EvaluateWithGradient(
    const MatType& parameters, const BatchPart& part, MatType& gradient,
    const bool isStep)
{
  const kernel::FlushDenormals flush;
  const objective::ParameterScope<MatType> scope(passes->Parameters(),
      parameters, kept);
  Begin(part);
  if (part.batchBegin == 0)
    terms = ElboTerms();
  PrepareScore();

  const double klWeight = BatchWeight(part.batchSize);
  gradient.set_size(parameters.n_rows, parameters.n_cols);
  const bool stochastic = isStep && !frozen;
  const InformationPass pass = stochastic ?
      NextInformation(part.batchBegin, part.batchSize) :
      InformationPass();
  if (!stochastic)
    wait = 0;
  double sum = Sample(klWeight, pass, &gradient);
  for (size_t s = 1; s < samples; ++s)
  {
    sum += Sample(klWeight, pass, &sampleGradient);
    gradient += sampleGradient;
  }
  if (samples > 1)
    gradient /= ElemType(samples);

  terms.points += part.size;
  ++terms.steps;
  pointsSeen += double(part.batchSize);
  return ElemType(sum / double(samples));
}

template<typename MatType>
void ElboObjective<MatType>::PrepareScore()
{
  if (fullGradient == !scoreMu.empty() || symmetry.NumChains() == 0)
    return;

  scoreMu.clear();
  scoreSigma.clear();
  for (size_t i = 0; i < chainGradients.size(); ++i)
  {
    chainGradients[i].mu.clear();
    chainGradients[i].sigma.clear();
    if (!fullGradient)
      continue;
    for (const LayerType* layer : symmetry.ChainLayers(i))
    {
      // Moving these matrices into a longer vector keeps their heap memory,
      // but not that of small ones; take the pointers once all are there.
      scoreMu.push_back(MatType(layer->PosteriorSize(), 1));
      scoreSigma.push_back(MatType(layer->PosteriorSize(), 1));
    }
  }
  size_t next = 0;
  for (InformationGradient<ElemType>& gradient : chainGradients)
  {
    for (size_t l = 0; fullGradient && l < gradient.path.size(); ++l, ++next)
    {
      gradient.mu.push_back(scoreMu[next].memptr());
      gradient.sigma.push_back(scoreSigma[next].memptr());
    }
  }
}

template<typename MatType>
void ElboObjective<MatType>::Shuffle()
{
  mlpack::ShuffleData(predictors, responses, predictors, responses);
}

template class ElboObjective<arma::mat>;
template class ElboObjective<arma::fmat>;

} // namespace symvi
