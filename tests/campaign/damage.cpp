/**
 * @file damage.cpp
 *
 * Feeds damaged models, ensembles, checkpoints, runs of a selection, tables and
 * weight samples to their readers:
 *
 *   symvi_damage [number of files [seed]]
 *
 * None may crash, take more than a second or 64 MB, or be accepted with other
 * numbers than those that were saved.  The same number and seed give the same
 * files; the one that is being read is kept in the scratch folder.
 */
#include "../io/scratch.hpp"
#include "mutate.hpp"

#include <symvi.hpp>
#include <symvi/io/file.hpp>
#include <symvi/io/table.hpp>
#include <symvi/model/ensemble.hpp>
#include <symvi/model/selection.hpp>
#include <symvi/model/weight_samples.hpp>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <new>
#include <sstream>
#include <typeinfo>

#include <sys/resource.h>

using namespace symvi;

namespace {

using Model = BayesianFFN<HeteroscedasticGaussianLikelihood>;

//! A kind of file, and what becomes of a damaged one.
struct Kind
{
  std::string name;
  std::vector<std::string> seeds;
  //! Reads a file; the numbers in it as text.
  std::function<std::string(const std::string&)> read;
  //! Whether the numbers are protected by a checksum.
  bool sealed = true;
  //! The container's kind, where its checksum is to be mended at times.
  std::string container;
};

Model MakeModel(const size_t hidden)
{
  Model model;
  model.Add<BayesianLinear>(hidden);
  model.Add<mlpack::TanH>();
  model.Add<BayesianLinear>(2);
  model.Reset(3);
  return model;
}

template<typename Archive, typename Stream>
void Exchange(Stream& stream, Model& model)
{
  Archive archive(stream);
  archive(cereal::make_nvp("model", model));
}

template<typename Archive>
std::string Write(Model model)
{
  std::ostringstream stream;
  Exchange<Archive>(stream, model);
  return stream.str();
}

std::string NumbersOf(const Model& model)
{
  return Write<cereal::BinaryOutputArchive>(model);
}

template<typename Output, typename Input>
Kind Archived(const std::string& name)
{
  Kind kind;
  kind.name = name;
  for (const size_t hidden : { 2, 5 })
    kind.seeds.push_back(Write<Output>(MakeModel(hidden)));
  kind.read = [](const std::string& path)
  {
    std::ifstream stream(path, std::ios::binary);
    Model model;
    Exchange<Input>(stream, model);
    return NumbersOf(model);
  };
  return kind;
}

Kind Network(const Scratch& scratch)
{
  Kind kind;
  kind.name = "BayesianFFN::Save()";
  for (const size_t hidden : { 2, 5 })
  {
    MakeModel(hidden).Save(scratch.Path("seed"));
    kind.seeds.push_back(scratch.Read("seed"));
  }
  kind.read = [](const std::string& path)
  {
    Model model;
    model.Load(path);
    return NumbersOf(model);
  };
  return kind;
}

//! A network with a convolution, as Save() writes it.
Kind Convolution(const Scratch& scratch)
{
  using Network = BayesianFFN<CategoricalLikelihood>;
  Kind kind;
  kind.name = "convolution";
  for (const size_t maps : { 2, 3 })
  {
    Network model;
    model.Add<BayesianConvolution>(maps, 2, 2);
    model.Add<mlpack::ReLU>();
    model.Add<BayesianLinear>(2);
    model.InputDimensions() = { 4, 4, 1 };
    model.Reset(16);
    model.Save(scratch.Path("seed"));
    kind.seeds.push_back(scratch.Read("seed"));
  }
  kind.read = [](const std::string& path)
  {
    Network model;
    model.Load(path);
    std::ostringstream stream;
    cereal::BinaryOutputArchive archive(stream);
    archive(model);
    return stream.str();
  };
  return kind;
}

io::Dataset MakeData(const bool classification)
{
  io::Dataset data;
  data.points = arma::randn(3, 20);
  if (!classification)
    data.responses = arma::randn(1, 20);
  for (size_t i = 0; classification && i < 20; ++i)
    data.labels.push_back(i % 3 ? "no, \"never\"" : "yes");
  return data;
}

FitOptions Short(const Scratch& scratch)
{
  return FitOptions().Epochs(2).Seed(3).Checkpoint(scratch.Path("c"), 1);
}

NetworkSpec SpecOf(const bool classification)
{
  NetworkSpec spec;
  spec.task = classification ? "classification" : "regression";
  spec.hidden = { 3 };
  return spec;
}

//! Pipelines, and the checkpoints of their training.
void AddPipelines(const Scratch& scratch, std::vector<Kind>& kinds)
{
  Kind models, checkpoints;
  models.name = "model";
  checkpoints.name = "checkpoint";
  models.container = models.name;
  checkpoints.container = checkpoints.name;
  const io::Dataset data[] = { MakeData(false), MakeData(true) };
  for (const bool classification : { false, true })
  {
    Pipeline model(SpecOf(classification));
    model.Fit(data[classification], Short(scratch));
    model.Save(scratch.Path("m"));
    models.seeds.push_back(scratch.Read("m"));
    checkpoints.seeds.push_back(scratch.Read("c"));
  }
  const auto numbers = [](const Pipeline& model)
  {
    std::ostringstream stream;
    model.Write(stream);
    return stream.str();
  };
  models.read = [=](const std::string& path)
  { return numbers(Pipeline::Load(path)); };
  // One that ends where it was saved leaves the numbers as they are.
  checkpoints.read = [=](const std::string& path)
  {
    Pipeline model(SpecOf(false));
    model.Fit(data[0],
        FitOptions().Epochs(2).Seed(3).Checkpoint(path, 1).Resume(true));
    return numbers(model);
  };
  checkpoints.seeds.pop_back();
  kinds.push_back(models);
  kinds.push_back(checkpoints);
}

//! Members with a frame of their own inside a frame.
Kind Ensembles(const Scratch& scratch)
{
  Kind kind;
  kind.name = kind.container = "ensemble";
  for (const bool classification : { false, true })
  {
    std::vector<Pipeline> members;
    for (const uint64_t seed : { 1, 2 })
    {
      members.emplace_back(SpecOf(classification));
      members.back().Fit(MakeData(classification),
          FitOptions().Epochs(1).Seed(seed));
    }
    Ensemble(members).Save(scratch.Path("seed"));
    kind.seeds.push_back(scratch.Read("seed"));
  }
  kind.read = [](const std::string& path)
  {
    std::ostringstream stream;
    Ensemble::Load(path).Write(stream);
    return stream.str();
  };
  return kind;
}

//! Runs that a selection keeps.
Kind Runs()
{
  const std::string description = "candidate 'a', seed 1";
  Kind kind;
  kind.name = kind.container = "selection";
  SelectionResult run;
  run.name = "a";
  run.seed = 1;
  run.heldOut = { -1.0, -2.5, -0.5 };
  run.report.group = "S_3";
  run.report.notes = { "one", "two" };
  run.report.evidence.logWeights = { -3.0, -4.0 };
  for (const std::string network : { "bytes", "other bytes of a network" })
  {
    std::ostringstream stream;
    io::WriteContainer(stream, "selection",
        model::WriteRun(run, description, network));
    kind.seeds.push_back(stream.str());
  }
  kind.read = [=](const std::string& path)
  {
    SelectionResult found;
    const std::string network = model::ReadRun(
        io::LoadContainer(path, "selection"), path, description, found);
    return model::WriteRun(found, description, network);
  };
  return kind;
}

//! Samples of a network's weights: no checksum, but whatever is read is finite
//! and has the network's size.
Kind Samples(const Scratch& scratch, const std::string& extension)
{
  NetworkSpec spec;
  spec.task = "regression";
  spec.noise = "fixed";
  spec.hidden = { 3 };
  spec.activation = "tanh";
  spec.inputs = 2;
  spec.outputs = 1;
  const WeightLayout layout = WeightLayout::Named("pytorch");
  Kind kind;
  kind.name = "samples" + extension;
  kind.sealed = false;
  const std::string name = "seed" + extension;
  for (const size_t samples : { 2, 5 })
  {
    WeightSamples(spec, arma::randn(13, samples), layout)
        .Save(scratch.Path(name));
    kind.seeds.push_back(scratch.Read(name));
  }
  kind.read = [=](const std::string& path)
  {
    for (const size_t last : { 0, 13 })
    {
      SampleFileOptions options;
      options.lastColumn = last;
      const WeightSamples samples = WeightSamples::Load(spec, { path }, layout,
          options);
      if (!samples.Weights().is_finite() || samples.Dimension() != 13)
        throw std::logic_error("samples that are none");
    }
    return std::string();
  };
  return kind;
}

//! Tables are text without a checksum: whatever is read must be finite.
Kind Table(const std::string& extension, std::vector<std::string> seeds)
{
  Kind kind;
  kind.name = "table." + extension;
  kind.sealed = false;
  kind.seeds = std::move(seeds);
  kind.read = [](const std::string& path)
  {
    io::DatasetOptions options;
    options.targetColumn = "last";
    const io::Dataset labelled = io::LoadDataset(path, options);
    if (!labelled.points.is_finite())
      throw std::logic_error("a number is not finite");
    for (const std::string& label : labelled.labels)
      if (label.size() > 1000000)
        throw std::logic_error("a label is longer than the file");
    return std::string();
  };
  return kind;
}

Kind Labels()
{
  Kind kind;
  kind.name = "labels.csv";
  kind.sealed = false;
  kind.seeds = { "a\nb\n\"c, \"\"d\"\"\"\n'e'\n", "1,2,3,1,2\n",
    "label\r\nx\r\ny\r\n" };
  // What is written is read back as the same labels.
  kind.read = [](const std::string& path)
  {
    const std::vector<std::string> labels = io::LoadLabels(path);
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    for (const std::string& label : labels)
      file << io::QuoteField(label) << '\n';
    file.close();
    if (io::LoadLabels(path) != labels)
      throw std::logic_error("labels change when they are written and read");
    return std::string();
  };
  return kind;
}

//! Now and then the checksum is made right: what lies behind it must hold, too.
bool Reseal(const Kind& kind, RandomStream& stream, std::string& bytes)
{
  const size_t frame = bytes.find('\n') + 17;
  if (kind.container.empty() || bytes.size() < frame ||
      stream.NextIndex(2) == 0)
    return false;
  std::ostringstream mended;
  io::WriteContainer(mended, kind.container, bytes.substr(frame));
  bytes = mended.str();
  return true;
}

//! 64 MB from here on; a file that wants more is a std::bad_alloc.
void LimitMemory()
{
#if !defined(__SANITIZE_ADDRESS__)
  std::ifstream file("/proc/self/statm");
  size_t pages = 0;
  file >> pages;
  const rlim_t most = rlim_t(pages) * 4096 + (rlim_t(64) << 20);
  const struct rlimit limit = { most, most };
  ::setrlimit(RLIMIT_AS, &limit);
#endif
}

bool Holds(const Kind& kind, const std::string& path, const bool resealed,
    const std::vector<std::string>& expected)
{
  const std::clock_t start = std::clock();
  const char* problem = nullptr;
  try
  {
    const std::string numbers = kind.read(path);
    if (kind.sealed && !resealed &&
        std::find(expected.begin(), expected.end(), numbers) == expected.end())
      problem = "accepted with other numbers";
  }
  catch (const std::bad_alloc&)
  {
    problem = "takes too much memory";
  }
  catch (const std::logic_error& e)
  {
    // A refusal is an invalid_argument (cereal's own version number, an
    // out_of_range); anything else is a mistake of ours.
    if (typeid(e) == typeid(std::logic_error))
      problem = "fails in a way that is not meant";
  }
  catch (const std::exception&)
  { }
  if (double(std::clock() - start) > 1.0 * CLOCKS_PER_SEC)
    problem = "takes more than a second";
  if (problem)
    std::fprintf(stderr, "%s: a damaged file %s\n", kind.name.c_str(), problem);
  return problem == nullptr;
}

} // namespace

