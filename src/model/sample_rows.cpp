/**
 * @file src/model/sample_rows.cpp
 */
#include "model/sample_rows.hpp"

#include <symvi/require.hpp>

#include <numeric>
#include <utility>

namespace symvi {

namespace {

using Bias = WeightLayout::Bias;

const std::vector<std::pair<std::string, WeightLayout>>& Layouts()
{
  static const std::vector<std::pair<std::string, WeightLayout>> layouts = {
    { "mlpack", { false, Bias::AfterWeights } },
    { "symvi", { false, Bias::AfterWeights } },
    { "keras", { false, Bias::AfterWeights } },
    { "pytorch", { true, Bias::AfterWeights } },
    { "flax", { false, Bias::BeforeWeights } },
    { "sklearn", { false, Bias::AtEnd } }
  };
  return layouts;
}

//! One array of a row.
struct RowArray
{
  size_t layer;
  bool isBias;
};

//! The arrays in the order of a row.
std::vector<RowArray> Arrays(const NetworkSpec& spec,
    const WeightLayout& layout)
{
  std::vector<RowArray> arrays;
  const size_t layers = spec.hidden.size() + 1;
  for (size_t l = 0; l < layers; ++l)
  {
    if (layout.bias == Bias::BeforeWeights)
      arrays.push_back({ l, true });
    arrays.push_back({ l, false });
    if (layout.bias == Bias::AfterWeights)
      arrays.push_back({ l, true });
  }
  for (size_t l = 0; l < layers && layout.bias == Bias::AtEnd; ++l)
    arrays.push_back({ l, true });
  return arrays;
}

} // namespace

WeightLayout WeightLayout::Named(const std::string& name)
{
  for (const auto& [known, layout] : Layouts())
    if (name == known)
      return layout;
  Refuse("WeightLayout::Named", "the layout must be one of Names()",
      "is " + ValueText(name));
}

const std::vector<std::string>& WeightLayout::Names()
{
  static const std::vector<std::string> names = []
  {
    std::vector<std::string> list;
    for (const auto& entry : Layouts())
      list.push_back(entry.first);
    return list;
  }();
  return names;
}

std::vector<size_t> ArraySizes(const NetworkSpec& spec,
    const WeightLayout& layout)
{
  const std::vector<uint64_t> widths = spec.Widths();
  std::vector<size_t> sizes;
  for (const RowArray& array : Arrays(spec, layout))
    sizes.push_back(size_t(
        widths[array.layer + 1] * (array.isBias ? 1 : widths[array.layer])));
  return sizes;
}

arma::uvec RowOrder(const NetworkSpec& spec, const WeightLayout& layout)
{
  const std::vector<uint64_t> widths = spec.Widths();
  const std::vector<RowArray> arrays = Arrays(spec, layout);
  const std::vector<size_t> sizes = ArraySizes(spec, layout);
  // Where each array begins in a row.
  std::vector<size_t> weightsAt(widths.size() - 1), biasAt(widths.size() - 1);
  size_t at = 0;
  for (size_t i = 0; i < arrays.size(); ++i)
  {
    (arrays[i].isBias ? biasAt : weightsAt)[arrays[i].layer] = at;
    at += sizes[i];
  }
  arma::uvec order(at);
  size_t next = 0;
  for (size_t l = 0; l + 1 < widths.size(); ++l)
  {
    const size_t in = widths[l], out = widths[l + 1];
    for (size_t c = 0; c < in; ++c)
      for (size_t r = 0; r < out; ++r)
        order[next++] = weightsAt[l] +
            (layout.byRows ? r * in + c : c * out + r);
    for (size_t r = 0; r < out && layout.bias != Bias::None; ++r)
      order[next++] = biasAt[l] + r;
  }
  return order;
}

void RequireSymmetry(const NetworkSpec& spec)
{
  const PermutationGroup group({ spec.hidden.begin(), spec.hidden.end() },
      spec.activation == "tanh");
  if (spec.hidden.empty() || group.Name() == "trivial")
    Refuse("WeightSamples", "the network must have units to align",
        "the network " + spec.Describe() + " has no " +
            (spec.hidden.empty() ? "hidden layer" : "symmetry"));
}

void RequireSeveral(const size_t samples)
{
  if (samples < 2)
    Refuse("WeightSamples", "a posterior needs at least two samples",
        "there is only " + std::to_string(samples));
}

NetworkSpec SpecOf(const std::vector<Pipeline>& models)
{
  Require(!models.empty(), "WeightSamples",
      "the number of models must be positive", models.size());
  const Pipeline& first = models.front();
  for (size_t m = 1; m < models.size(); ++m)
  {
    const Pipeline& other = models[m];
    const std::string model = "model " + std::to_string(m + 1);
    if (other.Spec().Widths() != first.Spec().Widths() ||
        other.Spec().activation != first.Spec().activation ||
        other.Spec().task != first.Spec().task)
      Refuse("WeightSamples",
          model + " must be a network " + first.Spec().Describe() + " for " +
              first.Spec().task,
          "is " + other.Spec().Describe() + " for " + other.Spec().task);
    if (other.ClassNames() != first.ClassNames() ||
        other.InputScaling().Means() != first.InputScaling().Means() ||
        other.InputScaling().Scales() != first.InputScaling().Scales() ||
        other.TargetScaling().Means() != first.TargetScaling().Means() ||
        other.TargetScaling().Scales() != first.TargetScaling().Scales())
      Refuse("WeightSamples",
          model + " must have the class names and the scaling of the first one",
          "has others");
  }
  // Learned noise: the mean of all levels.
  NetworkSpec spec = first.Spec();
  if (spec.HasLearnedNoise())
  {
    spec.noiseStddev = 0.0;
    for (const Pipeline& model : models)
    {
      arma::mat levels = model.Noise();
      model.TargetScaling().RevertScale(levels);
      spec.noiseStddev += arma::mean(arma::vectorise(levels)) /
          double(models.size());
    }
  }
  return spec;
}

arma::mat MeansOf(const std::vector<Pipeline>& models)
{
  SpecOf(models); // They must agree.
  arma::mat means;
  for (const Pipeline& model : models)
  {
    arma::vec column;
    for (const LayerPosterior& layer : model.Posterior())
      column = arma::join_cols(column, arma::vectorise(layer.mean));
    means.insert_cols(means.n_cols, column);
  }
  return means;
}

} // namespace symvi
