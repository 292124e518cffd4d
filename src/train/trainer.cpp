/**
 * @file src/train/trainer.cpp
 *
 * Minimize(): training that can be stopped at any step and continued from any
 * epoch.
 */
#include "kernel/adam_step.hpp"

#include <symvi/io/file.hpp>
#include <symvi/kernel/random_stream.hpp>
#include <symvi/kernel/threads.hpp>
#include <symvi/require.hpp>
#include <symvi/train/columns.hpp>
#include <symvi/train/train_objective.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <stdexcept>

#include "train/checkpoint.hpp"

namespace symvi {

namespace {

//! Independent keys of the parts of a run.
uint64_t Key(const uint64_t seed, const uint64_t part, const uint64_t epoch)
{
  RandomStream stream(seed);
  stream.Seek(part + 1);
  RandomStream inner(stream.NextBits());
  inner.Seek(epoch);
  return inner.NextBits();
}

const uint64_t noisePart = 0, orderPart = 1;

template<typename MatType>
class Trainer
{
 public:
  Trainer(TrainObjective<MatType>& objective, const FitOptions& options);

  FitReport Run();

 private:
  using ElemType = typename MatType::elem_type;

  void Resume();
  //! Whether to end before the next step.
  bool IsOver(FitOutcome& outcome);
  //! The gradient of a batch, summed over the ranks.
  void SharedGradient(size_t begin, size_t count, double klFactor);
  //! Find out which parameters this rank trains, and which all ranks do.
  void FindShares();
  //! All ranks get what each has trained.
  template<typename eT>
  void GatherShares(eT* values);
  FitOutcome RunEpochs();
  //! False if it ended early, for the reason in `outcome`.
  bool RunEpoch(FitOutcome& outcome);
  void CompleteEpoch();
  //! Ranks whose processors round differently must not drift apart.
  void Synchronize();
  bool WaitedLongEnough() const;
  //! The order that the given number of epochs leaves behind.
  void Reorder(uint64_t epochs);
  void Save(bool always);
  void RequireFinite(const EpochRecord& terms) const;
  double Seconds() const;
  double Done(uint64_t stepsDone) const;

  std::vector<double> Copy(const MatType& values) const
  {
    return std::vector<double>(values.begin(), values.end());
  }
  //! Into memory that is there.
  static void Copy(const MatType& values, std::vector<double>& copy)
  {
    std::copy(values.begin(), values.end(), copy.begin());
  }
  void SetParameters(const std::vector<double>& values)
  {
    std::copy(values.begin(), values.end(), objective.Parameters().begin());
  }

