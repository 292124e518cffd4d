/**
 * @file bnn_train.cpp
 */
#include "bnn_train.hpp"

#include <symvi/io/atomic_file.hpp>

#include <random>

#include "bnn_setup.hpp"
#include "options/run.hpp"
#include "progress.hpp"
#include "signals.hpp"

namespace symvi {
namespace cli {

namespace {

//! The checkpoint file of a run, if one was asked for.
class Checkpoint
{
 public:
  explicit Checkpoint(const Arguments& arguments) :
      path(arguments.Text("checkpoint_file")),
      every(arguments.Count("checkpoint_every"))
  {
    if (path.empty() && arguments.Flag("resume"))
      throw UsageError("--resume needs --checkpoint_file.");
    if (!path.empty())
      io::RequireWritable(path);
    if (arguments.Flag("resume"))
      state = ReadCheckpoint(path, fingerprint);
    resumed = arguments.Flag("resume");
  }

  //! The run's own seed goes before one from the clock.
  uint64_t Seed(const Arguments& arguments) const
  {
    return (resumed && arguments.Count("seed") == 0) ? state.seed
                                                     : SeedOf(arguments);
  }

  void Start(const std::string& ours, Trainer& trainer)
  {
    if (resumed)
    {
      RequireSameRun(path, fingerprint, ours);
      trainer.Resume(state);
      Info("Training continues after epoch " + std::to_string(state.epoch) +
          ".");
    }
    state = TrainState();
    fingerprint = ours;
  }

  void Save(const TrainState& current, const bool always)
  {
    const bool due = always || current.epoch % every == 0;
    if (path.empty() || !due || (saved && current.epoch == savedEpoch))
      return;
    io::AtomicFile file(path);
    WriteCheckpoint(file.Stream(), current, fingerprint);
    file.Commit();
    saved = true;
    savedEpoch = current.epoch;
  }

 private:
  std::string path;
  size_t every;
  bool resumed = false;
  bool saved = false;
  uint64_t savedEpoch = 0;
  TrainState state;
  std::string fingerprint;
};

void FinishModel(const TrainOptions& options,
                 const Trainer& trainer,
                 const size_t points,
                 Model& model)
{
  model.parameters = trainer.Result();
  model.method = options.bound.symmetrize ? "sgm" : "mfvi";
  model.estimator = options.bound.estimator;
  model.permutations = options.bound.permutations;
  model.points = points;
  const double offset =
      model.history.empty() ? 0.0 : model.history.back().epoch;
  model.keptEpoch = (trainer.ResultEpoch() == 0) ? 0 :
      trainer.ResultEpoch() + uint64_t(offset);
  for (HistoryRow row : trainer.State().history)
  {
    row.epoch += offset;
    model.history.push_back(row);
  }
}

void Report(const TrainOptions& options,
            const Trainer& trainer,
            const Outcome outcome)
{
  const TrainState& state = trainer.State();
  if (!state.history.empty())
    Info("Training ended after epoch " + std::to_string(state.epoch) + " of " +
        std::to_string(options.epochs) + ": " +
        DescribeRow(state.history.back()) + ".");
  if (outcome == Outcome::EarlyStop)
    Info("It was stopped because the score on held-out points had not improved "
        "for " + std::to_string(options.patience) + " epochs.");
  if (!state.bestParameters.empty())
    Info("The model is that of epoch " + std::to_string(state.bestEpoch) +
        ", which predicts the held-out points best.");
}

} // namespace

uint64_t SeedOf(const Arguments& arguments)
{
  const uint64_t given = uint64_t(arguments.Number("seed"));
  if (given != 0)
    return given;
  // Below 2^53, so that it can be given back as --seed.
  std::random_device device;
  const uint64_t bits = (uint64_t(device()) << 32) | uint64_t(device());
  return 1 + bits % 9007199254740990;
}

Trained Train(const Arguments& arguments,
              const std::function<void(const Model&)>& beforeTraining)
{
  Checkpoint checkpoint(arguments);
  const std::string task = TaskOf(arguments);
  Data data = LoadTraining(arguments, task);
  Trained trained;
  Model& model = trained.model;
  const bool loaded = arguments.Has("input_model_file");
  model = loaded ? LoadedModel(arguments, task, data)
                 : NewModel(arguments, task, data);
  model.seed = checkpoint.Seed(arguments);
  Info("The random seed is " + std::to_string(model.seed) + ".");

  arma::mat targets = model.spec.IsClassification() ?
      model.labels.Encode(data.labels, data.targetPath) :
      std::move(data.responses);
  if (targets.n_rows != model.spec.outputs && !model.spec.IsClassification())
    throw std::invalid_argument("'" + data.targetPath + "' has " +
        std::to_string(targets.n_rows) + " responses a point, but the model "
        "has " + std::to_string(model.spec.outputs) + ".");
  Split split(data, std::move(targets), arguments.Number("validation"),
      model.seed);
  TrainOptions options = TrainOptionsOf(arguments, model, split.points.n_cols);
  Standardize(arguments, model, split);
  options.logJacobian = model.targets.LogJacobian();
  options.interrupted = [] { return CaughtInterrupt() != 0; };
  beforeTraining(model);
  UseThreads(arguments.Count("threads"), model.spec, options.batchSize);

  trained.network = loaded ? Network::Create(model)
                           : Network::Create(model.spec, model.seed);
  Trainer trainer(*trained.network, split.points, split.pointTargets,
      split.heldOut, split.heldOutTargets, options);
  checkpoint.Start(Fingerprint(model, options, split), trainer);
  CatchInterrupts();
  {
    Progress progress(options.epochs, arguments.Flag("verbose"));
    trained.outcome = trainer.Run([&](const Trainer& current)
    {
      progress.Update(current.State().history.back());
      checkpoint.Save(current.State(), false);
    });
  }
  checkpoint.Save(trainer.State(), true);
  if (trained.outcome != Outcome::Interrupted)
    ReleaseInterrupts();
  Report(options, trainer, trained.outcome);
  trained.epochs = trainer.State().epoch;
  trained.asked = options.epochs;
  FinishModel(options, trainer, split.points.n_cols, model);
  trained.network->SetParameters(model.parameters);
  return trained;
}

} // namespace cli
} // namespace symvi
