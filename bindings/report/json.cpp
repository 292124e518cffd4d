/**
 * @file json.cpp
 *
 * The evaluation as a table and as JSON.
 */
#include <symvi/io/number.hpp>
#include <symvi/predict/metrics.hpp>

#include <cmath>
#include <cstdio>

#include "chart.hpp"
#include "measures.hpp"

namespace symvi {
namespace cli {

namespace {

std::string JsonNumber(const double value)
{
  return std::isfinite(value) ? io::FormatNumber(value) : "null";
}

std::string JsonText(const std::string& text)
{
  std::string result = "\"";
  for (const unsigned char c : text)
  {
    char buffer[8];
    if (c == '"' || c == '\\')
      result += std::string("\\") + char(c);
    else if (c < 0x20)
    {
      std::snprintf(buffer, sizeof(buffer), "\\u%04x", c);
      result += buffer;
    }
    else
      result += char(c);
  }
  return result + "\"";
}

} // namespace

std::string DescribeLayers(const NetworkSpec& spec)
{
  std::string text;
  for (const uint64_t width : spec.Widths())
    text += (text.empty() ? "" : " - ") + std::to_string(width);
  return text + (spec.hidden.empty() ? ", linear" : ", " + spec.activation);
}

arma::mat CoverageCurve(const RegressionPrediction<arma::mat>& prediction,
                        const arma::mat& responses)
{
  const size_t levels = prediction.levels.size(), half = levels / 2;
  arma::mat curve(2, half + 2, arma::fill::zeros);
  curve.col(half + 1).ones();
  for (size_t i = 0; i < half; ++i)
  {
    const size_t low = half - 1 - i, high = levels - half + i;
    curve(0, i + 1) = prediction.levels[high] - prediction.levels[low];
    curve(1, i + 1) = IntervalCoverage(prediction.quantiles[low],
        prediction.quantiles[high], responses);
  }
  return curve;
}

std::string AsTable(const Evaluation& evaluation)
{
  std::string text = "Model '" + evaluation.modelPath + "' (" +
      DescribeLayers(evaluation.model.spec) + ") on '" + evaluation.dataPath +
      "' (" + std::to_string(evaluation.points) + " points), " +
      std::to_string(evaluation.draws) + " draws\n\n";
  for (const Measure& measure : evaluation.measures)
  {
    char line[160];
    std::snprintf(line, sizeof(line), "  %-44s %12.6g", measure.label.c_str(),
        measure.value);
    text += line;
    if (measure.standardError >= 0.0)
    {
      std::snprintf(line, sizeof(line), " +- %.3g", measure.standardError);
      text += line;
    }
    text += '\n';
  }
  return text;
}

std::string AsJson(const Evaluation& evaluation)
{
  const Model& model = evaluation.model;
  std::string text = "{\n  \"model\": " + JsonText(evaluation.modelPath) +
      ",\n  \"data\": " + JsonText(evaluation.dataPath) + ",\n  \"task\": " +
      JsonText(model.spec.task) + ",\n  \"points\": " +
      std::to_string(evaluation.points) + ",\n  \"draws\": " +
      std::to_string(evaluation.draws);
  for (const Measure& measure : evaluation.measures)
  {
    text += ",\n  " + JsonText(measure.key) + ": " + JsonNumber(measure.value);
    if (measure.standardError >= 0.0)
      text += ",\n  " + JsonText(measure.key + "_standard_error") + ": " +
          JsonNumber(measure.standardError);
  }
  return text + ",\n  \"information_exact\": " +
      (evaluation.elbo.information.exact ? "true" : "false") + "\n}\n";
}

} // namespace cli
} // namespace symvi
