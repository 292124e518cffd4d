/**
 * @file src/model/selection.cpp
 */
#include <symvi/model/selection.hpp>

#include "model/running_mean.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace symvi {

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
