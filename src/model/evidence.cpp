/**
 * @file src/model/evidence.cpp
 */
#include <symvi/model/reports.hpp>
#include <symvi/require.hpp>

#include "information/scores/log_sum.hpp"
#include "model/pareto_smoothing.hpp"

#include <cmath>
#include <limits>

namespace symvi {

namespace {

double LogMean(const std::vector<double>& logs)
{
  return information::LogSum(logs.data(), logs.size()) -
      std::log(double(logs.size()));
}

/**
 * Standard error of log 1/S sum_s omega_s by leaving out one of B batches at a
 * time: sqrt((B - 1) / B sum_b (x_b - mean x)^2).  NaN if a value is infinite.
 */
double BatchError(const std::vector<double>& logs)
{
  const size_t batches = 20, n = logs.size();
  std::vector<double> values(batches);
  double mean = 0.0, squares = 0.0;
  for (size_t b = 0; b < batches; ++b)
  {
    std::vector<double> rest(logs.begin(), logs.begin() + n * b / batches);
    rest.insert(rest.end(), logs.begin() + n * (b + 1) / batches, logs.end());
    values[b] = LogMean(rest);
    mean += values[b] / double(batches);
  }
  for (const double value : values)
    squares += (value - mean) * (value - mean);
  return std::sqrt(squares * double(batches - 1) / double(batches));
}

} // namespace

void EvidenceReport::Shift(const double nats)
{
  bound += nats;
  smoothed += nats;
  for (double& log : logWeights)
    log += nats;
}

EvidenceReport SummarizeEvidence(std::vector<double> logWeights)
{
  RequirePositive("SummarizeEvidence", "the number of weights",
      logWeights.size());
  const SmoothedWeights tail = SmoothWeights(logWeights);
  EvidenceReport report;
  report.logWeights = std::move(logWeights);
  report.bound = LogMean(report.logWeights);
  report.paretoK = tail.k;
  report.threshold = ParetoThreshold(report.Samples());
  if (!std::isnan(tail.k) && tail.k < std::numeric_limits<double>::infinity())
    report.smoothed = LogMean(tail.logWeights);
  if (report.IsGood())
    report.standardError = BatchError(report.logWeights);

  double sum = 0.0, squares = 0.0;
  for (const double log : report.logWeights)
  {
    const double share = std::exp(log - report.bound);
    sum += share;
    squares += share * share;
  }
  report.effectiveSamples = sum * sum / squares;
  return report;
}

std::ostream& operator<<(std::ostream& out, const EvidenceReport& r)
{
  if (r.Samples() == 0)
    return out << "The evidence was not estimated.\n";
  out << "log p(Y | X) is at least " << r.bound;
  if (!std::isnan(r.standardError))
    out << " +- " << r.standardError;
  out << " nats (importance-weighted bound, " << r.Samples()
      << " weight samples, effectively " << r.effectiveSamples << ").\n";
  if (std::isnan(r.paretoK))
    return out << "Its error is not available: "
               << (r.Samples() < 25 ? "that takes at least 25 samples.\n" :
                                      "all weights are zero.\n");
  if (r.IsGood())
    return out
        << "Pareto k " << r.paretoK << " is below " << r.threshold
        << ": the samples agree, and the error can be relied on (what q does "
           "not reach they cannot show).  Smoothed estimate (no bound): "
        << r.smoothed << ".\n";
  out << "Pareto k " << r.paretoK << " is not below " << r.threshold
      << ": a few samples decide the value, and more of them would raise it by "
         "an unknown amount.  It remains a lower bound; its error is not "
         "available.\n";
  if (!std::isnan(r.smoothed))
    out << "Smoothed estimate (no bound, and not reliable here): " << r.smoothed
        << ".\n";
  return out;
}

} // namespace symvi
