/**
 * @file align_options.cpp
 */
#include <symvi/model/weight_samples.hpp>

#include "tables.hpp"

namespace symvi {
namespace cli {

namespace {

std::vector<Option> SampleOptions()
{
  return { Option(Kind::InputFile, "samples_file", 'i',
               "Samples: a table (CSV, TSV or TXT) or a NumPy array (.npy, "
               "float32 or float64) with one sample per row; or several of "
               "them, separated by commas: one per chain, or one per W and b "
               "in the order of --layout.  Or ONNX and symvi model files, each "
               "of which is a sample.")
               .Required(),
    Option(Kind::Text, "layers", 0,
        "Units of all layers from the inputs to the outputs, separated by "
        "commas, such as 4,30,3."),
    Option(Kind::Text, "activation", 'a',
        "Activation function of the hidden units; behind tanh they may change "
        "their signs.")
        .Choices(Activations()),
    Option(Kind::Text, "layout", 0,
        "Order of the numbers of a sample.  'pytorch': for each layer W row by "
        "row (W is outputs x inputs), then b; 'mlpack', 'symvi', 'keras': W "
        "column by column, which is a kernel of inputs x outputs row by row, "
        "then b; 'flax': b, then W as in 'keras'; 'sklearn': all W as in "
        "'keras', then all b.")
        .Choices(WeightLayout::Names()),
    Option(Kind::Text, "bias", 0,
        "Place of the biases, if it is not that of --layout: behind or before "
        "the weights of each layer, at the end, or nowhere.")
        .Choices({ "after", "before", "end", "none" }),
    Option(Kind::Text, "columns", 0,
        "The columns of a table, or entries along the last axis of an array, "
        "that hold the weights, such as 8-32; all if not given."),
    Option(Kind::Integer, "burn_in", 0,
        "Samples at the beginning of each chain that are left out.", "0")
        .AtLeast(0),
    Option(Kind::Integer, "thin", 0,
        "Keep only every n-th of the remaining samples.", "1")
        .AtLeast(1) };
}

std::vector<Option> AlignOptions()
{
  return { Option(Kind::Integer, "reference", 0,
               "Number of the sample to which all others are aligned, from 1; "
               "0 aligns them to each other.",
               "0")
               .AtLeast(0),
    Option(Kind::InputFile, "reference_file", 0,
        "File of one sample to which all are aligned, of the same layout."),
    Option(Kind::Text, "order", 0,
        "Final order of the hidden units: 'canonical' (strong units first) or "
        "'reference', that of the reference or the first sample.  The default "
        "is 'reference' if there is one, and 'canonical' otherwise.")
        .Choices({ "canonical", "reference" }),
    Option(Kind::Text, "metric", 0,
        "Distance of samples that are aligned to each other: 'euclidean', or "
        "'standardized' by the standard deviations of the weights, which "
        "maximises the likelihood of the mean-field fit.",
        "euclidean")
        .Choices({ "euclidean", "standardized" }),
    Option(Kind::Integer, "threads", 0,
        "Threads to use; 0 means one per processor.", "0")
        .AtLeast(0) };
}

std::vector<Option> LossOptions()
{
  return { Option(Kind::InputFile, "training_file", 't',
               "Data for loss barriers, one point per line, scaled as the "
               "networks expect them."),
    Option(Kind::InputFile, "labels_file", 'l',
        "Labels of these points (classification)."),
    Option(Kind::InputFile, "responses_file", 'r',
        "Responses of these points (regression)."),
    TargetColumnOption(),
    Option(Kind::Text, "task", 0,
        "What the networks do; needed for a model, and for loss barriers if "
        "the target is a column of the training file.")
        .Choices({ "classification", "regression" }),
    Option(Kind::Text, "class_names", 0,
        "Class names in the order of the outputs, separated by commas; those "
        "of the data or numbers from 0 if not given."),
    Option(Kind::Number, "noise", 0,
        "Standard deviation of the noise of a regression.")
        .Positive(),
    Option(Kind::Number, "prior_stddev", 0,
        "Standard deviation of the prior of the model that is written.", "1")
        .Positive(),
    Option(Kind::Integer, "compared", 0,
        "Samples, evenly spaced, that are compared in pairs and whose modes "
        "are counted.",
        "100")
        .AtLeast(2),
    Option(Kind::Number, "tolerance", 0,
        "Largest loss barrier within a mode, in nats of all points.", "3")
        .Positive(),
    Option(Kind::Number, "radius", 0,
        "Without data: largest distance between a sample of a mode and its "
        "first one.")
        .Positive() };
}

std::vector<Option> ResultOptions()
{
  return { Option(Kind::OutputFile, "aligned_file", 'o',
               "The aligned samples in the layout in which they came, as an "
               "array if the name ends in .npy, else as a table."),
    Option(Kind::OutputFile, "output_model_file", 'M',
        "The mean-field fit of the aligned samples as a model."),
    Option(Kind::OutputFile, "permutations_file", 0,
        "Where each unit of each sample went, one sample per line: its number "
        "from 1, negative if its sign was changed; with a header line."),
    Option(Kind::OutputFile, "pairs_file", 0,
        "All pairs of compared samples: distance before and after alignment, "
        "transpositions and changes of sign between them and, with data, the "
        "loss barrier before and after; with a header line.") };
}

Program MakeProgram()
{
  Program program;
  program.name = "symvi_align";
  program.title = "Alignment of weight samples";
  program.brief = "put the hidden units of weight samples of any tool into one "
                  "common order, and fit a posterior to them";
  program.description = {
    "Hidden units of a network can be permuted, and tanh units can change their "
    "signs, without a change of its function, so that statistics of single "
    "weights of a Markov chain or an ensemble are not meaningful.  This program "
    "permutes the units of each sample so that all samples agree as well as "
    "possible, and prints how many equivalent modes the samples came from, how "
    "many modes are left, R-hat before and after, and the loss barriers "
    "(--training_file).",
    "A file does not describe its numbers: --layers, --activation and --layout "
    "do.  A header line, columns whose names end in two "
    "underscores (Stan), and row numbers without a name (pandas) are "
    "recognised.  In an array the last axes, as many as make one sample, are "
    "the weights; of several axes before them the first numbers chains.",
    "The result is a posterior: --output_model_file writes it as a model for "
    "symvi_bnn, symvi_evaluate and symvi_inspect."
  };
  program.examples = {
    { "To align a Markov chain of PyTorch weights and save all that is found:",
        "symvi_align --samples_file chain.npy --layers 4,30,3 --activation "
        "tanh --layout pytorch --burn_in 500 --aligned_file aligned.npy --task "
        "classification --output_model_file posterior.bin" },
    { "To see whether the members of an ensemble are the same mode:",
        "symvi_align --samples_file a.onnx,b.onnx,c.onnx --training_file X.csv "
        "--labels_file y.csv --pairs_file pairs.csv" }
  };
  program.seeAlso = { "symvi_bnn", "symvi_inspect", "symvi_onnx" };
  for (const std::vector<Option>& part :
      { SampleOptions(), AlignOptions(), LossOptions(), ResultOptions() })
    program.options.insert(program.options.end(), part.begin(), part.end());
  return program;
}

} // namespace

const Program& AlignProgram()
{
  static const Program program = MakeProgram();
  return program;
}

} // namespace cli
} // namespace symvi
