/**
 * @file inspect.cpp
 *
 * symvi_inspect: what is in a model file, and pruning it.
 */
#include <symvi/io/number.hpp>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <iostream>

#include "data/outputs.hpp"
#include "model/model_file.hpp"
#include "model/posterior.hpp"
#include "options/run.hpp"
#include "tables.hpp"

using namespace symvi;
using namespace symvi::cli;

namespace {

void Print(const char* format, ...)
{
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof(line), format, arguments);
  va_end(arguments);
  std::cout << line << '\n';
}

std::string Join(const std::vector<std::string>& words, const size_t most)
{
  std::string text;
  for (size_t i = 0; i < words.size() && i < most; ++i)
    text += (i ? ", " : "") + words[i];
  return text + (words.size() > most ? ", ..." : "");
}

void PrintLikelihood(const Model& model)
{
  const NetworkSpec& spec = model.spec;
  if (spec.IsClassification())
  {
    Print("Classes          %zu: %s", model.labels.Classes(),
        Join(model.labels.Names(), 20).c_str());
    return;
  }
  Print("Responses        %zu", size_t(spec.outputs));
  if (spec.IsHeteroscedastic())
  {
    Print("Noise            heteroscedastic");
    return;
  }
  arma::mat noise(spec.outputs, 1);
  noise.fill(spec.noiseStddev);
  if (spec.noise == "learned")
    noise = arma::mat(LearnedNoise(model));
  model.targets.RevertScale(noise);
  std::vector<std::string> levels;
  for (const double level : noise)
    levels.push_back(io::FormatNumber(level));
  Print("Noise            %s, standard deviation %s", spec.noise.c_str(),
      Join(levels, 20).c_str());
}

void PrintOverview(const Model& model)
{
  const NetworkSpec& spec = model.spec;
  std::string widths;
  for (const uint64_t width : spec.Widths())
    widths += (widths.empty() ? "" : " - ") + std::to_string(width);
  Print("Task             %s", spec.task.c_str());
  Print("Layers           %s, %s", widths.c_str(), spec.activation.c_str());
  PrintLikelihood(model);
  if (!model.features.empty())
    Print("Inputs           %s", Join(model.features, 12).c_str());
  Print("Standardised     inputs %s, responses %s",
      model.inputs.Identity() ? "no" : "yes",
      model.targets.Identity() ? "no" : "yes");
  Print("Prior            N(0, %g^2) for every weight", spec.priorStddev);
  Print("Weights          %zu with a posterior, %zu trained parameters",
      size_t(spec.PosteriorSize()), size_t(spec.ParameterSize()));
  Print("Trained          by %s (estimator %s, K = %zu, seed %zu) on %zu "
      "points, %zu epochs", model.method.c_str(), model.estimator.c_str(),
      size_t(model.permutations), size_t(model.seed), size_t(model.points),
      model.history.size());
  const HistoryRow* row = model.KeptRow();
  if (!row)
    return;
  Print("Weights of       epoch %zu: ELBO %.4f, log-likelihood %.4f, KL %.4f, "
      "I(g;w) %.4f", size_t(model.keptEpoch), row->elbo, row->logLikelihood,
      row->kl, row->information);
}

void PrintGroup(const Model& model, const std::vector<LayerPosterior>& layers)
{
  std::string group;
  for (const uint64_t width : model.spec.hidden)
    group += (group.empty() ? "S_" : " x S_") + std::to_string(width);
  Print("Group            %s, log|G| = %.4f nats",
      group.empty() ? "trivial" : group.c_str(), LogGroupOrder(model.spec));
  NearestMode nearest;
  if (!FindNearestMode(layers, nearest))
    return;
  Print("Nearest mode     swap units %zu and %zu of hidden layer %zu: "
      "||mu - g mu|| = %.4g, which is %.2g of ||mu||; the two are %.3g "
      "posterior standard deviations apart", nearest.first + 1,
      nearest.second + 1, nearest.layer + 1, nearest.distance,
      nearest.distance / nearest.norm, nearest.standardized);
}

