/**
 * @file spec.cpp
 */
#include "spec.hpp"

#include <cmath>
#include <stdexcept>

namespace symvi {
namespace cli {

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
  widths.push_back(LastWidth());
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
  const bool learned = !IsClassification() && noise == "learned";
  return 2 * PosteriorSize() + (learned ? outputs : 0);
}

void NetworkSpec::Check() const
{
  Require(task == "classification" || task == "regression",
      "the task must be classification or regression, but is '" + task + "'");
  Require(inputs > 0 && outputs > 0, "inputs and outputs must be positive");
  const uint64_t limit = uint64_t(1) << 24;
  Require(inputs < limit && outputs < limit && hidden.size() < 1000,
      "the network is too large");
  for (const uint64_t width : hidden)
    Require(width > 0 && width < limit, "a hidden layer has " +
        std::to_string(width) + " units");
  Require(noise == "fixed" || noise == "learned" || noise == "heteroscedastic",
      "the noise '" + noise + "' is unknown");
  for (const double value : { priorStddev, initialSigma, noiseStddev })
    Require(value > 0.0 && std::isfinite(value), "a standard deviation must be "
        "positive and finite, but is " + std::to_string(value));
}

bool NetworkSpec::SameShape(const NetworkSpec& other) const
{
  return task == other.task && Widths() == other.Widths() &&
      activation == other.activation && outputs == other.outputs &&
      noise == other.noise;
}

const HistoryRow* Model::KeptRow() const
{
  return (keptEpoch == 0 || keptEpoch > history.size()) ? nullptr :
      &history[keptEpoch - 1];
}

const std::vector<std::string>& HistoryColumns()
{
  static const std::vector<std::string> columns = { "epoch", "elbo",
      "log_likelihood", "kl", "information", "validation_nll" };
  return columns;
}

arma::mat HistoryTable(const std::vector<HistoryRow>& history)
{
  arma::mat table(HistoryColumns().size(), history.size());
  for (size_t i = 0; i < history.size(); ++i)
  {
    const HistoryRow& row = history[i];
    size_t next = 0;
    for (const double value : { row.epoch, row.elbo, row.logLikelihood, row.kl,
        row.information, row.validation })
      table(next++, i) = value;
  }
  return table;
}

} // namespace cli
} // namespace symvi
