/**
 * @file symvi/model/prune_impl.hpp
 *
 * Implementation of pruning.
 */
#ifndef SYMVI_MODEL_PRUNE_IMPL_HPP
#define SYMVI_MODEL_PRUNE_IMPL_HPP

#include "hidden_blocks.hpp"
#include "prune.hpp"

#include <symvi/predict/metrics.hpp>

#include <algorithm>
#include <numeric>

namespace symvi {
namespace prune {

//! Standard deviation of a pruned weight.
constexpr double prunedSigma = 1e-8;

inline double Softplus(const double rho)
{
  return std::max(rho, 0.0) + std::log1p(std::exp(-std::abs(rho)));
}

//! (mu / sigma)^2 of weight i of a block.
template<typename MatType>
double SquaredRatio(const MatType& parameters, const Block<MatType>& block,
                    const size_t i)
{
  const double mu = double(parameters[block.offset + i]);
  const double sigma = Softplus(double(
      parameters[block.offset + block.Size() + i]));
  return (mu / sigma) * (mu / sigma);
}

//! KL(q_i || prior) of weight i of a block.
template<typename MatType>
double WeightKL(const MatType& parameters, const Block<MatType>& block,
                const size_t i)
{
  const MatType& centre = block.layer->PriorMean();
  const double prior = block.layer->PriorStddev();
  const double sigma = Softplus(double(
      parameters[block.offset + block.Size() + i])) / prior;
  const double mu = (double(parameters[block.offset + i]) -
      (centre.is_empty() ? 0.0 : double(centre[i]))) / prior;
  return 0.5 * (sigma * sigma + mu * mu - 1) - std::log(sigma);
}

//! How many of n to prune.
inline size_t Count(const char* where, const double fraction, const size_t n)
{
  if (!(fraction >= 0 && fraction < 1))
    throw std::invalid_argument(std::string(where) + "(): fraction must lie "
        "in [0, 1), but is " + std::to_string(fraction) + ".");
  return size_t(std::floor(fraction * double(n) + 1e-9));
}

//! Indices in order of increasing ratio; equal ones keep their order.
inline std::vector<size_t> Rank(const arma::vec& ratios)
{
  std::vector<size_t> order(ratios.n_elem);
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(),
      [&](const size_t a, const size_t b) { return ratios(a) < ratios(b); });
  return order;
}

//! Parameters must exist.
template<typename ModelType>
void RequireParameters(const char* where, const ModelType& model)
{
  if (model.Parameters().is_empty())
    throw std::logic_error(std::string(where) + "(): the model has no "
        "parameters yet; call Train() or Reset() first.");
}

//! Fraction of wrong labels.
template<typename MatType>
double Error(const ClassificationPrediction<MatType>& prediction,
             const MatType& responses)
{
  const MatType& p = prediction.probabilities;
  // Categorical: one row of labels.
  if (responses.n_rows == 1 && p.n_rows > 1)
    return 1 - Accuracy(p, responses);
  // Bernoulli: every output is an event of its own.
  double wrong = 0;
  for (size_t i = 0; i < p.n_elem; ++i)
    wrong += ((p[i] > 0.5) != (responses[i] > 0.5));
  return wrong / double(p.n_elem);
}

//! Root mean squared error.
template<typename MatType>
double Error(const RegressionPrediction<MatType>& prediction,
             const MatType& responses)
{
  return RootMeanSquaredError(prediction.mean, responses);
}

//! Log density and error of the model on data.
template<typename ModelType, typename MatType>
void Score(const ModelType& model, const MatType& predictors,
           const MatType& responses, PredictOptions options, double& density,
           double& error)
{
  options.interval = 0;
  options.quantiles.clear();
  density = arma::mean(model.LogDensity(predictors, responses, options));
  error = Error(model.Predict(predictors, options), responses);
}

//! Runs a pruning function between two scores.
template<typename ModelType, typename MatType, typename FunctionType>
PruneReport WithScores(ModelType& model, const MatType& predictors,
                       const MatType& responses, const PredictOptions& options,
                       const FunctionType& function)
{
  double density, error;
  Score(model, predictors, responses, options, density, error);
  PruneReport report = function();
  report.logDensityBefore = density;
  report.errorBefore = error;
  Score(model, predictors, responses, options, report.logDensityAfter,
      report.errorAfter);
  return report;
}

} // namespace prune