#if defined(__SANITIZE_ADDRESS__)
extern "C" const char* __asan_default_options()
{
  return "max_allocation_size_mb=200:allocator_may_return_null=1";
}
#endif

int main(int argc, char** argv)
{
  const size_t files = (argc > 1) ? size_t(std::atoll(argv[1])) : 2000;
  const uint64_t seed = (argc > 2) ? uint64_t(std::atoll(argv[2])) : 1;
  mlpack::RandomSeed(size_t(seed));
  const Scratch scratch;
  std::vector<Kind> kinds = {
    Archived<cereal::BinaryOutputArchive, cereal::BinaryInputArchive>("bin"),
    Archived<cereal::JSONOutputArchive, cereal::JSONInputArchive>("json"),
    Archived<cereal::XMLOutputArchive, cereal::XMLInputArchive>("xml"),
    Network(scratch), Convolution(scratch), Ensembles(scratch), Runs(),
    Samples(scratch, ".npy"), Samples(scratch, ".csv"),
    Table("csv",
        { "a,b,c\n1,2,yes\n3,4,no\n", "1;2;3\r4;5;6\r",
            "1 2 \"a, b\"\n3 4 \"c\"\"d\"\n" }),
    Table("arff",
        { "@relation r\n@attribute a numeric\n@attribute c {x,y}\n"
          "@data\n1,x\n2,y\n" }),
    Labels()
  };
  AddPipelines(scratch, kinds);

  std::vector<std::vector<std::string>> expected;
  for (const Kind& kind : kinds)
  {
    expected.emplace_back();
    for (const std::string& bytes : kind.seeds)
      expected.back().push_back(kind.read(scratch.Write(kind.name, bytes)));
  }
  LimitMemory();

  size_t failed = 0;
  for (size_t i = 0; i < files; ++i)
  {
    const Kind& kind = kinds[i % kinds.size()];
    RandomStream stream(seed);
    stream.Seek(1000 * i);
    std::string bytes = test::Mutate(kind.seeds, stream);
    const bool resealed = Reseal(kind, stream, bytes);
    const std::string path = scratch.Write(kind.name, bytes);
    failed += !Holds(kind, path, resealed, expected[i % kinds.size()]);
  }
  std::printf("damaged files: %zu tried, %zu failed\n", files, failed);
  return failed > 0;
}
