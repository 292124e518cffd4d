/**
 * @file src/io/dataset.cpp
 */
#include <symvi/io/dataset.hpp>
#include <symvi/io/table.hpp>
#include <symvi/require.hpp>

namespace symvi {
namespace io {

namespace {

//! Targets from a file of their own.
void LoadTargets(const DatasetOptions& options, Dataset& data)
{
  data.targetSource = options.targetFile;
  if (options.classification)
    data.labels = LoadLabels(options.targetFile, data.points.n_cols);
  else
    data.responses = LoadResponses(options.targetFile, data.points.n_cols);
  const size_t targets = options.classification ? data.labels.size() :
                                                  size_t(data.responses.n_cols);
  if (data.points.n_cols != targets)
    RefuseFile(data.source,
        "has " + std::to_string(data.points.n_cols) + " points, but '" +
            data.targetSource + "' has " + std::to_string(targets));
}

} // namespace

Dataset LoadDataset(const std::string& path, const DatasetOptions& options)
{
  Dataset data;
  data.source = path;
  TableOptions columns;
  columns.features = options.features;
  if (options.targetFile.empty())
    columns.target = options.targetColumn;
  columns.numericTarget = options.targets && !options.classification;
  Table table = LoadTable(path, columns);
  if (options.features > 0 && table.values.n_rows != options.features)
    RefuseFile(path,
        "has " + std::to_string(table.values.n_rows) +
            " columns, but the model was trained on " +
            std::to_string(options.features));
  data.points = std::move(table.values);
  data.features = std::move(table.names);
  if (!options.targets)
    return data;

  if (!options.targetFile.empty())
  {
    LoadTargets(options, data);
    return data;
  }
  if (table.target.empty())
    return data;
  data.targetSource = path;
  data.targetColumn = options.targetColumn;
  if (options.classification)
    data.labels = std::move(table.target);
  else
    data.responses = ToNumbers(table.target, path);
  return data;
}

} // namespace io
} // namespace symvi
