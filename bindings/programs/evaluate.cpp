/**
 * @file evaluate.cpp
 *
 * symvi_evaluate: measure a model on labelled data.
 */
#include <symvi/predict/metrics.hpp>

#include <cmath>
#include <iostream>

#include "data/data.hpp"
#include "data/outputs.hpp"
#include "data/predict.hpp"
#include "model/model_file.hpp"
#include "options/run.hpp"
#include "report/measures.hpp"
#include "tables.hpp"

using namespace symvi;
using namespace symvi::cli;

namespace {

void MeasureClasses(const Network& network,
                    const arma::mat& points,
                    const arma::mat& targets,
                    const PredictOptions& options,
                    Evaluation& result)
{
  result.labels = targets;
  result.classes = PredictClasses(network, points, options);
  const arma::mat& probabilities = result.classes.probabilities;
  result.measures = {
    { "accuracy", "Accuracy", Accuracy(probabilities, targets) },
    { "nll", "Negative log-likelihood (nats a point)",
      NegativeLogLikelihood(probabilities, targets) },
    { "brier", "Brier score", BrierScore(probabilities, targets) },
    { "ece", "Expected calibration error",
      ExpectedCalibrationError(probabilities, targets, result.bins) },
    { "mean_entropy", "Mean predictive entropy (nats)",
      arma::mean(arma::vectorise(result.classes.entropy)) },
    { "mean_mutual_information", "Mean mutual information (nats)",
      arma::mean(arma::vectorise(result.classes.mutualInformation)) } };
}

void MeasureResponses(const Network& network,
                      const arma::mat& points,
                      const arma::mat& targets,
                      PredictOptions options,
                      Evaluation& result)
{
  options.quantiles.clear();
  for (int i = 1; i < 20; ++i)
    options.quantiles.push_back(i / 20.0);
  result.regression = PredictResponses(network, result.model, points, options);
  const RegressionPrediction<arma::mat>& prediction = result.regression;
  const double nll = -result.model.targets.LogJacobian() -
      arma::mean(network.LogDensity(points, targets, options));
  const arma::mat curve = CoverageCurve(prediction, result.responses);
  result.measures = {
    { "rmse", "Root mean squared error",
      RootMeanSquaredError(prediction.mean, result.responses) },
    { "nll", "Negative log-likelihood (nats a point)", nll },
    { "coverage", "Coverage of the " + std::to_string(int(100 *
        options.interval + 0.5)) + " % interval", IntervalCoverage(
        prediction.lower, prediction.upper, result.responses) },
    { "mean_interval_width", "Mean width of the interval",
      MeanIntervalWidth(prediction.lower, prediction.upper) },
    { "interval_calibration_error", "Mean error of interval coverage",
      arma::mean(arma::abs(curve.row(0) - curve.row(1))) },
    { "mean_epistemic_stddev", "Mean epistemic standard deviation",
      arma::mean(arma::vectorise(arma::sqrt(prediction.epistemicVariance))) },
    { "mean_aleatoric_stddev", "Mean aleatoric standard deviation",
      arma::mean(arma::vectorise(arma::sqrt(prediction.aleatoricVariance))) } };
}

void AddBounds(Evaluation& result)
{
  // In the units of the data: the responses were standardised.
  const double shift = result.model.targets.LogJacobian() *
      double(result.points);
  const ElboReport& r = result.elbo;
  InformationReport i = r.information;
  // Of an exact value only rounding is left.
  for (double* error : { &i.standardError, &i.lowerStandardError,
                         &i.upperStandardError })
    *error = (*error < 1e-10 * std::abs(i.value)) ? 0.0 : *error;
  const std::vector<Measure> bounds = {
    { "log_likelihood", "E log p(Y|X,w) (nats)", r.logLikelihood + shift,
      r.logLikelihoodStandardError },
    { "kl", "KL(q || prior)", r.kl },
    { "information", "I(g;w)", i.value, i.standardError },
    { "information_lower", "  its lower bound L_K", i.lower,
      i.lowerStandardError },
    { "information_upper", "  its upper bound U_K", i.upper,
      i.upperStandardError },
    { "log_group_order", "  log|G|, the most it can be", r.logGroupOrder },
    { "elbo", "L, evidence lower bound", r.elbo + shift, r.elboStandardError },
    { "symmetrized_elbo", "L^G = L + I(g;w)", r.symmetrizedElbo + shift,
      r.symmetrizedElboStandardError },
    { "symmetrized_elbo_lower", "  with L_K", r.symmetrizedElboLower + shift },
    { "symmetrized_elbo_upper", "  with U_K", r.symmetrizedElboUpper + shift }
  };
  result.measures.insert(result.measures.end(), bounds.begin(), bounds.end());
}

Evaluation Evaluate(const Arguments& arguments)
{
  Evaluation result;
  result.modelPath = arguments.Text("input_model_file");
  result.dataPath = arguments.Text("test_file");
  result.model = ReadModel(result.modelPath);
  Data data = LoadForModel(arguments, "test_file", result.model, true);
  const arma::mat targets = PrepareTargets(result.model, data);
  result.responses = std::move(data.responses);
  result.points = data.points.n_cols;
  result.draws = arguments.Count("draws");
  result.bins = arguments.Count("bins");
  PreparePoints(result.model, data.points);

  const uint64_t seed = (arguments.Number("seed") != 0.0) ?
      uint64_t(arguments.Number("seed")) : result.model.seed;
  PredictOptions options(result.draws, seed);
  options.interval = result.interval = arguments.Number("interval");
  UseThreads(arguments.Count("threads"), result.model.spec, result.points);
  const std::unique_ptr<Network> network = Network::Create(result.model);
  if (result.model.spec.IsClassification())
    MeasureClasses(*network, data.points, targets, options, result);
  else
    MeasureResponses(*network, data.points, targets, options, result);

  BoundOptions bound;
  bound.estimator = arguments.Text("estimator");
  bound.permutations = arguments.Count("permutations");
  bound.samples = arguments.Count("samples");
  result.elbo = network->Elbo(data.points, targets, bound, seed);
  AddBounds(result);
  return result;
}

int Body(const Arguments& arguments)
{
  CheckOutputs(arguments);
  const Evaluation result = Evaluate(arguments);
  Outputs outputs(arguments);
  if (arguments.Has("report_file"))
    outputs.AddText("report_file", AsHtml(result));
  outputs.Commit();
  std::cout << (arguments.Flag("json") ? AsJson(result) : AsTable(result));
  return 0;
}

} // namespace

int main(int argc, char** argv)
{
  return Run(EvaluateProgram(), argc, argv, Body);
}