void PrintUnits(const std::vector<LayerPosterior>& layers, const size_t top)
{
  for (size_t h = 0; h + 1 < layers.size(); ++h)
  {
    const arma::vec ratio = UnitSignalToNoise(layers, h);
    const arma::uvec order = arma::stable_sort_index(ratio, "descend");
    const size_t shown = (top == 0) ? ratio.n_elem :
        std::min<size_t>(top, ratio.n_elem);
    Print("\nHidden layer %zu: units by signal-to-noise%s\n", h + 1,
        shown < ratio.n_elem ? (", the first " + std::to_string(shown) +
        " of " + std::to_string(ratio.n_elem)).c_str() : "");
    Print("  %6s %14s %14s %14s", "unit", "signal/noise", "||incoming||",
        "||outgoing||");
    for (size_t i = 0; i < shown; ++i)
      Print("  %6zu %14.4f %14.4f %14.4f", size_t(order[i]) + 1,
          ratio[order[i]], arma::norm(layers[h].mean.row(order[i])),
          arma::norm(layers[h + 1].mean.col(order[i])));
  }
}

//! Take away the units of lowest ratio over all hidden layers.
void PruneUnits(Model& model, const double fraction)
{
  const std::vector<LayerPosterior> layers = PosteriorOf(model);
  std::vector<std::pair<double, std::pair<size_t, size_t>>> units;
  for (size_t h = 0; h + 1 < layers.size(); ++h)
  {
    const arma::vec ratio = UnitSignalToNoise(layers, h);
    for (size_t u = 0; u < ratio.n_elem; ++u)
      units.push_back({ ratio[u], { h, u } });
  }
  std::sort(units.begin(), units.end());
  const size_t count = size_t(fraction * double(units.size()));
  std::vector<std::vector<arma::uword>> gone(layers.size());
  size_t removed = 0;
  for (size_t i = 0; i < units.size() && removed < count; ++i)
  {
    const size_t h = units[i].second.first;
    // A layer keeps one unit at least.
    if (gone[h].size() + 1 >= model.spec.hidden[h])
      continue;
    gone[h].push_back(units[i].second.second);
    ++removed;
  }
  for (size_t h = 0; h + 1 < layers.size(); ++h)
  {
    std::sort(gone[h].begin(), gone[h].end());
    if (!gone[h].empty())
      RemoveUnits(model, h, arma::uvec(gone[h]));
  }
  Print("\nPruned           %zu of %zu units", removed, units.size());
}

void Prune(const Arguments& arguments, Model& model)
{
  const double fraction = arguments.Number("prune");
  if (arguments.Text("prune_by") == "units")
  {
    if (model.spec.hidden.empty())
      throw std::invalid_argument("'" + arguments.Text("input_model_file") +
          "' has no hidden units to prune.");
    PruneUnits(model, fraction);
    return;
  }
  const size_t all = WeightSignalToNoise(PosteriorOf(model)).n_elem;
  Print("\nPruned           %zu of %zu weights", ZeroWeights(model, fraction),
      all);
}

int Body(const Arguments& arguments)
{
  CheckOutputs(arguments);
  if (arguments.Has("prune") && !arguments.Has("output_model_file"))
    throw UsageError("--prune needs --output_model_file.");
  Model model = ReadModel(arguments.Text("input_model_file"));
  const std::vector<LayerPosterior> layers = PosteriorOf(model);
  PrintOverview(model);
  PrintGroup(model, layers);
  PrintUnits(layers, arguments.Count("top"));
  if (arguments.Has("prune"))
    Prune(arguments, model);
  Outputs outputs(arguments);
  outputs.AddModel("output_model_file", model);
  outputs.Commit();
  return 0;
}

} // namespace

int main(int argc, char** argv)
{
  return Run(InspectProgram(), argc, argv, Body);
}
