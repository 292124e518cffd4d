/**
 * @file trainer.cpp
 */
#include "trainer.hpp"

#include <symvi/kernel/adam_step.hpp>
#include <symvi/kernel/random_stream.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "data/columns.hpp"

namespace symvi {
namespace cli {

namespace {

//! Independent keys of the parts of a run.
uint64_t Key(const uint64_t seed, const uint64_t part, const uint64_t epoch)
{
  RandomStream stream(seed);
  stream.Seek(part + 1);
  const uint64_t key = stream.NextBits();
  RandomStream inner(key);
  inner.Seek(epoch);
  return inner.NextBits();
}

const uint64_t noisePart = 0, orderPart = 1;

} // namespace

Trainer::Trainer(Network& network,
                 arma::mat& points,
                 arma::mat& targets,
                 const arma::mat& validationPoints,
                 const arma::mat& validationTargets,
                 const TrainOptions& options) :
    network(network),
    points(points),
    targets(targets),
    validationPoints(validationPoints),
    validationTargets(validationTargets),
    options(options)
{
  const arma::mat& parameters = network.Parameters();
  state.parameters.assign(parameters.begin(), parameters.end());
  state.firstMoment.assign(parameters.n_elem, 0.0);
  state.secondMoment.assign(parameters.n_elem, 0.0);
  state.seed = options.seed;
  state.bestValidation = std::numeric_limits<double>::infinity();
}

void Trainer::Resume(const TrainState& from)
{
  state = from;
  network.SetParameters(state.parameters);
  Reorder(state.epoch);
}

void Trainer::ShuffleOrder(const uint64_t epoch,
                           std::vector<size_t>& order) const
{
  RandomStream stream(Key(options.seed, orderPart, epoch));
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[stream.NextIndex(i)]);
}

//! The order that `epochs` epochs leave behind.
void Trainer::Reorder(const uint64_t epochs)
{
  std::vector<size_t> order(points.n_cols);
  std::iota(order.begin(), order.end(), size_t(0));
  for (uint64_t epoch = 0; epoch < epochs; ++epoch)
    ShuffleOrder(epoch, order);
  PermuteColumns(points, order);
  PermuteColumns(targets, order);
}

void Trainer::Adam(const arma::mat& gradient)
{
  const double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  ++steps;
  const double correction1 = 1.0 - std::pow(beta1, double(steps));
  const double correction2 = 1.0 - std::pow(beta2, double(steps));
  const kernel::AdamCoefficients<double> coefficients = { beta1, 1.0 - beta1,
      beta2, 1.0 - beta2,
      options.stepSize * std::sqrt(correction2) / correction1, epsilon };
  kernel::AdamStep(coefficients, gradient.n_elem, gradient.memptr(),
      first.memptr(), second.memptr(), network.Parameters().memptr());
}

void Trainer::CheckFinite() const
{
  const EpochTerms terms = network.Terms();
  if (!std::isfinite(terms.logLikelihood) || !std::isfinite(terms.kl) ||
      !network.Parameters().is_finite())
    throw std::runtime_error("training diverged in epoch " +
        std::to_string(state.epoch + 1) + "; try a smaller --step_size than " +
        std::to_string(options.stepSize) + ".");
}

//! False if it was interrupted.
bool Trainer::RunEpoch()
{
  first = arma::mat(state.firstMoment);
  second = arma::mat(state.secondMoment);
  steps = state.steps;
  std::vector<size_t> order(points.n_cols);
  std::iota(order.begin(), order.end(), size_t(0));
  ShuffleOrder(state.epoch, order);
  PermuteColumns(points, order);
  PermuteColumns(targets, order);
  network.BeginEpoch(points, targets, options.bound,
      Key(options.seed, noisePart, state.epoch));

  for (size_t begin = 0; begin < points.n_cols; begin += options.batchSize)
  {
    if (options.interrupted())
      return false;
    const size_t size = std::min<size_t>(options.batchSize,
        points.n_cols - begin);
    const double seen = double(state.epoch) +
        double(begin + size) / double(points.n_cols);
    const double temperature = (options.warmUpEpochs > 0.0) ?
        std::min(1.0, seen / options.warmUpEpochs) : 1.0;
    network.Step(begin, size, temperature, gradient);
    Adam(gradient);
  }
  CheckFinite();
  return true;
}

void Trainer::CompleteEpoch()
{
  const EpochTerms terms = network.Terms();
  ++state.epoch;
  state.steps = steps;
  state.parameters.assign(network.Parameters().begin(),
      network.Parameters().end());
  state.firstMoment.assign(first.begin(), first.end());
  state.secondMoment.assign(second.begin(), second.end());

  HistoryRow row;
  row.epoch = double(state.epoch);
  row.logLikelihood = terms.logLikelihood +
      options.logJacobian * double(points.n_cols);
  row.kl = terms.kl;
  row.information = terms.information;
  row.elbo = row.logLikelihood - row.kl + row.information;
  row.validation = std::numeric_limits<double>::quiet_NaN();
  if (!validationPoints.is_empty())
  {
    // The same draws every time, so that epochs differ by their weights only.
    row.validation = -options.logJacobian -
        arma::mean(network.LogDensity(validationPoints, validationTargets,
            PredictOptions(options.validationDraws, options.seed)));
    if (row.validation < state.bestValidation)
    {
      state.bestValidation = row.validation;
      state.bestEpoch = state.epoch;
      state.bestParameters = state.parameters;
    }
  }
  state.history.push_back(row);
}

Outcome Trainer::Run(const std::function<void(const Trainer&)>& onEpoch)
{
  const auto waited = [&]
  {
    return options.patience > 0 && !validationPoints.is_empty() &&
        state.epoch >= state.bestEpoch + options.patience;
  };
  while (state.epoch < options.epochs && !waited())
  {
    if (!RunEpoch())
      return Outcome::Interrupted;
    CompleteEpoch();
    onEpoch(*this);
  }
  return (state.epoch < options.epochs) ? Outcome::EarlyStop
                                        : Outcome::Complete;
}

std::vector<double> Trainer::Result() const
{
  if (!state.bestParameters.empty())
    return state.bestParameters;
  return std::vector<double>(network.Parameters().begin(),
      network.Parameters().end());
}

uint64_t Trainer::ResultEpoch() const
{
  if (!state.bestParameters.empty())
    return state.bestEpoch;
  return (steps == state.steps) ? state.epoch : 0;
}

} // namespace cli
} // namespace symvi
