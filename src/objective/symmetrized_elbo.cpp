/**
 * @file src/objective/symmetrized_elbo.cpp
 *
 * Passes over batches, and over parts of them; see information_gradient.cpp for
 * what I(g; w) adds.
 */
#include <symvi/objective/symmetrized_elbo.hpp>

#include <symvi/kernel/threads.hpp>
#include <symvi/network/layer_registry.hpp>
#include <symvi/require.hpp>

#include "objective/parameter_scope.hpp"

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
    Refuse("ELBO",
        "the likelihood reads logits and turns them into probabilities itself",
        "the network ends in " + LayerName(last) + "; leave that layer out");
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
    Refuse("ELBO", "there must be data", "there are none");
}

template<typename MatType>
void ElboObjective<MatType>::Attach(
    const std::vector<mlpack::Layer<MatType>*>& all)
{
  layers = FindBayesianLayers<MatType>(all);
  if (layers.empty())
    Refuse("ELBO", "the network must have a Bayesian layer",
        "has none; add symvi::BayesianLinear layers");
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
    Refuse("ELBO", "there must be one response per point",
        "there are " + std::to_string(predictors.n_cols) + " points and " +
            std::to_string(responses.n_cols) + " responses");
  for (size_t c = 0; c < predictors.n_cols; ++c)
    if (!predictors.col(c).is_finite())
      Refuse("ELBO", "predictors must be finite",
          "column " + std::to_string(c) + " holds a NaN or an infinity");
  objective::RequireLogits(last, link);
}

template<typename MatType>
void ElboObjective<MatType>::CheckSettings() const
{
  RequirePositive("ELBO", "Samples()", samples);
  Require(temperature >= 0.0, "ELBO", "Temperature() must not be negative",
      temperature);
  Require(warmUpEpochs >= 0.0, "ELBO", "WarmUpEpochs() must not be negative",
      warmUpEpochs);
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
    Refuse("ELBO::HoldPart",
        "there must be at least the objective's own " +
            std::to_string(predictors.n_cols) + " points and one part",
        "there are " + std::to_string(points) + " and " +
            std::to_string(parts));
  for (const LayerType* layer : layers)
  {
    if (parts > 1 && layer->Sample() == Sampling::Local)
      Refuse("ELBO::HoldPart", "all parts must see the same weights",
          "Sampling::Local draws for every point; use Sampling::Weights");
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
    Refuse("ELBO",
        "a batch must lie inside the " + std::to_string(predictors.n_cols) +
            " points",
        "is " + std::to_string(begin) + " to " +
            std::to_string(begin + batchSize));
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
    layers[l]->Forward(MatType(layers[l]->InputRows(), 0), none);
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
    layers[l]->Gradient(MatType(layers[l]->InputRows(), 0),
        MatType(layers[l]->OutSize(), 0), part);
  }
  return EmptyLoss();
}

template<typename MatType>
double ElboObjective<MatType>::Pass(const double klWeight,
    const InformationPass& pass, double& information, MatType& gradient)
{
  const bool empty = batchPredictors.n_cols == 0;
  if (empty)
    EmptyForward();
  else
    passes->Forward(batchPredictors, outputs);
  information = Information(klWeight, pass, true);
  return empty ? EmptyBackward(gradient) :
                 passes->Backward(batchPredictors, batchResponses, gradient);
}

template<typename MatType>
double ElboObjective<MatType>::Sample(const double klWeight,
    const InformationPass& pass, MatType* gradient)
{
  for (size_t l = 0; l < layers.size(); ++l)
    layers[l]->KLWeight() = IsCut(l) ? klWeight * double(parts) : klWeight;

  double objective = 0.0, information = 0.0;
  if (gradient)
  {
    if (sharing)
      GatherDraws(pass.compute);
    Agree([&] { objective = Pass(klWeight, pass, information, *gradient); });
    if (sharing)
      SumShares(*gradient);
    if (pass.hold)
      AddHeld(*gradient);
    if (fullGradient)
      AddScore(*gradient);
  }
  else
  {
    const bool empty = batchPredictors.n_cols == 0;
    if (empty)
      EmptyForward();
    objective = empty ? EmptyLoss() :
                        passes->Loss(batchPredictors, batchResponses);
    information = Information(klWeight, pass, false);
  }

  double kl = 0.0;
  for (size_t l = 0; l < layers.size(); ++l)
    kl += layers[l]->KL() / (sharing && !IsCut(l) ? double(parts) : 1.0);
  terms.negativeLogLikelihood += (objective - EmptyLoss()) / samples;
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
struct ElboObjective<MatType>::SharingScope
{
  SharingScope(ElboObjective& objective, const bool sharing) :
      objective(objective)
  {
    objective.sharing = sharing;
  }
  ~SharingScope()
  {
    objective.sharing = false;
    for (LayerType* layer : objective.layers)
      layer->IsShared() = false;
  }
  SharingScope(const SharingScope&) = delete;
  SharingScope& operator=(const SharingScope&) = delete;

  ElboObjective& objective;
};

template<typename MatType>
typename MatType::elem_type ElboObjective<MatType>::EvaluateWithGradient(
    const MatType& parameters, const BatchPart& part, MatType& gradient,
    const bool isStep)
{
  const kernel::FlushDenormals flush;
  const objective::ParameterScope<MatType> scope(passes->Parameters(),
      parameters, kept);
  const SharingScope sharingScope(*this,
      !cuts.empty() && isStep && !frozen && !fullGradient);
  Agree(
      [&]
      {
    Begin(part);
    DrawOwnShares();
  });
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
    DrawOwnShares();
    sampleGradient.set_size(parameters.n_rows, parameters.n_cols);
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
void ElboObjective<MatType>::Shuffle()
{
  mlpack::ShuffleData(predictors, responses, predictors, responses);
}

template class ElboObjective<arma::mat>;
template class ElboObjective<arma::fmat>;

} // namespace symvi
