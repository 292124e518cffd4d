/**
 * @file src/model/pipeline.cpp
 */
#include <symvi/model/pipeline.hpp>
#include <symvi/require.hpp>
#include <symvi/symmetry/alignment.hpp>
#include <symvi/train/train_objective.hpp>

#include <cmath>
#include <exception>
#include <stdexcept>
#include <unordered_set>

#include "io/binary_file.hpp"
#include "model/pipeline_network.hpp"

namespace symvi {

namespace {

void Softmax(double* logits, const size_t n)
{
  arma::vec values(logits, n, false, true);
  values = arma::exp(values - values.max());
  values /= arma::accu(values);
}

//! Predictions that overflow must not pass for results.
void RequireFinite(const arma::mat& predictions)
{
  for (size_t i = 0; i < predictions.n_cols; ++i)
  {
    if (!predictions.col(i).is_finite())
      throw std::runtime_error("the prediction of point " +
          std::to_string(i + 1) +
          " is not a finite number; its inputs are probably far from those of "
          "the training data.");
  }
}

//! Numbers so large that their squares overflow cannot be standardised.
io::Standardizer FitScaling(const arma::mat& values, const PointSplit& split,
    Communicator& ranks, const std::string& source)
{
  try
  {
    return io::Standardizer(values, split.isTraining, split.training.Points(),
        [&](std::vector<double>& sums, const std::function<void()>& add)
        { ranks.InTurn(sums, add); });
  }
  catch (const std::invalid_argument& e)
  {
    throw std::invalid_argument("'" + source + "': " + e.what());
  }
}

//! Standard deviation of all numbers to train on.
double Spread(const arma::mat& values, const PointSplit& split,
    Communicator& ranks)
{
  const double n = double(split.training.Points() * values.n_rows);
  const auto mean =
      [&](const double shift, const double power, const double count)
  {
    std::vector<double> sum(1, 0.0);
    ranks.InTurn(sum,
        [&]
        {
      for (size_t j = 0; j < values.n_cols; ++j)
        for (size_t i = 0; split.isTraining[j] && i < values.n_rows; ++i)
          sum[0] += std::pow(values(i, j) - shift, power);
    });
    return sum[0] / count;
  };
  return std::sqrt(mean(mean(0.0, 1.0, n), 2.0, std::max(1.0, n - 1.0)));
}

//! The labels of all ranks, each only once if there are several ranks.
std::vector<std::string> AllLabels(const std::vector<std::string>& labels,
    Communicator& ranks)
{
  if (ranks.Size() == 1)
    return labels;
  std::unordered_set<std::string> seen;
  io::BinaryWriter writer;
  std::vector<std::string> all;
  for (const std::string& label : labels)
    if (seen.insert(label).second)
      all.push_back(label);
  writer.Texts(all);
  all.clear();
  for (std::string& bytes : ranks.GatherAll(writer.Bytes()))
    for (std::string& label : io::BinaryReader(std::move(bytes)).Texts())
      all.push_back(std::move(label));
  return all;
}

//! All layers as one chain; the arrays are those of `layers`.
SymmetricChain<double> ChainOf(const std::vector<LayerPosterior>& layers,
    const bool isSigned)
{
  SymmetricChain<double> chain;
  for (const LayerPosterior& layer : layers)
  {
    const size_t units = layer.mean.n_rows;
    if (chain.layers.size() + 1 < layers.size())
      chain.hidden.push_back(
          { chain.layers.size(), true, units, {}, isSigned });
    chain.layers.push_back({ units, size_t(layer.mean.n_cols - 1), true,
        layer.mean.memptr(), layer.sigma.memptr(), nullptr, 1 });
  }
  return chain;
}

} // namespace

Pipeline::Pipeline(const NetworkSpec& spec, const BoundOptions& bound) :
    spec(spec),
    bound(bound)
{
  spec.Check(false);
}

Pipeline::~Pipeline() = default;
Pipeline::Pipeline(Pipeline&&) noexcept = default;

Pipeline::Pipeline(const Pipeline& other) :
    spec(other.spec),
    bound(other.bound),
    labels(other.labels),
    inputs(other.inputs),
    targets(other.targets),
    features(other.features),
    targetColumn(other.targetColumn),
    network(other.network ? other.network->Clone() : nullptr),
    history(other.history),
    keptEpoch(other.keptEpoch),
    trainedPoints(other.trainedPoints),
    seed(other.seed)
{ }

Pipeline& Pipeline::operator=(Pipeline other)
{
  spec = std::move(other.spec);
  bound = std::move(other.bound);
  labels = std::move(other.labels);
  inputs = std::move(other.inputs);
  targets = std::move(other.targets);
  features = std::move(other.features);
  targetColumn = std::move(other.targetColumn);
  network = std::move(other.network);
  history = std::move(other.history);
  keptEpoch = other.keptEpoch;
  trainedPoints = other.trainedPoints;
  seed = other.seed;
  return *this;
}

Pipeline Pipeline::FromPosterior(const NetworkSpec& spec,
    const std::vector<LayerPosterior>& layers, const arma::vec& noise,
    const io::LabelCodec& labels, const io::Standardizer& inputs,
    const io::Standardizer& targets)
{
  Pipeline model(spec);
  model.labels = labels;
  model.inputs = inputs;
  model.targets = targets;
  size_t size = noise.n_elem;
  for (const LayerPosterior& layer : layers)
    size += layer.mean.n_elem + layer.sigma.n_elem;
  if (size != spec.ParameterSize())
    Refuse("Pipeline::FromPosterior",
        "there must be " + std::to_string(spec.ParameterSize()) + " parameters",
        "there are " + std::to_string(size));
  model.network = PipelineNetwork::Create(spec, model.FixedNoise(), {});
  model.network->SetPosterior(layers, noise);
  model.Check();
  return model;
}

const PipelineNetwork& Pipeline::Network(const char* where) const
{
  if (!network)
    throw std::logic_error("Pipeline::" + std::string(where) +
        "(): the model has no posterior yet; call Fit() or Load() first.");
  return *network;
}

void Pipeline::CheckPoints(const io::Dataset& data) const
{
  if (data.points.n_rows != spec.inputs)
    RefuseFile(data.source,
        "has " + std::to_string(data.points.n_rows) +
            " columns, but the model was trained on " +
            std::to_string(spec.inputs));
}

//! Class numbers, or responses in their own units.
arma::mat Pipeline::Targets(const io::Dataset& data) const
{
  if (data.labels.empty() == data.responses.is_empty() ||
      data.labels.empty() == spec.IsClassification())
    RefuseFile(data.targetSource,
        spec.IsClassification() ?
            "must hold labels, because this is a classification" :
            "must hold responses, because this is a regression");
  if (spec.IsClassification())
    return labels.Encode(data.labels, data.targetSource);
  if (data.responses.n_rows != spec.outputs)
    RefuseFile(data.targetSource,
        "has " + std::to_string(data.responses.n_rows) +
            " responses per point, but the model has " +
            std::to_string(spec.outputs));
  return data.responses;
}

//! Classes, and the numbers of inputs and outputs.
void Pipeline::LearnFrom(const io::Dataset& data,
    const std::vector<std::string>& known)
{
  spec.inputs = data.points.n_rows;
  spec.outputs = data.responses.n_rows;
  if (spec.IsClassification())
  {
    labels = data.classNames.empty() ? io::LabelCodec(known) :
                                       io::LabelCodec::Ordered(data.classNames);
    spec.outputs = labels.Classes();
    if (labels.Classes() == 1)
      RefuseFile(data.targetSource,
          "holds only the class '" + labels.Names()[0] +
              "'; at least two are needed");
  }
  features = data.features;
  targetColumn = data.targetColumn;
}

//! Fit the scaling to training points.
void Pipeline::Scale(const io::Dataset& data, const arma::mat& responses,
    const PointSplit& split, Communicator& ranks)
{
  if (spec.standardizeInputs)
    inputs = FitScaling(data.points, split, ranks, data.source);
  if (!spec.IsClassification() && spec.standardizeTargets)
    targets = FitScaling(responses, split, ranks, data.targetSource);
  if (!spec.IsClassification() && spec.noise == "fixed" &&
      !targets.Identity() && spec.outputs > 1)
    Refuse("Pipeline::Fit",
        "several responses with fixed noise must not be standardised",
        "NetworkSpec::standardizeTargets is true");
}

//! Of the standardised responses.
double Pipeline::FixedNoise() const
{
  return targets.Identity() ? spec.noiseStddev :
                              spec.noiseStddev / targets.Scales()[0];
}

FitReport Pipeline::Fit(io::Dataset data, const FitOptions& options,
    const std::function<void(const Pipeline&)>& ready)
{
  // A copy is trained: what fails leaves the model as it was.
  Pipeline next(*this);
  Communicator& ranks = options.Ranks();
  if (ranks.Size() > 1)
    RequirePoints(data.points.n_cols, ranks);
  const std::vector<std::string> known = AllLabels(data.labels, ranks);
  ranks.RequireSame("number of columns", std::to_string(data.points.n_rows));
  arma::mat encoded;
  ranks.Agree(
      [&]
      {
    if (!network)
      next.LearnFrom(data, known);
    RequireMemory("training", next.TrainingBytes(data));
    next.CheckPoints(data);
    encoded = next.Targets(data);
  });
  data.responses.reset();
  FitOptions seeded = options;
  next.seed = SeedOf(options);
  seeded.Seed(next.seed);
  if (options.KLWeight() == 0.0)
    seeded.KLWeight(spec.KLWeight());
  const PointSplit points(data.points.n_cols, options.Validation(),
      seeded.SplitSeed(), ranks);
  // It fails for all ranks alike, as they have the same sums.
  std::exception_ptr failure;
  try
  {
    if (!network)
      next.Scale(data, encoded, points, ranks);
  }
  catch (const std::invalid_argument&)
  {
    failure = std::current_exception();
  }
  ranks.Agree(
      [&]
      {
    if (failure)
      std::rethrow_exception(failure);
  });
  next.inputs.Apply(data.points);
  next.targets.Apply(encoded);

  double noise = next.FixedNoise();
  if (!network && !spec.IsClassification() && spec.noise != "fixed")
  {
    const double spread = Spread(encoded, points, ranks);
    noise = (spread > 0.0) ? 0.5 * spread : 1.0;
  }
  DataSplit<arma::mat> split(data.points, encoded, points);
  if (!network)
    next.network = PipelineNetwork::Create(next.spec, noise, {});
  ranks.Agree(
      [&]
      {
    if (ready)
      ready(next);
  });
  FitReport report = next.network->Fit(split, bound, seeded,
      next.targets.LogJacobian(), next.Describe(noise));

  next.trainedPoints = points.training.Points();
  next.keptEpoch = (report.keptEpoch == 0) ? 0 :
                                             history.size() + report.keptEpoch;
  for (EpochRecord record : report.history)
  {
    record.epoch += history.size();
    next.history.push_back(record);
  }
  *this = std::move(next);
  return report;
}

FitReport Pipeline::Fit(arma::mat points, std::vector<std::string> labels,
    const FitOptions& options)
{
  io::Dataset data;
  data.points = std::move(points);
  data.labels = std::move(labels);
  return Fit(std::move(data), options);
}

FitReport Pipeline::Fit(arma::mat points, arma::mat responses,
    const FitOptions& options)
{
  io::Dataset data;
  data.points = std::move(points);
  data.responses = std::move(responses);
  return Fit(std::move(data), options);
}

//! About what Fit() allocates: copies of the data; parameters, their moments,
//! gradients and draws; the scores of all pairs of units.
double Pipeline::TrainingBytes(const io::Dataset& data) const
{
  double numbers = 3.0 * double(data.points.n_elem + data.responses.n_elem) +
      20.0 * double(spec.ParameterSize());
  for (const uint64_t width : spec.hidden)
    numbers += 4.0 * double(width) * double(width);
  return sizeof(double) * numbers;
}

//! What tells a run from others, for checkpoints.
std::string Pipeline::Describe(const double noise) const
{
  std::string widths;
  for (const uint64_t width : spec.Widths())
    widths += (widths.empty() ? "" : "-") + std::to_string(width);
  return "task " + spec.task + "\nlayers " + widths + "\nactivation " +
      spec.activation + "\nprior_stddev " + ValueText(spec.priorStddev) +
      "\ninitial_sigma " + ValueText(spec.initialSigma) + "\nnoise " +
      spec.noise + " " + ValueText(noise) + "\n";
}

arma::mat Pipeline::ScaledPoints(const arma::mat& points) const
{
  if (points.n_rows != spec.inputs)
    Refuse("Pipeline",
        "points must have " + std::to_string(spec.inputs) + " dimensions",
        "have " + std::to_string(points.n_rows));
  arma::mat scaled = points;
  inputs.Apply(scaled);
  return scaled;
}

std::vector<std::string> Pipeline::Predict(const arma::mat& points,
    const PredictOptions& options) const
{
  std::vector<std::string> names;
  for (const arma::uword index : arma::urowvec(
           arma::index_max(Classify(points, options).probabilities, 0)))
    names.push_back(labels.Decode(index));
  return names;
}

ClassificationPrediction<arma::mat> Pipeline::Classify(const arma::mat& points,
    const PredictOptions& options) const
{
  ClassificationPrediction<arma::mat> prediction =
      Network("Classify").Classify(ScaledPoints(points), options);
  RequireFinite(prediction.probabilities);
  return prediction;
}

RegressionPrediction<arma::mat> Pipeline::Regress(const arma::mat& points,
    const PredictOptions& options) const
{
  RegressionPrediction<arma::mat> prediction = Network("Regress").Regress(
      ScaledPoints(points), options);
  targets.Revert(prediction.mean);
  if (options.interval > 0.0)
  {
    targets.Revert(prediction.lower);
    targets.Revert(prediction.upper);
  }
  for (arma::mat& quantile : prediction.quantiles)
    targets.Revert(quantile);
  for (arma::mat* variance :
      { &prediction.epistemicVariance, &prediction.aleatoricVariance })
  {
    targets.RevertScale(*variance);
    targets.RevertScale(*variance);
    RequireFinite(*variance);
  }
  RequireFinite(prediction.mean);
  return prediction;
}

arma::cube Pipeline::Draws(const arma::mat& points,
    const PredictOptions& options) const
{
  arma::cube draws = Network("Draws").Draws(ScaledPoints(points), options);
  // Heteroscedastic and learned noise stand behind the means.
  if (draws.n_rows > spec.outputs)
    draws.shed_rows(spec.outputs, draws.n_rows - 1);
  for (size_t s = 0; s < draws.n_slices; ++s)
  {
    if (!spec.IsClassification())
    {
      targets.Revert(draws.slice(s));
      continue;
    }
    for (size_t i = 0; i < draws.n_cols; ++i)
      Softmax(draws.slice_colptr(s, i), spec.outputs);
  }
  for (size_t s = 0; s < draws.n_slices; ++s)
    RequireFinite(draws.slice(s));
  return draws;
}

void Pipeline::Components(const arma::mat& points,
    const PredictOptions& options, arma::cube& means, arma::cube& stddevs) const
{
  Network("Components")
      .Components(ScaledPoints(points), options, means, stddevs);
  for (size_t s = 0; s < means.n_slices; ++s)
  {
    targets.Revert(means.slice(s));
    targets.RevertScale(stddevs.slice(s));
  }
}

arma::rowvec Pipeline::LogDensity(const io::Dataset& data,
    const PredictOptions& options) const
{
  const PipelineNetwork& fitted = Network("LogDensity");
  arma::mat scaled = Targets(data);
  targets.Apply(scaled);
  return fitted.LogDensity(ScaledPoints(data.points), scaled, options) +
      targets.LogJacobian();
}

ElboReport Pipeline::Elbo(const io::Dataset& data,
    const EvaluateOptions& options) const
{
  const PipelineNetwork& fitted = Network("Elbo");
  arma::mat scaled = Targets(data);
  targets.Apply(scaled);
  ElboReport report = fitted.Elbo(ScaledPoints(data.points), scaled, options);
  // In the units of the data.
  const double shift = targets.LogJacobian() * double(data.points.n_cols);
  for (double* value :
      { &report.logLikelihood, &report.elbo, &report.symmetrizedElbo,
          &report.symmetrizedElboLower, &report.symmetrizedElboUpper })
    *value += shift;
  report.evidence.Shift(shift);
  return report;
}

EvidenceReport Pipeline::Evidence(const io::Dataset& data, const size_t samples,
    const uint64_t seed) const
{
  RequirePositive("Evidence", "samples", samples);
  EvaluateOptions options;
  options.samples = samples;
  options.predict.seed = seed;
  return Elbo(data, options).evidence;
}

const EpochRecord* Pipeline::KeptEpoch() const
{
  return (keptEpoch == 0 || keptEpoch > history.size()) ?
      nullptr :
      &history[keptEpoch - 1];
}

std::vector<LayerPosterior> Pipeline::Posterior() const
{
  return Network("Posterior").Posterior();
}

std::vector<LayerPrior> Pipeline::Priors() const
{
  return Network("Priors").Priors();
}

std::vector<arma::cube> Pipeline::Weights(const PredictOptions& options) const
{
  return Network("Weights").Weights(options);
}

arma::vec Pipeline::Noise() const
{
  if (spec.IsClassification() || spec.IsHeteroscedastic())
    return arma::vec();
  if (spec.HasLearnedNoise())
    return Network("Noise").LearnedNoise();
  return arma::vec(spec.outputs, arma::fill::value(FixedNoise()));
}

arma::vec Pipeline::WeightSignalToNoise() const
{
  return Network("WeightSignalToNoise").WeightSignalToNoise();
}

std::vector<arma::vec> Pipeline::UnitSignalToNoise() const
{
  return Network("UnitSignalToNoise").UnitSignalToNoise();
}

arma::mat Pipeline::UnitDistances(const size_t hiddenLayer) const
{
  if (hiddenLayer >= spec.hidden.size())
    Refuse("Pipeline::UnitDistances",
        "hiddenLayer must be below " + std::to_string(spec.hidden.size()),
        "is " + std::to_string(hiddenLayer));
  return Network("UnitDistances").UnitDistances(hiddenLayer);
}

std::vector<EquivalentMode> Pipeline::NearestModes(const size_t count) const
{
  if (spec.hidden.empty())
    return {};
  return Network("NearestModes").NearestModes(count);
}

Permutation Pipeline::AlignTo(const Pipeline& other)
{
  const PipelineNetwork& from = Network("AlignTo");
  if (!other.network || other.spec.Widths() != spec.Widths())
    Refuse("Pipeline::AlignTo",
        "other must be a fitted model with layers " + spec.Describe(),
        "is " + (other.network ? other.spec.Describe() : "not fitted"));
  if (spec.hidden.empty())
    return Permutation();
  const std::vector<LayerPosterior> mine = from.Posterior();
  const std::vector<LayerPosterior> theirs = other.network->Posterior();
  const bool isSigned = (spec.activation == "tanh" &&
      other.spec.activation == "tanh");
  const SymmetricChain<double> chain = ChainOf(mine, isSigned);
  const Permutation g = Alignment().Match(chain, ChainOf(theirs, isSigned));

  // The parameters themselves, so that nothing is rounded.
  std::vector<double> moved(from.Parameters().begin(), from.Parameters().end());
  size_t at = 0;
  for (size_t l = 0; l < chain.layers.size(); ++l)
    for (int part = 0; part < 2; ++part) // Means, then rhos.
    {
      Apply(g, chain, l, from.Parameters().memptr() + at, moved.data() + at,
          part == 0 ? WeightArray::Values : WeightArray::Magnitudes);
      at += chain.layers[l].Elements();
    }
  network = PipelineNetwork::Create(spec, FixedNoise(), moved);
  return g;
}

PruneReport Pipeline::PruneWeights(const double fraction)
{
  Network("PruneWeights");
  return network->PruneWeights(fraction);
}

PruneReport Pipeline::PruneUnits(const double fraction)
{
  Network("PruneUnits");
  const PruneReport report = network->PruneUnits(fraction);
  spec.hidden.assign(report.unitsLeft.begin(), report.unitsLeft.end());
  return report;
}

} // namespace symvi
