/**
 * @file bnn.cpp
 *
 * symvi_bnn: train a Bayesian neural network, predict with it, or both.
 */
#include "bnn_train.hpp"

#include "data/data.hpp"
#include "data/outputs.hpp"
#include "data/predict.hpp"
#include "model/model_file.hpp"
#include "options/run.hpp"
#include "signals.hpp"
#include "tables.hpp"

using namespace symvi;
using namespace symvi::cli;

namespace {

const std::vector<std::string> testOutputs = { "predictions_file",
    "probabilities_file", "uncertainty_file", "draws_file" };

//! Combinations of options that make no sense.
void CheckOptions(const Arguments& arguments)
{
  const bool training = arguments.Has("training_file");
  if (!training && !arguments.Has("input_model_file"))
    throw UsageError("--training_file or --input_model_file is needed; see "
        "--help.");
  if (!training)
    arguments.Forbid({ "labels_file", "responses_file", "history_file",
        "checkpoint_file", "resume", "hidden", "activation", "prior_stddev",
        "initial_sigma", "noise", "method", "estimator", "permutations",
        "samples", "epochs", "batch_size", "step_size", "kl_warmup",
        "validation", "patience", "standardize" }, "without --training_file");
  bool anyOutput = arguments.Has("output_model_file") ||
      arguments.Has("history_file") || arguments.Has("checkpoint_file");
  for (const std::string& name : testOutputs)
  {
    anyOutput = anyOutput || arguments.Has(name);
    if (!arguments.Has("test_file"))
      arguments.Forbid({ name }, "without --test_file");
  }
  if (!anyOutput)
    Warn("no output file was asked for, so that no result will be saved.");
}

//! Training that was interrupted: keep the model, leave the predictions.
int SaveInterrupted(const Arguments& arguments,
                    const Trained& trained,
                    Outputs& outputs)
{
  outputs.AddModel("output_model_file", trained.model);
  outputs.AddTable("history_file", HistoryTable(trained.model.history),
      HistoryColumns());
  outputs.Commit();
  std::string saved;
  for (const char* name : { "output_model_file", "history_file",
                            "checkpoint_file" })
  {
    if (arguments.Has(name))
      saved += (saved.empty() ? "'" : ", '") + arguments.Text(name) + "'";
  }
  const int signal = CaughtInterrupt();
  Warn("training was interrupted by " + std::string(SignalName(signal)) +
      " after " + std::to_string(trained.epochs) + " of " +
      std::to_string(trained.asked) + " epochs; " + (saved.empty() ?
      "nothing was saved, because no output was asked for." :
      "what was trained so far is in " + saved + "."));
  return 128 + signal;
}

void Predict(const Arguments& arguments,
             const Trained& trained,
             arma::mat& points,
             Outputs& outputs)
{
  PreparePoints(trained.model, points);
  PredictOptions options(arguments.Count("draws"), trained.model.seed);
  if (arguments.Number("seed") != 0.0)
    options.seed = uint64_t(arguments.Number("seed"));
  options.interval = arguments.Number("interval");
  WritePredictions(*trained.network, trained.model, points, options, outputs);
}

int Body(const Arguments& arguments)
{
  CheckOptions(arguments);
  CheckOutputs(arguments);
  Data test;
  const auto prepare = [&](const Model& model)
  {
    if (!model.spec.IsClassification())
      arguments.Forbid({ "probabilities_file" }, "for regression");
    if (arguments.Has("test_file"))
      test = LoadForModel(arguments, "test_file", model, false);
  };

  Trained trained;
  if (arguments.Has("training_file"))
    trained = Train(arguments, prepare);
  else
  {
    trained.model = ReadModel(arguments.Text("input_model_file"));
    prepare(trained.model);
    UseThreads(arguments.Count("threads"), trained.model.spec,
        test.points.n_cols);
    trained.network = Network::Create(trained.model);
  }
  Outputs outputs(arguments);
  if (trained.outcome == Outcome::Interrupted)
    return SaveInterrupted(arguments, trained, outputs);

  outputs.AddModel("output_model_file", trained.model);
  outputs.AddTable("history_file", HistoryTable(trained.model.history),
      HistoryColumns());
  if (arguments.Has("test_file"))
    Predict(arguments, trained, test.points, outputs);
  outputs.Commit();
  return 0;
}

} // namespace

int main(int argc, char** argv)
{
  return Run(BnnProgram(), argc, argv, Body);
}
