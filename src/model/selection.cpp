/**
 * @file src/model/selection.cpp
 */
#include <symvi/model/selection.hpp>

#include "model/running_mean.hpp"

#include <algorithm>
#include <cereal/archives/binary.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace symvi {

template<typename Archive>
void serialize(Archive& ar, InformationReport& r)
{
  ar(r.value, r.standardError, r.lower, r.lowerStandardError, r.upper,
      r.upperStandardError, r.exact);
}

template<typename Archive>
void serialize(Archive& ar, EvidenceReport& r)
{
  ar(r.bound, r.standardError, r.smoothed, r.paretoK, r.threshold,
      r.effectiveSamples, r.logWeights);
}

template<typename Archive>
void serialize(Archive& ar, ElboReport& r)
{
  ar(r.logLikelihood, r.logLikelihoodStandardError, r.kl, r.information, r.elbo,
      r.elboStandardError, r.symmetrizedElbo, r.symmetrizedElboStandardError,
      r.symmetrizedElboLower, r.symmetrizedElboUpper, r.group, r.logGroupOrder,
      r.numPoints, r.samples, r.notes, r.evidence);
}

template<typename Archive>
void serialize(Archive& ar, SelectionResult& r)
{
  // Ranking sets the rest.
  ar(r.criterion, r.name, r.index, r.seed, r.report, r.heldOut, r.score);
}

namespace {

//! n times the mean of numbers, and its standard error; NaN for fewer than two.
std::pair<double, double> Sum(const std::vector<double>& x)
{
  RunningMean mean;
  for (const double value : x)
    mean.Add(value);
  return { mean.Mean() * double(x.size()),
    mean.StandardError() * double(x.size()) };
}

} // namespace

double SelectionResult::Lower(const double deviations) const
{
  if (criterion == SelectionCriterion::HeldOut)
    return score - deviations * Sum(heldOut).second;
  if (criterion == SelectionCriterion::Evidence)
    return report.evidence.bound -
        (report.evidence.IsGood() ? deviations * report.evidence.standardError :
                                    3.0);
  return report.symmetrizedElboLower -
      deviations * report.symmetrizedElboStandardError;
}

double SelectionResult::Upper(const double deviations) const
{
  if (criterion == SelectionCriterion::HeldOut)
    return score + deviations * Sum(heldOut).second;
  if (criterion == SelectionCriterion::Evidence)
    return report.evidence.IsGood() ?
        report.evidence.bound + deviations * report.evidence.standardError :
        std::numeric_limits<double>::infinity();
  return report.symmetrizedElboUpper +
      deviations * report.symmetrizedElboStandardError;
}

std::string model::WriteRun(const SelectionResult& run,
    const std::string& description, const std::string& network)
{
  std::ostringstream stream;
  cereal::BinaryOutputArchive ar(stream);
  ar(description, run, network);
  return stream.str();
}

std::string model::ReadRun(const std::string& bytes, const std::string& name,
    const std::string& description, SelectionResult& run)
{
  std::string theirs, network;
  try
  {
    std::istringstream stream(bytes);
    cereal::BinaryInputArchive ar(stream);
    ar(theirs);
    if (theirs == description)
      ar(run, network);
  }
  catch (const cereal::Exception&)
  {
    throw std::invalid_argument("'" + name + "' is no run of a selection.");
  }
  if (theirs != description)
    throw std::invalid_argument("'" + name +
        "' belongs to another selection, to " + theirs + ", but this is " +
        description + "; use another folder.");
  return network;
}

void RankCandidates(std::vector<SelectionResult>& results,
    const double deviations)
{
  std::stable_sort(results.begin(), results.end(),
      [](const SelectionResult& a, const SelectionResult& b)
      { return a.score > b.score; });
  for (SelectionResult& result : results)
  {
    const SelectionResult& best = results.front();
    if (result.criterion != SelectionCriterion::HeldOut)
    {
      result.tied = result.Upper(deviations) >= best.Lower(deviations);
      continue;
    }
    std::vector<double> differences(best.heldOut);
    for (size_t i = 0; i < differences.size(); ++i)
      differences[i] -= result.heldOut[i];
    const auto [sum, error] = Sum(differences);
    // One point has no error and decides nothing.
    result.tied = !(sum > deviations * error);
  }
}

} // namespace symvi
