/**
 * @file onnx.cpp
 *
 * symvi_onnx: models to ONNX, and networks from ONNX.
 */
#include <symvi/io/number.hpp>
#include <symvi/onnx/export.hpp>
#include <symvi/onnx/import.hpp>
#include <symvi/onnx/metadata_keys.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "data/outputs.hpp"
#include "model/model_file.hpp"
#include "model/posterior.hpp"
#include "options/run.hpp"
#include "tables.hpp"

using namespace symvi;
using namespace symvi::cli;

namespace {

const std::pair<const char*, Activation> activations[] = {
  { "relu", Activation::ReLU }, { "tanh", Activation::TanH },
  { "sigmoid", Activation::Sigmoid },
  { "leaky_relu", Activation::LeakyReLU }, { "elu", Activation::ELU },
  { "softplus", Activation::Softplus }, { "gelu", Activation::GELU } };

//! Parameter of an activation as mlpack's layers have it by default.
double AlphaOf(const Activation activation)
{
  return (activation == Activation::LeakyReLU) ? 0.03 :
      (activation == Activation::ELU) ? 1.0 : 0.0;
}

Activation ActivationOf(const std::string& name)
{
  for (const auto& entry : activations)
    if (name == entry.first)
      return entry.second;
  throw std::invalid_argument("the activation function '" + name +
      "' has no ONNX form.");
}

void DescribeNoise(const Model& model, MlpDescription& description)
{
  const NetworkSpec& spec = model.spec;
  description.output = MlpOutput::Gaussian;
  description.noise = (spec.noise == "fixed") ? MlpNoise::Fixed :
      (spec.noise == "learned") ? MlpNoise::Homoscedastic :
      MlpNoise::Heteroscedastic;
  if (spec.noise == "fixed")
    description.noiseStddev.set_size(spec.outputs).fill(spec.noiseStddev);
  if (spec.noise == "learned")
    description.noiseStddev = LearnedNoise(model);
  description.targetMean = arma::vec(model.targets.Means());
  description.targetScale = arma::vec(model.targets.Scales());
}

//! The metadata that onnx::Describe() gives to a BayesianFFN.
void DescribeTraining(const Model& model, MlpDescription& description)
{
  namespace keys = onnx::keys;
  std::map<std::string, std::string>& metadata = description.metadata;
  const bool symmetrized = (model.method == "sgm");
  const std::string prior = io::FormatNumber(model.spec.priorStddev);
  for (size_t l = 0; l < description.layers.size(); ++l)
    metadata[keys::PriorStddev] += (l == 0 ? "" : " ") + prior;
  metadata[keys::Objective] = keys::ObjectiveName(symmetrized);
  if (symmetrized)
    metadata[keys::Estimator] = model.estimator;
  metadata[keys::NumPoints] = std::to_string(model.points);
  const HistoryRow* row = model.KeptRow();
  if (!row)
    return;
  metadata[keys::Elbo] = io::FormatNumber(row->logLikelihood - row->kl);
  if (symmetrized)
    metadata[keys::SymmetrizedElbo] = io::FormatNumber(row->elbo);
}

MlpDescription Describe(const Model& model)
{
  MlpDescription description;
  const std::vector<LayerPosterior> posterior = PosteriorOf(model);
  for (size_t l = 0; l < posterior.size(); ++l)
  {
    const LayerPosterior& from = posterior[l];
    const size_t in = from.mean.n_cols - 1;
    MlpLayer layer;
    layer.weight = from.mean.head_cols(in);
    layer.bias = from.mean.col(in);
    layer.weightSigma = from.sigma.head_cols(in);
    layer.biasSigma = from.sigma.col(in);
    if (l + 1 < posterior.size())
      layer.activation = ActivationOf(model.spec.activation);
    layer.alpha = AlphaOf(layer.activation);
    description.layers.push_back(std::move(layer));
  }
  description.inputMean = arma::vec(model.inputs.Means());
  description.inputScale = arma::vec(model.inputs.Scales());
  if (model.spec.IsClassification())
  {
    description.output = MlpOutput::Softmax;
    description.classNames = model.labels.Names();
  }
  else
    DescribeNoise(model, description);
  DescribeTraining(model, description);
  return description;
}

void ExportModel(const Arguments& arguments)
{
  const Model model = ReadModel(arguments.Text("input_model_file"));
  onnx::ExportOptions options;
  options.mode = onnx::ParseExportMode(arguments.Text("mode"));
  options.samples = arguments.Count("samples");
  options.members = arguments.Flag("members");
  options.seed = (arguments.Number("seed") != 0.0) ?
      uint64_t(arguments.Number("seed")) : model.seed;
  const std::string bytes = onnx::Serialize(Describe(model), options);
  Outputs outputs(arguments);
  outputs.AddText("output_onnx_file", bytes);
  outputs.Commit();
}

std::vector<std::string> ClassNames(const Arguments& arguments,
                                    const MlpDescription& description)
{
  const std::string text = arguments.Text("class_names");
  std::vector<std::string> names;
  for (size_t at = 0; !text.empty() && at <= text.size();)
  {
    const size_t comma = std::min(text.find(',', at), text.size());
    names.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  if (names.empty())
    names = description.classNames;
  for (size_t i = names.size(); text.empty() && i < description.OutSize(); ++i)
    names.push_back(std::to_string(i));
  if (names.size() != description.OutSize())
    throw UsageError("--class_names must name " +
        std::to_string(description.OutSize()) + " classes, but names " +
        std::to_string(names.size()) + ".");
  return names;
}

std::string ImportedTask(const Arguments& arguments,
                         const MlpDescription& description)
{
  const std::string path = arguments.Text("input_onnx_file");
  const bool classes = description.output == MlpOutput::Softmax ||
      description.output == MlpOutput::LogSoftmax;
  const bool unclear = description.output == MlpOutput::Raw;
  if (description.output == MlpOutput::Bernoulli)
    throw std::invalid_argument("'" + path + "' has independent sigmoid "
        "outputs, which these programs do not train.");
  const std::string found = classes ? "classification" : "regression";
  const std::string given = arguments.Text("task");
  if (unclear && given.empty())
    throw UsageError("'" + path + "' does not say whether it is a "
        "classification or a regression; --task is needed.");
  if (!unclear && !given.empty() && given != found)
    throw UsageError("--task " + given + " contradicts '" + path +
        "', which is a " + found + ".");
  return given.empty() ? found : given;
}

//! The one activation of all hidden layers.
std::string ImportedActivation(const MlpDescription& description,
                               const std::string& path)
{
  std::string name = "relu";
  for (size_t l = 0; l + 1 < description.layers.size(); ++l)
  {
    const MlpLayer& layer = description.layers[l];
    const auto entry = std::find_if(std::begin(activations),
        std::end(activations), [&](const auto& e)
        { return e.second == layer.activation; });
    const bool same = l == 0 || (entry != std::end(activations) &&
        name == entry->first);
    if (entry == std::end(activations) || !same ||
        std::abs(layer.alpha - AlphaOf(layer.activation)) > 1e-6)
      throw std::invalid_argument("'" + path + "': hidden layer " +
          std::to_string(l + 1) + " has an activation function that "
          "symvi_bnn cannot train; all hidden layers need the same one of its "
          "own.");
    name = entry->first;
  }
  return name;
}

std::vector<LayerPosterior> ImportedPosterior(
    const MlpDescription& description, const double relative)
{
  std::vector<LayerPosterior> layers;
  for (const MlpLayer& from : description.layers)
  {
    LayerPosterior layer;
    const arma::vec bias = from.bias.is_empty() ?
        arma::vec(from.weight.n_rows, arma::fill::zeros) : from.bias;
    layer.mean = arma::join_rows(from.weight, bias);
    layer.sigma = arma::clamp(relative * arma::abs(layer.mean), 1e-3, 1e30);
    if (from.IsBayesian())
    {
      layer.sigma.head_cols(from.weight.n_cols) = from.weightSigma;
      if (!from.biasSigma.is_empty())
        layer.sigma.col(from.weight.n_cols) = from.biasSigma;
    }
    layers.push_back(std::move(layer));
  }
  return layers;
}

void ImportNoise(const Arguments& arguments,
                 const MlpDescription& description,
                 Model& model)
{
  NetworkSpec& spec = model.spec;
  const std::string text = arguments.Text("noise");
  spec.noise = "learned";
  if (description.noise == MlpNoise::Heteroscedastic)
    spec.noise = "heteroscedastic";
  else if (text != "learned" && (!io::ParseNumber(text, spec.noiseStddev) ||
      !(spec.noiseStddev > 0.0) || !std::isfinite(spec.noiseStddev)))
    throw UsageError("invalid value of --noise ('" + text + "'): must be "
        "'learned' or a positive number.");
  else if (text != "learned")
    spec.noise = "fixed";
  else if (!description.noiseStddev.is_empty())
    spec.noiseStddev = description.noiseStddev[0];
}

//! Import, with errors that name the file.
MlpDescription ReadOnnx(const std::string& path)
{
  try
  {
    return onnx::Import(path);
  }
  catch (const onnx::ImportError& e)
  {
    std::string reason = e.what();
    if (reason.rfind("Import(): ", 0) == 0)
      reason.erase(0, 10);
    throw std::invalid_argument("cannot import '" + path + "': " + reason);
  }
}

void ImportModel(const Arguments& arguments)
{
  const std::string path = arguments.Text("input_onnx_file");
  const MlpDescription description = ReadOnnx(path);
  Model model;
  NetworkSpec& spec = model.spec;
  spec.task = ImportedTask(arguments, description);
  spec.inputs = description.InSize();
  spec.outputs = description.TargetSize();
  spec.activation = ImportedActivation(description, path);
  spec.priorStddev = arguments.Number("prior_stddev");
  for (size_t l = 0; l + 1 < description.layers.size(); ++l)
    spec.hidden.push_back(description.layers[l].weight.n_rows);
  if (spec.IsClassification())
    model.labels = io::LabelCodec::Ordered(ClassNames(arguments,
        description));
  else
    ImportNoise(arguments, description, model);
  model.inputs = io::Standardizer(description.inputMean,
      description.inputScale);
  if (!spec.IsClassification())
    model.targets = io::Standardizer(description.targetMean,
        description.targetScale);

  // Learned noise stands behind the posterior.
  model.parameters.assign(spec.ParameterSize(), 0.0);
  const double raw = std::log(std::expm1(spec.noiseStddev));
  std::fill(model.parameters.begin() + 2 * spec.PosteriorSize(),
      model.parameters.end(), raw);
  SetPosterior(ImportedPosterior(description,
      arguments.Number("relative_sigma")), model);
  CheckModel(model);
  Outputs outputs(arguments);
  outputs.AddModel("output_model_file", model);
  outputs.Commit();
}

int Body(const Arguments& arguments)
{
  const bool exporting = arguments.Has("input_model_file");
  if (exporting == arguments.Has("input_onnx_file"))
    throw UsageError("either --input_model_file (to export) or "
        "--input_onnx_file (to import) is needed.");
  const std::string output =
      exporting ? "output_onnx_file" : "output_model_file";
  if (!arguments.Has(output))
    throw UsageError("--" + output + " is needed.");
  CheckOutputs(arguments);
  if (exporting)
    arguments.Forbid({ "task", "class_names", "relative_sigma", "prior_stddev",
        "noise", "output_model_file" }, "for an export");
  else
    arguments.Forbid({ "mode", "samples", "members", "output_onnx_file" },
        "for an import");
  if (exporting)
    ExportModel(arguments);
  else
    ImportModel(arguments);
  return 0;
}

} // namespace

int main(int argc, char** argv)
{
  return Run(OnnxProgram(), argc, argv, Body);
}
