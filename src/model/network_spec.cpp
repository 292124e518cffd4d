/**
 * @file src/model/network_spec.cpp
 */
#include <symvi/kernel/threads.hpp>
#include <symvi/model/pipeline.hpp>
#include <symvi/require.hpp>

#include <algorithm>
#include <cmath>

namespace symvi {

std::vector<uint64_t> NetworkSpec::Widths() const
{
  std::vector<uint64_t> widths = { inputs };
  widths.insert(widths.end(), hidden.begin(), hidden.end());
  widths.push_back(IsHeteroscedastic() ? 2 * outputs : outputs);
  return widths;
}

std::vector<LayerPrior> NetworkSpec::Priors() const
{
  const std::vector<uint64_t> widths = Widths();
  std::vector<LayerPrior> priors;
  for (size_t l = 1; l < widths.size(); ++l)
  {
    if (priorStddev > 0.0 || !IsClassification())
    {
      const double stddev = (priorStddev > 0.0) ? priorStddev : 1.0;
      priors.push_back({ stddev, stddev });
      continue;
    }
    const double scale = (l + 1 < widths.size()) ? 2.0 : 4.0;
    priors.push_back({ scale / std::sqrt(double(widths[l - 1])), 1.0 });
  }
  return priors;
}

uint64_t NetworkSpec::PosteriorSize() const
{
  const std::vector<uint64_t> widths = Widths();
  uint64_t size = 0;
  for (size_t l = 1; l < widths.size(); ++l)
    size += widths[l] * (widths[l - 1] + 1);
  return size;
}

uint64_t NetworkSpec::ParameterSize() const
{
  return 2 * PosteriorSize() + (HasLearnedNoise() ? outputs : 0);
}

size_t NetworkSpec::RecommendedThreads(const size_t batchSize) const
{
  size_t threads = 1;
  const std::vector<uint64_t> widths = Widths();
  for (size_t l = 1; l < widths.size(); ++l)
    threads = std::max(threads,
        symvi::RecommendedThreads(widths[l - 1], widths[l],
            std::min<size_t>(batchSize, 1024)));
  return threads;
}

std::string NetworkSpec::Describe() const
{
  std::string text;
  for (const uint64_t width : Widths())
    text += (text.empty() ? "" : " - ") + std::to_string(width);
  return text + (hidden.empty() ? ", linear" : ", " + activation);
}

void NetworkSpec::Check(const bool complete) const
{
  const char* where = "NetworkSpec";
  Require(task == "classification" || task == "regression", where,
      "task must be classification or regression", task);
  const uint64_t limit = uint64_t(1) << 24;
  if (complete)
  {
    RequirePositive(where, "inputs", inputs);
    RequirePositive(where, "outputs", outputs);
  }
  for (const uint64_t width : { inputs, outputs })
    Require(width < limit, where, "inputs and outputs must be below 2^24",
        width);
  Require(hidden.size() < 1000, where,
      "the number of hidden layers must be below 1000", hidden.size());
  for (const uint64_t width : hidden)
    Require(width > 0 && width < limit, where,
        "the units of a hidden layer must be positive and below 2^24", width);
  const std::vector<std::string>& known = Activations();
  Require(std::find(known.begin(), known.end(), activation) != known.end(),
      where, "activation must be one of Activations()", activation);
  Require(noise == "fixed" || noise == "learned" || noise == "heteroscedastic",
      where, "noise must be fixed, learned or heteroscedastic", noise);
  Require(priorStddev >= 0.0 && std::isfinite(priorStddev), where,
      "priorStddev must be finite and not negative", priorStddev);
  RequirePositive(where, "initialSigma", initialSigma);
  RequirePositive(where, "noiseStddev", noiseStddev);
}

} // namespace symvi
