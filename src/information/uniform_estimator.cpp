/**
 * @file src/information/uniform_estimator.cpp
 */
#include <symvi/information/estimators.hpp>
#include <symvi/require.hpp>

#include "information/deep/permuted_density.hpp"
#include "information/matching/matching_gradient.hpp"

#include <symvi/kernel/threads.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

namespace symvi {

struct UniformEstimator::Memory
{
  //! Choose the permutations; returns whether they are the whole group.
  template<typename eT>
  bool Choose(const SymmetricChain<eT>& chain, RandomStream& stream,
      const size_t permutations, const bool enumerate);

  //! Permutation j.
  information::UnitImages Images(const size_t j);

  /**
   * The gradient, from relative log-densities r_j.
   *
   * @param most The largest of 0 and all r_j.
   * @param sum sum_j exp(r_j - most), the identity included.
   */
  template<typename eT>
  void AddGradient(const SymmetricChain<eT>& chain, const double most,
      const double sum, const eT scale, InformationGradient<eT>& gradient);

  //! Permutations other than the identity, back to back.
  size_t count = 0, units = 0;
  std::vector<Orbits> orbits;
  std::vector<UnitIndex> images;
  std::vector<UnitSign> signs;
  std::vector<const UnitIndex*> pointers;
  std::vector<const UnitSign*> signPointers;
  std::vector<double> relative, marginals, negated;
  std::vector<size_t> own;
  std::vector<UnitIndex> everyone;
  std::tuple<information::PermutedDensity<float>,
      information::PermutedDensity<double>>
      densities;
  std::tuple<information::MatchingGradient<float>,
      information::MatchingGradient<double>>
      matchingGradients;
};

std::unique_ptr<InformationEstimator> UniformEstimator::Clone() const
{
  return std::make_unique<UniformEstimator>(*this);
}

information::UnitImages UniformEstimator::Memory::Images(const size_t j)
{
  size_t next = j * units;
  for (size_t h = 0; h < orbits.size(); ++h)
  {
    pointers[h] = images.data() + next;
    signPointers[h] = orbits[h].Signed() ? signs.data() + next : nullptr;
    next += orbits[h].Size();
  }
  return { pointers.data(), signPointers.data() };
}

template<typename eT>
bool UniformEstimator::Memory::Choose(const SymmetricChain<eT>& chain,
    RandomStream& stream, const size_t permutations, const bool enumerate)
{
  orbits.resize(chain.hidden.size());
  pointers.resize(chain.hidden.size());
  signPointers.resize(chain.hidden.size());
  units = 0;
  size_t order = 1;
  for (size_t h = 0; h < orbits.size(); ++h)
  {
    orbits[h].Reset(chain.hidden[h]);
    units += orbits[h].Size();
    const size_t factor = orbits[h].Order();
    order = (order > permutations || factor > permutations) ? permutations + 1 :
                                                              order * factor;
  }

  const bool whole = (enumerate && order <= permutations) || order == 1;
  count = (order == 1) ? 0 : (whole ? order : permutations) - 1;
  if (images.size() < count * units)
    images.resize(count * units);
  if (signs.size() < count * units)
    signs.resize(count * units);
  for (size_t j = 0; j < count; ++j)
  {
    size_t at = j * units;
    UnitIndex* const tau = images.data();
    UnitSign* const s = signs.data();
    if (whole && j > 0)
    {
      std::copy(tau + at - units, tau + at, tau + at);
      std::copy(s + at - units, s + at, s + at);
    }
    for (size_t h = 0; h < orbits.size(); at += orbits[h].Size(), ++h)
      if (!whole)
        orbits[h].Sample(tau + at, s + at, stream);
      else if (j == 0)
        orbits[h].Identity(tau + at, s + at);
    at = j * units;
    for (size_t h = 0; h < orbits.size() && whole; ++h)
    {
      if (orbits[h].Next(tau + at, s + at))
        break;
      at += orbits[h].Size();
    }
  }
  return whole;
}

template<typename eT>
void UniformEstimator::Memory::AddGradient(const SymmetricChain<eT>& chain,
    const double most, const double sum, const eT scale,
    InformationGradient<eT>& gradient)
{
  // s_j, in place of r_j.
  bool any = false;
  for (double& r : relative)
  {
    const double share = std::exp(r - most) / sum;
    r = (share > information::negligibleShare) ? share : 0.0;
    any |= (r > 0.0);
  }
  if (!any)
    return;
  if (chain.hidden.size() > 1)
  {
    for (size_t j = 0; j < count; ++j)
      if (relative[j] > 0.0)
        std::get<information::PermutedDensity<eT>>(densities).AddGradient(
            Images(j), eT(-relative[j] * scale), gradient);
    return;
  }

  // One hidden layer: the draw of a unit is compared with all its posteriors at
  // once.  dI^K/dC = Id - M, M[a,b] the sum of s_j over j with tau_j(a) = b.
  const size_t d = units;
  marginals.assign(d * d, 0.0);
  own.resize(d);
  everyone.resize(d);
  for (size_t a = 0; a < d; ++a)
  {
    everyone[a] = UnitIndex(a);
    own[a] = a;
    marginals[a * d + a] = std::exp(-most) / sum;
  }
  const bool isSigned = orbits[0].Signed();
  negated.assign(isSigned ? d * d : 0, 0.0);
  for (size_t j = 0; j < count; ++j)
    for (size_t a = 0; a < d && relative[j] > 0.0; ++a)
    {
      const size_t at = a * d + images[j * d + a];
      marginals[at] += relative[j];
      if (isSigned && signs[j * d + a] < 0)
        negated[at] += relative[j];
    }
  for (size_t i = 0; i < negated.size(); ++i)
    negated[i] /= std::max(marginals[i], 1e-300);
  const information::MatchingBlock block = { d, everyone.data(),
    everyone.data(), nullptr, own.data(), isSigned ? negated.data() : nullptr };
  auto& matching = std::get<information::MatchingGradient<eT>>(
      matchingGradients);
  matching.Reserve(d, isSigned);
  if (matching.Add(information::MakeUnitBlocks(chain, 0), block,
          marginals.data(), scale,
          information::MakeUnitGradient(chain, 0, gradient)))
    information::Touch(chain.hidden[0], gradient);
}

template<typename eT>
InformationEstimate UniformEstimator::Run(const SymmetricChain<eT>& chain,
    RandomStream& stream, const eT scale, InformationGradient<eT>* gradient)
{
  RequirePositive("UniformEstimator", "Permutations()", permutations);
  CheckChain(chain, "UniformEstimator");
  const kernel::FlushDenormals flush;
  if (gradient)
    information::ResetTouched(chain, *gradient);

  InformationEstimate estimate;
  Memory& w = memory.Get();
  const bool whole = w.Choose(chain, stream, permutations, enumerate);
  const size_t count = w.count;
  std::vector<double>& relative = w.relative;
  auto& density = std::get<information::PermutedDensity<eT>>(w.densities);
  bool ready = false;
  if (literal)
  {
    density.Reset(chain);
    ready = true;
  }

  // log 1/K ( 1 + sum_j exp r_j ), with the largest term taken out.
  relative.resize(count);
  const double floor = std::log(information::negligibleShare) - 4.0;
  double most = 0.0;
  for (size_t j = 0; j < count; ++j)
  {
    relative[j] = -std::numeric_limits<double>::infinity();
    if (!pointwise && density.Separated(chain, w.Images(j), 40.0))
      continue;
    if (!ready)
      density.Reset(chain);
    ready = true;
    relative[j] = density.Relative(w.Images(j), floor);
    most = std::max(most, relative[j]);
  }
  double sum = std::exp(-most);
  for (size_t j = 0; j < count; ++j)
    sum += std::exp(relative[j] - most);

  if (gradient)
    w.AddGradient(chain, most, sum, scale, *gradient);

  estimate.value = std::log(double(count + 1)) - most - std::log(sum);
  if (literal)
  {
    double weights = 0.0;
    for (const PosteriorView<eT>& v : chain.layers)
      weights += double(v.Elements());
    estimate.value += 0.5 * (density.Squares() - weights);
  }
  estimate.exact = whole && !literal;
  estimate.lower = estimate.value;
  estimate.upper = whole ? estimate.value :
                           std::numeric_limits<double>::infinity();
  return estimate;
}

InformationEstimate UniformEstimator::Evaluate(
    const SymmetricChain<float>& chain, RandomStream& stream)
{
  return Run<float>(chain, stream, float(0), nullptr);
}

InformationEstimate UniformEstimator::Evaluate(
    const SymmetricChain<double>& chain, RandomStream& stream)
{
  return Run<double>(chain, stream, double(0), nullptr);
}

InformationEstimate UniformEstimator::EvaluateWithGradient(
    const SymmetricChain<float>& chain, RandomStream& stream, const float scale,
    InformationGradient<float>& gradient)
{
  return Run(chain, stream, scale, &gradient);
}

InformationEstimate UniformEstimator::EvaluateWithGradient(
    const SymmetricChain<double>& chain, RandomStream& stream,
    const double scale, InformationGradient<double>& gradient)
{
  return Run(chain, stream, scale, &gradient);
}

} // namespace symvi
