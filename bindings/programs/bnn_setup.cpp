/**
 * @file bnn_setup.cpp
 */
#include "bnn_setup.hpp"

#include <symvi/io/number.hpp>
#include <symvi/kernel/random_stream.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "data/columns.hpp"
#include "model/model_file.hpp"
#include "options/run.hpp"

namespace symvi {
namespace cli {

namespace {

std::vector<uint64_t> HiddenOf(const Arguments& arguments)
{
  const std::string text = arguments.Text("hidden");
  std::vector<uint64_t> widths;
  for (size_t at = 0; at <= text.size();)
  {
    const size_t comma = std::min(text.find(',', at), text.size());
    const std::string word = text.substr(at, comma - at);
    double value;
    if (!io::ParseNumber(word, value) || value != std::floor(value) ||
        value < 0.0 || value > 1e6 || (value == 0.0 && text != "0"))
      throw UsageError("invalid value of --hidden ('" + text + "'): must be "
          "positive whole numbers separated by commas, or '0'.");
    if (value > 0.0)
      widths.push_back(uint64_t(value));
    at = comma + 1;
  }
  return widths;
}

//! --noise: a kind, or a number in the units of the responses.
void SetNoise(const Arguments& arguments, NetworkSpec& spec)
{
  const std::string text = arguments.Text("noise");
  spec.noise = text;
  if (text == "learned" || text == "heteroscedastic")
    return;
  spec.noise = "fixed";
  if (!io::ParseNumber(text, spec.noiseStddev) ||
      !(spec.noiseStddev > 0.0) || !std::isfinite(spec.noiseStddev))
    throw UsageError("invalid value of --noise ('" + text + "'): must be "
        "'learned', 'heteroscedastic' or a positive number.");
}

void RequireClasses(const Model& model, const Data& data)
{
  if (model.labels.Classes() < 2)
    throw std::invalid_argument("'" + data.targetPath + "' holds only the "
        "class '" + model.labels.Names()[0] + "'; at least two are needed.");
}

uint64_t Hash(uint64_t hash, const arma::mat& values)
{
  for (const double value : values)
  {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    hash = (hash ^ bits) * 1099511628211ull;
    hash ^= hash >> 29;
  }
  return hash;
}

} // namespace

Split::Split(Data& data,
             arma::mat allTargets,
             const double validation,
             const uint64_t seed) :
    targets(std::move(allTargets))
{
  const size_t total = data.points.n_cols;
  const size_t held = size_t(std::floor(validation * double(total)));
  if (validation > 0.0 && (held == 0 || held >= total))
    throw UsageError("invalid value of --validation ('" +
        io::FormatNumber(validation) + "'): must leave points on both sides, "
        "but holds out " + std::to_string(held) + " of " +
        std::to_string(total) + ".");
  if (held > 0)
  {
    RandomStream stream(seed);
    std::vector<size_t> order(total);
    std::iota(order.begin(), order.end(), size_t(0));
    for (size_t i = total; i > 1; --i)
      std::swap(order[i - 1], order[stream.NextIndex(i)]);
    PermuteColumns(data.points, order);
    PermuteColumns(targets, order);
  }

  const size_t kept = total - held;
  const auto view = [](arma::mat& all, const size_t begin, const size_t count)
  {
    return arma::mat(all.colptr(begin), all.n_rows, count, false, true);
  };
  points = view(data.points, 0, kept);
  pointTargets = view(targets, 0, kept);
  if (held > 0)
  {
    heldOut = view(data.points, kept, held);
    heldOutTargets = view(targets, kept, held);
  }
}

Model NewModel(const Arguments& arguments,
               const std::string& task,
               const Data& data)
{
  Model model;
  NetworkSpec& spec = model.spec;
  spec.task = task;
  spec.inputs = data.points.n_rows;
  spec.hidden = HiddenOf(arguments);
  spec.activation = arguments.Text("activation");
  spec.priorStddev = arguments.Number("prior_stddev");
  spec.initialSigma = arguments.Number("initial_sigma");
  if (spec.IsClassification())
  {
    model.labels = io::LabelCodec(data.labels);
    RequireClasses(model, data);
    spec.outputs = model.labels.Classes();
    if (arguments.Has("noise"))
      Warn("--noise is ignored because this is a classification.");
  }
  else
  {
    spec.outputs = data.responses.n_rows;
    SetNoise(arguments, spec);
  }
  model.features = data.features;
  if (data.targetPath == data.path)
    model.targetColumn = arguments.Text("target_column");
  return model;
}

Model LoadedModel(const Arguments& arguments,
                  const std::string& task,
                  const Data& data)
{
  arguments.Forbid({ "hidden", "activation", "prior_stddev", "initial_sigma",
      "noise", "standardize" }, "with --input_model_file, which decides it");
  const std::string path = arguments.Text("input_model_file");
  Model model = ReadModel(path);
  if (model.spec.task != task)
    throw std::invalid_argument("'" + path + "' is a model for " +
        model.spec.task + ", not for " + task + ".");
  if (model.spec.inputs != data.points.n_rows)
    throw std::invalid_argument("'" + data.path + "' has " +
        std::to_string(data.points.n_rows) + " columns, but the model was "
        "trained on " + std::to_string(model.spec.inputs) + ".");
  return model;
}

void Standardize(const Arguments& arguments, Model& model, Split& split)
{
  const std::string what = arguments.Text("standardize");
  if (!arguments.Has("input_model_file"))
  {
    if (what == "both" || what == "inputs")
      model.inputs = io::Standardizer(split.points);
    if (!model.spec.IsClassification() && (what == "both" || what == "targets"))
      model.targets = io::Standardizer(split.pointTargets);
  }
  for (arma::mat* points : { &split.points, &split.heldOut })
    if (!points->is_empty())
      model.inputs.Apply(*points);
  for (arma::mat* targets : { &split.pointTargets, &split.heldOutTargets })
    if (!targets->is_empty())
      model.targets.Apply(*targets);
  if (model.spec.IsClassification() || arguments.Has("input_model_file"))
    return;

  if (model.spec.noise != "fixed")
  {
    const double spread = arma::stddev(arma::vectorise(split.pointTargets));
    model.spec.noiseStddev = (spread > 0.0) ? 0.5 * spread : 1.0;
    return;
  }
  if (!model.targets.Identity() && model.spec.outputs > 1)
    throw UsageError("a number as --noise needs --standardize inputs or none "
        "if there are several responses.");
  if (!model.targets.Identity())
    model.spec.noiseStddev /= model.targets.Scales()[0];
}

TrainOptions TrainOptionsOf(const Arguments& arguments,
                            const Model& model,
                            const size_t points)
{
  TrainOptions options;
  options.bound.symmetrize = (arguments.Text("method") == "sgm");
  options.bound.estimator = arguments.Text("estimator");
  options.bound.permutations = arguments.Count("permutations");
  options.bound.samples = arguments.Count("samples");
  options.batchSize = arguments.Count("batch_size");
  if (options.batchSize > points)
    throw UsageError("invalid value of --batch_size ('" +
        std::to_string(options.batchSize) + "'): must be at most the number of "
        "training points, " + std::to_string(points) + ".");
  if (options.batchSize == 0)
    options.batchSize = std::min<size_t>(32, points);
  const size_t steps = (points + options.batchSize - 1) / options.batchSize;
  options.epochs = arguments.Count("epochs");
  if (options.epochs == 0)
    options.epochs = std::min<size_t>(1000,
        std::max<size_t>(10, 5000 / steps));
  options.stepSize = arguments.Number("step_size");
  options.warmUpEpochs = arguments.Number("kl_warmup");
  options.patience = arguments.Count("patience");
  options.seed = model.seed;
  options.logJacobian = model.targets.LogJacobian();
  return options;
}

std::string Fingerprint(const Model& model,
                        const TrainOptions& options,
                        const Split& split)
{
  uint64_t hash = Hash(14695981039346656037ull, split.points);
  hash = Hash(hash, split.pointTargets);
  hash = Hash(Hash(hash, split.heldOut), split.heldOutTargets);
  std::string text;
  const auto add = [&](const std::string& name, const std::string& value)
  {
    text += name + " " + value + "\n";
  };
  std::string widths;
  for (const uint64_t width : model.spec.Widths())
    widths += (widths.empty() ? "" : "-") + std::to_string(width);
  add("task", model.spec.task);
  add("layers", widths);
  add("activation", model.spec.activation);
  add("prior_stddev", io::FormatNumber(model.spec.priorStddev));
  add("initial_sigma", io::FormatNumber(model.spec.initialSigma));
  add("noise", model.spec.noise + " " +
      io::FormatNumber(model.spec.noiseStddev));
  add("method", options.bound.symmetrize ? "sgm" : "mfvi");
  add("estimator", options.bound.estimator);
  add("permutations", std::to_string(options.bound.permutations));
  add("samples", std::to_string(options.bound.samples));
  add("batch_size", std::to_string(options.batchSize));
  add("step_size", io::FormatNumber(options.stepSize));
  add("kl_warmup", io::FormatNumber(options.warmUpEpochs));
  add("seed", std::to_string(options.seed));
  add("data", std::to_string(split.points.n_cols) + "+" +
      std::to_string(split.heldOut.n_cols) + " points, hash " +
      std::to_string(hash));
  return text;
}

} // namespace cli
} // namespace symvi
