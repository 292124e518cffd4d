/**
 * @file evaluation_text.cpp
 */
#include "evaluation_text.hpp"

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include <cmath>
#include <cstdio>

namespace symvi {
namespace cli {

std::string AsTable(const Evaluation& evaluation)
{
  std::string text;
  for (const Metric& metric : evaluation.metrics)
  {
    char line[160];
    if (std::isnan(metric.value))
      std::snprintf(line, sizeof(line), "  %-42s not available",
          metric.label.c_str());
    else
      std::snprintf(line, sizeof(line), "  %-44s %12.6g", metric.label.c_str(),
          metric.value);
    text += line;
    if (metric.standardError >= 0.0)
    {
      std::snprintf(line, sizeof(line), " +- %.3g", metric.standardError);
      text += line;
    }
    else if (std::isnan(metric.standardError))
      text += " +- not available";
    text += '\n';
  }
  return text;
}

std::string AsJson(const Evaluation& evaluation, const std::string& model,
    const std::string& data, const std::string& task)
{
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 2);
  const auto text = [&](const char* key, const std::string& value)
  {
    writer.Key(key);
    writer.String(value.c_str(), rapidjson::SizeType(value.size()));
  };
  const auto number = [&](const std::string& key, const double value)
  {
    writer.Key(key.c_str());
    if (std::isfinite(value))
      writer.Double(value);
    else
      writer.Null();
  };
  writer.StartObject();
  text("model", model);
  text("data", data);
  text("task", task);
  writer.Key("points");
  writer.Uint64(evaluation.points);
  writer.Key("draws");
  writer.Uint64(evaluation.options.predict.samples);
  for (const Metric& metric : evaluation.metrics)
  {
    number(metric.key, metric.value);
    if (!(metric.standardError < 0.0))
      number(metric.key + "_standard_error", metric.standardError);
  }
  writer.Key("information_exact");
  writer.Bool(evaluation.elbo.information.exact);
  writer.Key("evidence_samples");
  writer.Uint64(evaluation.elbo.evidence.Samples());
  writer.Key("evidence_reliable");
  writer.Bool(evaluation.elbo.evidence.IsGood());
  writer.EndObject();
  return buffer.GetString() + std::string("\n");
}

} // namespace cli
} // namespace symvi
