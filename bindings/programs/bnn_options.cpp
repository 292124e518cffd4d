/**
 * @file bnn_options.cpp
 *
 * Options of symvi_bnn, and those that other programs share with it.
 */
#include "tables.hpp"

namespace symvi {
namespace cli {

Option SeedOption()
{
  return Option(Kind::Integer, "seed", 0,
      "Random seed.  If 0, a seed is taken from the system (or from the model, "
      "where there is one).  The same seed gives the same result bit for bit.",
      "0")
      .AtLeast(0);
}

Option ThreadsOption()
{
  return Option(Kind::Integer, "threads", 0,
      "Threads to use; 0 means one for small networks and all processors for "
      "wide ones.",
      "0")
      .AtLeast(0);
}

Option DrawsOption()
{
  return Option(Kind::Integer, "draws", 'D',
      "Number of weight draws that a prediction averages over.", "1000")
      .AtLeast(1);
}

Option IntervalOption()
{
  return Option(Kind::Number, "interval", 0,
      "Probability of the central predictive interval of a regression, and of "
      "conformal sets.",
      "0.95")
      .Fraction();
}

Option TargetColumnOption()
{
  return Option(Kind::Text, "target_column", 0,
      "The column that holds the target if there is no separate file of labels "
      "or responses: 'first', 'last', a number from 1, or a name of the header "
      "line.",
      "last");
}

Option TestLabelsOption()
{
  return Option(Kind::InputFile, "test_labels_file", 'L',
      "Labels of the test points; accuracy, log-likelihood and calibration of "
      "the predictions are then printed (classification).");
}

Option EstimatorOption()
{
  return Option(Kind::Text, "estimator", 0,
      "Estimator of I(g;w), the information that symmetrization adds to the "
      "bound.  'auto' is exact for up to 16 units in a layer and where units "
      "are well separated.",
      "auto")
      .Choices({ "auto", "exact", "importance", "uniform" });
}

Option PermutationsOption()
{
  return Option(Kind::Integer, "permutations", 'K',
      "Number of permutations that a sampling estimator of I(g;w) uses.", "20")
      .AtLeast(1);
}

namespace {

std::vector<Option> DataOptions()
{
  return { Option(Kind::InputFile, "training_file", 't',
               "Training data (CSV, TSV, TXT or ARFF), one point per line."),
    Option(Kind::InputFile, "labels_file", 'l',
        "Labels of the training points, one per line, numbers or names "
        "(classification)."),
    Option(Kind::InputFile, "responses_file", 'r',
        "Responses of the training points, one point per line (regression)."),
    TargetColumnOption(),
    Option(Kind::Text, "task", 0,
        "What to learn; needed only if the target is a column of the training "
        "file.")
        .Choices({ "classification", "regression" }),
    Option(Kind::Text, "standardize", 0,
        "What is brought to mean 0 and standard deviation 1 before training; "
        "the scaling is part of the model.",
        "both")
        .Choices({ "both", "inputs", "targets", "none" }),
    Option(Kind::Number, "validation", 0,
        "Fraction of the training points that is held out to choose the best "
        "epoch; 0 for none.",
        "0")
        .FractionOrZero(),
    Option(Kind::Integer, "patience", 0,
        "Stop after this many epochs without a better score on the held-out "
        "points, counted from the end of --kl_warmup; 0 never stops early.",
        "50")
        .AtLeast(0) };
}

std::vector<Option> NetworkOptions()
{
  return { Option(Kind::Text, "hidden", 'H',
               "Units of the hidden layers, separated by commas, such as "
               "30,20; '0' for a linear model.",
               "30"),
    Option(Kind::Text, "activation", 'a',
        "Activation function of the hidden units.", "relu")
        .Choices({ "relu", "tanh", "sigmoid", "leaky_relu", "elu", "softplus",
            "gelu" }),
    Option(Kind::Number, "prior_stddev", 0,
        "Standard deviation of the Gaussian prior of every weight; 0 takes 1 "
        "for a regression, and for a classification one that falls with the "
        "number of inputs of a layer.",
        "0")
        .AtLeast(0),
    Option(Kind::Flag, "learn_prior", 0,
        "Set the standard deviation of the prior of every layer's weights and "
        "biases to its optimum as training goes on; symvi_inspect shows what "
        "was learned."),
    Option(Kind::Number, "initial_sigma", 0,
        "Initial standard deviation of the posterior of every weight.", "0.03")
        .Positive(),
    Option(Kind::Text, "noise", 0,
        "Noise of a regression: 'heteroscedastic' (depends on the input), "
        "'learned' (one level per response), or a number, its known standard "
        "deviation.",
        "heteroscedastic") };
}

std::vector<Option> TrainingOptions()
{
  return { Option(Kind::Text, "method", 0,
               "What to maximise: 'sgm', the symmetrized evidence lower bound, "
               "or 'mfvi', the plain one.",
               "sgm")
               .Choices({ "sgm", "mfvi" }),
    EstimatorOption(), PermutationsOption(),
    Option(Kind::Integer, "samples", 'S', "Weight samples per training step.",
        "1")
        .AtLeast(1),
    Option(Kind::Integer, "epochs", 'e',
        "Passes over the training points; 0 chooses as many as give 50,000 to "
        "100,000 steps, depending on the number of points.",
        "0")
        .AtLeast(0),
    Option(Kind::Integer, "batch_size", 'b',
        "Points per training step; 0 means 32, or all if there are fewer.", "0")
        .AtLeast(0),
    Option(Kind::Number, "step_size", 's',
        "Largest step size of the Adam optimizer.", "0.005")
        .Positive(),
    Option(Kind::Text, "schedule", 0,
        "Step size over the run: 'decay' (to a hundredth) or 'constant'.",
        "decay")
        .Choices({ "decay", "constant" }),
    Option(Kind::Number, "kl_warmup", 0,
        "Fraction of the run over which the weight of the KL divergence grows "
        "from 0 to 1.",
        "0.6")
        .AtLeast(0),
    Option(Kind::Number, "kl_weight", 0,
        "Weight of the KL divergence after that; 1 maximises the bound, and "
        "less makes a classifier more certain; 0 takes 0.1 for a "
        "classification and 1 for a regression.",
        "0")
        .AtLeast(0),
    Option(Kind::Number, "time_limit", 0,
        "Seconds that training may take; the schedule is shortened to this "
        "limit.  0 for no limit.",
        "0")
        .AtLeast(0),
    Option(Kind::Integer, "ensemble", 0,
        "Number of independent fits whose mixture is the model, trained side "
        "by side.",
        "1")
        .AtLeast(1),
    Option(Kind::InputFile, "checkpoint_file", 0,
        "File that the state of training is written to, and with --resume read "
        "from; member k of an ensemble appends '.k'."),
    Option(Kind::Integer, "checkpoint_every", 0,
        "Epochs between two checkpoints.", "10")
        .AtLeast(1),
    Option(Kind::Flag, "resume", 0,
        "Continue from --checkpoint_file, with the data and options it was "
        "started with.") };
}

std::vector<Option> PredictionOptions()
{
  return { Option(Kind::InputFile, "input_model_file", 'm',
               "Model to predict with, or to go on training."),
    Option(Kind::InputFile, "test_file", 'T',
        "Points to predict, one per line; a target column is ignored."),
    TestLabelsOption(),
    Option(Kind::InputFile, "test_responses_file", 'R',
        "Responses of the test points; error, log-likelihood and coverage of "
        "the predictions are then printed (regression)."),
    Option(Kind::InputFile, "calibration_file", 0,
        "Points with a target column, not trained on, from which a temperature "
        "(classification) or a variance factor (regression) of the predictions "
        "is found."),
    Option(Kind::InputFile, "conformal_file", 0,
        "Points with a target column, used for nothing else, that make the "
        "sets or intervals hold the target with the probability --interval, "
        "whatever the model."),
    DrawsOption(), IntervalOption(), SeedOption(), ThreadsOption(),
    Option(Kind::OutputFile, "output_model_file", 'M', "The trained model."),
    Option(Kind::OutputFile, "predictions_file", 'p',
        "Predicted labels or responses of the test points."),
    Option(Kind::OutputFile, "probabilities_file", 'P',
        "Class probabilities of the test points, one class per column, in the "
        "order that symvi_inspect lists them."),
    Option(Kind::OutputFile, "uncertainty_file", 'u',
        "Uncertainty of every prediction with a header line: entropy, mutual "
        "information (epistemic) and expected entropy (aleatoric) in nats; or "
        "epistemic and aleatoric standard deviation and interval."),
    Option(Kind::OutputFile, "sets_file", 0,
        "The conformal set of every test point: names of classes, separated by "
        "blanks."),
    Option(Kind::OutputFile, "draws_file", 0,
        "What every single draw of the weights predicts, with a header line."),
    Option(Kind::OutputFile, "history_file", 0,
        "ELBO, log-likelihood, KL divergence, I(g;w) and validation score of "
        "every epoch, as CSV.") };
}

Program MakeProgram()
{
  Program program;
  program.name = "symvi_bnn";
  program.title = "Bayesian neural network";
  program.brief =
      "train a Bayesian neural network and predict with uncertainty";
  program.description = {
    "Trains a fully connected network with a Gaussian posterior over every "
    "weight by variational inference, for classification (--labels_file) or "
    "regression (--responses_file), and predicts with uncertainty.  By default "
    "the symmetrized evidence lower bound is maximised, which accounts for the "
    "permutation symmetry of hidden units; --method mfvi maximises the plain "
    "one.",
    "Data files are tables of numbers, one point per line; a header line is "
    "recognised.  Labels are names or numbers and are written back as they "
    "were.  Without --labels_file and --responses_file the target is a column "
    "of the training file (--target_column) and --task says what it is.",
    "Ctrl-C ends training after the current step; the model trained so far and "
    "its history are saved if they were asked for.  With --checkpoint_file the "
    "run can be continued by --resume, and ends as if it had never been "
    "interrupted."
  };
  program.examples = {
    { "To train a classifier with two hidden layers and save it:",
        "symvi_bnn --training_file X.csv --labels_file y.csv --hidden 30,20 "
        "--output_model_file model.bin" },
    { "To predict with it:",
        "symvi_bnn --input_model_file model.bin --test_file Xtest.csv "
        "--predictions_file predictions.csv --uncertainty_file uncertainty.csv" },
    { "To train a regression on a table whose column 'price' is the response, "
      "and stop when held-out points are predicted no better:",
        "symvi_bnn --training_file houses.csv --task regression "
        "--target_column price --validation 0.2 --output_model_file model.bin "
        "--verbose" },
    { "To train an ensemble of five and have intervals that hold 90 % of all "
      "responses:",
        "symvi_bnn --training_file houses.csv --task regression --ensemble 5 "
        "--test_file new.csv --conformal_file held_back.csv --interval 0.9 "
        "--uncertainty_file intervals.csv" }
  };
  program.seeAlso = { "symvi_evaluate", "symvi_inspect", "symvi_onnx" };
  for (const std::vector<Option>& part : { DataOptions(), NetworkOptions(),
           TrainingOptions(), PredictionOptions() })
    program.options.insert(program.options.end(), part.begin(), part.end());
  return program;
}

} // namespace

const Program& BnnProgram()
{
  static const Program program = MakeProgram();
  return program;
}

const Program& BnnMpiProgram()
{
  static const Program program = []
  {
    Program own = MakeProgram();
    own.name = "symvi_bnn_mpi";
    own.title += " over several processes";
    own.brief = "symvi_bnn over the processes that mpirun starts";
    own.description = {
      "Does what symvi_bnn does, with the same options, on several processes "
      "(ranks): the points are dealt out and every step is shared, or the "
      "members of an --ensemble are.  Rank 0 reads, speaks and writes.  A "
      "--training_file named once per rank, such as part-%r.csv, is read by "
      "each rank for itself; so are its labels or responses.",
      "The result is that of symvi_bnn to rounding.  A checkpoint can be "
      "resumed with another number of ranks."
    };
    own.examples = {
      { "To train on four processors:",
          "mpirun -n 4 symvi_bnn_mpi --training_file X.csv --labels_file y.csv "
          "--batch_size 1000 --output_model_file model.bin" },
      { "To train on points in one file per rank, part-0.csv to part-3.csv:",
          "mpirun -n 4 symvi_bnn_mpi --training_file part-%r.csv --task "
          "regression --output_model_file model.bin" }
    };
    own.seeAlso = { "symvi_bnn", "symvi_evaluate", "symvi_inspect" };
    return own;
  }();
  return program;
}

} // namespace cli
} // namespace symvi
