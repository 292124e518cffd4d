/**
 * @file inspect_options.cpp
 */
#include "tables.hpp"

namespace symvi {
namespace cli {

namespace {

Program MakeProgram()
{
  Program program;
  program.name = "symvi_inspect";
  program.title = "Inspection of a Bayesian neural network";
  program.brief = "show what is in a model file, and prune it";
  program.description = {
    "Prints what a model of symvi_bnn consists of: layers, prior, noise, "
    "classes, how it was trained, its permutation group with log|G|, the "
    "hidden units ranked by signal-to-noise, and the nearest equivalent mode, "
    "which is the swap of two hidden units that changes the posterior means "
    "least.",
    "--prune removes the units (or zeroes the weights) of lowest "
    "signal-to-noise and writes the smaller model to --output_model_file; "
    "symvi_evaluate measures the cost."
  };
  program.examples = { { "To look at a model:",
                           "symvi_inspect --input_model_file model.bin" },
    { "To remove the least certain half of the hidden units:",
        "symvi_inspect --input_model_file model.bin --prune 0.5 "
        "--output_model_file small.bin" } };
  program.seeAlso = { "symvi_bnn", "symvi_evaluate" };
  program.options = { Option(Kind::InputFile, "input_model_file", 'm',
                          "Model to look at.")
                          .Required(),
    Option(Kind::Integer, "member", 0, "Member of an ensemble to look at.", "1")
        .AtLeast(1),
    Option(Kind::Integer, "top", 0,
        "Units of every layer that are listed; 0 for all.", "10")
        .AtLeast(0),
    Option(Kind::Number, "prune", 0,
        "Fraction of the units or weights to remove.")
        .Fraction(),
    Option(Kind::Text, "prune_by", 0, "What --prune removes.", "units")
        .Choices({ "units", "weights" }),
    Option(Kind::OutputFile, "output_model_file", 'M', "The pruned model.") };
  return program;
}

} // namespace

const Program& InspectProgram()
{
  static const Program program = MakeProgram();
  return program;
}

} // namespace cli
} // namespace symvi
