/**
 * @file predictions.cpp
 */
#include "predictions.hpp"

#include <symvi/io/table.hpp>
#include <symvi/model/ensemble.hpp>
#include <symvi/require.hpp>

#include <algorithm>
#include <utility>

namespace symvi {
namespace cli {

namespace {

std::string DrawsHeader(const Ensemble& model, const size_t draws)
{
  std::string header;
  for (size_t s = 1; s <= draws; ++s)
  {
    for (size_t i = 0; i < model.Spec().outputs; ++i)
      header += (header.empty() ? "" : ",") +
          io::QuoteField("draw" + std::to_string(s) + "_" +
              (model.Spec().IsClassification() ?
                      model.ClassNames()[i] :
                      "response" + std::to_string(i + 1)));
  }
  return header;
}

//! Draws of a few points at a time: draw s is the same for all of them.
void WriteDraws(const Ensemble& model, const arma::mat& points,
    const PredictOptions& options, std::ostream& stream)
{
  stream << DrawsHeader(model, options.samples) << '\n';
  const size_t chunk = std::max<size_t>(1,
      (size_t(1) << 22) / (options.samples * model.Spec().Widths().back() + 1));
  for (size_t begin = 0; begin < points.n_cols; begin += chunk)
  {
    const size_t end = std::min<size_t>(points.n_cols, begin + chunk) - 1;
    const arma::cube draws = model.Draws(points.cols(begin, end), options);
    for (size_t i = 0; i < draws.n_cols; ++i)
    {
      for (size_t s = 0; s < draws.n_slices; ++s)
        for (size_t k = 0; k < draws.n_rows; ++k)
          stream << (s + k ? "," : "") << ValueText(draws(k, i, s));
      stream << '\n';
    }
  }
}

//! The names of the classes in every set, separated by blanks.
std::string DescribeSets(const Ensemble& model, const arma::umat& sets)
{
  std::string text;
  for (size_t i = 0; i < sets.n_cols; ++i, text += '\n')
  {
    std::string names;
    for (size_t c = 0; c < sets.n_rows; ++c)
      if (sets(c, i))
        names += (names.empty() ? "" : " ") + model.ClassNames()[c];
    text += names;
  }
  return text;
}

void WriteClasses(const Ensemble& model, EnsembleClassification prediction,
    const Corrections& corrections, Outputs& outputs)
{
  corrections.Apply(prediction);
  const arma::urowvec best = arma::index_max(prediction.probabilities, 0);
  std::string names;
  for (const arma::uword index : best)
    names += io::QuoteField(model.ClassNames()[index]) + '\n';
  outputs.AddText("predictions_file", names);
  outputs.AddTable("probabilities_file", prediction.probabilities);
  outputs.AddText("sets_file",
      DescribeSets(model, corrections.Sets(prediction)));
  arma::mat table = arma::join_cols(prediction.entropy,
      prediction.mutualInformation, prediction.expectedEntropy);
  std::vector<std::string> header = { "entropy", "mutual_information",
    "expected_entropy" };
  if (model.Size() > 1)
  {
    table = arma::join_cols(table, prediction.betweenMembers);
    header.push_back("between_members");
  }
  outputs.AddTable("uncertainty_file", table, header);
}

void WriteResponses(const Ensemble& model, EnsembleRegression prediction,
    const Corrections& corrections, Outputs& outputs)
{
  corrections.Apply(prediction);
  outputs.AddTable("predictions_file", prediction.mean);

  const size_t count = model.Spec().outputs;
  arma::mat table(4 * count, prediction.mean.n_cols);
  std::vector<std::string> header;
  for (size_t k = 0; k < count; ++k)
  {
    const std::string suffix = (count == 1) ? "" : "_" + std::to_string(k + 1);
    for (const char* name : { "epistemic_stddev", "aleatoric_stddev",
             "interval_lower", "interval_upper" })
      header.push_back(name + suffix);
    table.row(4 * k) = arma::sqrt(prediction.epistemicVariance.row(k));
    table.row(4 * k + 1) = arma::sqrt(prediction.aleatoricVariance.row(k));
    table.row(4 * k + 2) = prediction.lower.row(k);
    table.row(4 * k + 3) = prediction.upper.row(k);
  }
  for (size_t k = 0; k < count && model.Size() > 1; ++k)
  {
    table = arma::join_cols(table,
        arma::sqrt(prediction.betweenMembers.row(k)));
    header.push_back("between_members_stddev" +
        (count == 1 ? "" : "_" + std::to_string(k + 1)));
  }
  outputs.AddTable("uncertainty_file", table, header);
}

} // namespace

Predictions Predict(const Ensemble& model, const arma::mat& points,
    const PredictOptions& options, Communicator& ranks)
{
  Predictions predictions;
  if (model.Spec().IsClassification())
    predictions.classes = Classify(model, points, options, ranks);
  else
    predictions.responses = Regress(model, points, options, ranks);
  return predictions;
}

void WritePredictions(const Ensemble& model, const arma::mat& points,
    Predictions predictions, const PredictOptions& options,
    const Corrections& corrections, Outputs& outputs)
{
  if (model.Spec().IsClassification())
    WriteClasses(model, std::move(predictions.classes), corrections, outputs);
  else
    WriteResponses(model, std::move(predictions.responses), corrections,
        outputs);
  if (std::ostream* stream = outputs.Open("draws_file"))
    WriteDraws(model, points, options, *stream);
}

} // namespace cli
} // namespace symvi
