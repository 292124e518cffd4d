/**
 * @file src/model/evaluation.cpp
 */
#include <symvi/model/ensemble.hpp>
#include <symvi/predict/metrics.hpp>
#include <symvi/require.hpp>

#include <cmath>

namespace symvi {

namespace {

void AddClassification(Evaluation& result)
{
  const arma::mat& p = result.classes.probabilities;
  const arma::urowvec errors = arma::conv_to<arma::rowvec>::from(
                                   arma::index_max(p, 0)) !=
      arma::rowvec(result.labels);
  result.metrics = { { "accuracy", "Accuracy", Accuracy(p, result.labels) },
    { "nll", "Negative log-likelihood (nats per point)",
        NegativeLogLikelihood(p, result.labels) },
    { "brier", "Brier score", BrierScore(p, result.labels) },
    { "ece", "Expected calibration error",
        ExpectedCalibrationError(p, result.labels, result.options.bins) },
    { "aurc", "Area under the risk-coverage curve",
        Aurc(result.classes.entropy, errors) },
    { "mean_entropy", "Mean predictive entropy (nats)",
        arma::mean(arma::vectorise(result.classes.entropy)) },
    { "mean_mutual_information", "Mean mutual information (nats)",
        arma::mean(arma::vectorise(result.classes.mutualInformation)) } };
}

void AddRegression(const double nll, Evaluation& result)
{
  const RegressionPrediction<arma::mat>& prediction = result.regression;
  const arma::mat curve = CoverageCurve(prediction, result.responses);
  const int percent = int(100 * result.options.predict.interval + 0.5);
  result.metrics = {
    { "rmse", "Root mean squared error",
        RootMeanSquaredError(prediction.mean, result.responses) },
    { "nll", "Negative log-likelihood (nats per point)", nll },
    { "coverage", "Coverage of the " + std::to_string(percent) + " % interval",
        IntervalCoverage(prediction.lower, prediction.upper,
            result.responses) },
    { "mean_interval_width", "Mean width of the interval",
        MeanIntervalWidth(prediction.lower, prediction.upper) },
    { "interval_calibration_error", "Mean error of interval coverage",
        arma::mean(arma::abs(curve.row(0) - curve.row(1))) },
    { "mean_epistemic_stddev", "Mean epistemic standard deviation",
        arma::mean(arma::vectorise(arma::sqrt(prediction.epistemicVariance))) },
    { "mean_aleatoric_stddev", "Mean aleatoric standard deviation",
        arma::mean(arma::vectorise(arma::sqrt(prediction.aleatoricVariance))) }
  };
}

void AddBounds(Evaluation& result)
{
  const ElboReport& r = result.elbo;
  InformationReport i = r.information;
  // Of an exact value only rounding is left.
  for (double* error :
      { &i.standardError, &i.lowerStandardError, &i.upperStandardError })
    *error = (*error < 1e-10 * std::abs(i.value)) ? 0.0 : *error;
  const std::vector<Metric> bounds = {
    { "log_likelihood", "E log p(Y|X,w) (nats)", r.logLikelihood,
        r.logLikelihoodStandardError },
    { "kl", "KL(q || prior)", r.kl },
    { "information", "I(g;w)", i.value, i.standardError },
    { "information_lower", "  its lower bound L_K", i.lower,
        i.lowerStandardError },
    { "information_upper", "  its upper bound U_K", i.upper,
        i.upperStandardError },
    { "log_group_order", "  log|G|, the most it can be", r.logGroupOrder },
    { "elbo", "L, evidence lower bound", r.elbo, r.elboStandardError },
    { "symmetrized_elbo", "L^G = L + I(g;w)", r.symmetrizedElbo,
        r.symmetrizedElboStandardError },
    { "symmetrized_elbo_lower", "  with L_K", r.symmetrizedElboLower },
    { "symmetrized_elbo_upper", "  with U_K", r.symmetrizedElboUpper },
    { "evidence_bound", "Importance-weighted bound of log p(Y|X)",
        r.evidence.bound, r.evidence.standardError },
    { "evidence_smoothed", "  smoothed estimate, not a bound",
        r.evidence.smoothed },
    { "evidence_pareto_k", "  Pareto k of its weights", r.evidence.paretoK },
    { "evidence_pareto_threshold", "  k should be below",
        r.evidence.threshold },
    { "evidence_effective_samples", "  effective sample size",
        r.evidence.effectiveSamples }
  };
  result.metrics.insert(result.metrics.end(), bounds.begin(), bounds.end());
}

} // namespace

double Evaluation::Value(const std::string& key) const
{
  for (const Metric& metric : metrics)
  {
    if (metric.key == key)
      return metric.value;
  }
  Refuse("Evaluation::Value", "the key must be that of a metric",
      "is " + ValueText(key));
}

arma::mat CoverageCurve(const RegressionPrediction<arma::mat>& prediction,
    const arma::mat& responses)
{
  const size_t levels = prediction.levels.size(), half = levels / 2;
  arma::mat curve(2, half + 2, arma::fill::zeros);
  curve.col(half + 1).ones();
  for (size_t i = 0; i < half; ++i)
  {
    const size_t low = half - 1 - i, high = levels - half + i;
    curve(0, i + 1) = prediction.levels[high] - prediction.levels[low];
    curve(1, i + 1) = IntervalCoverage(prediction.quantiles[low],
        prediction.quantiles[high], responses);
  }
  return curve;
}

namespace {

//! @param targets Class numbers, or responses in their own units.
template<typename ModelType>
Evaluation EvaluateModel(const ModelType& model, const io::Dataset& data,
    const arma::mat& targets, const EvaluateOptions& options)
{
  Evaluation result;
  result.options = options;
  result.points = data.points.n_cols;
  PredictOptions& predict = result.options.predict;
  if (model.Spec().IsClassification())
  {
    result.labels = targets;
    result.classes = model.Classify(data.points, predict);
    AddClassification(result);
  }
  else
  {
    predict.quantiles.clear();
    for (int i = 1; i < 20; ++i)
      predict.quantiles.push_back(i / 20.0);
    result.responses = targets;
    result.regression = model.Regress(data.points, predict);
    AddRegression(-arma::mean(model.LogDensity(data, predict)), result);
  }
  if (options.samples == 0)
    return result;
  result.elbo = model.Elbo(data, options);
  AddBounds(result);
  return result;
}

} // namespace

Evaluation Pipeline::Evaluate(const io::Dataset& data,
    const EvaluateOptions& options) const
{
  CheckPoints(data);
  return EvaluateModel(*this, data, Targets(data), options);
}

Evaluation Ensemble::Evaluate(const io::Dataset& data,
    const EvaluateOptions& options) const
{
  members.front().CheckPoints(data);
  return EvaluateModel(*this, data, members.front().Targets(data), options);
}

} // namespace symvi
