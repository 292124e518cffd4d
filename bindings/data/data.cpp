/**
 * @file data.cpp
 */
#include "data.hpp"

#include <symvi/io/table.hpp>

namespace symvi {
namespace cli {

namespace {

void RequireSamePoints(const Data& data, const size_t targets)
{
  if (data.points.n_cols == targets)
    return;
  throw std::invalid_argument("'" + data.path + "' has " +
      std::to_string(data.points.n_cols) + " points, but '" + data.targetPath +
      "' has " + std::to_string(targets) + ".");
}

//! Labels or responses from a file of their own.
void LoadTargets(const std::string& path,
                 const bool classification,
                 Data& data)
{
  data.targetPath = path;
  if (classification)
    data.labels = io::LoadLabels(path, data.points.n_cols);
  else
    data.responses = io::LoadResponses(path, data.points.n_cols);
  RequireSamePoints(data, classification ? data.labels.size()
                                         : data.responses.n_cols);
}

//! Labels or responses that came with the points.
void TakeTargets(io::Table& table, const bool classification, Data& data)
{
  data.targetPath = data.path;
  if (classification)
    data.labels = std::move(table.target);
  else
    data.responses = io::ToNumbers(table.target, data.path);
}

//! --labels_file or --responses_file, as the task wants; "" if not given.
std::string TargetFile(const Arguments& arguments, const bool classification)
{
  const std::string wrong = classification ? "responses_file" : "labels_file";
  if (arguments.Has(wrong))
    throw UsageError("--" + wrong + " cannot be used for " +
        (classification ? "classification" : "regression") + ".");
  return arguments.Text(classification ? "labels_file" : "responses_file");
}

} // namespace

std::string TaskOf(const Arguments& arguments)
{
  const bool labels = arguments.Has("labels_file");
  const bool responses = arguments.Has("responses_file");
  if (labels && responses)
    throw UsageError("--labels_file and --responses_file cannot be used "
        "together.");
  const std::string given = arguments.Text("task");
  const std::string inferred =
      labels ? "classification" : responses ? "regression" : "";
  if (!given.empty() && !inferred.empty() && given != inferred)
    throw UsageError("--task " + given + " cannot be used with --" +
        (labels ? "labels_file" : "responses_file") + ".");
  if (given.empty() && inferred.empty())
    throw UsageError("training needs --labels_file or --responses_file, or "
        "--task if the training file holds the target column.");
  return given.empty() ? inferred : given;
}

Data LoadTraining(const Arguments& arguments, const std::string& task)
{
  const bool classification = (task == "classification");
  const std::string targetFile = TargetFile(arguments, classification);
  Data data;
  data.path = arguments.Text("training_file");
  io::TableOptions options;
  if (targetFile.empty())
    options.target = arguments.Text("target_column");
  else
    arguments.Forbid({ "target_column" }, "with a file of targets");

  io::Table table = io::LoadTable(data.path, options);
  data.points = std::move(table.values);
  data.features = std::move(table.names);
  if (targetFile.empty())
    TakeTargets(table, classification, data);
  else
    LoadTargets(targetFile, classification, data);
  return data;
}

Data LoadForModel(const Arguments& arguments,
                  const std::string& pointsOption,
                  const Model& model,
                  const bool withTargets)
{
  const bool classification = model.spec.IsClassification();
  const std::string targetFile =
      withTargets ? TargetFile(arguments, classification) : "";
  Data data;
  data.path = arguments.Text(pointsOption);
  io::TableOptions options;
  options.features = model.spec.inputs;
  if (targetFile.empty())
  {
    const bool known = arguments.Table().Find("target_column") != nullptr &&
        arguments.Has("target_column");
    options.target = known ? arguments.Text("target_column") :
        model.targetColumn.empty() ? "last" : model.targetColumn;
  }

  io::Table table = io::LoadTable(data.path, options);
  if (table.values.n_rows != model.spec.inputs)
    throw std::invalid_argument("'" + data.path + "' has " +
        std::to_string(table.values.n_rows) + " columns, but the model was "
        "trained on " + std::to_string(model.spec.inputs) + ".");
  data.points = std::move(table.values);
  data.features = std::move(table.names);
  if (!withTargets)
    return data;
  if (!targetFile.empty())
    LoadTargets(targetFile, classification, data);
  else if (!table.target.empty())
    TakeTargets(table, classification, data);
  else
    throw UsageError(std::string("--") + (classification ? "labels_file" :
        "responses_file") + " is needed, because '" + data.path +
        "' has no target column.");
  return data;
}

void PreparePoints(const Model& model, arma::mat& points)
{
  model.inputs.Apply(points);
}

arma::mat PrepareTargets(const Model& model, const Data& data)
{
  if (model.spec.IsClassification())
    return model.labels.Encode(data.labels, data.targetPath);
  if (data.responses.n_rows != model.spec.outputs)
    throw std::invalid_argument("'" + data.targetPath + "' has " +
        std::to_string(data.responses.n_rows) + " responses a point, but the "
        "model has " + std::to_string(model.spec.outputs) + ".");
  arma::mat targets = data.responses;
  model.targets.Apply(targets);
  return targets;
}

} // namespace cli
} // namespace symvi
