#include "check_model.hpp"
#include "json_strings.hpp"
#include "metadata.hpp"
#include "write_network.hpp"

#include <symvi/io/file.hpp>
#include <symvi/model/ensemble.hpp>
#include <symvi/onnx/file.hpp>
#include <symvi/require.hpp>
#include <symvi/version.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace symvi {
namespace onnx {

namespace {

const ExportMode modes[] = { ExportMode::Mean, ExportMode::Ensemble,
  ExportMode::Sampling, ExportMode::Noise };

//! Bytes that the weights take in the file; protobuf ends at 2 GiB.
void RequireFits(const NetworkDescription& d, const ExportOptions& options)
{
  double numbers = double(d.InSize()) * 4;
  for (const LayerDescription& layer : d.layers)
  {
    const double copies = !layer.IsBayesian() ||
            options.mode == ExportMode::Mean ?
        1.0 :
        options.mode == ExportMode::Ensemble ? double(options.samples) :
                                               2.0;
    numbers += copies * double(layer.Size() + layer.mean.n_elem * 2);
  }
  const double bytes = numbers * (d.element == ElementKind::Float ? 4 : 8);
  if (bytes > 2.0e9)
    throw std::invalid_argument("Export(): a model must take less than 2e9 "
                                "bytes, but would take " +
        ValueText(bytes) + ".");
}

void RequirePosterior(const NetworkDescription& d, const ExportOptions& options)
{
  if (options.mode == ExportMode::Mean)
    return;
  if (d.PosteriorSize() == 0)
    throw std::invalid_argument(std::string("Export(): mode '") +
        Name(options.mode) +
        "' needs a layer with standard deviations, but "
        "there is none; mode 'mean' needs none.");
  if (options.mode == ExportMode::Ensemble && options.samples == 0)
    throw std::invalid_argument("Export(): samples must be positive, but is "
                                "0.");
}

bool SameValues(const arma::vec& a, const arma::vec& b)
{
  return a.n_elem == b.n_elem && arma::all(a == b);
}

//! Whether networks differ by their weights alone.
bool AreAlike(const NetworkDescription& a, const NetworkDescription& b)
{
  bool alike = a.layers.size() == b.layers.size() && a.output == b.output &&
      a.noise == b.noise && a.noiseLimit == b.noiseLimit &&
      a.classNames == b.classNames && a.element == b.element &&
      SameValues(a.inputMean, b.inputMean) &&
      SameValues(a.inputScale, b.inputScale) &&
      SameValues(a.noiseStddev, b.noiseStddev) &&
      SameValues(a.targetMean, b.targetMean) &&
      SameValues(a.targetScale, b.targetScale);
  for (size_t l = 0; alike && l < a.layers.size(); ++l)
  {
    const LayerDescription& x = a.layers[l];
    const LayerDescription& y = b.layers[l];
    alike = x.kind == LayerKind::Dense && y.kind == LayerKind::Dense &&
        arma::size(x.weight) == arma::size(y.weight) &&
        x.bias.n_elem == y.bias.n_elem && x.activation == y.activation &&
        x.alpha == y.alpha && x.IsBayesian() && y.IsBayesian();
  }
  return alike;
}

//! Throws unless the members of an ensemble can share a graph.
void RequireAlike(const std::vector<NetworkDescription>& members,
    const ExportOptions& options)
{
  if (members.empty())
    throw std::invalid_argument("Export(): there must be at least one member, "
                                "but there are 0.");
  for (const NetworkDescription& member : members)
    Validate(member);
  if (members.size() == 1)
    return;
  if (options.mode != ExportMode::Ensemble)
    throw std::invalid_argument("Export(): " + std::to_string(members.size()) +
        " members need the mode 'ensemble', but it is '" + Name(options.mode) +
        "'.");
  for (size_t m = 1; m < members.size(); ++m)
    if (!AreAlike(members.front(), members[m]))
      throw std::invalid_argument("Export(): members must differ by their "
                                  "weights alone, but member " +
          std::to_string(m + 1) +
          " differs "
          "from the first in shape, scaling or noise level.");
}

//! W (x - m) / s + b = (W / s) x + (b - W (m / s)).
NetworkDescription FoldInput(const NetworkDescription& description)
{
  NetworkDescription folded = description;
  if (description.inputMean.is_empty())
    return folded;
  LayerDescription& first = folded.layers.front();
  if (first.kind != LayerKind::Dense)
    Refuse("Export", "foldInput needs a dense layer at the beginning",
        std::string("there is one of kind ") + Name(first.kind));
  first.weight.each_row() /= description.inputScale.t();
  if (first.bias.is_empty())
    first.bias.zeros(first.weight.n_rows);
  first.bias -= first.weight * description.inputMean;
  first.weightSigma.reset();
  first.biasSigma.reset();
  folded.inputMean.reset();
  folded.inputScale.reset();
  return folded;
}

void SetMetadata(::onnx::ModelProto& model,
    const std::map<std::string, std::string>& metadata)
{
  for (const auto& [key, value] : metadata)
  {
    ::onnx::StringStringEntryProto* entry = model.add_metadata_props();
    entry->set_key(key);
    entry->set_value(value);
  }
}

//! The user's facts, then those that the reader needs.
std::map<std::string, std::string> Metadata(const NetworkDescription& d,
    const ExportOptions& options, const std::string& last)
{
  std::map<std::string, std::string> metadata = d.metadata;
  metadata[keys::Version] = SYMVI_VERSION;
  metadata[keys::Mode] = Name(options.mode);
  metadata[keys::Output] = OutputName(d.output);
  metadata[keys::Noise] = NoiseName(d.noise);
  metadata[keys::LastLayer] = last;
  if (options.mode == ExportMode::Ensemble)
  {
    metadata[keys::Samples] = std::to_string(options.samples);
    metadata[keys::Seed] = std::to_string(options.seed);
  }
  if (!d.classNames.empty())
    metadata[keys::ClassNames] = ToJson(d.classNames);
  return metadata;
}

::onnx::ModelProto BuildModel(const NetworkDescription& d,
    const std::vector<NetworkDescription>& draws, const ExportOptions& options)
{
  ::onnx::ModelProto model;
  model.set_ir_version(8);
  model.set_producer_name("symvi");
  model.set_producer_version(SYMVI_VERSION);
  ::onnx::OperatorSetIdProto* opset = model.add_opset_import();
  opset->set_domain("");
  const bool norms = std::any_of(d.layers.begin(), d.layers.end(),
      [](const LayerDescription& layer)
      { return layer.kind == LayerKind::LayerNorm; });
  opset->set_version(norms ? 17 : 13); // LayerNormalization came with 17.

  model.mutable_graph()->set_name(std::string("symvi_") + Name(options.mode));
  GraphBuilder builder(*model.mutable_graph(), d.element);
  const std::string last = WriteLayers(builder, d, draws, options);
  if (options.mode == ExportMode::Mean)
    WriteMeanOutputs(builder, d, last);
  else
    WritePosteriorOutputs(builder, d, last, options);
  SetMetadata(model, Metadata(d, options, last));
  return model;
}

} // namespace

const char* Name(const ExportMode mode)
{
  switch (mode)
  {
  case ExportMode::Ensemble: return "ensemble";
  case ExportMode::Sampling: return "sampling";
  case ExportMode::Noise: return "noise";
  default: return "mean";
  }
}

ExportMode ParseExportMode(const std::string& name)
{
  for (const ExportMode mode : modes)
    if (name == Name(mode))
      return mode;
  throw std::invalid_argument("ParseExportMode(): the mode must be mean, "
                              "ensemble, sampling or noise, but is '" +
      name + "'.");
}

std::string Serialize(const NetworkDescription& description,
    const ExportOptions& options)
{
  return Serialize(std::vector<NetworkDescription>{ description }, options);
}

std::string Serialize(const std::vector<NetworkDescription>& members,
    ExportOptions options)
{
  RequireAlike(members, options);
  const NetworkDescription& description = members.front();
  options.samples = (options.samples + members.size() - 1) / members.size() *
      members.size();
  RequirePosterior(description, options);
  RequireFits(description, options);
  std::vector<NetworkDescription> draws;
  for (size_t m = 0; m < members.size() && options.mode == ExportMode::Ensemble;
       ++m)
    for (NetworkDescription& draw :
        DrawMembers(members[m], options.samples / members.size(),
            Ensemble::MemberSeed(options.seed, m)))
      draws.push_back(std::move(draw));
  const bool fold = options.foldInput && options.mode == ExportMode::Mean;
  NetworkDescription written = fold ? FoldInput(description) : description;
  if (options.isFloat)
    written.element = ElementKind::Float;
  ::onnx::ModelProto model = BuildModel(written, draws, options);
  CheckModel(model);
  std::string bytes;
  if (!model.SerializeToString(&bytes))
    throw std::runtime_error("Export(): the model could not be serialised.");
  return bytes;
}

void Export(const NetworkDescription& description, const std::string& path,
    const ExportOptions& options)
{
  const std::string bytes = Serialize(description, options);
  io::AtomicFile file(path);
  file.Stream().write(bytes.data(), std::streamsize(bytes.size()));
  file.Commit();
}

} // namespace onnx
} // namespace symvi
