/**
 * @file onnx_options.cpp
 */
#include "tables.hpp"

namespace symvi {
namespace cli {

namespace {

Program MakeProgram()
{
  Program program;
  program.name = "symvi_onnx";
  program.title = "ONNX files of Bayesian neural networks";
  program.brief = "write a Bayesian neural network as ONNX, or start one from "
                  "ONNX";
  program.description = {
    "Exports a model of symvi_bnn to ONNX (--output_onnx_file), with its "
    "standardisation, so that any runtime can predict from raw inputs; or "
    "imports a plain multi-layer perceptron from ONNX (--input_onnx_file) as "
    "the starting point of a Bayesian one, whose posterior means are the "
    "imported weights.",
    "Modes of the export: 'mean' uses the posterior means; 'ensemble' holds "
    "--samples fixed weight draws; 'sampling' draws weights in the graph; "
    "'noise' takes the noise of the weights as an input."
  };
  program.examples = {
    { "To export a posterior as an ensemble of 64 networks:",
        "symvi_onnx --input_model_file model.bin --mode ensemble --samples 64 "
        "--output_onnx_file model.onnx" },
    { "To make a Bayesian network of a trained one and go on training it:",
        "symvi_onnx --input_onnx_file mlp.onnx --task classification "
        "--output_model_file start.bin" }
  };
  program.seeAlso = { "symvi_bnn", "symvi_inspect" };
  program.options = { Option(Kind::InputFile, "input_model_file", 'm',
                          "Model to export."),
    Option(Kind::OutputFile, "output_onnx_file", 'o', "ONNX file to write."),
    Option(Kind::Text, "mode", 0, "What becomes of the posterior.", "mean")
        .Choices({ "mean", "ensemble", "sampling", "noise" }),
    Option(Kind::Integer, "samples", 'S', "Weight draws of an ensemble.", "32")
        .AtLeast(1),
    Option(Kind::Flag, "members", 0,
        "Add what every draw predicts as an "
        "output."),
    Option(Kind::Flag, "double", 0,
        "Write float64 numbers; runtimes on phones and in browsers take float32 "
        "alone, which is the default."),
    SeedOption(),
    Option(Kind::InputFile, "input_onnx_file", 'i',
        "Multi-layer perceptron to "
        "import."),
    Option(Kind::Text, "output", 0,
        "Name of the output to import, where the file has several."),
    Option(Kind::Text, "task", 0,
        "Task of an imported network; found out from "
        "the file if it says.")
        .Choices({ "classification", "regression" }),
    Option(Kind::Text, "class_names", 0,
        "Class names of an imported "
        "classifier, separated by commas; numbers from 0 if not given."),
    Option(Kind::Number, "relative_sigma", 0,
        "Posterior standard deviation of "
        "an imported weight, relative to its size; at least 0.001.",
        "0.1")
        .Positive(),
    Option(Kind::Number, "prior_stddev", 0,
        "Standard deviation of the prior "
        "of an imported network.",
        "1")
        .Positive(),
    Option(Kind::Text, "noise", 0,
        "Noise of an imported regression: 'learned' "
        "or its known standard deviation.",
        "learned"),
    Option(Kind::OutputFile, "output_model_file", 'M',
        "The model made from "
        "the imported network.") };
  return program;
}

} // namespace

const Program& OnnxProgram()
{
  static const Program program = MakeProgram();
  return program;
}

} // namespace cli
} // namespace symvi
