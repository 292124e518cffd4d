/**
 * @file bnn_body.cpp
 */
#include "bnn_body.hpp"

#include <symvi/io/table.hpp>
#include <symvi/kernel/threads.hpp>
#include <symvi/model/ensemble.hpp>
#include <symvi/require.hpp>
#include <symvi/train/train_objective.hpp>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <iostream>
#include <random>

#include "evaluation_text.hpp"
#include "inputs.hpp"
#include "options/run.hpp"
#include "outputs.hpp"
#include "predictions.hpp"
#include "progress.hpp"
#include "signals.hpp"

namespace symvi {
namespace cli {

namespace {

//! Combinations of options that make no sense.
void CheckOptions(const Arguments& arguments)
{
  const bool training = arguments.Has("training_file");
  if (!training && !arguments.Has("input_model_file"))
    throw UsageError("--training_file or --input_model_file is needed; see "
                     "--help.");
  if (!training)
    arguments.Forbid({ "labels_file", "responses_file", "history_file",
                         "checkpoint_file", "resume", "hidden", "activation",
                         "prior_stddev", "learn_prior", "initial_sigma",
                         "noise", "method", "estimator", "permutations",
                         "samples", "epochs", "batch_size", "step_size",
                         "schedule", "kl_warmup", "kl_weight", "validation",
                         "patience", "standardize", "time_limit", "ensemble" },
        "without --training_file");
  if (arguments.Flag("resume") && !arguments.Has("checkpoint_file"))
    throw UsageError("--resume needs --checkpoint_file.");
  if (arguments.Has("sets_file") && !arguments.Has("conformal_file"))
    throw UsageError("--sets_file needs --conformal_file.");
  bool anyOutput = arguments.Has("output_model_file") ||
      arguments.Has("history_file") || arguments.Has("checkpoint_file");
  for (const char* name : { "predictions_file", "probabilities_file",
           "uncertainty_file", "draws_file", "sets_file", "calibration_file",
           "conformal_file", "test_labels_file", "test_responses_file" })
  {
    anyOutput = anyOutput || arguments.Has(name);
    if (!arguments.Has("test_file"))
      arguments.Forbid({ name }, "without --test_file");
  }
  if (!anyOutput)
    Warn("no output file was asked for, so that no result will be saved.");
}

NetworkSpec SpecOf(const Arguments& arguments, const std::string& task)
{
  NetworkSpec spec;
  spec.task = task;
  spec.hidden = WidthsOf(arguments, "hidden",
      "positive whole numbers separated by commas, or '0'");
  spec.activation = arguments.Text("activation");
  spec.priorStddev = arguments.Number("prior_stddev");
  spec.initialSigma = arguments.Number("initial_sigma");
  const std::string standardize = arguments.Text("standardize");
  spec.standardizeInputs = standardize == "both" || standardize == "inputs";
  spec.standardizeTargets = standardize == "both" || standardize == "targets";
  if (spec.IsClassification())
  {
    if (arguments.Has("noise"))
      Warn("--noise is ignored because this is a classification.");
    return spec;
  }
  const double noise = NoiseOf(arguments, { "learned", "heteroscedastic" });
  spec.noise = (noise > 0.0) ? "fixed" : arguments.Text("noise");
  if (noise > 0.0)
    spec.noiseStddev = noise;
  return spec;
}

//! The model of --input_model_file, which rank 0 reads.
Ensemble LoadModel(const Arguments& arguments, Communicator& ranks)
{
  Ensemble model;
  ranks.Agree(
      [&]
      {
    if (ranks.IsRoot())
      model = Ensemble::Load(arguments.Text("input_model_file"));
  });
  Broadcast(model, ranks);
  return model;
}

//! A new model, or that of --input_model_file.
Ensemble StartModel(const Arguments& arguments, const std::string& task,
    Communicator& ranks)
{
  Ensemble model;
  ranks.Agree(
      [&]
      {
    if (!arguments.Has("input_model_file"))
      model = Ensemble(SpecOf(arguments, task), BoundOptions(),
          arguments.Count("ensemble"));
  });
  if (!arguments.Has("input_model_file"))
    return model;
  ranks.Agree(
      [&]
      {
    arguments.Forbid({ "hidden", "activation", "prior_stddev", "initial_sigma",
                         "noise", "standardize", "ensemble" },
        "with --input_model_file, which decides it");
  });
  model = LoadModel(arguments, ranks);
  ranks.Agree(
      [&]
      {
    if (model.Spec().task != task)
      RefuseFile(arguments.Text("input_model_file"),
          "is a model for " + model.Spec().task + ", not for " + task);
  });
  return model;
}

//! --seed, that of the run to be resumed, or one from the system of rank 0.
uint64_t SeedOf(const Arguments& arguments, const FitOptions& options)
{
  if (arguments.Count("seed") != 0 || options.Resume())
    return symvi::SeedOf(options);
  // Below 2^53, so that it can be given back as --seed.
  std::random_device device;
  const uint64_t bits = (uint64_t(device()) << 32) | uint64_t(device());
  return uint64_t(
      options.Ranks().Broadcast(double(1 + bits % 9007199254740990)));
}

FitOptions FitOptionsOf(const Arguments& arguments, const size_t points)
{
  FitOptions options;
  const size_t batchSize = arguments.Count("batch_size");
  const double validation = arguments.Number("validation");
  const size_t held = size_t(std::floor(validation * double(points)));
  if (batchSize > points - held)
    throw UsageError("invalid value of --batch_size ('" +
        arguments.Text("batch_size") +
        "'): must be at most the number of "
        "training points, " +
        std::to_string(points - held) + ".");
  const double stepSize = arguments.Number("step_size");
  if (arguments.Text("schedule") == "constant")
    options.Schedule(StepSchedule::Constant(stepSize));
  options.Epochs(arguments.Count("epochs"))
      .BatchSize(batchSize)
      .StepSize(stepSize)
      .Validation(validation)
      .Patience(arguments.Count("patience"))
      .Seed(arguments.Count("seed"))
      .TimeLimit(arguments.Number("time_limit"))
      .KLWarmUp(arguments.Number("kl_warmup"))
      .KLWeight(arguments.Number("kl_weight"))
      .LearnPrior(arguments.Flag("learn_prior"))
      .Checkpoint(arguments.Text("checkpoint_file"),
          arguments.Count("checkpoint_every"))
      .Resume(arguments.Flag("resume"))
      .Interrupted([] { return CaughtInterrupt() != 0; });
  return options;
}

//! @param member "" or "Member 2: ".
void Describe(const FitReport& report, const size_t patience,
    const std::string& member)
{
  if (!report.history.empty())
    Info(member + "Training ended after epoch " +
        std::to_string(report.epochs) + " of " +
        std::to_string(report.plannedEpochs) + ": " +
        DescribeRecord(report.history.back()) + ".");
  if (report.outcome == FitOutcome::EarlyStop)
    Info("It was stopped because the score on held-out points had not improved "
         "for " +
        std::to_string(patience) + " epochs.");
  if (report.outcome == FitOutcome::TimeLimit)
    Info("It was stopped by --time_limit.");
  if (report.Kept() && report.Kept()->validation == report.Kept()->validation)
    Info("The model is that of epoch " + std::to_string(report.keptEpoch) +
        ", which predicts the held-out points best.");
}

bool Interrupted(const std::vector<FitReport>& reports)
{
  return std::any_of(reports.begin(), reports.end(),
      [](const FitReport& r) { return r.outcome == FitOutcome::Interrupted; });
}

//! The points to train on: of a file that every rank reads, or of one that rank
//! 0 reads.  Members of an ensemble are trained on all of them.
io::Dataset TrainingPoints(const Arguments& arguments, const std::string& task,
    const bool isShared, Communicator& ranks)
{
  const bool isPart = IsNamedByRank(arguments.Text("training_file"));
  io::Dataset data;
  ranks.Agree(
      [&]
      {
    if (isPart && isShared)
      throw UsageError("--ensemble over several ranks needs one training file "
                       "for all of them, not '" +
          arguments.Text("training_file") + "'.");
    if (isPart || ranks.IsRoot())
      data = LoadTraining(arguments, task == "classification", ranks.Rank());
  });
  if (!isPart && isShared)
    Broadcast(data, ranks);
  else if (!isPart)
    DealOut(data, ranks);
  return data;
}

//! Train as the options say; `ready` is called before hours of work.
std::vector<FitReport> Train(const Arguments& arguments,
    const std::function<void(const Pipeline&)>& ready, Communicator& ranks,
    Ensemble& model)
{
  std::string task;
  ranks.Agree(
      [&]
      {
    task = TaskOf(arguments);
    if (arguments.Has("checkpoint_file") && ranks.IsRoot())
      io::RequireWritable(arguments.Text("checkpoint_file"));
  });
  const bool isShared = ranks.Size() > 1 && arguments.Count("ensemble") > 1;
  const io::Dataset data = TrainingPoints(arguments, task, isShared, ranks);
  model = StartModel(arguments, task, ranks);
  for (size_t m = 0; m < model.Size(); ++m)
  {
    BoundOptions& bound = model.Member(m).Bound();
    bound.symmetrize = (arguments.Text("method") == "sgm");
    bound.estimator = arguments.Text("estimator");
    bound.permutations = arguments.Count("permutations");
    bound.samples = arguments.Count("samples");
  }
  const size_t points = isShared ?
      size_t(data.points.n_cols) :
      size_t(ranks.Sum(double(data.points.n_cols)));
  FitOptions options;
  ranks.Agree([&] { options = FitOptionsOf(arguments, points); });
  options.Over(ranks);
  options.Seed(SeedOf(arguments, options));
  Info("The random seed is " + std::to_string(options.Seed()) + ".");

  Progress progress(arguments.Flag("verbose"), arguments.Number("time_limit"));
  options.OnEpoch(
      [&](const EpochRecord& record, const size_t planned)
      {
    if (ranks.IsRoot())
      progress.Update(record, planned);
  });
  const std::vector<FitReport> reports = model.Fit(data, options,
      arguments.Count("threads"),
      [&](const Pipeline& prepared)
      {
    ready(prepared);
    const size_t batchSize = arguments.Count("batch_size");
    // Members and ranks keep the processors busy by themselves.
    if (model.Size() > 1 ||
        (ranks.Size() > 1 && arguments.Count("threads") == 0))
      SetThreads(1);
    else
      UseThreads(arguments, prepared.Spec(), batchSize ? batchSize : 32);
    CatchInterrupts();
  });
  if (!Interrupted(reports))
    ReleaseInterrupts();
  for (size_t m = 0; m < reports.size(); ++m)
    Describe(reports[m], options.Patience(),
        reports.size() == 1 ? "" : "Member " + std::to_string(m + 1) + ": ");
  return reports;
}

//! All epochs; with a number of the member in front if there are several.
void AddHistory(const Ensemble& model, Outputs& outputs)
{
  arma::mat table = HistoryTable(model.Member(0).History());
  std::vector<std::string> header = HistoryColumns();
  if (model.Size() > 1)
  {
    header.insert(header.begin(), "member");
    table.reset();
    for (size_t m = 0; m < model.Size(); ++m)
    {
      const arma::mat own = HistoryTable(model.Member(m).History());
      table = arma::join_rows(table,
          arma::join_cols(
              arma::rowvec(own.n_cols, arma::fill::value(double(m + 1))), own));
    }
  }
  outputs.AddTable("history_file", table, header);
}

//! What a run leaves behind: files, and scores on the standard output.
void WriteResults(const Arguments& arguments, const Ensemble& model,
    const io::Dataset& test, const bool predict, const bool targets,
    Communicator& ranks)
{
  Outputs outputs(arguments);
  Corrections corrections;
  const PredictOptions options = PredictOptionsOf(arguments, model);
  ranks.Agree(
      [&]
      {
    if (!ranks.IsRoot())
      return;
    outputs.AddModel(model);
    AddHistory(model, outputs);
    if (predict)
      corrections = Corrections(arguments, model, options);
  });
  Predictions predictions;
  if (predict)
    predictions = Predict(model, test.points, options, ranks);
  ranks.Agree(
      [&]
      {
    if (!ranks.IsRoot())
      return;
    if (predict)
      WritePredictions(model, test.points, std::move(predictions), options,
          corrections, outputs);
    outputs.Commit();
    if (!predict || !targets)
      return;
    EvaluateOptions evaluate;
    evaluate.predict = options;
    evaluate.samples = 0;
    const Evaluation result = model.Evaluate(test, evaluate);
    std::cout << AsTable(result);
    if (!corrections.Empty())
      std::cout << corrections.Evaluate(model, test, result);
  });
}

//! Training that was interrupted: keep the model, leave the predictions.
int EndInterrupted(const Arguments& arguments,
    const std::vector<FitReport>& reports)
{
  size_t epochs = 0, planned = 0;
  for (const FitReport& report : reports)
  {
    epochs += report.epochs;
    planned = std::max(planned, report.plannedEpochs * reports.size());
  }
  std::string saved;
  for (const char* name :
      { "output_model_file", "history_file", "checkpoint_file" })
  {
    if (arguments.Has(name))
      saved += (saved.empty() ? "'" : ", '") + arguments.Text(name) + "'";
  }
  // Another rank may have been the one that was asked to end.
  const int signal = CaughtInterrupt() != 0 ? CaughtInterrupt() : SIGTERM;
  Warn("training was interrupted by " + std::string(SignalName(signal)) +
      " after " + std::to_string(epochs) + " of " + std::to_string(planned) +
      " epochs; " +
      (saved.empty() ? "nothing was saved, because no output was asked for." :
                       "what was trained so far is in " + saved + "."));
  return 128 + signal;
}

} // namespace

int BnnBody(const Arguments& arguments, Communicator& ranks)
{
  ranks.Agree(
      [&]
      {
    CheckOptions(arguments);
    if (ranks.IsRoot())
      CheckOutputs(arguments);
  });
  io::Dataset test;
  bool targets = false;
  const auto loadTest = [&](const Pipeline& model)
  {
    const bool classification = model.Spec().IsClassification();
    if (!classification)
      arguments.Forbid({ "probabilities_file", "sets_file" }, "for regression");
    const std::string file = TargetFile(arguments, classification,
        "test_labels_file", "test_responses_file");
    targets = !file.empty();
    if (arguments.Has("test_file") && ranks.IsRoot())
      test = LoadTest(arguments, model, file, targets);
  };

  Ensemble model;
  std::vector<FitReport> reports;
  if (arguments.Has("training_file"))
    reports = Train(arguments, loadTest, ranks, model);
  else
  {
    model = LoadModel(arguments, ranks);
    ranks.Agree(
        [&]
        {
      loadTest(model.Member(0));
      UseThreads(arguments, model.Spec(), test.points.n_cols);
    });
  }

  const bool interrupted = Interrupted(reports);
  WriteResults(arguments, model, test,
      arguments.Has("test_file") && !interrupted, targets, ranks);
  return interrupted ? EndInterrupted(arguments, reports) : 0;
}

} // namespace cli
} // namespace symvi
