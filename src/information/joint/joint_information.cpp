/**
 * @file src/information/joint/joint_information.cpp
 */
#include "information/joint/joint_information.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace symvi {
namespace information {

namespace {

//! log(1/n sum exp) of some numbers.
double LogMean(const double* x, const size_t n)
{
  const double most = *std::max_element(x, x + n);
  if (std::isinf(most))
    return most;
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i)
    sum += std::exp(x[i] - most);
  return most + std::log(sum / double(n));
}

} // namespace

JointInformation::JointInformation(WeightSymmetry newSymmetry,
    const size_t limit, const size_t permutations) :
    symmetry(std::move(newSymmetry)),
    group(symmetry.chain),
    exact(group.Order() <= std::max<size_t>(limit, 1)),
    permutations(permutations),
    proposal(symmetry)
{
  if (exact)
    Enumerate();
}

void JointInformation::Enumerate()
{
  Permutation g = group.Identity();
  do
  {
    sources.emplace_back();
    symmetry.Sources(g, sources.back());
  }
  while (group.Next(g));
}

double JointInformation::Work() const
{
  const double terms = double(exact ? sources.size() : permutations + 1);
  return 0.5 * terms * double(symmetry.weights) * double(symmetry.weights);
}

void JointInformation::Prepare(const JointGaussian& q)
{
  if (!exact)
    proposal.Prepare(q);
}

void JointInformation::DrawElements(const arma::vec& w, RandomStream& stream)
{
  sources.resize(permutations + 1);
  logProposal.resize(permutations + 1);
  Permutation g = group.Identity();
  logProposal[0] = proposal.LogProbability(w, g);
  symmetry.Sources(g, sources[0]);
  for (size_t k = 1; k <= permutations; ++k)
  {
    logProposal[k] = proposal.Sample(w, stream, g);
    symmetry.Sources(g, sources[k]);
  }
}

void JointInformation::FindDensities(const JointGaussian& q, const arma::vec& w)
{
  const size_t n = sources.size(), block = 256;
  logDensities.resize(n);
  arma::mat residuals;
  for (size_t first = 0; first < n; first += block)
  {
    const size_t count = std::min(block, n - first);
    residuals.set_size(symmetry.weights, count);
    for (size_t j = 0; j < count; ++j)
    {
      double* r = residuals.colptr(j);
      for (size_t i = 0; i < symmetry.weights; ++i)
        r[i] = Moved(w.memptr(), sources[first + j][i]) - q.Mean()[i];
    }
    const arma::rowvec logs = q.LogShapes(residuals);
    std::copy(logs.begin(), logs.end(), logDensities.begin() + first);
  }
}

InformationEstimate JointInformation::Evaluate(const JointGaussian& q,
    const arma::vec& w, RandomStream& stream, Slope* slope)
{
  if (!exact)
    DrawElements(w, stream);
  FindDensities(q, w);
  InformationEstimate estimate;
  const double own = logDensities[0];
  std::vector<double> terms = logDensities;
  const size_t n = terms.size();
  if (exact)
  {
    const double log = LogMean(terms.data(), n);
    estimate.value = estimate.lower = estimate.upper = own - log;
    if (slope)
      FindSlope(q, w, terms, log + std::log(double(n)), *slope);
    return estimate;
  }
  for (size_t k = 0; k < n; ++k)
    terms[k] -= logProposal[k];
  const double order = group.LogOrder(), low = LogMean(&terms[0], n - 1);
  estimate.exact = false;
  estimate.value = estimate.lower = order + own - low;
  estimate.upper = order + own - LogMean(&terms[1], n - 1);
  if (slope)
  {
    terms.pop_back();
    FindSlope(q, w, terms, low + std::log(double(n - 1)), *slope);
  }
  return estimate;
}

double JointInformation::LogSymmetrized(const JointGaussian& q,
    const arma::vec& w)
{
  FindDensities(q, w);
  return LogMean(logDensities.data(), logDensities.size()) + q.LogConstant();
}

void JointInformation::FindSlope(const JointGaussian& q, const arma::vec& w,
    const std::vector<double>& logTerms, const double logSum,
    Slope& slope) const
{
  slope.shares.clear();
  std::vector<size_t> kept;
  for (size_t k = 0; k < logTerms.size(); ++k)
  {
    const double share = std::exp(logTerms[k] - logSum);
    if (k > 0 && !(share > 1e-12))
      continue;
    kept.push_back(k);
    slope.shares.push_back(share);
  }
  slope.path.zeros(symmetry.weights);
  slope.solved.reset();
  // Nothing but the identity: I is constant there.
  if (kept.size() == 1 && slope.shares[0] > 1.0 - 1e-12)
  {
    slope.shares.clear();
    return;
  }
  arma::mat residuals(symmetry.weights, kept.size());
  for (size_t j = 0; j < kept.size(); ++j)
    for (size_t i = 0; i < symmetry.weights; ++i)
      residuals(i, j) = Moved(w.memptr(), sources[kept[j]][i]) - q.Mean()[i];
  slope.solved = q.Solve(residuals);
  slope.path -= slope.solved.col(0);
  for (size_t j = 0; j < kept.size(); ++j)
  {
    const WeightSources& from = sources[kept[j]];
    for (size_t i = 0; i < symmetry.weights; ++i)
    {
      const double x = slope.shares[j] * slope.solved(i, j);
      if (from[i] >> 31)
        slope.path[~from[i]] -= x;
      else
        slope.path[from[i]] += x;
    }
  }
}

} // namespace information
} // namespace symvi
