#include "json_strings.hpp"
#include "metadata.hpp"
#include "quoted.hpp"
#include "read_layers.hpp"
#include "wire_limits.hpp"
#include "write_network.hpp"

#include <symvi/onnx/file.hpp>

#include <fstream>

#include <sys/stat.h>

namespace symvi {
namespace onnx {

namespace {

// Opsets whose operators mean what the reader takes them to mean.
constexpr int64_t minOpset = 6;
constexpr int64_t maxOpset = 26;

using Metadata = std::map<std::string, std::string>;

std::string ReadFile(const std::string& path, const ImportOptions& options)
{
  struct stat status;
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
    throw ImportError("Import(): " + Quoted(path) +
        " is no file that can be "
        "read.");
  if (uint64_t(status.st_size) > options.maxFileBytes)
    throw ImportError("Import(): " + Quoted(path) + " has " +
        std::to_string(status.st_size) + " bytes, but maxFileBytes is " +
        std::to_string(options.maxFileBytes) + ".");
  std::string bytes(size_t(status.st_size), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(&bytes[0], std::streamsize(bytes.size()));
  if (!file || size_t(file.gcount()) != bytes.size())
    throw ImportError("Import(): " + Quoted(path) + " cannot be read.");
  return bytes;
}

//! The bytes as protobuf's objects; returns the opset, if it is understood.
int64_t ParseModel(const std::string& bytes, const ImportOptions& options,
    ::onnx::ModelProto& model)
{
  if (bytes.size() > options.maxFileBytes)
    throw ImportError("Import(): the file has " + std::to_string(bytes.size()) +
        " bytes, but maxFileBytes is " + std::to_string(options.maxFileBytes) +
        ".");
  CheckWire(bytes, options.maxObjects);
  if (!model.ParseFromString(bytes) || !model.has_graph())
    throw ImportError("Import(): this is no ONNX model, or a damaged one.");

  int64_t opset = 0;
  for (const ::onnx::OperatorSetIdProto& set : model.opset_import())
    if (set.domain().empty() || set.domain() == "ai.onnx")
      opset = set.version();
  if (opset < minOpset || opset > maxOpset)
    throw ImportError("Import(): the operator set must be within " +
        std::to_string(minOpset) + " and " + std::to_string(maxOpset) +
        ", but is " + std::to_string(opset) + ".");
  return opset;
}

//! What symvi wrote about the model; nothing for models of others.
Metadata ReadMetadata(const ::onnx::ModelProto& model)
{
  Metadata metadata;
  for (const ::onnx::StringStringEntryProto& entry : model.metadata_props())
    metadata[entry.key()] = entry.value();
  return metadata;
}

std::string Get(const Metadata& metadata, const std::string& key)
{
  const auto found = metadata.find(key);
  return found == metadata.end() ? "" : found->second;
}

//! The value at which reading ends.
std::string FindTarget(const ::onnx::GraphProto& graph,
    const Metadata& metadata, const ImportOptions& options)
{
  if (options.output.empty() && metadata.count(keys::LastLayer) > 0)
    return Get(metadata, keys::LastLayer);
  std::string outputs;
  for (const ::onnx::ValueInfoProto& output : graph.output())
  {
    if (output.name() == options.output ||
        (options.output.empty() && graph.output_size() == 1))
      return output.name();
    outputs += (outputs.empty() ? "" : ", ") + Quoted(output.name());
  }
  if (!options.output.empty())
    throw ImportError("Import(): there is no output " + Quoted(options.output) +
        ", but: " + outputs.substr(0, 1000) + ".");
  throw ImportError("Import(): choose one of " +
      std::to_string(graph.output_size()) +
      " outputs: " + outputs.substr(0, 1000) + ".");
}

const ::onnx::ValueInfoProto& FindInput(const GraphView& view, const bool own)
{
  const std::vector<const ::onnx::ValueInfoProto*> inputs = view.Inputs();
  for (const ::onnx::ValueInfoProto* input : inputs)
    if (own && input->name() == names::Input)
      return *input;
  if (inputs.empty())
    throw ImportError("Import(): the output must depend on one input, but "
                      "depends on 0.");
  // Of several inputs, the first node that takes two of them is refused.
  return *inputs.front();
}

arma::vec VectorOf(const GraphView& view, const char* name)
{
  return view.IsConstant(name) ? arma::vec(view.GetConstant(name).data) :
                                 arma::vec();
}

//! What follows the last layer of symvi's own models.
void ReadOwnOutput(const GraphView& view, const Metadata& metadata,
    NetworkDescription& d)
{
  d.output = OutputKind(FindWord(outputNames, Get(metadata, keys::Output)));
  d.noise = NoiseKind(FindWord(noiseNames, Get(metadata, keys::Noise)));
  if (d.output != OutputKind::Gaussian)
    return;
  d.targetMean = VectorOf(view, names::TargetMean);
  d.targetScale = VectorOf(view, names::TargetScale);
  d.noiseStddev = VectorOf(view, names::NoiseStddev);
  const arma::vec limit = VectorOf(view, names::NoiseLimit);
  if (!limit.is_empty())
    d.noiseLimit = limit[0];
}

//! A network of others that ends in a sigmoid predicts probabilities.
void ReadForeignOutput(NetworkDescription& d)
{
  LayerDescription& last = d.layers.back();
  if (d.output != OutputKind::Raw || last.activation != Activation::Sigmoid)
    return;
  last.activation = Activation::Identity;
  d.output = OutputKind::Bernoulli;
}

void SetMetadata(Metadata metadata, const bool own, NetworkDescription& d)
{
  const auto names = metadata.find(keys::ClassNames);
  if (names != metadata.end())
  {
    d.classNames = FromJson(names->second);
    metadata.erase(names);
  }
  if (own)
    for (const char* key : { keys::Version, keys::Mode, keys::Samples,
             keys::Seed, keys::Output, keys::Noise, keys::LastLayer })
      metadata.erase(key);
  d.metadata = std::move(metadata);
}

NetworkDescription ReadModel(const ::onnx::ModelProto& model,
    const int64_t opset, const ImportOptions& options)
{
  const Metadata metadata = ReadMetadata(model);
  const bool own = options.output.empty() &&
      metadata.count(keys::LastLayer) > 0;
  const std::string mode = own ? Get(metadata, keys::Mode) : "";
  const GraphView view(model.graph(),
      FindTarget(model.graph(), metadata, options), options);
  LayerReader reader(view, FindInput(view, own),
      own && mode != Name(ExportMode::Mean), opset, options);
  NetworkDescription d = reader.Read();
  if (own)
    ReadOwnOutput(view, metadata, d);
  else
    ReadForeignOutput(d);
  SetMetadata(metadata, own, d);
  Validate(d);
  return d;
}

} // namespace

NetworkDescription Parse(const std::string& bytes, const ImportOptions& options)
{
  ::onnx::ModelProto model;
  const int64_t opset = ParseModel(bytes, options, model);
  try
  {
    return ReadModel(model, opset, options);
  }
  catch (const std::invalid_argument& e)
  {
    throw ImportError(
        std::string("Import(): the file contradicts itself: ") + e.what());
  }
}

NetworkDescription Import(const std::string& path, const ImportOptions& options)
{
  return Parse(ReadFile(path, options), options);
}

} // namespace onnx
} // namespace symvi
