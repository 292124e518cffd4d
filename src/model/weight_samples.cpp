/**
 * @file src/model/weight_samples.cpp
 */
#include <symvi/io/file.hpp>
#include <symvi/io/table.hpp>
#include <symvi/kernel/threads.hpp>
#include <symvi/model/weight_samples.hpp>
#include <symvi/require.hpp>

#include "io/npy.hpp"
#include "model/sample_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

namespace symvi {

namespace {

//! As good as none, for networks with given weights.
constexpr double noSigma = 1e-12;

//! Rounds of an alignment to each other.
constexpr size_t maxRounds = 100;

arma::vec Deviations(const arma::mat& weights, const double least)
{
  return arma::clamp(arma::stddev(weights, 0, 1), least,
      std::numeric_limits<double>::max());
}

} // namespace

WeightSamples::WeightSamples(const NetworkSpec& spec, const arma::mat& samples,
    const WeightLayout& layout, const std::vector<size_t>& chains) :
    spec(spec),
    layout(layout),
    chains(chains)
{
  spec.Check(true);
  RequireSymmetry(spec);
  order = RowOrder(spec, layout);
  RequireCount("WeightSamples", "a sample", "weights", samples.n_rows,
      order.n_elem);
  Require(samples.n_cols > 0, "WeightSamples",
      "the number of samples must be positive", samples.n_cols);
  for (size_t s = 0; s < samples.n_cols; ++s)
    for (size_t i = 0; i < samples.n_rows; ++i)
      RequireFinite("WeightSamples",
          "weight " + std::to_string(i + 1) + " of sample " +
              std::to_string(s + 1),
          samples(i, s));
  if (chains.empty())
    this->chains = { size_t(samples.n_cols) };
  const size_t total = std::accumulate(this->chains.begin(), this->chains.end(),
      size_t(0));
  RequireCount("WeightSamples", "all chains together", "samples", total,
      samples.n_cols);
  weights = samples.rows(order);
  permutations.assign(Size(), Group().Identity());
  std::vector<std::string> names;
  for (size_t c = 0; spec.IsClassification() && c < spec.outputs; ++c)
    names.push_back(std::to_string(c));
  labels = io::LabelCodec::Ordered(names);
}

WeightSamples::WeightSamples(const std::vector<Pipeline>& models) :
    WeightSamples(SpecOf(models), MeansOf(models))
{
  labels = io::LabelCodec::Ordered(models.front().ClassNames());
  inputs = models.front().InputScaling();
  targets = models.front().TargetScaling();
}

WeightSamples WeightSamples::Subset(const std::vector<size_t>& chosen) const
{
  Require(!chosen.empty(), "WeightSamples::Subset",
      "the number of samples must be positive", chosen.size());
  WeightSamples subset(*this);
  subset.weights.set_size(Dimension(), chosen.size());
  subset.permutations.clear();
  subset.chains.assign(1, chosen.size());
  for (size_t k = 0; k < chosen.size(); ++k)
  {
    Check("Subset", chosen[k]);
    subset.weights.col(k) = weights.col(chosen[k]);
    subset.permutations.push_back(permutations[chosen[k]]);
  }
  return subset;
}

PermutationGroup WeightSamples::Group() const
{
  return PermutationGroup({ spec.hidden.begin(), spec.hidden.end() },
      spec.activation == "tanh");
}

//! All layers as one chain, whose arrays are those of one sample.
SymmetricChain<double> WeightSamples::ChainOf(const double* mu,
    const double* sigma) const
{
  const std::vector<uint64_t> widths = spec.Widths();
  SymmetricChain<double> chain;
  for (size_t l = 0; l + 1 < widths.size(); ++l)
  {
    chain.layers.push_back({ size_t(widths[l + 1]), size_t(widths[l]),
        layout.bias != WeightLayout::Bias::None, mu, sigma, nullptr });
    mu += chain.layers[l].Elements();
    sigma += chain.layers[l].Elements();
    if (l < spec.hidden.size())
      chain.hidden.push_back(
          { l, true, size_t(spec.hidden[l]), {}, spec.activation == "tanh" });
  }
  return chain;
}

void WeightSamples::Check(const char* where, const size_t sample) const
{
  Require(sample < Size(), std::string("WeightSamples::") + where,
      "the sample must be below their number " + std::to_string(Size()),
      sample);
}

//! Apply g to one sample.
void WeightSamples::Move(const size_t sample, const Permutation& g)
{
  const arma::vec before = weights.col(sample);
  const SymmetricChain<double> chain = ChainOf(before.memptr(),
      before.memptr());
  double* out = weights.colptr(sample);
  for (size_t l = 0; l < chain.layers.size(); ++l)
  {
    Apply(g, chain, l, chain.layers[l].mu, out);
    out += chain.layers[l].Elements();
  }
  permutations[sample] = g * permutations[sample];
}

//! Align all samples to given means; how many moved.
size_t WeightSamples::AlignAll(const double* mu, const double* sigma,
    const UnitMetric chosenMetric)
{
  const Alignment alignment(chosenMetric);
  const SymmetricChain<double> to = ChainOf(mu, sigma);
  // A sample has no deviation of its own.
  const arma::vec none(Dimension(), arma::fill::zeros);
  std::vector<char> moved(Size(), 0);
  kernel::InParallel(Size(), threads,
      [&](const size_t s)
      {
    const Permutation g = alignment.Match(
        ChainOf(weights.colptr(s), none.memptr()), to);
    moved[s] = !g.IsIdentity();
    if (moved[s])
      Move(s, g);
  });
  return size_t(std::count(moved.begin(), moved.end(), 1));
}

size_t WeightSamples::AlignToEachOther()
{
  AlignTo(0);
  size_t rounds = 1;
  for (size_t moved = 1; moved > 0 && rounds < maxRounds; ++rounds)
  {
    const arma::vec mean = arma::mean(weights, 1);
    // Where nearly all samples agree a deviation is no measure of distance.
    arma::vec sigma = Deviations(weights, noSigma);
    sigma = arma::clamp(sigma, 1e-3 * sigma.max(), sigma.max());
    moved = AlignAll(mean.memptr(), sigma.memptr(), metric);
  }
  return rounds;
}

void WeightSamples::AlignTo(const size_t sample)
{
  Check("AlignTo", sample);
  const arma::vec mean = weights.col(sample);
  const arma::vec one(Dimension(), arma::fill::ones);
  AlignAll(mean.memptr(), one.memptr(), UnitMetric::Euclidean);
}

void WeightSamples::AlignTo(const WeightSamples& reference)
{
  if (reference.spec.Widths() != spec.Widths() ||
      reference.Dimension() != Dimension())
    Refuse("WeightSamples::AlignTo",
        "the reference must be a network with layers " + spec.Describe(),
        "is " + reference.spec.Describe());
  RequireCount("WeightSamples::AlignTo", "the reference", "sample",
      reference.Size(), 1);
  const arma::vec one(Dimension(), arma::fill::ones);
  AlignAll(reference.weights.memptr(), one.memptr(), UnitMetric::Euclidean);
}

void WeightSamples::Canonicalize()
{
  const arma::vec mean = arma::mean(weights, 1);
  const arma::vec sigma = Deviations(weights, noSigma);
  const Permutation g = CanonicalForm(ChainOf(mean.memptr(), sigma.memptr()));
  for (size_t s = 0; s < Size(); ++s)
    Move(s, g);
}

Permutation WeightSamples::Between(const size_t i, const size_t j) const
{
  Check("Between", std::max(i, j));
  return permutations[j].Inverse() * permutations[i];
}

size_t WeightSamples::EquivalentModes() const
{
  std::set<std::vector<int64_t>> seen;
  for (const Permutation& g : permutations)
  {
    std::vector<int64_t> key;
    for (size_t h = 0; h < g.Layers(); ++h)
      for (size_t a = 0; a < g.Size(h); ++a)
        key.push_back(g.Sign(h, a) * (int64_t(g(h, a)) + 1));
    seen.insert(key);
  }
  return seen.size();
}

double WeightSamples::Distance(const size_t i, const size_t j) const
{
  Check("Distance", std::max(i, j));
  return arma::norm(weights.col(i) - weights.col(j));
}

double WeightSamples::Spread() const
{
  return std::sqrt(arma::accu(arma::var(weights, 0, 1)));
}

double WeightSamples::LogLikelihood(const arma::vec& w,
    const io::Dataset& data) const
{
  RequireCount("WeightSamples::LogLikelihood", "w", "weights", w.n_elem,
      Dimension());
  const arma::vec sigma(Dimension(), arma::fill::value(noSigma));
  return arma::accu(
      Make(w, sigma, noSigma).LogDensity(data, PredictOptions(1)));
}

double WeightSamples::Barrier(const size_t i, const size_t j,
    const io::Dataset& data, const size_t steps) const
{
  Check("Barrier", std::max(i, j));
  RequirePositive("WeightSamples::Barrier", "steps", steps);
  const double first = LogLikelihood(weights.col(i), data);
  const double last = LogLikelihood(weights.col(j), data);
  double barrier = 0.0;
  for (size_t k = 1; k < steps; ++k)
  {
    const double t = double(k) / double(steps);
    const arma::vec between = (1.0 - t) * weights.col(i) + t * weights.col(j);
    barrier = std::max(barrier,
        (1.0 - t) * first + t * last - LogLikelihood(between, data));
  }
  return barrier;
}

namespace {

//! Each sample belongs to the first mode whose first sample is near.
template<typename IsNear>
std::vector<size_t> Gather(const size_t samples, const IsNear& isNear)
{
  std::vector<size_t> leaders, modes;
  for (size_t s = 0; s < samples; ++s)
  {
    const auto found = std::find_if(leaders.begin(), leaders.end(),
        [&](const size_t leader) { return isNear(leader, s); });
    modes.push_back(size_t(found - leaders.begin()));
    if (found == leaders.end())
      leaders.push_back(s);
  }
  return modes;
}

} // namespace

std::vector<size_t> WeightSamples::Modes(const io::Dataset& data,
    const double tolerance, const size_t steps) const
{
  RequirePositive("WeightSamples::Modes", "tolerance", tolerance);
  return Gather(Size(),
      [&](const size_t i, const size_t j)
      { return Barrier(i, j, data, steps) <= tolerance; });
}

std::vector<size_t> WeightSamples::ModesWithin(const double radius) const
{
  RequirePositive("WeightSamples::ModesWithin", "radius", radius);
  return Gather(Size(),
      [&](const size_t i, const size_t j) { return Distance(i, j) <= radius; });
}

//! One array after the other, cut into layers.
std::vector<LayerPosterior> WeightSamples::Layers(const arma::vec& mean,
    const arma::vec& sigma, const double missingSigma) const
{
  std::vector<LayerPosterior> layers;
  for (const PosteriorView<double>& view :
      ChainOf(mean.memptr(), sigma.memptr()).layers)
  {
    LayerPosterior layer;
    layer.mean.zeros(view.outSize, view.inSize + 1);
    layer.sigma.set_size(arma::size(layer.mean));
    layer.sigma.fill(missingSigma);
    std::copy_n(view.mu, view.Elements(), layer.mean.begin());
    std::copy_n(view.sigma, view.Elements(), layer.sigma.begin());
    layers.push_back(std::move(layer));
  }
  return layers;
}

//! A model with the given posterior.
Pipeline WeightSamples::Make(const arma::vec& mean, const arma::vec& sigma,
    const double missingSigma) const
{
  arma::vec noise;
  if (spec.HasLearnedNoise())
  {
    noise.set_size(spec.outputs);
    for (size_t i = 0; i < spec.outputs; ++i)
      noise[i] = spec.noiseStddev /
          (targets.Identity() ? 1.0 : targets.Scales()[i]);
  }
  return Pipeline::FromPosterior(spec, Layers(mean, sigma, missingSigma), noise,
      labels, inputs, targets);
}

std::vector<LayerPosterior> WeightSamples::Posterior(
    const double minSigma) const
{
  RequireSeveral(Size());
  RequirePositive("WeightSamples::Posterior", "minSigma", minSigma);
  return Layers(arma::mean(weights, 1), Deviations(weights, minSigma),
      minSigma);
}

Pipeline WeightSamples::Model(const double minSigma) const
{
  RequireSeveral(Size());
  RequirePositive("WeightSamples::Model", "minSigma", minSigma);
  return Make(arma::mean(weights, 1), Deviations(weights, minSigma), minSigma);
}

std::vector<EquivalentMode> WeightSamples::NearestModes(
    const size_t count) const
{
  RequireSeveral(Size());
  const arma::vec mean = arma::mean(weights, 1);
  const arma::vec sigma = Deviations(weights, 1e-6);
  return symvi::NearestModes(ChainOf(mean.memptr(), sigma.memptr()), count);
}

arma::vec WeightSamples::SplitRHat() const
{
  const size_t n = *std::min_element(chains.begin(), chains.end()) / 2;
  if (n < 2)
    return arma::vec();
  arma::mat means(Dimension(), 0), variances(Dimension(), 0);
  size_t start = 0;
  for (const size_t length : chains)
  {
    // The halves of a longer chain end where it does.
    for (const size_t first : { start + length - 2 * n, start + length - n })
    {
      const arma::mat half = weights.cols(first, first + n - 1);
      means.insert_cols(means.n_cols, arma::mean(half, 1));
      variances.insert_cols(variances.n_cols, arma::var(half, 0, 1));
    }
    start += length;
  }
  const arma::vec within = arma::mean(variances, 1);
  const arma::vec between = arma::var(means, 0, 1);
  arma::vec result = arma::sqrt(double(n - 1) / double(n) + between / within);
  for (size_t i = 0; i < result.n_elem; ++i)
    if (between[i] == 0.0 && within[i] == 0.0)
      result[i] = 1.0;
  return result;
}

void WeightSamples::Write(std::ostream& stream, const std::string& path) const
{
  arma::mat rows(arma::size(weights));
  rows.rows(order) = weights;
  if (io::HasExtension(path, ".npy"))
    io::WriteNpy(stream, rows);
  else
    io::WriteTable(stream, path, rows);
}

void WeightSamples::Save(const std::string& path) const
{
  io::AtomicFile file(path);
  Write(file.Stream(), path);
  file.Commit();
}

} // namespace symvi
