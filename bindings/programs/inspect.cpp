/**
 * @file inspect.cpp
 *
 * symvi_inspect: what is in a model file, and pruning it.
 */
#include <symvi/require.hpp>
#include <symvi/symmetry/permutation_group.hpp>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <iostream>

#include "options/run.hpp"
#include "options/text.hpp"
#include "outputs.hpp"
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
    text += (i ? ", " : "") + Printable(words[i]);
  return text + (words.size() > most ? ", ..." : "");
}

void PrintLikelihood(const Pipeline& model)
{
  const NetworkSpec& spec = model.Spec();
  if (spec.IsClassification())
  {
    Print("Classes          %zu: %s", model.ClassNames().size(),
        Join(model.ClassNames(), 20).c_str());
    return;
  }
  Print("Responses        %zu", size_t(spec.outputs));
  if (spec.IsHeteroscedastic())
  {
    Print("Noise            heteroscedastic");
    return;
  }
  arma::mat noise = model.Noise();
  model.TargetScaling().RevertScale(noise);
  std::vector<std::string> levels;
  for (const double level : noise)
    levels.push_back(ValueText(level));
  Print("Noise            %s, standard deviation %s", spec.noise.c_str(),
      Join(levels, 20).c_str());
}

void PrintPrior(const std::vector<LayerPrior>& priors)
{
  const auto isFirst = [&](const double s) { return s == priors[0].weights; };
  if (std::all_of(priors.begin(), priors.end(),
          [&](const LayerPrior& p)
          { return isFirst(p.weights) && isFirst(p.biases); }))
    return Print("Prior            N(0, %g^2) for every weight",
        priors[0].weights);
  for (size_t l = 0; l < priors.size(); ++l)
    Print(
        "%-16s N(0, %.4g^2) for the weights of layer %zu, N(0, %.4g^2) for its "
        "biases",
        l == 0 ? "Prior" : "", priors[l].weights, l + 1, priors[l].biases);
}

void PrintOverview(const Pipeline& model)
{
  const NetworkSpec& spec = model.Spec();
  const BoundOptions& bound = model.Bound();
  Print("Task             %s", spec.task.c_str());
  Print("Layers           %s", spec.Describe().c_str());
  PrintLikelihood(model);
  if (!model.Features().empty())
    Print("Inputs           %s", Join(model.Features(), 12).c_str());
  Print("Standardised     inputs %s, responses %s",
      model.InputScaling().Identity() ? "no" : "yes",
      model.TargetScaling().Identity() ? "no" : "yes");
  PrintPrior(model.Priors());
  Print("Weights          %zu with a posterior, %zu trained parameters",
      size_t(spec.PosteriorSize()), size_t(spec.ParameterSize()));
  Print("Trained          by %s (estimator %s, K = %zu, seed %zu) on %zu "
        "points, %zu epochs",
      bound.symmetrize ? "sgm" : "mfvi", bound.estimator.c_str(),
      bound.permutations, size_t(model.Seed()), model.TrainedPoints(),
      model.History().size());
  const EpochRecord* kept = model.KeptEpoch();
  if (kept)
    Print("Weights of       epoch %zu: ELBO %.4f, log-likelihood %.4f, "
          "KL %.4f, I(g;w) %.4f",
        kept->epoch, kept->elbo, kept->logLikelihood, kept->kl,
        kept->information);
}

void PrintGroup(const Pipeline& model)
{
  const std::vector<uint64_t>& hidden = model.Spec().hidden;
  const PermutationGroup group({ hidden.begin(), hidden.end() },
      model.Spec().activation == "tanh");
  Print("Group            %s, log|G| = %.4f nats", group.Name().c_str(),
      group.LogOrder());
  double squares = 0.0;
  for (const LayerPosterior& layer : model.Posterior())
    squares += arma::accu(arma::square(layer.mean));
  for (const EquivalentMode& mode : model.NearestModes(1))
    if (mode.a == mode.b)
      Print("Nearest mode     change the sign of unit %zu of hidden layer %zu: "
            "||mu - g mu|| = %.4g, which is %.2g of ||mu||",
          mode.a + 1, mode.layer + 1, mode.distance,
          mode.distance / std::sqrt(squares));
    else
      Print("Nearest mode     swap units %zu and %zu of hidden layer %zu%s: "
            "||mu - g mu|| = %.4g, which is %.2g of ||mu||; the two are %.3g "
            "posterior standard deviations apart",
          mode.a + 1, mode.b + 1, mode.layer + 1,
          mode.negated ? " and change their signs" : "", mode.distance,
          mode.distance / std::sqrt(squares),
          model.UnitDistances(mode.layer)(mode.a, mode.b));
}

void PrintUnits(const Pipeline& model, const size_t top)
{
  const std::vector<LayerPosterior> layers = model.Posterior();
  const std::vector<arma::vec> ratios = model.UnitSignalToNoise();
  for (size_t h = 0; h < ratios.size(); ++h)
  {
    const arma::vec& ratio = ratios[h];
    const arma::uvec order = arma::stable_sort_index(ratio, "descend");
    const size_t shown = (top == 0) ? ratio.n_elem :
                                      std::min<size_t>(top, ratio.n_elem);
    Print("\nHidden layer %zu: units by signal-to-noise%s\n", h + 1,
        shown < ratio.n_elem ? (", the first " + std::to_string(shown) +
                                   " of " + std::to_string(ratio.n_elem))
                                   .c_str() :
                               "");
    Print("  %6s %14s %14s %14s", "unit", "signal/noise", "||incoming||",
        "||outgoing||");
    for (size_t i = 0; i < shown; ++i)
      Print("  %6zu %14.4f %14.4f %14.4f", size_t(order[i]) + 1,
          ratio[order[i]], arma::norm(layers[h].mean.row(order[i])),
          arma::norm(layers[h + 1].mean.col(order[i])));
  }
}

void Prune(const Arguments& arguments, Pipeline& model)
{
  const bool units = arguments.Text("prune_by") == "units";
  if (units && model.Spec().hidden.empty())
    RefuseFile(arguments.Text("input_model_file"),
        "has no hidden units to prune");
  const double fraction = arguments.Number("prune");
  const PruneReport report = units ? model.PruneUnits(fraction) :
                                     model.PruneWeights(fraction);
  Print("\nPruned           %zu of %zu %s", report.pruned, report.candidates,
      units ? "units" : "weights");
}

int Body(const Arguments& arguments)
{
  CheckOutputs(arguments);
  if (arguments.Has("prune") && !arguments.Has("output_model_file"))
    throw UsageError("--prune needs --output_model_file.");
  Ensemble model = Ensemble::Load(arguments.Text("input_model_file"));
  const size_t member = arguments.Count("member");
  if (member > model.Size())
    throw UsageError("invalid value of --member ('" + arguments.Text("member") +
        "'): must be at most the number of members, " +
        std::to_string(model.Size()) + ".");
  if (model.Size() > 1)
    Print("Ensemble         %zu members; of member %zu:", model.Size(), member);
  const Pipeline& shown = model.Member(member - 1);
  PrintOverview(shown);
  PrintGroup(shown);
  PrintUnits(shown, arguments.Count("top"));
  for (size_t m = 0; m < model.Size() && arguments.Has("prune"); ++m)
    Prune(arguments, model.Member(m));
  Outputs outputs(arguments);
  outputs.AddModel(model);
  outputs.Commit();
  return 0;
}

} // namespace

int main(int argc, char** argv)
{
  return Run(InspectProgram, argc, argv, Body);
}
