/**
 * @file evaluate.cpp
 *
 * symvi_evaluate: measure a model on labelled data.
 */
#include <iostream>

#include "evaluation_text.hpp"
#include "inputs.hpp"
#include "options/run.hpp"
#include "options/text.hpp"
#include "outputs.hpp"
#include "tables.hpp"

using namespace symvi;
using namespace symvi::cli;

namespace {

//! --labels_file or --responses_file; or as symvi_bnn calls the first.
std::string TargetFileOf(const Arguments& arguments, const bool classification)
{
  if (arguments.Has("test_labels_file"))
  {
    arguments.Forbid({ "labels_file" }, "with --test_labels_file");
    return TargetFile(arguments, classification, "test_labels_file",
        "responses_file");
  }
  return TargetFile(arguments, classification, "labels_file",
      "responses_file");
}

int Body(const Arguments& arguments)
{
  CheckOutputs(arguments);
  const std::string path = arguments.Text("input_model_file");
  const Pipeline model = Pipeline::Load(path);
  const NetworkSpec& spec = model.Spec();
  const io::Dataset data = LoadTest(arguments, model,
      TargetFileOf(arguments, spec.IsClassification()), true);

  EvaluateOptions options;
  options.predict = PredictOptionsOf(arguments, model);
  options.bins = arguments.Count("bins");
  options.estimator = arguments.Text("estimator");
  options.permutations = arguments.Count("permutations");
  options.samples = arguments.Count("samples");
  UseThreads(arguments, spec, data.points.n_cols);
  const Evaluation result = model.Evaluate(data, options);

  Outputs outputs(arguments);
  if (arguments.Has("report_file"))
    outputs.AddText("report_file", HtmlReport(model, result, path,
        data.source));
  outputs.Commit();
  if (arguments.Flag("json"))
    std::cout << AsJson(result, path, data.source, spec.task);
  else
    std::cout << "Model '" << Printable(path) << "' (" << spec.Describe() <<
        ") on '" << Printable(data.source) << "' (" << result.points << " points), " <<
        options.predict.samples << " draws\n\n" << AsTable(result);
  return 0;
}

} // namespace

int main(int argc, char** argv)
{
  return Run(EvaluateProgram, argc, argv, Body);
}
