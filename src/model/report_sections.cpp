/**
 * @file src/model/report_sections.cpp
 */
#include "model/report_sections.hpp"

#include <symvi/io/chart.hpp>
#include <symvi/predict/metrics.hpp>

#include <algorithm>
#include <cmath>

namespace symvi {

using io::Chart;
using io::Tone;

namespace {

//! Equal bins that hold all of `values`.
arma::vec Edges(const arma::vec& values, const size_t bins)
{
  double low = values.min(), high = values.max();
  if (!(high - low > 1e-9 * std::abs(low)))
  {
    const double margin = std::max(1e-12, 0.1 * std::abs(low));
    low -= margin;
    high += margin;
  }
  return arma::linspace(low, high, bins + 1);
}

std::string ReliabilityChart(const Evaluation& evaluation)
{
  const ReliabilityDiagram diagram = Reliability(
      evaluation.classes.probabilities, evaluation.labels,
      evaluation.options.bins);
  Chart chart("Reliability: how often the predicted class is right",
      "confidence", "accuracy");
  chart.FixX(0.0, 1.0);
  chart.FixY(0.0, 1.0);
  chart.Bars(diagram.edges, diagram.accuracy, Tone::Blue, "accuracy");
  chart.Guide(0.0, 0.0, 1.0, 1.0);

  Chart counts("How sure the predictions are", "confidence", "points");
  counts.FixX(0.0, 1.0);
  counts.Bars(diagram.edges, arma::conv_to<arma::vec>::from(diagram.counts),
      Tone::Grey, "points");
  return chart.Svg() + counts.Svg();
}

//! Fraction of responses inside central intervals of growing probability.
std::string CoverageChart(const Evaluation& evaluation)
{
  const RegressionPrediction<arma::mat>& prediction = evaluation.regression;
  const arma::mat curve = CoverageCurve(prediction, evaluation.responses);
  const arma::vec nominal = curve.row(0).t(), observed = curve.row(1).t();
  Chart chart("Reliability: responses inside the central interval",
      "probability of the interval", "fraction of responses inside");
  chart.FixX(0.0, 1.0);
  chart.FixY(0.0, 1.0);
  chart.Line(nominal, observed, Tone::Blue, "observed");
  chart.Points(nominal, observed, Tone::Blue, "");
  chart.Guide(0.0, 0.0, 1.0, 1.0);

  const arma::vec truth = arma::vectorise(evaluation.responses);
  const arma::vec mean = arma::vectorise(prediction.mean);
  const double low = std::min(truth.min(), mean.min());
  const double high = std::max(truth.max(), mean.max());
  Chart scatter("Predicted mean and response", "response", "predicted mean");
  scatter.FixX(low, high);
  scatter.FixY(low, high);
  scatter.Points(truth, mean, Tone::Blue, "points");
  scatter.Guide(low, low, high, high);
  return chart.Svg() + scatter.Svg();
}

//! One uncertainty of right (blue) and wrong (orange) predictions.
std::string SplitHistogram(const std::string& title, const arma::mat& values,
    const arma::uvec& wrong)
{
  const arma::vec all = arma::vectorise(values);
  const arma::vec edges = Edges(all, 30);
  const arma::uvec right = arma::find(wrong == 0);
  const arma::uvec bad = arma::find(wrong == 1);
  Chart chart(title, "nats", "points");
  // Bars of all points first, those of wrong ones on top of them.
  chart.Bars(edges, io::Histogram(all, edges), Tone::Blue,
      "right (" + std::to_string(right.n_elem) + ")");
  chart.Bars(edges, io::Histogram(all.elem(bad), edges), Tone::Orange,
      "wrong (" + std::to_string(bad.n_elem) + ")");
  return chart.Svg();
}

std::string PlainHistogram(const std::string& title, const std::string& unit,
    const arma::vec& values)
{
  const arma::vec edges = Edges(values, 30);
  Chart chart(title, unit, "points");
  chart.Bars(edges, io::Histogram(values, edges), Tone::Blue, "points");
  return chart.Svg();
}

std::string UnitMap(const Pipeline& model, const size_t h,
    const arma::vec& ratio)
{
  arma::uvec order = arma::stable_sort_index(ratio, "descend");
  const bool cut = order.n_elem > 60;
  if (cut)
    order = order.head(60);
  std::vector<std::string> names;
  for (const arma::uword unit : order)
    names.push_back(std::to_string(unit + 1));
  const std::string layer = "hidden layer " + std::to_string(h + 1);

  const arma::vec edges = arma::linspace(0.5, double(ratio.n_elem) + 0.5,
      ratio.n_elem + 1);
  Chart bars("Signal-to-noise of the units of " + layer, "rank",
      "signal-to-noise");
  bars.Bars(edges, arma::sort(ratio, "descend"), Tone::Green, "unit");
  if (order.n_elem < 2)
    return bars.Svg();
  const arma::mat distances = model.UnitDistances(h);
  return bars.Svg() +
      io::HeatMap("Distances between units of " + layer +
              (cut ? " (the 60 clearest)" : ""),
          distances.submat(order, order), names, "posterior std. dev.");
}

} // namespace

std::string CalibrationSection(const Evaluation& evaluation)
{
  return !evaluation.labels.is_empty() ? ReliabilityChart(evaluation) :
                                         CoverageChart(evaluation);
}

std::string UncertaintySection(const Evaluation& evaluation)
{
  if (evaluation.labels.is_empty())
    return PlainHistogram("Epistemic uncertainty (what more data would teach)",
               "standard deviation",
               arma::vec(arma::vectorise(
                   arma::sqrt(evaluation.regression.epistemicVariance)))) +
        PlainHistogram("Aleatoric uncertainty (noise)", "standard deviation",
            arma::vec(arma::vectorise(
                arma::sqrt(evaluation.regression.aleatoricVariance))));

  const ClassificationPrediction<arma::mat>& classes = evaluation.classes;
  const arma::urowvec best = arma::index_max(classes.probabilities, 0);
  arma::uvec wrong(best.n_elem);
  for (size_t i = 0; i < best.n_elem; ++i)
    wrong[i] = (double(best[i]) != evaluation.labels[i]) ? 1 : 0;
  return SplitHistogram("Entropy of the prediction (total uncertainty)",
             classes.entropy, wrong) +
      SplitHistogram("Mutual information (epistemic uncertainty)",
          classes.mutualInformation, wrong);
}

std::string EvidenceSection(const EvidenceReport& report)
{
  const arma::vec sorted = arma::sort(arma::vec(report.logWeights), "descend");
  const arma::vec shares = arma::cumsum(arma::exp(sorted - sorted.max()));
  // As many ranks as a line can show.
  const arma::uvec shown = arma::unique(arma::conv_to<arma::uvec>::from(
      arma::linspace(0.0, double(sorted.n_elem - 1), 500)));
  const arma::vec rank = arma::conv_to<arma::vec>::from(shown) + 1.0;
  Chart weights("Importance weights, sorted", "rank", "nats below the largest");
  weights.Line(rank, arma::vec(sorted.elem(shown) - sorted.max()), Tone::Blue,
      "log weight");
  Chart largest("What the largest weights contribute", "number of weights",
      "share of the sum");
  largest.FixY(0.0, 1.0);
  largest.Line(rank, arma::vec(shares.elem(shown) / shares.back()), Tone::Green,
      "share");
  largest.Guide(0.0, 0.0, double(sorted.n_elem), 1.0);
  return weights.Svg() + largest.Svg();
}

std::string HistorySection(const Pipeline& model)
{
  const std::vector<EpochRecord>& history = model.History();
  if (history.size() < 2)
    return "<p>The model file holds no training history.</p>\n";
  const arma::mat table = HistoryTable(history).t();
  // The first steps are so bad that they would flatten all others.
  const size_t skip = history.size() >= 50 ? history.size() / 20 : 0;
  const arma::mat shown = table.tail_rows(table.n_rows - skip);
  Chart bound("Evidence lower bound" +
          std::string(skip > 0 ?
                  " (without the first " + std::to_string(skip) + " epochs)" :
                  ""),
      "epoch", "nats");
  bound.Line(shown.col(0), shown.col(1), Tone::Blue, "ELBO");
  bound.Line(shown.col(0), shown.col(2), Tone::Green, "log-likelihood");
  const EpochRecord* kept = model.KeptEpoch();
  const auto mark = [&](Chart& chart, const arma::mat& values)
  {
    const double at = kept ? double(kept->epoch) : 0.0;
    if (at >= shown(0, 0) && kept->epoch < history.size())
      chart.Guide(at, values.min(), at, values.max());
  };
  mark(bound, shown.cols(1, 2));

  Chart terms("Cost and gain of the posterior", "epoch", "nats");
  terms.Line(table.col(0), table.col(3), Tone::Orange, "KL(q || prior)");
  terms.Line(table.col(0), table.col(4), Tone::Blue, "I(g; w)");
  std::string text = bound.Svg() + terms.Svg();
  if (table.col(5).is_finite())
  {
    Chart validation("Score on held-out points", "epoch",
        "negative log-likelihood");
    validation.Line(shown.col(0), shown.col(5), Tone::Orange, "held out");
    mark(validation, shown.col(5));
    text += validation.Svg();
  }
  return text;
}

std::string PosteriorSection(const Pipeline& model)
{
  arma::vec ratio = model.WeightSignalToNoise();
  ratio = arma::log10(arma::clamp(ratio, 1e-6, 1e12));
  const arma::vec edges = Edges(ratio, 40);
  Chart weights("Signal-to-noise of all weights", "log10 |mean| / sigma",
      "weights");
  weights.Bars(edges, io::Histogram(ratio, edges), Tone::Green, "weights");
  std::string text = weights.Svg();
  const std::vector<arma::vec> units = model.UnitSignalToNoise();
  for (size_t h = 0; h < units.size(); ++h)
    text += UnitMap(model, h, units[h]);
  return text;
}

} // namespace symvi
