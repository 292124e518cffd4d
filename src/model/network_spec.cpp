/**
 * @file src/model/network_spec.cpp
 */
#include <symvi/kernel/threads.hpp>
#include <symvi/model/pipeline.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace symvi {

namespace {

void Require(const bool condition, const std::string& what)
{
  if (!condition)
    throw std::invalid_argument("NetworkSpec: " + what + ".");
}

} // namespace

std::vector<uint64_t> NetworkSpec::Widths() const
{
  std::vector<uint64_t> widths = { inputs };
  widths.insert(widths.end(), hidden.begin(), hidden.end());
  widths.push_back(IsHeteroscedastic() ? 2 * outputs : outputs);
  return widths;
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
  Require(task == "classification" || task == "regression",
      "the task must be classification or regression, but is '" + task + "'");
  const uint64_t limit = uint64_t(1) << 24;
  Require(!complete || (inputs > 0 && outputs > 0),
      "inputs and outputs must be positive");
  Require(inputs < limit && outputs < limit && hidden.size() < 1000,
      "the network is too large");
  for (const uint64_t width : hidden)
    Require(width > 0 && width < limit,
        "a hidden layer must have units, at "
        "most 2^24, but has " +
            std::to_string(width));
  const std::vector<std::string>& known = Activations();
  Require(std::find(known.begin(), known.end(), activation) != known.end(),
      "there is no activation function '" + activation + "'");
  Require(noise == "fixed" || noise == "learned" || noise == "heteroscedastic",
      "the noise must be fixed, learned or heteroscedastic, but is '" + noise +
          "'");
  for (const double value : { priorStddev, initialSigma, noiseStddev })
    Require(value > 0.0 && std::isfinite(value),
        "a standard deviation must be "
        "positive and finite, but is " +
            std::to_string(value));
}

} // namespace symvi
