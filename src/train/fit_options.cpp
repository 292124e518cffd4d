/**
 * @file src/train/fit_options.cpp
 */
#include <symvi/prereqs.hpp>
#include <symvi/require.hpp>
#include <symvi/train/train_objective.hpp>

#include <algorithm>
#include <cmath>

#include "train/checkpoint.hpp"

namespace symvi {

void FitOptions::Complete(const size_t points)
{
  RequirePositive("Fit", "the number of training points", points);
  Require(batchSize <= points, "Fit",
      "the batch size must be at most the "
      "number of training points, " +
          std::to_string(points),
      batchSize);
  RequirePositive("Fit", "the step size", schedule.stepSize);
  RequireWithin("Fit", "the warm-up of the step size", schedule.warmUp, 0.0,
      1.0);
  RequireWithin("Fit", "the start of the decay of the step size",
      schedule.decayStart, schedule.warmUp, 1.0);
  Require(schedule.finalFactor > 0.0 && schedule.finalFactor <= 1.0, "Fit",
      "the final factor of the step size must lie in (0, 1]",
      schedule.finalFactor);
  Require(validation >= 0.0 && validation < 1.0, "Fit",
      "the validation fraction must lie in [0, 1)", validation);
  RequirePositive("Fit", "the number of validation draws", validationDraws);
  RequireWithin("Fit", "the warm-up of the KL divergence", klWarmUp, 0.0, 1.0);
  Require(klWeight >= 0.0 && std::isfinite(klWeight), "Fit",
      "the weight of the KL divergence must not be negative", klWeight);
  Require(timeLimit >= 0.0, "Fit", "the time limit must not be negative",
      timeLimit);
  RequirePositive("Fit", "the number of epochs between two checkpoints",
      checkpointEvery);
  if (resume && checkpoint.empty())
    Refuse("Fit", "Resume() needs the file of a Checkpoint()", "there is none");

  if (batchSize == 0)
    batchSize = std::min<size_t>(32, points);
  if (klWeight == 0.0)
    klWeight = 1.0;
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
  options.Ranks().Agree(
      [&]
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
    for (const double value :
        { double(record.epoch), record.elbo, record.logLikelihood, record.kl,
            record.information, record.validation })
      table(next++, i) = value;
  }
  return table;
}

} // namespace symvi
