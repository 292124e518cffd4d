/**
 * @file predict.cpp
 */
#include "predict.hpp"

#include <symvi/io/number.hpp>

#include <algorithm>
#include <cmath>

namespace symvi {
namespace cli {

namespace {

void Softmax(double* logits, const size_t n)
{
  const double top = *std::max_element(logits, logits + n);
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i)
    sum += logits[i] = std::exp(logits[i] - top);
  for (size_t i = 0; i < n; ++i)
    logits[i] /= sum;
}

//! Outputs of draw s of one point, as the user wants to see them.
void FinishDraw(const Model& model, double* values)
{
  const size_t n = model.spec.outputs;
  if (model.spec.IsClassification())
    return Softmax(values, n);
  arma::mat means(values, n, 1, false, true);
  model.targets.Revert(means);
}

std::vector<std::string> DrawsHeader(const Model& model, const size_t draws)
{
  std::vector<std::string> header;
  for (size_t s = 1; s <= draws; ++s)
  {
    for (size_t i = 0; i < model.spec.outputs; ++i)
      header.push_back("draw" + std::to_string(s) + "_" +
          (model.spec.IsClassification() ? model.labels.Decode(i) :
           "response" + std::to_string(i + 1)));
  }
  return header;
}

void WriteJoined(std::ostream& stream, const std::vector<std::string>& words)
{
  for (size_t i = 0; i < words.size(); ++i)
    stream << (i ? "," : "") << words[i];
  stream << '\n';
}

//! Draws of a few points at a time: draw s is the same for all of them.
void WriteDraws(const Network& network,
                const Model& model,
                const arma::mat& points,
                const PredictOptions& options,
                std::ostream& stream)
{
  WriteJoined(stream, DrawsHeader(model, options.samples));
  const size_t outputs = model.spec.outputs;
  const size_t chunk = std::max<size_t>(1, (size_t(1) << 22) /
      (options.samples * model.spec.LastWidth() + 1));
  for (size_t begin = 0; begin < points.n_cols; begin += chunk)
  {
    const size_t end = std::min<size_t>(points.n_cols, begin + chunk) - 1;
    arma::cube draws = network.Draws(points.cols(begin, end), options);
    for (size_t i = 0; i < draws.n_cols; ++i)
    {
      for (size_t s = 0; s < draws.n_slices; ++s)
      {
        double* values = draws.slice_colptr(s, i);
        FinishDraw(model, values);
        for (size_t k = 0; k < outputs; ++k)
          stream << (s + k ? "," : "") << io::FormatNumber(values[k]);
      }
      stream << '\n';
    }
  }
}

void WriteClasses(const Network& network,
                  const Model& model,
                  const arma::mat& points,
                  const PredictOptions& options,
                  Outputs& outputs)
{
  const ClassificationPrediction<arma::mat> prediction =
      PredictClasses(network, points, options);
  const arma::urowvec best = MostProbable(prediction.probabilities);
  std::vector<std::string> names;
  for (const arma::uword index : best)
    names.push_back(model.labels.Decode(index));
  outputs.AddLines("predictions_file", names);
  outputs.AddTable("probabilities_file", prediction.probabilities);
  outputs.AddTable("uncertainty_file", arma::join_cols(prediction.entropy,
      prediction.mutualInformation, prediction.expectedEntropy),
      { "entropy", "mutual_information", "expected_entropy" });
}

void WriteResponses(const Network& network,
                    const Model& model,
                    const arma::mat& points,
                    const PredictOptions& options,
                    Outputs& outputs)
{
  const RegressionPrediction<arma::mat> prediction =
      PredictResponses(network, model, points, options);
  outputs.AddTable("predictions_file", prediction.mean);

  const size_t count = model.spec.outputs;
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

ClassificationPrediction<arma::mat> PredictClasses(const Network& network,
    const arma::mat& points, const PredictOptions& options)
{
  return network.Classify(points, options);
}

RegressionPrediction<arma::mat> PredictResponses(const Network& network,
    const Model& model,
    const arma::mat& points,
    const PredictOptions& options)
{
  RegressionPrediction<arma::mat> prediction =
      network.Regress(points, options);
  model.targets.Revert(prediction.mean);
  model.targets.Revert(prediction.lower);
  model.targets.Revert(prediction.upper);
  for (arma::mat& quantile : prediction.quantiles)
    model.targets.Revert(quantile);
  for (arma::mat* variance : { &prediction.epistemicVariance,
                               &prediction.aleatoricVariance })
  {
    model.targets.RevertScale(*variance);
    model.targets.RevertScale(*variance);
  }
  return prediction;
}

arma::urowvec MostProbable(const arma::mat& probabilities)
{
  return arma::index_max(probabilities, 0);
}

void WritePredictions(const Network& network,
                      const Model& model,
                      const arma::mat& points,
                      const PredictOptions& options,
                      Outputs& outputs)
{
  if (model.spec.IsClassification())
    WriteClasses(network, model, points, options, outputs);
  else
    WriteResponses(network, model, points, options, outputs);
  if (std::ostream* stream = outputs.Open("draws_file"))
    WriteDraws(network, model, points, options, *stream);
}

} // namespace cli
} // namespace symvi
