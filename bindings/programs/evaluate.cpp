/**
 * @file evaluate.cpp
 *
 * symvi_evaluate: measure a model on labelled data.
 */
#include <symvi/predict/metrics.hpp>

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
  return TargetFile(arguments, classification, "labels_file", "responses_file");
}

//! How well uncertainties tell points out of distribution from the others.
void AddDetection(const Ensemble& model, const arma::mat& outside,
    Evaluation& result)
{
  const auto add = [&](const std::string& key, const std::string& label,
                       const arma::mat& in, const arma::mat& out)
  {
    // Of several responses the most uncertain one counts.
    const arma::rowvec inside = arma::max(in, 0), beyond = arma::max(out, 0);
    result.metrics.push_back(
        { "auroc_" + key, "AUROC of the " + label, Auroc(inside, beyond) });
    result.metrics.push_back({ "fpr95_" + key,
        "  false positives at 95 % "
        "detected",
        FalsePositiveRate(inside, beyond) });
  };
  PredictOptions options = result.options.predict;
  options.interval = 0.0;
  options.quantiles.clear();
  if (model.Spec().IsClassification())
  {
    const EnsembleClassification p = model.Classify(outside, options);
    add("entropy", "predictive entropy", result.classes.entropy, p.entropy);
    add("mutual_information", "mutual information",
        result.classes.mutualInformation, p.mutualInformation);
    return;
  }
  const EnsembleRegression p = model.Regress(outside, options);
  add("variance", "predictive variance", result.regression.Variance(),
      p.Variance());
  add("epistemic_variance", "epistemic variance",
      result.regression.epistemicVariance, p.epistemicVariance);
}

int Body(const Arguments& arguments)
{
  CheckOutputs(arguments);
  const std::string path = arguments.Text("input_model_file");
  const Ensemble model = Ensemble::Load(path);
  const NetworkSpec& spec = model.Spec();
  const io::Dataset data = LoadTest(arguments, model.Member(0),
      TargetFileOf(arguments, spec.IsClassification()), true);

  EvaluateOptions options;
  options.predict = PredictOptionsOf(arguments, model);
  options.bins = arguments.Count("bins");
  options.estimator = arguments.Text("estimator");
  options.permutations = arguments.Count("permutations");
  options.samples = arguments.Count("samples");
  UseThreads(arguments, spec, data.points.n_cols);
  Evaluation result = model.Evaluate(data, options);
  if (arguments.Has("ood_file"))
    AddDetection(model,
        LoadPoints(arguments, "ood_file", model.Member(0), "", false).points,
        result);

  Outputs outputs(arguments);
  if (arguments.Has("report_file"))
    outputs.AddText("report_file",
        HtmlReport(model.Member(0), result, path, data.source));
  outputs.Commit();
  if (arguments.Flag("json"))
    std::cout << AsJson(result, path, data.source, spec.task);
  else
    std::cout << "Model '" << Printable(path) << "' (" << spec.Describe()
              << (model.Size() > 1 ?
                         ", " + std::to_string(model.Size()) + " members" :
                         "")
              << ") on '" << Printable(data.source) << "' (" << result.points
              << " points), " << options.predict.samples << " draws\n\n"
              << AsTable(result) << '\n'
              << result.elbo.evidence;
  return 0;
}

} // namespace

int main(int argc, char** argv)
{
  return Run(EvaluateProgram, argc, argv, Body);
}
