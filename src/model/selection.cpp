/**
 * @file src/model/selection.cpp
 */
#include <symvi/model/selection.hpp>
#include <symvi/require.hpp>

#include "io/binary_file.hpp"
#include "model/running_mean.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace symvi {

namespace {

//! Writes the fields that it is called with.
struct FieldWriter : io::BinaryWriter
{
  void operator()(const double x) { Real(x); }
  void operator()(const uint64_t x) { Integer(x); }
  void operator()(const bool x) { Integer(x); }
  void operator()(const std::string& x) { Text(x); }
  void operator()(const std::vector<double>& x) { Reals(x); }
  void operator()(const std::vector<std::string>& x) { Texts(x); }
};

//! Reads them back; sizes are compared with the bytes that are left.
struct FieldReader : io::BinaryReader
{
  using io::BinaryReader::BinaryReader;

  void operator()(double& x) { x = Real(); }
  void operator()(uint64_t& x) { x = Integer(); }
  void operator()(bool& x) { x = (Integer() != 0); }
  void operator()(std::string& x) { x = Text(); }
  void operator()(std::vector<double>& x) { x = Reals(); }
  void operator()(std::vector<std::string>& x) { x = Texts(); }
};

template<typename Archive, typename... Fields>
void Exchange(Archive& ar, Fields&... fields)
{
  (ar(fields), ...);
}

//! Everything but what ranking sets.
template<typename Archive, typename Result>
void ExchangeRun(Archive& ar, Result& run)
{
  auto& r = run.report;
  auto& i = r.information;
  auto& e = r.evidence;
  Exchange(ar, run.name, run.index, run.seed, run.heldOut, run.score);
  Exchange(ar, r.logLikelihood, r.logLikelihoodStandardError, r.kl, r.elbo,
      r.elboStandardError, r.symmetrizedElbo, r.symmetrizedElboStandardError,
      r.symmetrizedElboLower, r.symmetrizedElboUpper, r.group, r.logGroupOrder,
      r.numPoints, r.samples, r.notes);
  Exchange(ar, i.value, i.standardError, i.lower, i.lowerStandardError, i.upper,
      i.upperStandardError, i.exact);
  Exchange(ar, e.bound, e.standardError, e.smoothed, e.paretoK, e.threshold,
      e.effectiveSamples, e.logWeights);
}

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
  FieldWriter writer;
  writer.Text(description);
  writer.Integer(uint64_t(run.criterion));
  ExchangeRun(writer, run);
  writer.Text(network);
  return writer.Bytes();
}

std::string model::ReadRun(const std::string& bytes, const std::string& name,
    const std::string& description, SelectionResult& run)
{
  std::string theirs;
  try
  {
    FieldReader reader(bytes);
    theirs = reader.Text();
    if (theirs == description)
    {
      const uint64_t criterion = reader.Integer();
      ExchangeRun(reader, run);
      std::string network = reader.Text();
      reader.RequireEnd();
      if (criterion > uint64_t(SelectionCriterion::HeldOut))
        throw std::invalid_argument("there is no such criterion");
      run.criterion = SelectionCriterion(criterion);
      return network;
    }
  }
  catch (const std::invalid_argument& e)
  {
    RefuseFile(name,
        std::string("is no run of a selection (") + e.what() + ")");
  }
  RefuseFile(name,
      "belongs to another selection, to " + theirs + ", but this is " +
          description + "; use another folder");
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
