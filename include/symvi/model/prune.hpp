/**
 * @file symvi/model/prune.hpp
 *
 * Pruning by signal-to-noise ratio.
 */
#ifndef SYMVI_MODEL_PRUNE_HPP
#define SYMVI_MODEL_PRUNE_HPP

#include <symvi/model/convert.hpp>
#include <symvi/model/reports.hpp>

namespace symvi {
namespace prune {

// The functions below without the model around layers and parameters.

template<typename MatType>
arma::vec WeightRatios(const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters);

template<typename MatType>
std::vector<arma::vec> UnitRatios(
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters);

template<typename MatType>
PruneReport Weights(const std::vector<mlpack::Layer<MatType>*>& layers,
    MatType& parameters, const double fraction);

//! @param smaller The network of the units that stay (out).
template<typename MatType>
PruneReport Units(const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters, const double fraction,
    convert::Converted<MatType>& smaller);

//! Fraction of wrong labels.
template<typename MatType>
double Error(const ClassificationPrediction<MatType>& prediction,
    const MatType& responses);
//! Root mean squared error.
template<typename MatType>
double Error(const RegressionPrediction<MatType>& prediction,
    const MatType& responses);

//! Runs a pruning function between two scores of the model on data.
template<typename ModelType, typename MatType, typename FunctionType>
PruneReport WithScores(ModelType& model, const MatType& predictors,
    const MatType& responses, PredictOptions options,
    const FunctionType& function)
{
  options.interval = 0;
  options.quantiles.clear();
  const auto score = [&](double& density, double& error)
  {
    density = arma::mean(model.LogDensity(predictors, responses, options));
    error = Error(model.Predict(predictors, options), responses);
  };
  double density, error;
  score(density, error);
  PruneReport report = function();
  report.logDensityBefore = density;
  report.errorBefore = error;
  score(report.logDensityAfter, report.errorAfter);
  return report;
}

} // namespace prune

/**
 * |mu| / sigma of all weights of all Bayesian layers, layers in order, each
 * outSize x inSize in column-major order.  Biases are not listed: there are few
 * of them, and they are not pruned.
 */
template<typename LikelihoodType, typename InitType, typename MatType>
arma::vec WeightSignalToNoise(
    const BayesianFFN<LikelihoodType, InitType, MatType>& model)
{
  return prune::WeightRatios(model.Network(), model.Parameters());
}

/**
 * A ratio for every hidden unit between two Bayesian layers that are separated
 * by point-wise layers only, one vector per such hidden layer; behind a
 * BayesianConvolution, whose units are its maps, pooling and padding may stand
 * there too.  A unit is useless if its incoming or its outgoing weights are
 * noise, so that its ratio is the smaller of
 *
 *   sqrt(mean (mu / sigma)^2) over incoming weights and bias, and
 *   sqrt(mean (mu / sigma)^2) over outgoing weights.
 */
template<typename LikelihoodType, typename InitType, typename MatType>
std::vector<arma::vec> UnitSignalToNoise(
    const BayesianFFN<LikelihoodType, InitType, MatType>& model)
{
  return prune::UnitRatios(model.Network(), model.Parameters());
}

/**
 * Set the given fraction of all weights, those of least |mu| / sigma, to zero:
 * mu = 0 and sigma = 1e-8, so that draws have them at zero too.  The fraction
 * counts weights that are zero already: pruning 0.3 and then 0.5 prunes 0.5.
 *
 * The KL of such a weight in a later Elbo() is that of a spike at zero, about
 * 18 nats; the description length of a model without these weights is smaller
 * by klRemoved instead.
 */
template<typename LikelihoodType, typename InitType, typename MatType>
PruneReport PruneWeights(BayesianFFN<LikelihoodType, InitType, MatType>& model,
    const double fraction)
{
  return prune::Weights(std::as_const(model).Network(), model.Parameters(),
      fraction);
}

//! The same, with log density and error on data before and after.
template<typename LikelihoodType, typename InitType, typename MatType>
PruneReport PruneWeights(BayesianFFN<LikelihoodType, InitType, MatType>& model,
    const double fraction, const MatType& predictors, const MatType& responses,
    const PredictOptions& options = PredictOptions())
{
  return prune::WithScores(model, predictors, responses, options,
      [&] { return PruneWeights(model, fraction); });
}

/**
 * Take the given fraction of all hidden units, those of least ratio, out of the
 * network: it becomes smaller and faster, and Elbo() needs no correction.
 * Every hidden layer keeps at least one unit.  Settings, likelihood and prior
 * stay.
 */
template<typename LikelihoodType, typename InitType, typename MatType>
PruneReport PruneUnits(BayesianFFN<LikelihoodType, InitType, MatType>& model,
    const double fraction)
{
  const BayesianFFN<LikelihoodType, InitType, MatType>& before = model;
  convert::Converted<MatType> units;
  const PruneReport report = prune::Units(before.Network(), before.Parameters(),
      fraction, units);
  if (report.pruned == 0)
    return report;
  BayesianFFN<LikelihoodType, InitType, MatType> smaller(before.Likelihood());
  smaller.Settings() = before.Settings();
  convert::Fill(units, before.InputDimensions(), smaller);
  model = std::move(smaller);
  return report;
}

//! The same, with log density and error on data before and after.
template<typename LikelihoodType, typename InitType, typename MatType>
PruneReport PruneUnits(BayesianFFN<LikelihoodType, InitType, MatType>& model,
    const double fraction, const MatType& predictors, const MatType& responses,
    const PredictOptions& options = PredictOptions())
{
  return prune::WithScores(model, predictors, responses, options,
      [&] { return PruneUnits(model, fraction); });
}

} // namespace symvi

#endif
