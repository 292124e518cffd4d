/**
 * @file src/model/pipeline_file.cpp
 *
 * Pipelines on disk.
 */
#include <symvi/information/estimator.hpp>
#include <symvi/io/file.hpp>
#include <symvi/model/pipeline.hpp>
#include <symvi/require.hpp>

#include <algorithm>
#include <cmath>
#include <istream>
#include <stdexcept>
#include <utility>

#include "io/binary_file.hpp"
#include "io/container.hpp"
#include "train/checkpoint.hpp"
#include "model/pipeline_network.hpp"

namespace symvi {

namespace {

void Require(const bool condition, const char* what)
{
  if (!condition)
    throw std::invalid_argument(what);
}

void WriteSpec(const NetworkSpec& spec, io::BinaryWriter& writer)
{
  writer.Text(spec.task);
  writer.Integers(spec.hidden);
  writer.Text(spec.activation);
  writer.Real(spec.priorStddev);
  writer.Real(spec.initialSigma);
  writer.Text(spec.noise);
  writer.Real(spec.noiseStddev);
  writer.Integer(spec.standardizeInputs);
  writer.Integer(spec.standardizeTargets);
  writer.Integer(spec.inputs);
  writer.Integer(spec.outputs);
}

bool ReadFlag(io::BinaryReader& reader)
{
  const uint64_t value = reader.Integer();
  Require(value <= 1, "a flag is neither 0 nor 1");
  return value == 1;
}

NetworkSpec ReadSpec(io::BinaryReader& reader)
{
  NetworkSpec spec;
  spec.task = reader.Text();
  spec.hidden = reader.Integers();
  spec.activation = reader.Text();
  spec.priorStddev = reader.Real();
  spec.initialSigma = reader.Real();
  spec.noise = reader.Text();
  spec.noiseStddev = reader.Real();
  spec.standardizeInputs = ReadFlag(reader);
  spec.standardizeTargets = ReadFlag(reader);
  spec.inputs = reader.Integer();
  spec.outputs = reader.Integer();
  spec.Check(true);
  return spec;
}

void CheckBound(const BoundOptions& bound)
{
  const std::vector<std::string> names = EstimatorNames();
  Require(std::find(names.begin(), names.end(), bound.estimator) != names.end(),
      "there is no such estimator");
  Require(bound.permutations <= 1000000000 && bound.samples > 0 &&
          bound.samples <= 1000000000,
      "a number of samples or permutations is out "
      "of range");
}

void WriteScaling(const io::Standardizer& scaling, io::BinaryWriter& writer)
{
  writer.Reals(scaling.Means());
  writer.Reals(scaling.Scales());
}

io::Standardizer ReadScaling(io::BinaryReader& reader)
{
  const std::vector<double> means = reader.Reals();
  return io::Standardizer(arma::vec(means), arma::vec(reader.Reals()));
}

std::vector<LayerPrior> ReadPriors(io::BinaryReader& reader,
    const NetworkSpec& spec)
{
  const std::vector<double> stddevs = reader.Reals();
  Require(stddevs.size() == 2 * (spec.hidden.size() + 1),
      "the number of priors does not fit the network");
  std::vector<LayerPrior> priors;
  for (size_t i = 0; i < stddevs.size(); i += 2)
  {
    priors.push_back({ stddevs[i], stddevs[i + 1] });
    for (const double stddev : { stddevs[i], stddevs[i + 1] })
      Require(stddev > 0.0 && std::isfinite(stddev),
          "a standard deviation of the prior is not positive");
  }
  return priors;
}

} // namespace

//! Throws std::invalid_argument unless the parts fit together.
void Pipeline::Check() const
{
  Require(network->Parameters().n_elem == spec.ParameterSize(),
      "the number of parameters does not fit the network");
  Require(network->Parameters().is_finite(), "a parameter is not finite");
  Require(inputs.Identity() || inputs.Means().size() == spec.inputs,
      "the scaling does not fit the inputs");
  Require(targets.Identity() ||
          (!spec.IsClassification() && targets.Means().size() == spec.outputs),
      "the scaling does not fit the responses");
  Require(labels.Classes() == (spec.IsClassification() ? spec.outputs : 0),
      "the number of class names does not fit the network");
  Require(keptEpoch <= history.size(), "an epoch is kept that never was");
}

void Pipeline::Write(std::ostream& stream) const
{
  const arma::mat& parameters = Network("Save").Parameters();
  io::BinaryWriter writer;
  WriteSpec(spec, writer);
  writer.Integer(bound.symmetrize);
  writer.Text(bound.estimator);
  writer.Integer(bound.permutations);
  writer.Integer(bound.samples);
  writer.Texts(labels.Names());
  WriteScaling(inputs, writer);
  WriteScaling(targets, writer);
  writer.Texts(features);
  writer.Text(targetColumn);
  writer.Integer(seed);
  writer.Integer(trainedPoints);
  writer.Integer(keptEpoch);
  WriteHistory(history, writer);
  writer.Reals(std::vector<double>(parameters.begin(), parameters.end()));
  std::vector<double> priors;
  for (const LayerPrior& prior : Priors())
    priors.insert(priors.end(), { prior.weights, prior.biases });
  writer.Reals(priors);
  io::WriteContainer(stream, "model", writer.Bytes());
}

void Pipeline::Save(const std::string& path) const
{
  io::AtomicFile file(path);
  Write(file.Stream());
  file.Commit();
}

Pipeline Pipeline::Load(const std::string& path)
{
  std::string kind;
  std::string content = io::LoadContainer(path, { "model", "ensemble" }, kind);
  if (kind == "ensemble")
    RefuseFile(path, "is an ensemble; load it by Ensemble::Load()");
  return FromContent(std::move(content), path);
}

Pipeline Pipeline::Read(std::istream& stream, const std::string& source)
{
  return FromContent(io::ReadContainer(stream, source, "model"), source);
}

Pipeline Pipeline::FromContent(std::string content, const std::string& source)
{
  io::BinaryReader reader(std::move(content));
  Pipeline model;
  try
  {
    model.spec = ReadSpec(reader);
    model.bound.symmetrize = ReadFlag(reader);
    model.bound.estimator = reader.Text();
    model.bound.permutations = reader.Integer();
    model.bound.samples = reader.Integer();
    CheckBound(model.bound);
    model.labels = io::LabelCodec::Ordered(reader.Texts());
    model.inputs = ReadScaling(reader);
    model.targets = ReadScaling(reader);
    model.features = reader.Texts();
    model.targetColumn = reader.Text();
    model.seed = reader.Integer();
    model.trainedPoints = reader.Integer();
    model.keptEpoch = reader.Integer();
    model.history = ReadHistory(reader);
    const std::vector<double> parameters = reader.Reals();
    const std::vector<LayerPrior> priors = ReadPriors(reader, model.spec);
    reader.RequireEnd();
    Require(parameters.size() == model.spec.ParameterSize(),
        "the number of parameters does not fit the network");
    model.network = PipelineNetwork::Create(model.spec, model.FixedNoise(),
        parameters);
    model.network->SetPriors(priors);
    model.Check();
  }
  catch (const std::invalid_argument& e)
  {
    RefuseFile(source,
        std::string("is not a whole symvi model file (") + e.what() + ")");
  }
  return model;
}

} // namespace symvi
