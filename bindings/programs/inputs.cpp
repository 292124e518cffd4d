/**
 * @file inputs.cpp
 */
#include "inputs.hpp"

#include <symvi/io/table.hpp>
#include <symvi/kernel/threads.hpp>
#include <symvi/require.hpp>

#include <algorithm>
#include <cmath>

#include "options/text.hpp"

namespace symvi {
namespace cli {

std::string TargetFile(const Arguments& arguments, const bool classification,
    const std::string& labels, const std::string& responses)
{
  arguments.Forbid({ classification ? responses : labels },
      classification ? "for classification" : "for regression");
  return arguments.Text(classification ? labels : responses);
}

std::string TaskOf(const Arguments& arguments)
{
  const bool labels = arguments.Has("labels_file");
  const bool responses = arguments.Has("responses_file");
  if (labels && responses)
    throw UsageError("--labels_file and --responses_file cannot be used "
                     "together.");
  const std::string given = arguments.Text("task");
  const std::string inferred = labels ? "classification" :
      responses                       ? "regression" :
                                        "";
  if (!given.empty() && !inferred.empty() && given != inferred)
    throw UsageError("--task " + given + " cannot be used with --" +
        (labels ? "labels_file" : "responses_file") + ".");
  if (given.empty() && inferred.empty())
    throw UsageError("training needs --labels_file or --responses_file, or "
                     "--task if the training file holds the target column.");
  return given.empty() ? inferred : given;
}

namespace {

const std::string rankMark = "%r";

//! With the number of the rank in place of the mark.
std::string OfRank(std::string path, const size_t rank)
{
  for (size_t at = path.find(rankMark); at != std::string::npos;
       at = path.find(rankMark))
    path.replace(at, rankMark.size(), std::to_string(rank));
  return path;
}

} // namespace

bool IsNamedByRank(const std::string& path)
{
  return path.find(rankMark) != std::string::npos;
}

io::Dataset LoadTraining(const Arguments& arguments, const bool classification,
    const size_t rank)
{
  const std::string path = arguments.Text("training_file");
  const std::string targets = TargetFile(arguments, classification,
      "labels_file", "responses_file");
  if (!targets.empty() && IsNamedByRank(path) != IsNamedByRank(targets))
    throw UsageError("'" + path + "' and '" + targets +
        "' must both be named "
        "by rank, or neither.");
  io::DatasetOptions options;
  options.classification = classification;
  options.targetFile = OfRank(targets, rank);
  options.targetColumn = arguments.Text("target_column");
  if (!options.targetFile.empty())
    arguments.Forbid({ "target_column" }, "with a file of targets");
  return io::LoadDataset(OfRank(path, rank), options);
}

io::Dataset LoadPoints(const Arguments& arguments, const std::string& option,
    const Pipeline& model, const std::string& targetFile, const bool targets)
{
  io::DatasetOptions options;
  options.classification = model.Spec().IsClassification();
  options.targetFile = targetFile;
  options.targetColumn = arguments.Has("target_column") ||
          model.TargetColumn().empty() ?
      arguments.Text("target_column") :
      model.TargetColumn();
  options.features = model.Spec().inputs;
  options.targets = targets;
  io::Dataset data = io::LoadDataset(arguments.Text(option), options);
  if (targets && data.labels.empty() && data.responses.is_empty())
    throw UsageError(std::string("--") +
        (options.classification ? "labels_file" : "responses_file") +
        " is needed, because '" + data.source + "' has no target column.");
  return data;
}

io::Dataset LoadTest(const Arguments& arguments, const Pipeline& model,
    const std::string& targetFile, const bool targets)
{
  return LoadPoints(arguments, "test_file", model, targetFile, targets);
}

PredictOptions PredictOptionsOf(const Arguments& arguments,
    const Ensemble& model)
{
  // As many draws of every member.
  const size_t members = model.Size();
  PredictOptions options((arguments.Count("draws") + members - 1) / members *
          members,
      model.Seed());
  if (arguments.Count("seed") != 0)
    options.seed = arguments.Count("seed");
  options.interval = arguments.Number("interval");
  return options;
}

void UseThreads(const Arguments& arguments, const NetworkSpec& spec,
    const size_t batchSize)
{
  RequireMemory("a matrix product", 0.0);
  const size_t threads = arguments.Count("threads");
  SetThreads(threads > 0 ? threads : spec.RecommendedThreads(batchSize));
}

std::vector<std::string> SplitList(const std::string& text)
{
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();)
  {
    const size_t comma = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return parts;
}

std::vector<uint64_t> WidthsOf(const Arguments& arguments,
    const std::string& option, const std::string& requirement)
{
  const std::string text = arguments.Text(option);
  std::vector<uint64_t> widths;
  for (const std::string& word : SplitList(text))
  {
    double value;
    if (!io::ParseNumber(word, value) || value != std::floor(value) ||
        value < 0.0 || value > 1e6 || (value == 0.0 && text != "0"))
      throw UsageError("invalid value of --" + option + " ('" + text +
          "'): must be " + requirement + ".");
    if (value > 0.0)
      widths.push_back(uint64_t(value));
  }
  return widths;
}

double NoiseOf(const Arguments& arguments,
    const std::vector<std::string>& words)
{
  const std::string text = arguments.Text("noise");
  if (std::find(words.begin(), words.end(), text) != words.end())
    return 0.0;
  double value;
  if (!io::ParseNumber(text, value) || !(value > 0.0) || !std::isfinite(value))
    throw UsageError("invalid value of --noise ('" + text + "'): must be " +
        OneOf(words) + " or a positive number.");
  return value;
}

} // namespace cli
} // namespace symvi
