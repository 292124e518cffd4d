/**
 * @file benchmarks/file_rows.cpp
 *
 * Saving and loading a trained 784-128-10 model, and ONNX export.
 */
#include "common/rows.hpp"

#include <symvi.hpp>

#if defined(SYMVI_BENCHMARK_ONNX)
  #include <symvi/onnx/file.hpp>
#endif

#include <memory>
#include <sstream>

namespace bench {

namespace {

using Model = symvi::BayesianFFN<symvi::CategoricalLikelihood>;

std::shared_ptr<Model> MakeModel()
{
  auto model = std::make_shared<Model>();
  model->Add<symvi::BayesianLinear>(128);
  model->Add<mlpack::ReLU>();
  model->Add<symvi::BayesianLinear>(10);
  model->Reset(784);
  return model;
}

template<typename Function>
Candidate File(const std::string& name, const Function& function)
{
  Candidate candidate;
  candidate.row = MakeRow(name, "128", "", 0, "double", 1);
  candidate.run = [function](const size_t steps)
  {
    for (size_t s = 0; s < steps; ++s)
      function();
  };
  return candidate;
}

std::string Save(Model& model)
{
  std::ostringstream stream;
  cereal::BinaryOutputArchive archive(stream);
  archive(cereal::make_nvp("model", model));
  return stream.str();
}

#if defined(SYMVI_BENCHMARK_ONNX)
//! The same shape as a description.
symvi::NetworkDescription Describe()
{
  symvi::NetworkDescription description;
  for (const auto& [in, out] : { std::pair<size_t, size_t>(784, 128),
           std::pair<size_t, size_t>(128, 10) })
  {
    symvi::LayerDescription layer;
    layer.weight.randn(out, in);
    layer.bias.randn(out);
    layer.weightSigma.randu(out, in);
    layer.biasSigma.randu(out);
    layer.activation = (out == 10) ? symvi::Activation::Identity :
                                     symvi::Activation::ReLU;
    description.layers.push_back(layer);
  }
  description.output = symvi::OutputKind::Softmax;
  return description;
}
#endif

} // namespace

std::vector<Row> FileRows(const Settings& settings)
{
  mlpack::RandomSeed(1);
  const std::shared_ptr<Model> model = MakeModel();
  const std::string bytes = Save(*model);
  const auto copied = std::make_shared<std::string>(bytes);

  std::vector<Candidate> candidates;
  candidates.push_back(File("file: copy of the bytes",
      [=] { *copied = std::string(bytes.begin(), bytes.end()); }));
  candidates.push_back(
      File("file: save (binary, in memory)", [=] { *copied = Save(*model); }));
  candidates.push_back(File("file: load (binary, in memory)",
      [=]
      {
    Model loaded;
    std::istringstream stream(bytes);
    cereal::BinaryInputArchive archive(stream);
    archive(cereal::make_nvp("model", loaded));
  }));
#if defined(SYMVI_BENCHMARK_ONNX)
  const auto description = std::make_shared<symvi::NetworkDescription>(
      Describe());
  candidates.push_back(File("file: ONNX export of the mean",
      [=] { *copied = symvi::onnx::Serialize(*description); }));
  symvi::onnx::ExportOptions ensemble;
  ensemble.mode = symvi::onnx::ExportMode::Ensemble;
  candidates.push_back(File("file: ONNX export of 32 draws",
      [=] { *copied = symvi::onnx::Serialize(*description, ensemble); }));
#endif
  return Compare(candidates, settings.quick ? 1.5 : 10.0);
}

} // namespace bench