  TrainObjective<MatType>& objective;
  const FitOptions& options;
  Communicator& ranks;
  const size_t stepsPerEpoch;
  const std::chrono::steady_clock::time_point start;
  //! Tells this run from others; empty without a checkpoint.
  std::string description;
  TrainState state;
  double bestValidation = std::numeric_limits<double>::infinity();
  //! Moments of the step; those of the last whole epoch are in the state, if
  //! there are checkpoints.
  MatType first, second;
  //! What the ranks sum: the gradient, whether one has failed, and whether one
  //! was interrupted.
  MatType message, gradient;
  bool interrupted = false;
  //! A range of parameters.
  struct Range
  {
    size_t begin, count;
  };
  //! Parameters of which each rank trains a share; this rank's shares; the
  //! others, and what is summed then: their gradient and the flags.
  std::vector<SharedArray> shares;
  std::vector<Range> own, common;
  MatType commonMessage;
  //! Seconds of this run, where they matter.
  double elapsed = 0.0;
  uint64_t steps = 0;
  //! Whether the parameters are those of an epoch that is not complete.
  bool unfinished = false;
  uint64_t savedEpoch = std::numeric_limits<uint64_t>::max();
};

template<typename MatType>
Trainer<MatType>::Trainer(TrainObjective<MatType>& objective,
    const FitOptions& options) :
    objective(objective),
    options(options),
    ranks(options.Ranks()),
    stepsPerEpoch((objective.NumPoints() + options.BatchSize() - 1) /
        options.BatchSize()),
    start(std::chrono::steady_clock::now()),
    message(objective.Parameters().n_elem + 2, 1),
    gradient(message.memptr(), objective.Parameters().n_rows,
        objective.Parameters().n_cols, false, true)
{
  state.seed = options.Seed();
  state.parameters = Copy(objective.Parameters());
  ranks.Broadcast(state.parameters.data(), state.parameters.size());
  SetParameters(state.parameters);
  state.firstMoment.assign(state.parameters.size(), 0.0);
  state.secondMoment.assign(state.parameters.size(), 0.0);
  if (options.Checkpoint().empty() && ranks.Size() == 1)
    return;

  const StepSchedule& schedule = options.Schedule();
  const auto add = [this](const std::string& name, const std::string& value)
  { description += name + " " + value + "\n"; };
  description = objective.Description();
  add("batch_size", std::to_string(options.BatchSize()));
  add("step_size", ValueText(schedule.stepSize));
  // What depends on how long the run is to be.
  const std::string over = " over " + std::to_string(options.Epochs()) +
      " epochs";
  if (!schedule.IsConstant())
    add("schedule",
        ValueText(schedule.warmUp) + " " + ValueText(schedule.decayStart) +
            " " + ValueText(schedule.finalFactor) + over);
  add("kl_warmup",
      ValueText(options.KLWarmUp()) + (options.KLWarmUp() > 0.0 ? over : ""));
  add("seed", std::to_string(options.Seed()));
  ranks.RequireSame("data and options", description);
  if (options.Resume())
    Resume();
}

template<typename MatType>
void Trainer<MatType>::Resume()
{
  const std::string& path = options.Checkpoint();
  std::string content;
  ranks.Agree(
      [&]
      {
    if (ranks.IsRoot())
      content = io::LoadContainer(path, "checkpoint");
  });
  ranks.Broadcast(content);
  ranks.Agree(
      [&]
      {
    std::string theirs;
    TrainState from = ParseCheckpoint(std::move(content), path, theirs);
    RequireSameRun(path, theirs, description);
    if (from.parameters.size() != state.parameters.size())
      RefuseFile(path,
          "belongs to another run: it has " +
              std::to_string(from.parameters.size()) + " parameters, but " +
              std::to_string(state.parameters.size()) + " are trained here");
    if (from.steps != stepsPerEpoch * from.Epoch())
      RefuseFile(path,
          "belongs to another run: it took " + std::to_string(from.steps) +
              " steps in " + std::to_string(from.Epoch()) + " epochs of " +
              std::to_string(stepsPerEpoch));
    state = std::move(from);
  });
  if (state.bestEpoch > 0)
    bestValidation = state.history[state.bestEpoch - 1].validation;
  savedEpoch = state.Epoch();
  SetParameters(state.parameters);
  Reorder(state.Epoch());
}

template<typename MatType>
void Trainer<MatType>::Reorder(const uint64_t epochs)
{
  std::vector<size_t> order(objective.NumPoints());
  std::iota(order.begin(), order.end(), size_t(0));
  for (uint64_t epoch = 0; epoch < epochs; ++epoch)
    ShuffleOrder(Key(state.seed, orderPart, epoch), order);
  objective.Reorder(order);
}

template<typename MatType>
double Trainer<MatType>::Seconds() const
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

template<typename MatType>
void Trainer<MatType>::RequireFinite(const EpochRecord& terms) const
{
  ranks.Agree(
      [&]
      {
    if (!std::isfinite(terms.logLikelihood) || !std::isfinite(terms.kl) ||
        !std::isfinite(terms.information) ||
        !objective.Parameters().is_finite())
      throw std::runtime_error("Fit(): training diverged in epoch " +
          std::to_string(state.Epoch() + 1) +
          "; try a smaller step size than " + ValueText(options.StepSize()) +
          ", and inputs and targets "
          "of about unit scale.");
  });
}

//! The fraction of the run that is done after so many steps, or the time that
//! is used up if that is more.
template<typename MatType>
double Trainer<MatType>::Done(const uint64_t stepsDone) const
{
  const double done = double(stepsDone) /
      double(stepsPerEpoch * options.Epochs());
  return (options.TimeLimit() > 0.0) ?
      std::min(1.0, std::max(done, elapsed / options.TimeLimit())) :
      done;
}

template<typename MatType>
bool Trainer<MatType>::IsOver(FitOutcome& outcome)
{
  if (options.TimeLimit() > 0.0)
    elapsed = ranks.Broadcast(Seconds());
  const bool late = options.TimeLimit() > 0.0 && elapsed >= options.TimeLimit();
  // Several ranks learn of an interruption by the message of a step.
  if (ranks.Size() == 1)
    interrupted = !late && options.Interrupted() && options.Interrupted()();
  outcome = late ? FitOutcome::TimeLimit : FitOutcome::Interrupted;
  return late || interrupted;
}

template<typename MatType>
void Trainer<MatType>::FindShares()
{
  shares = objective.Shares();
  own.clear();
  common.clear();
  size_t at = 0, count = 0;
  const auto skipTo = [&](const size_t next)
  {
    common.push_back({ at, next - at });
    count += next - at;
  };
  for (const SharedArray& share : shares)
  {
    skipTo(share.offset);
    at = share.offset + share.bounds.back();
    const size_t first = share.bounds[ranks.Rank()];
    own.push_back(
        { share.offset + first, share.bounds[ranks.Rank() + 1] - first });
  }
  skipTo(gradient.n_elem);
  commonMessage.set_size(shares.empty() ? 0 : count + 2, 1);
}

template<typename MatType>
template<typename eT>
void Trainer<MatType>::GatherShares(eT* values)
{
  for (const SharedArray& share : shares)
    ranks.GatherShares(values + share.offset, share.bounds);
}

template<typename MatType>
void Trainer<MatType>::SharedGradient(const size_t begin, const size_t count,
    const double klFactor)
{
  if (ranks.Size() == 1)
    return objective.Gradient(begin, count, klFactor, gradient);
  std::exception_ptr failure;
  MatType& sums = shares.empty() ? message : commonMessage;
  ElemType* flags = sums.memptr() + sums.n_elem - 2;
  try
  {
    objective.Gradient(begin, count, klFactor, gradient);
    flags[0] = 0;
    flags[1] = (options.Interrupted() && options.Interrupted()()) ? 1 : 0;
  }
  catch (...)
  {
    failure = std::current_exception();
    flags[0] = 1;
    flags[1] = 0;
  }
  ElemType* at = sums.memptr();
  if (!shares.empty())
    for (const Range& range : common)
      at = std::copy_n(gradient.memptr() + range.begin, range.count, at);
  ranks.Sum(sums.memptr(), sums.n_elem);
  const ElemType* from = sums.memptr();
  if (!shares.empty())
  {
    for (const Range& range : common)
    {
      std::copy_n(from, range.count, gradient.memptr() + range.begin);
      from += range.count;
    }
  }
  if (flags[0] != 0)
    ranks.Agree(
        [&]
        {
      if (failure)
        std::rethrow_exception(failure);
    });
  interrupted = flags[1] != 0;
}

template<typename MatType>
bool Trainer<MatType>::RunEpoch(FitOutcome& outcome)
{
  const kernel::FlushDenormals flush;
  const size_t points = objective.NumPoints(), batch = options.BatchSize();
  steps = state.steps;
  std::vector<size_t> order(points);
  std::iota(order.begin(), order.end(), size_t(0));
  ShuffleOrder(Key(state.seed, orderPart, state.Epoch()), order);
  ranks.Agree(
      [&]
      {
    objective.Reorder(order);
    objective.BeginEpoch(Key(state.seed, noisePart, state.Epoch()));
    FindShares();
  });

  for (size_t begin = 0; begin < points; begin += batch)
  {
    if (IsOver(outcome))
      return false;
    const size_t count = std::min(batch, points - begin);
    const double done = Done(steps + 1);
    const double klFactor = (done < options.KLWarmUp()) ?
        done / options.KLWarmUp() :
        1.0;
    unfinished = true;
    SharedGradient(begin, count, klFactor);
    const double stepSize = options.Schedule()(done);
    ++steps;
    const auto adam = kernel::MakeAdamCoefficients<ElemType>(steps, stepSize);
    for (const auto* ranges : { &own, &common })
      for (const Range& range : *ranges)
        kernel::AdamStep(adam, range.count, gradient.memptr() + range.begin,
            first.memptr() + range.begin, second.memptr() + range.begin,
            objective.Parameters().memptr() + range.begin);
  }
  return true;
}

template<typename MatType>
void Trainer<MatType>::Synchronize()
{
  if (ranks.Size() == 1)
    return;
  const double sum = arma::accu(objective.Parameters());
  const bool differs = ranks.Broadcast(sum) != sum;
  if (ranks.Sum(differs ? 1.0 : 0.0) == 0.0)
    return;
  std::vector<double> parameters = Copy(objective.Parameters());
  ranks.Broadcast(parameters.data(), parameters.size());
  SetParameters(parameters);
}

template<typename MatType>
void Trainer<MatType>::CompleteEpoch()
{
  Synchronize();
  EpochRecord record = objective.Terms();
  RequireFinite(record);
  record.epoch = state.Epoch() + 1;
  record.elbo = record.logLikelihood - record.kl + record.information;
  state.steps = steps;
  Copy(objective.Parameters(), state.parameters);
  if (!options.Checkpoint().empty())
  {
    Copy(first, state.firstMoment);
    Copy(second, state.secondMoment);
  }
  if (objective.HasValidation())
  {
    record.validation = objective.Validate();
    ranks.Agree(
        [&]
        {
      if (std::isnan(record.validation))
        throw std::runtime_error("Fit(): the score on held-out points is not a "
                                 "number after epoch " +
            std::to_string(record.epoch) +
            "; try a "
            "smaller step size than " +
            ValueText(options.StepSize()) + ".");
    });
    if (record.validation < bestValidation)
    {
      bestValidation = record.validation;
      state.bestEpoch = record.epoch;
      state.bestParameters = state.parameters;
    }
  }
  state.history.push_back(record);
  unfinished = false;
}

template<typename MatType>
bool Trainer<MatType>::WaitedLongEnough() const
{
  // The score moves as long as the weight of the KL does.
  const uint64_t since = std::max(state.bestEpoch,
      uint64_t(std::ceil(options.KLWarmUp() * double(options.Epochs()))));
  return options.Patience() > 0 && objective.HasValidation() &&
      state.Epoch() >= since + options.Patience();
}

template<typename MatType>
void Trainer<MatType>::Save(const bool always)
{
  const bool due = always || state.Epoch() % options.CheckpointEvery() == 0;
  if (options.Checkpoint().empty() || !due || state.Epoch() == savedEpoch)
    return;
  GatherShares(state.firstMoment.data());
  GatherShares(state.secondMoment.data());
  ranks.Agree(
      [&]
      {
    if (ranks.IsRoot())
      WriteCheckpoint(options.Checkpoint(), state, description);
  });
  savedEpoch = state.Epoch();
}

template<typename MatType>
FitOutcome Trainer<MatType>::RunEpochs()
{
  FitOutcome outcome = FitOutcome::Complete;
  while (state.Epoch() < options.Epochs())
  {
    if (WaitedLongEnough())
      return FitOutcome::EarlyStop;
    const bool isWhole = RunEpoch(outcome);
    GatherShares(objective.Parameters().memptr());
    if (!isWhole)
      return outcome;
    CompleteEpoch();
    ranks.Agree(
        [&]
        {
      if (options.OnEpoch())
        options.OnEpoch()(state.history.back(), options.Epochs());
    });
    Save(false);
  }
  return FitOutcome::Complete;
}

template<typename MatType>
FitReport Trainer<MatType>::Run()
{
  FitReport report;
  const std::vector<double> before = state.parameters;
  first = arma::conv_to<MatType>::from(arma::vec(state.firstMoment));
  second = arma::conv_to<MatType>::from(arma::vec(state.secondMoment));
  try
  {
    report.outcome = RunEpochs();
    if (unfinished)
      RequireFinite(objective.Terms());
  }
  catch (...)
  {
    SetParameters(before);
    throw;
  }
  Save(true);
  if (state.bestEpoch > 0)
    SetParameters(state.bestParameters);
  report.keptEpoch = (state.bestEpoch > 0) ? state.bestEpoch :
      unfinished                           ? 0 :
                                             state.Epoch();
  report.history = std::move(state.history);
  report.epochs = report.history.size();
  report.plannedEpochs = options.Epochs();
  report.batchSize = options.BatchSize();
  report.seed = state.seed;
  report.seconds = Seconds();
  return report;
}

} // namespace

template<typename MatType>
FitReport Minimize(TrainObjective<MatType>& objective, FitOptions options)
{
  options.Ranks().Agree(
      [&]
      {
    options.Complete(objective.NumPoints());
    // Parameters, moments, gradients and what the layers keep of them.
    RequireMemory("training",
        20.0 * sizeof(double) * double(objective.Parameters().n_elem));
  });
  options.Seed(SeedOf(options));
  return Trainer<MatType>(objective, options).Run();
}

template FitReport Minimize(TrainObjective<arma::mat>&, FitOptions);
template FitReport Minimize(TrainObjective<arma::fmat>&, FitOptions);

} // namespace symvi
