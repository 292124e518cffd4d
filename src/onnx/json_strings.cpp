#include "json_strings.hpp"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <stdexcept>

namespace symvi {
namespace onnx {

std::string ToJson(const std::vector<std::string>& strings)
{
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  writer.StartArray();
  for (const std::string& text : strings)
    writer.String(text.data(), rapidjson::SizeType(text.size()));
  writer.EndArray();
  return std::string(buffer.GetString(), buffer.GetSize());
}

std::vector<std::string> FromJson(const std::string& json)
{
  // Iterative: lists in lists, however many, do not use up the stack.
  rapidjson::Document list;
  list.Parse<rapidjson::kParseIterativeFlag>(json.data(), json.size());
  bool fits = !list.HasParseError() && list.IsArray();
  std::vector<std::string> strings;
  if (fits)
    for (const rapidjson::Value& text : list.GetArray())
    {
      fits = fits && text.IsString();
      if (fits)
        strings.emplace_back(text.GetString(), text.GetStringLength());
    }
  if (!fits)
    throw std::invalid_argument("FromJson(): the text must be a JSON list of "
                                "strings, but is not.");
  return strings;
}

} // namespace onnx
} // namespace symvi
