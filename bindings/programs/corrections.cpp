/**
 * @file corrections.cpp
 */
#include "corrections.hpp"

#include <symvi/predict/metrics.hpp>

#include <cmath>

#include "evaluation_text.hpp"
#include "inputs.hpp"
#include "options/run.hpp"

namespace symvi {
namespace cli {

namespace {

//! Class numbers of labels; the file is named where one is unknown.
arma::rowvec Encode(const Ensemble& model, const io::Dataset& data)
{
  return io::LabelCodec::Ordered(model.ClassNames())
      .Encode(data.labels, data.targetSource);
}

void CheckFiles(const Arguments& arguments)
{
  const std::string conformal = arguments.Text("conformal_file");
  for (const char* other : { "training_file", "calibration_file" })
    if (!conformal.empty() && arguments.Text(other) == conformal)
      throw UsageError("--conformal_file must hold points that serve nothing "
                       "else, but is --" +
          std::string(other) + " too ('" + conformal + "').");
}

} // namespace

Corrections::Corrections(const Arguments& arguments, const Ensemble& model,
    const PredictOptions& options)
{
  CheckFiles(arguments);
  const Pipeline& first = model.Member(0);
  const bool classification = model.Spec().IsClassification();
  if (arguments.Has("calibration_file"))
  {
    const io::Dataset data = LoadPoints(arguments, "calibration_file", first,
        "", true);
    if (classification)
    {
      temperature = TemperatureScaling::Fit(
          model.Classify(data.points, options).probabilities,
          Encode(model, data));
      Info("The temperature is " + std::to_string(temperature->Temperature()) +
          ".");
    }
    else
    {
      factor = VarianceFactor::Fit<arma::mat>(
          model.Regress(data.points, options), data.responses);
      Info("The variance factor is " + std::to_string(factor->Factor()) + ".");
    }
  }
  if (!arguments.Has("conformal_file"))
    return;
  const io::Dataset data = LoadPoints(arguments, "conformal_file", first, "",
      true);
  if (classification)
  {
    ClassificationPrediction<arma::mat> prediction = model.Classify(data.points,
        options);
    Apply(prediction);
    sets.emplace(prediction.probabilities, Encode(model, data),
        options.interval);
  }
  else
  {
    RegressionPrediction<arma::mat> prediction = model.Regress(data.points,
        options);
    Apply(prediction);
    intervals.emplace(prediction, data.responses, options.interval);
  }
  const double threshold = classification ?
      sets->Threshold() :
      arma::vec(intervals->Thresholds()).max();
  if (std::isinf(threshold))
    Warn("'" + data.source + "' has too few points for the probability " +
        std::to_string(options.interval) + ": nothing is excluded.");
}

void Corrections::Apply(ClassificationPrediction<arma::mat>& prediction) const
{
  if (temperature)
    prediction.probabilities = temperature->Apply(prediction.probabilities);
}

void Corrections::Apply(RegressionPrediction<arma::mat>& prediction) const
{
  if (factor)
    factor->Apply(prediction);
  if (intervals)
    intervals->Apply(prediction);
}

arma::umat Corrections::Sets(
    const ClassificationPrediction<arma::mat>& prediction) const
{
  return sets ? sets->Apply(prediction.probabilities) : arma::umat();
}

std::string Corrections::Evaluate(const Ensemble& model,
    const io::Dataset& data, const Evaluation& evaluation) const
{
  Evaluation corrected;
  std::vector<Metric>& metrics = corrected.metrics;
  if (model.Spec().IsClassification())
  {
    ClassificationPrediction<arma::mat> prediction = evaluation.classes;
    Apply(prediction);
    const arma::mat& p = prediction.probabilities;
    if (temperature)
      metrics = { { "temperature", "Temperature", temperature->Temperature() },
        { "nll", "  negative log-likelihood with it",
            NegativeLogLikelihood(p, evaluation.labels) },
        { "ece", "  expected calibration error with it",
            ExpectedCalibrationError(p, evaluation.labels,
                evaluation.options.bins) } };
    if (!sets)
      return AsTable(corrected);
    const arma::umat members = Sets(prediction);
    double covered = 0.0;
    for (size_t i = 0; i < members.n_cols; ++i)
      covered += double(members(arma::uword(evaluation.labels[i]), i));
    metrics.push_back({ "set_coverage", "Coverage of the conformal sets",
        covered / double(members.n_cols) });
    metrics.push_back({ "set_size", "Mean number of classes in them",
        double(arma::accu(members)) / double(members.n_cols) });
    return AsTable(corrected);
  }
  RegressionPrediction<arma::mat> prediction = evaluation.regression;
  Apply(prediction);
  if (factor)
  {
    // The density of mean + sqrt(c) (Y - mean).
    const double root = std::sqrt(factor->Factor());
    io::Dataset moved = data;
    moved.responses = prediction.mean +
        (data.responses - prediction.mean) / root;
    metrics = { { "variance_factor", "Variance factor", factor->Factor() },
      { "nll", "  negative log-likelihood with it",
          double(data.responses.n_rows) * std::log(root) -
              arma::mean(
                  model.LogDensity(moved, evaluation.options.predict)) } };
  }
  metrics.push_back({ "coverage",
      intervals ? "Coverage of the conformal "
                  "interval" :
                  "  coverage of the interval with it",
      IntervalCoverage(prediction.lower, prediction.upper,
          evaluation.responses) });
  metrics.push_back({ "mean_interval_width", "  its mean width",
      MeanIntervalWidth(prediction.lower, prediction.upper) });
  return AsTable(corrected);
}

} // namespace cli
} // namespace symvi
