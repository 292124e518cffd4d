/**
 * @file fit_options.cpp
 */
#include <symvi/io/number.hpp>
#include <symvi/layer/bayesian_linear.hpp>
#include <symvi/train/train_objective.hpp>

#include <algorithm>
#include <stdexcept>

#include "train/checkpoint.hpp"

namespace symvi {

namespace {

void Require(const bool condition,
             const std::string& what,
             const std::string& value)
{
  if (!condition)
    throw std::invalid_argument("Fit(): " + what + ", but is " + value + ".");
}

void Require(const bool condition, const std::string& what, const double value)
{
  Require(condition, what, io::FormatNumber(value));
}

} // namespace

void FitOptions::Complete(const size_t points)
{
  Require(points > 0, "the number of training points must be positive", 0);
  Require(batchSize <= points, "the batch size must be at most the number of "
      "training points, " + std::to_string(points), double(batchSize));
  Require(schedule.stepSize > 0.0 && std::isfinite(schedule.stepSize),
      "the step size must be positive and finite", schedule.stepSize);
  Require(schedule.warmUp >= 0.0 && schedule.warmUp <= 1.0,
      "the warm-up of the step size must lie in [0, 1]", schedule.warmUp);
  Require(schedule.decayStart >= schedule.warmUp && schedule.decayStart <= 1.0,
      "the start of the decay must lie between the end of the warm-up and 1",
      schedule.decayStart);
  Require(schedule.finalFactor > 0.0 && schedule.finalFactor <= 1.0,
      "the final factor of the step size must lie in (0, 1]",
      schedule.finalFactor);
  Require(validation >= 0.0 && validation < 1.0,
      "the validation fraction must lie in [0, 1)", validation);
  Require(validationDraws > 0, "the number of validation draws must be "
      "positive", 0);
  Require(klWarmUp >= 0.0 && klWarmUp <= 1.0,
      "the warm-up of the KL divergence must lie in [0, 1]", klWarmUp);
  Require(timeLimit >= 0.0, "the time limit must not be negative", timeLimit);
  Require(checkpointEvery > 0, "the number of epochs between two checkpoints "
      "must be positive", 0);
  Require(!resume || !checkpoint.empty(), "Resume() needs the file of a "
      "Checkpoint()", "not given one");

  if (batchSize == 0)
    batchSize = std::min<size_t>(32, points);
  const size_t steps = (points + batchSize - 1) / batchSize;
  if (epochs == 0)
  {
    const double total = std::min(100000.0,
        50000.0 * std::max(1.0, std::sqrt(double(points) / 2000.0)));
    epochs = std::max<size_t>(1, size_t(std::round(total / double(steps))));
  }
}

uint64_t SeedOf(const FitOptions& options)
{
  if (options.Seed() != 0)
    return options.Seed();
  std::string seed;
  options.Ranks().Agree([&]
  {
    if (!options.Ranks().IsRoot())
      return;
    std::string ignored;
    // Below 2^53, so that programs can pass it on as a number.
    seed = std::to_string(options.Resume() && !options.Checkpoint().empty() ?
        ReadCheckpoint(options.Checkpoint(), ignored).seed :
        1 + RandomKey() % 9007199254740990);
  });
  options.Ranks().Broadcast(seed);
  return std::stoull(seed);
}

const std::vector<std::string>& HistoryColumns()
{
  static const std::vector<std::string> columns = { "epoch", "elbo",
      "log_likelihood", "kl", "information", "validation_nll" };
  return columns;
}

arma::mat HistoryTable(const std::vector<EpochRecord>& history)
{
  arma::mat table(HistoryColumns().size(), history.size());
  for (size_t i = 0; i < history.size(); ++i)
  {
    const EpochRecord& record = history[i];
    size_t next = 0;
    for (const double value : { double(record.epoch), record.elbo,
        record.logLikelihood, record.kl, record.information,
        record.validation })
      table(next++, i) = value;
  }
  return table;
}

} // namespace symvi
