/**
 * @file align.cpp
 *
 * symvi_align: weight samples of any tool in one numbering of hidden units.
 */
#include <symvi/io/file.hpp>
#include <symvi/io/table.hpp>
#include <symvi/model/weight_samples.hpp>
#include <symvi/require.hpp>

#ifdef SYMVI_WITH_ONNX
  #include "onnx_input.hpp"
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "inputs.hpp"
#include "options/run.hpp"
#include "outputs.hpp"
#include "tables.hpp"

using namespace symvi;
using namespace symvi::cli;

namespace {

void Print(const std::string& name, const std::string& text)
{
  std::cout << name << std::string(17 - name.size(), ' ') << text << '\n';
}

std::string Short(const double value)
{
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", value);
  return text;
}

//! "3 samples", "1 sample".
std::string Several(const size_t count, const std::string& word)
{
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

//! "largest 2.1, mean 1.3"
std::string Extremes(const arma::vec& values)
{
  return "largest " + Short(values.max()) + ", mean " +
      Short(arma::mean(values));
}

bool IsOnnx(const std::string& path)
{
  return std::filesystem::path(path).extension() == ".onnx";
}

//! Whether the file holds a whole network.
bool IsModel(const std::string& path)
{
  return IsOnnx(path) || io::IsContainer(path, "model") ||
      io::IsContainer(path, "ensemble");
}

//! The networks of ONNX and model files.
std::vector<Pipeline> LoadModels(const Arguments& arguments,
    const std::vector<std::string>& paths)
{
  std::vector<Pipeline> models;
  for (const std::string& path : paths)
  {
    std::error_code error;
    // What is not there, or a pipe, is for Load() to refuse or to read.
    if (!IsModel(path) && std::filesystem::is_regular_file(path, error))
      throw UsageError("'" + path + "' is no network, as '" + paths.front() +
          "' is; all samples must be of one kind.");
    if (!IsOnnx(path))
    {
      const Ensemble ensemble = Ensemble::Load(path);
      for (size_t m = 0; m < ensemble.Size(); ++m)
        models.push_back(ensemble.Member(m));
      continue;
    }
#ifdef SYMVI_WITH_ONNX
    onnx::PipelineOptions options;
    options.task = arguments.Text("task");
    if (arguments.Has("class_names"))
      options.classNames = SplitList(arguments.Text("class_names"));
    options.noise = arguments.Number("noise");
    options.priorStddev = arguments.Number("prior_stddev");
    models.push_back(ReadOnnx(path, options));
#else
    RefuseAt("cannot import '" + path + "'",
        "this symvi_align was built without ONNX");
#endif
  }
  return models;
}

WeightLayout LayoutOf(const Arguments& arguments)
{
  using Bias = WeightLayout::Bias;
  WeightLayout layout = WeightLayout::Named(arguments.Text("layout"));
  const std::string bias = arguments.Text("bias");
  if (!bias.empty())
    layout.bias = (bias == "after") ? Bias::AfterWeights :
        (bias == "before")          ? Bias::BeforeWeights :
        (bias == "end")             ? Bias::AtEnd :
                                      Bias::None;
  return layout;
}

//! Whether there are data, or a model is asked for.
bool NeedsTask(const Arguments& arguments)
{
  return arguments.Has("training_file") || arguments.Has("output_model_file");
}

NetworkSpec SpecOf(const Arguments& arguments)
{
  for (const char* option : { "layers", "activation", "layout" })
    if (!arguments.Has(option))
      throw UsageError(std::string("--") + option + " is needed, because '" +
          arguments.Text("samples_file") + "' does not say it.");
  const std::string requirement = "the numbers of inputs, hidden units and "
                                  "outputs separated by commas, such as 4,30,3";
  const std::vector<uint64_t> widths = WidthsOf(arguments, "layers",
      requirement);
  if (widths.size() < 2)
    throw UsageError("invalid value of --layers ('" + arguments.Text("layers") +
        "'): must be " + requirement + ".");
  NetworkSpec spec;
  spec.task = "regression";
  spec.noise = "fixed";
  spec.standardizeInputs = spec.standardizeTargets = false;
  spec.inputs = widths.front();
  spec.outputs = widths.back();
  spec.hidden.assign(widths.begin() + 1, widths.end() - 1);
  spec.activation = arguments.Text("activation");
  spec.priorStddev = arguments.Number("prior_stddev");
  if (!NeedsTask(arguments))
    return spec;
  if (!arguments.Has("training_file") && !arguments.Has("task"))
    throw UsageError("--output_model_file needs --task.");
  spec.task = TaskOf(arguments);
  if (spec.IsClassification() && spec.outputs < 2)
    throw UsageError("a classification needs an output for each class, but "
                     "--layers gives the network only one.");
  if (!spec.IsClassification() && !arguments.Has("noise"))
    throw UsageError("a regression needs --noise.");
  if (!spec.IsClassification())
    spec.noiseStddev = arguments.Number("noise");
  return spec;
}

SampleFileOptions FileOptionsOf(const Arguments& arguments)
{
  SampleFileOptions options;
  options.burnIn = arguments.Count("burn_in");
  options.thin = arguments.Count("thin");
  const std::string columns = arguments.Text("columns");
  if (columns.empty())
    return options;
  const size_t dash = columns.find('-');
  double first = 0.0, last = 0.0;
  if (dash == std::string::npos ||
      !io::ParseNumber(columns.substr(0, dash), first) ||
      !io::ParseNumber(columns.substr(dash + 1), last) || !(first >= 1.0) ||
      !(last >= first) || !(last < 1e12) || first != std::floor(first) ||
      last != std::floor(last))
    throw UsageError("invalid value of --columns ('" + columns +
        "'): must be the first and the last one, from 1, such as 8-32.");
  options.firstColumn = size_t(first);
  options.lastColumn = size_t(last);
  return options;
}

//! The samples of the files of an option.
WeightSamples LoadSamples(const Arguments& arguments, const std::string& option)
{
  const std::vector<std::string> paths = SplitList(arguments.Text(option));
  for (const char* output : { "aligned_file", "output_model_file",
           "permutations_file", "pairs_file" })
    for (const std::string& path : paths)
      if (arguments.Has(output) && arguments.Text(output) == path)
        throw UsageError(std::string("--") + output + " and --" + option +
            " are the same file '" + path + "'.");
  if (IsModel(paths.front()))
  {
    arguments.Forbid({ "layers", "activation", "layout", "bias", "columns",
                         "burn_in", "thin" },
        "with networks, which say it themselves");
    return WeightSamples(LoadModels(arguments, paths));
  }
  SampleFileOptions options = FileOptionsOf(arguments);
  if (option == "reference_file")
  {
    options.burnIn = 0;
    options.thin = 1;
  }
  const NetworkSpec spec = SpecOf(arguments);
  return WeightSamples::Load(spec, paths, LayoutOf(arguments), options);
}

//! Data for losses, and the classes that they name.
io::Dataset LoadData(const Arguments& arguments, WeightSamples& samples)
{
  if (!arguments.Has("training_file"))
  {
    arguments.Forbid(
        { "labels_file", "responses_file", "target_column", "tolerance" },
        "without --training_file");
    if (arguments.Has("class_names") && samples.Spec().IsClassification())
      samples.Labels() = io::LabelCodec::Ordered(
          SplitList(arguments.Text("class_names")));
    return io::Dataset();
  }
  arguments.Forbid({ "radius" }, "with --training_file");
  const NetworkSpec& spec = samples.Spec();
  if (TaskOf(arguments) != spec.task)
    throw UsageError("the networks are for " + spec.task + ", not for " +
        TaskOf(arguments) + ".");
  io::Dataset data = LoadTraining(arguments, spec.IsClassification());
  if (arguments.Has("class_names"))
    samples.Labels() = io::LabelCodec::Ordered(
        SplitList(arguments.Text("class_names")));
  else if (io::LabelCodec(data.labels).Classes() == spec.outputs &&
      !IsModel(SplitList(arguments.Text("samples_file")).front()))
    samples.Labels() = io::LabelCodec(data.labels);
  if (spec.IsClassification() && samples.Labels().Classes() != spec.outputs)
    throw UsageError("--class_names must name " + std::to_string(spec.outputs) +
        " classes, but names " + std::to_string(samples.Labels().Classes()) +
        ".");
  if (data.points.n_rows != spec.inputs)
    RefuseFile(data.source,
        "has " + std::to_string(data.points.n_rows) +
            " columns, but the network has " + std::to_string(spec.inputs) +
            " inputs");
  return data;
}

//! How the samples were aligned, in words.
std::string Align(const Arguments& arguments, WeightSamples& samples)
{
  samples.Threads() = arguments.Count("threads");
  if (arguments.Text("metric") == "standardized")
    samples.Metric() = UnitMetric::Standardized;
  std::string text;
  const size_t reference = arguments.Count("reference");
  if (arguments.Has("reference_file"))
  {
    arguments.Forbid({ "reference", "metric" }, "with --reference_file");
    samples.AlignTo(LoadSamples(arguments, "reference_file"));
    text = "to '" + arguments.Text("reference_file") + "'";
  }
  else if (reference > 0)
  {
    arguments.Forbid({ "metric" }, "with --reference");
    if (reference > samples.Size())
      throw UsageError("invalid value of --reference ('" +
          arguments.Text("reference") +
          "'): must be at most the number of samples, " +
          std::to_string(samples.Size()) + ".");
    samples.AlignTo(reference - 1);
    text = "to sample " + std::to_string(reference);
  }
  else
    text = "to each other in " + Several(samples.AlignToEachOther(), "round");
  const bool hasReference = reference > 0 || arguments.Has("reference_file");
  const bool isCanonical = arguments.Has("order") ?
      arguments.Text("order") == "canonical" :
      !hasReference;
  if (isCanonical)
    samples.Canonicalize();
  return text + ", " + (isCanonical ? "canonical" : "reference's") + " order";
}

void PrintMoves(const WeightSamples& samples)
{
  arma::vec exchanges(samples.Size()), changes(samples.Size());
  for (size_t s = 0; s < samples.Size(); ++s)
  {
    const Permutation g = samples.Between(s, 0);
    exchanges[s] = double(Transpositions(g));
    changes[s] = double(SignChanges(g));
  }
  Print("Transpositions",
      Extremes(exchanges) +
          " between a sample and the "
          "first one");
  if (samples.Spec().activation == "tanh")
    Print("Changes of sign", Extremes(changes));
  Print("Equivalent modes",
      std::to_string(samples.EquivalentModes()) + " visited of exp(" +
          Short(samples.Group().LogOrder()) + ")");
}

void PrintNearest(const WeightSamples& samples)
{
  for (const EquivalentMode& mode : samples.NearestModes(1))
    Print("Nearest mode",
        (mode.a == mode.b ?
                "change the sign of unit " + std::to_string(mode.a + 1) :
                "swap units " + std::to_string(mode.a + 1) + " and " +
                    std::to_string(mode.b + 1)) +
            " of hidden layer " + std::to_string(mode.layer + 1) +
            (mode.a != mode.b && mode.negated ? " and change their signs" :
                                                "") +
            ": distance " + Short(mode.distance) + ", " +
            Short(mode.separation) + " nats (Bhattacharyya)");
}

//! Sizes of the modes, the largest first.
std::string ModeSizes(const std::vector<size_t>& modes)
{
  std::vector<size_t> sizes;
  for (const size_t mode : modes)
  {
    sizes.resize(std::max(sizes.size(), mode + 1), 0);
    ++sizes[mode];
  }
  std::sort(sizes.rbegin(), sizes.rend());
  std::string text = std::to_string(sizes.size()) + " (";
  for (size_t i = 0; i < sizes.size() && i < 10; ++i)
    text += (i ? ", " : "") + std::to_string(sizes[i]);
  return text + (sizes.size() > 10 ? ", ..." : "") + " of " +
      Several(modes.size(), "compared sample") + ")";
}

//! What is compared in pairs: samples as they came and as they are now.
struct Comparison
{
  std::vector<size_t> chosen;
  WeightSamples before, after;
  const io::Dataset& data;

  bool HasData() const { return !data.points.is_empty(); }
};

Comparison Compare(const Arguments& arguments, const WeightSamples& before,
    const WeightSamples& after, const io::Dataset& data)
{
  std::vector<size_t> chosen;
  const size_t count = std::min(arguments.Count("compared"), after.Size());
  for (size_t k = 0; k < count; ++k)
    chosen.push_back(k * after.Size() / count);
  return { chosen, before.Subset(chosen), after.Subset(chosen), data };
}

void PrintModes(const Arguments& arguments, const Comparison& pairs)
{
  if (pairs.HasData())
  {
    arma::vec before(pairs.chosen.size() - 1), after(before);
    for (size_t k = 0; k < before.n_elem; ++k)
    {
      before[k] = pairs.before.Barrier(0, k + 1, pairs.data);
      after[k] = pairs.after.Barrier(0, k + 1, pairs.data);
    }
    Print("Loss barrier",
        "to the first sample, in nats: " + Extremes(before) + " as sampled; " +
            Extremes(after) + " aligned");
    Print("Modes",
        ModeSizes(
            pairs.after.Modes(pairs.data, arguments.Number("tolerance"))) +
            ", which no barrier above " + Short(arguments.Number("tolerance")) +
            " nats divides");
  }
  else if (arguments.Has("radius"))
    Print("Modes",
        ModeSizes(pairs.after.ModesWithin(arguments.Number("radius"))) +
            ", within a distance of " + Short(arguments.Number("radius")));
  else
    Print("Modes", "not counted without --training_file or --radius");
}

void AddPairs(const Comparison& pairs, Outputs& outputs)
{
  std::vector<std::string> header = { "first", "second", "distance_before",
    "distance", "transpositions", "sign_changes" };
  if (pairs.HasData())
    header.insert(header.end(), { "barrier_before", "barrier" });
  const size_t n = pairs.chosen.size();
  arma::mat rows(header.size(), n * (n - 1) / 2);
  size_t row = 0;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = i + 1; j < n; ++j, ++row)
    {
      const Permutation g = pairs.after.Between(i, j);
      arma::vec values = { double(pairs.chosen[i] + 1),
        double(pairs.chosen[j] + 1), pairs.before.Distance(i, j),
        pairs.after.Distance(i, j), double(Transpositions(g)),
        double(SignChanges(g)) };
      if (pairs.HasData())
        values = arma::join_cols(values,
            arma::vec{ pairs.before.Barrier(i, j, pairs.data),
                pairs.after.Barrier(i, j, pairs.data) });
      rows.col(row) = values;
    }
  outputs.AddTable("pairs_file", rows, header);
}

void AddPermutations(const WeightSamples& samples, Outputs& outputs)
{
  std::vector<std::string> header;
  for (size_t h = 0; h < samples.Spec().hidden.size(); ++h)
    for (size_t a = 0; a < samples.Spec().hidden[h]; ++a)
      header.push_back(
          "layer" + std::to_string(h + 1) + "_unit" + std::to_string(a + 1));
  arma::mat rows(header.size(), samples.Size());
  for (size_t s = 0; s < samples.Size(); ++s)
  {
    const Permutation& g = samples.Permutations()[s];
    size_t row = 0;
    for (size_t h = 0; h < g.Layers(); ++h)
      for (size_t a = 0; a < g.Size(h); ++a)
        rows(row++, s) = g.Sign(h, a) * (double(g(h, a)) + 1.0);
  }
  outputs.AddTable("permutations_file", rows, header);
}

int Body(const Arguments& arguments)
{
  CheckOutputs(arguments);
  WeightSamples samples = LoadSamples(arguments, "samples_file");
  samples.Posterior(); // Refuses a single sample.
  const io::Dataset data = LoadData(arguments, samples);
  const WeightSamples before = samples;
  const std::string how = Align(arguments, samples);

  Print("Samples",
      std::to_string(samples.Size()) + " in " +
          Several(samples.Chains().size(), "chain") + ", " +
          std::to_string(samples.Dimension()) + " weights each");
  Print("Layers", samples.Spec().Describe());
  Print("Group",
      samples.Group().Name() +
          ", log|G| = " + Short(samples.Group().LogOrder()) + " nats");
  Print("Aligned", how);
  PrintMoves(samples);
  Print("Distance",
      "to the mean " + Short(before.Spread()) + " as sampled, " +
          Short(samples.Spread()) + " aligned (root mean square)");
  if (!samples.SplitRHat().is_empty())
    Print("R-hat",
        Extremes(before.SplitRHat()) + " as sampled; " +
            Extremes(samples.SplitRHat()) + " aligned");
  PrintNearest(samples);
  const Comparison pairs = Compare(arguments, before, samples, data);
  PrintModes(arguments, pairs);

  Outputs outputs(arguments);
  if (std::ostream* stream = outputs.Open("aligned_file"))
    samples.Write(*stream, arguments.Text("aligned_file"));
  if (arguments.Has("output_model_file"))
    outputs.AddModel(Ensemble({ samples.Model() }));
  AddPermutations(samples, outputs);
  if (arguments.Has("pairs_file"))
    AddPairs(pairs, outputs);
  outputs.Commit();
  return 0;
}

} // namespace

int main(int argc, char** argv)
{
  return Run(AlignProgram, argc, argv, Body);
}