template<typename LikelihoodType, typename InitType, typename MatType>
arma::vec WeightSignalToNoise(
    const BayesianFFN<LikelihoodType, InitType, MatType>& model)
{
  prune::RequireParameters("WeightSignalToNoise", model);
  const auto blocks = prune::FindBlocks<MatType>(model.Network());
  size_t total = 0;
  for (const auto& block : blocks)
    total += block.Rows() * block.Cols();
  arma::vec result(total);
  size_t k = 0;
  for (const auto& block : blocks)
    for (size_t i = 0; i < block.Rows() * block.Cols(); ++i)
      result(k++) = std::sqrt(prune::SquaredRatio(model.Parameters(), block,
          i));
  return result;
}

template<typename LikelihoodType, typename InitType, typename MatType>
std::vector<arma::vec> UnitSignalToNoise(
    const BayesianFFN<LikelihoodType, InitType, MatType>& model)
{
  prune::RequireParameters("UnitSignalToNoise", model);
  const auto blocks = prune::FindBlocks<MatType>(model.Network());
  std::vector<arma::vec> result;
  for (const size_t b : prune::FindHidden<MatType>(model.Network(), blocks))
  {
    const auto& in = blocks[b];
    const auto& out = blocks[b + 1];
    arma::vec ratios(in.Rows());
    for (size_t u = 0; u < in.Rows(); ++u)
    {
      double incoming = 0, outgoing = 0;
      for (size_t c = 0; c < in.Columns(); ++c)
        incoming += prune::SquaredRatio(model.Parameters(), in,
            c * in.Rows() + u);
      for (size_t r = 0; r < out.Rows(); ++r)
        outgoing += prune::SquaredRatio(model.Parameters(), out,
            u * out.Rows() + r);
      ratios(u) = std::sqrt(std::min(incoming / double(in.Columns()),
          outgoing / double(out.Rows())));
    }
    result.push_back(ratios);
  }
  return result;
}

template<typename LikelihoodType, typename InitType, typename MatType>
PruneReport PruneWeights(
    BayesianFFN<LikelihoodType, InitType, MatType>& model,
    const double fraction)
{
  using ElemType = typename MatType::elem_type;
  const arma::vec ratios = WeightSignalToNoise(model);
  const std::vector<size_t> order = prune::Rank(ratios);
  PruneReport report;
  report.candidates = ratios.n_elem;
  report.pruned = prune::Count("PruneWeights", fraction, ratios.n_elem);
  std::vector<bool> goes(ratios.n_elem, false);
  for (size_t k = 0; k < report.pruned; ++k)
    goes[order[k]] = true;
  if (report.pruned > 0)
    report.threshold = ratios(order[report.pruned - 1]);

  const ElemType rho = ElemType(prune::prunedSigma +
      std::log(-std::expm1(-prune::prunedSigma)));
  MatType& parameters = model.Parameters();
  size_t k = 0;
  for (const auto& block : prune::FindBlocks<MatType>(
      std::as_const(model).Network()))
  {
    for (size_t i = 0; i < block.Rows() * block.Cols(); ++i, ++k)
    {
      if (!goes[k])
        continue;
      report.klRemoved += prune::WeightKL(parameters, block, i);
      parameters[block.offset + i] = 0;
      parameters[block.offset + block.Size() + i] = rho;
    }
  }
  return report;
}

template<typename LikelihoodType, typename InitType, typename MatType>
PruneReport PruneWeights(
    BayesianFFN<LikelihoodType, InitType, MatType>& model,
    const double fraction,
    const MatType& predictors,
    const MatType& responses,
    const PredictOptions& options)
{
  return prune::WithScores(model, predictors, responses, options,
      [&] { return PruneWeights(model, fraction); });
}

template<typename LikelihoodType, typename InitType, typename MatType>
PruneReport PruneUnits(
    BayesianFFN<LikelihoodType, InitType, MatType>& model,
    const double fraction,
    const MatType& predictors,
    const MatType& responses,
    const PredictOptions& options)
{
  return prune::WithScores(model, predictors, responses, options,
      [&] { return PruneUnits(model, fraction); });
}

} // namespace symvi

#include "prune_units_impl.hpp"

#endif
