/**
 * @file model_file.cpp
 */
#include "model_file.hpp"

#include <cereal/archives/json.hpp>
#include <cereal/archives/portable_binary.hpp>
#include <cereal/archives/xml.hpp>

#include <cmath>
#include <sstream>
#include <stdexcept>

#include "container.hpp"
#include "spec_archive.hpp"

namespace symvi {
namespace cli {

namespace {

enum class Format { Binary, Json, Xml };

Format FormatOf(const std::string& path)
{
  const size_t dot = path.rfind('.');
  const std::string extension =
      (dot == std::string::npos) ? "" : path.substr(dot);
  return (extension == ".json") ? Format::Json :
      (extension == ".xml") ? Format::Xml : Format::Binary;
}

template<typename Archive>
void WriteAs(std::ostream& stream, const Model& model)
{
  Archive archive(stream);
  archive(cereal::make_nvp("symvi_model", model));
}

template<typename Archive>
Model ReadAs(const std::string& bytes)
{
  std::istringstream stream(bytes);
  Archive archive(stream);
  Model model;
  archive(cereal::make_nvp("symvi_model", model));
  return model;
}

void Require(const bool condition, const char* what)
{
  if (!condition)
    throw std::invalid_argument(what);
}

Model ReadText(const std::string& path, const Format format)
{
  const std::string bytes = ReadBytes(path);
  Require(!bytes.empty(), "the file is empty");
  return (format == Format::Json) ? ReadAs<cereal::JSONInputArchive>(bytes)
                                  : ReadAs<cereal::XMLInputArchive>(bytes);
}

} // namespace

void CheckModel(const Model& model)
{
  model.spec.Check();
  Require(model.parameters.size() == model.spec.ParameterSize(),
      "the number of parameters does not fit the network");
  for (const double value : model.parameters)
    Require(std::isfinite(value), "a parameter is not finite");
  Require(model.inputs.Identity() ||
      model.inputs.Means().size() == model.spec.inputs,
      "the standardisation does not fit the inputs");
  Require(model.targets.Identity() ||
      model.targets.Means().size() == model.spec.outputs,
      "the standardisation does not fit the responses");
  Require(!model.spec.IsClassification() ||
      model.labels.Classes() == model.spec.outputs,
      "the number of class names does not fit the network");
}

void WriteModel(std::ostream& stream,
                const std::string& path,
                const Model& model)
{
  const Format format = FormatOf(path);
  if (format == Format::Json)
    return WriteAs<cereal::JSONOutputArchive>(stream, model);
  if (format == Format::Xml)
    return WriteAs<cereal::XMLOutputArchive>(stream, model);
  std::ostringstream payload;
  WriteAs<cereal::PortableBinaryOutputArchive>(payload, model);
  WriteContainer(stream, "model", payload.str());
}

Model ReadModel(const std::string& path)
{
  const Format format = FormatOf(path);
  const std::string payload =
      (format == Format::Binary) ? ReadContainer(path, "model") : "";
  if (format != Format::Binary)
    ReadBytes(path);  // Its own message if that is not possible.
  try
  {
    Model model = (format == Format::Binary) ?
        ReadAs<cereal::PortableBinaryInputArchive>(payload) :
        ReadText(path, format);
    CheckModel(model);
    return model;
  }
  catch (const std::exception& e)
  {
    std::string reason = e.what();
    reason = reason.substr(0, reason.find_first_of("\n\r"));
    throw std::invalid_argument("'" + path + "' is not a whole symvi model "
        "file (" + reason.substr(0, 120) + ").");
  }
}

} // namespace cli
} // namespace symvi
