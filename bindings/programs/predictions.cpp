/**
 * @file predictions.cpp
 */
#include "predictions.hpp"

#include <symvi/io/number.hpp>

#include <algorithm>

namespace symvi {
namespace cli {

namespace {

std::string DrawsHeader(const Pipeline& model, const size_t draws)
{
  std::string header;
  for (size_t s = 1; s <= draws; ++s)
  {
    for (size_t i = 0; i < model.Spec().outputs; ++i)
      header += (header.empty() ? "" : ",") + io::QuoteField("draw" +
          std::to_string(s) + "_" + (model.Spec().IsClassification() ?
          model.ClassNames()[i] : "response" + std::to_string(i + 1)));
  }
  return header;
}

//! Draws of a few points at a time: draw s is the same for all of them.
void WriteDraws(const Pipeline& model,
                const arma::mat& points,
                const PredictOptions& options,
                std::ostream& stream)
{
  stream << DrawsHeader(model, options.samples) << '\n';
  const size_t chunk = std::max<size_t>(1, (size_t(1) << 22) /
      (options.samples * model.Spec().Widths().back() + 1));
  for (size_t begin = 0; begin < points.n_cols; begin += chunk)
  {
    const size_t end = std::min<size_t>(points.n_cols, begin + chunk) - 1;
    const arma::cube draws = model.Draws(points.cols(begin, end), options);
    for (size_t i = 0; i < draws.n_cols; ++i)
    {
      for (size_t s = 0; s < draws.n_slices; ++s)
        for (size_t k = 0; k < draws.n_rows; ++k)
          stream << (s + k ? "," : "") << io::FormatNumber(draws(k, i, s));
      stream << '\n';
    }
  }
}

void WriteClasses(const Pipeline& model,
                  const arma::mat& points,
                  const PredictOptions& options,
                  Outputs& outputs)
{
  const ClassificationPrediction<arma::mat> prediction =
      model.Classify(points, options);
  const arma::urowvec best = arma::index_max(prediction.probabilities, 0);
  std::string names;
  for (const arma::uword index : best)
    names += io::QuoteField(model.ClassNames()[index]) + '\n';
  outputs.AddText("predictions_file", names);
  outputs.AddTable("probabilities_file", prediction.probabilities);
  outputs.AddTable("uncertainty_file", arma::join_cols(prediction.entropy,
      prediction.mutualInformation, prediction.expectedEntropy),
      { "entropy", "mutual_information", "expected_entropy" });
}

void WriteResponses(const Pipeline& model,
                    const arma::mat& points,
                    const PredictOptions& options,
                    Outputs& outputs)
{
  const RegressionPrediction<arma::mat> prediction =
      model.Regress(points, options);
  outputs.AddTable("predictions_file", prediction.mean);

  const size_t count = model.Spec().outputs;
  arma::mat table(4 * count, points.n_cols);
  std::vector<std::string> header;
  for (size_t k = 0; k < count; ++k)
  {
    const std::string suffix =
        (count == 1) ? "" : "_" + std::to_string(k + 1);
    for (const char* name : { "epistemic_stddev", "aleatoric_stddev",
        "interval_lower", "interval_upper" })
      header.push_back(name + suffix);
    table.row(4 * k) = arma::sqrt(prediction.epistemicVariance.row(k));
    table.row(4 * k + 1) = arma::sqrt(prediction.aleatoricVariance.row(k));
    table.row(4 * k + 2) = prediction.lower.row(k);
    table.row(4 * k + 3) = prediction.upper.row(k);
  }
  outputs.AddTable("uncertainty_file", table, header);
}

} // namespace

void WritePredictions(const Pipeline& model,
                      const arma::mat& points,
                      const PredictOptions& options,
                      Outputs& outputs)
{
  if (model.Spec().IsClassification())
    WriteClasses(model, points, options, outputs);
  else
    WriteResponses(model, points, options, outputs);
  if (std::ostream* stream = outputs.Open("draws_file"))
    WriteDraws(model, points, options, *stream);
}

} // namespace cli
} // namespace symvi
