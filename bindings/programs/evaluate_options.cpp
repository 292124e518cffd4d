/**
 * @file evaluate_options.cpp
 */
#include "tables.hpp"

namespace symvi {
namespace cli {

namespace {

Program MakeProgram()
{
  Program program;
  program.name = "symvi_evaluate";
  program.title = "Evaluation of a Bayesian neural network";
  program.brief = "measure a Bayesian neural network on labelled data";
  program.description = {
    "Measures a model of symvi_bnn on points whose labels or responses are "
    "known: accuracy, negative log-likelihood, Brier score and calibration "
    "error of a classifier; root mean squared error, negative log-likelihood, "
    "coverage and mean width of the interval of a regression.  Then the "
    "evidence lower bound L and the symmetrized L^G = L + I(g;w) on these "
    "points, with the bounds [L_K, U_K] of the latter, and the "
    "importance-weighted bound of log p(Y|X) with the Pareto k of its weights, "
    "which says whether its error can be relied on; they are meant for the "
    "training points.",
    "The result is printed as a table; --json prints it for programs, and "
    "--report_file writes a page with diagrams that any browser shows without "
    "a network connection."
  };
  program.examples = {
    { "To measure a classifier on test data and write a report:",
        "symvi_evaluate --input_model_file model.bin --test_file Xtest.csv "
        "--labels_file ytest.csv --report_file report.html" }
  };
  program.seeAlso = { "symvi_bnn", "symvi_inspect" };
  program.options = { Option(Kind::InputFile, "input_model_file", 'm',
                          "Model to measure.")
                          .Required(),
    Option(Kind::InputFile, "test_file", 'T', "Points, one per line.")
        .Required(),
    Option(Kind::InputFile, "labels_file", 'l',
        "Labels of the points (classification)."),
    Option(Kind::InputFile, "test_labels_file", 'L',
        "Another name of --labels_file, as in symvi_bnn."),
    Option(Kind::InputFile, "responses_file", 'r',
        "Responses of the points (regression)."),
    Option(Kind::InputFile, "ood_file", 0,
        "Points that are unlike the training data; how well uncertainties tell "
        "them from the points of --test_file is then measured (AUROC, FPR95)."),
    TargetColumnOption(), DrawsOption(), IntervalOption(), EstimatorOption(),
    PermutationsOption(),
    Option(Kind::Integer, "samples", 'S',
        "Weight samples of the bounds; the importance-weighted one grows with "
        "them and wants 1000 or more.",
        "100")
        .AtLeast(2),
    Option(Kind::Integer, "bins", 0,
        "Bins of the calibration error and the reliability diagram.", "15")
        .AtLeast(1),
    SeedOption(), ThreadsOption(),
    Option(Kind::Flag, "json", 'j', "Print the result as JSON."),
    Option(Kind::OutputFile, "report_file", 0,
        "Self-contained HTML report with reliability diagram, history, "
        "uncertainties, importance weights, signal-to-noise ratios and unit "
        "distances.") };
  return program;
}

} // namespace

const Program& EvaluateProgram()
{
  static const Program program = MakeProgram();
  return program;
}

} // namespace cli
} // namespace symvi
