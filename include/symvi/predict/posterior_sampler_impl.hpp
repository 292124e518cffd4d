/**
 * @file symvi/predict/posterior_sampler_impl.hpp
 *
 * Implementation of PosteriorSampler.
 */
#ifndef SYMVI_PREDICT_POSTERIOR_SAMPLER_IMPL_HPP
#define SYMVI_PREDICT_POSTERIOR_SAMPLER_IMPL_HPP

#include "posterior_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace symvi {
namespace predict {

//! A well-mixed key from a seed (the finaliser of SplitMix64), so that small
//! seeds do not name streams that somebody else uses.
inline uint64_t KeyFromSeed(const uint64_t seed)
{
  uint64_t z = seed + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

//! Index that means "no layer".
constexpr size_t noLayer = size_t(-1);

//! Put the rows of a matrix into the order given: new row i is old row
//! order[i].
template<typename eT>
void PermuteRows(eT* w, const size_t rows, const size_t columns,
                 const std::vector<size_t>& order, std::vector<eT>& work)
{
  work.resize(rows);
  for (size_t c = 0; c < columns; ++c, w += rows)
  {
    std::copy(w, w + rows, work.begin());
    for (size_t r = 0; r < rows; ++r)
      w[r] = work[order[r]];
  }
}

//! The same for columns.
template<typename eT>
void PermuteColumns(eT* w, const size_t rows, const std::vector<size_t>& order,
                    std::vector<eT>& work)
{
  work.assign(w, w + rows * order.size());
  for (size_t c = 0; c < order.size(); ++c)
    std::copy(work.begin() + order[c] * rows,
        work.begin() + (order[c] + 1) * rows, w + c * rows);
}

} // namespace predict

template<typename MatType>
PosteriorSampler<MatType>::PosteriorSampler(
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters,
    const uint64_t seed,
    const bool fromSymmetrized) :
    bayesian(FindBayesianLayers<MatType>(layers)),
    key(predict::KeyFromSeed(seed))
{
  if (bayesian.empty())
    throw std::invalid_argument("PosteriorSampler(): the network must have a "
        "Bayesian layer, but has none.");
  size_t total = 0;
  for (const mlpack::Layer<MatType>* layer : layers)
    total += layer->WeightSize();
  if (parameters.n_elem != total || total == 0)
    throw std::logic_error("PosteriorSampler(): the network must have been "
        "trained or reset, so that it has " + std::to_string(total) +
        " parameters, but it has " + std::to_string(parameters.n_elem) + ".");

  size_t offset = 0;
  for (const mlpack::Layer<MatType>* layer : layers)
  {
    const auto* current = dynamic_cast<const LayerType*>(layer);
    if (current)
    {
      const size_t n = current->PosteriorSize();
      means.push_back(parameters.memptr() + offset);
      MatType sigma(n, 1);
      for (size_t i = 0; i < n; ++i)
      {
        const double rho = double(parameters[offset + n + i]);
        sigma[i] = ElemType(std::max(rho, 0.0) +
            std::log1p(std::exp(-std::abs(rho))));
      }
      sigmas.push_back(std::move(sigma));
    }
    offset += layer->WeightSize();
  }
  if (fromSymmetrized)
    FindUnits(layers);
}

template<typename MatType>
size_t PosteriorSampler<MatType>::TotalSize() const
{
  size_t total = 0;
  for (const LayerType* layer : bayesian)
    total += layer->PosteriorSize();
  return total;
}

template<typename MatType>
void PosteriorSampler<MatType>::FindUnits(
    const std::vector<mlpack::Layer<MatType>*>& layers)
{
  NetworkSymmetry<MatType> symmetry(layers);
  const auto index = [&](const LayerType* layer)
  {
    return size_t(std::find(bayesian.begin(), bayesian.end(), layer) -
        bayesian.begin());
  };
  for (size_t i = 0; i < symmetry.NumChains(); ++i)
  {
    const auto& chainLayers = symmetry.ChainLayers(i);
    for (const HiddenUnits& hidden : symmetry.GetChain(i).hidden)
    {
      Units u;
      u.incoming = index(chainLayers[hidden.incoming]);
      u.outgoing = hidden.hasOutgoing ?
          index(chainLayers[hidden.incoming + 1]) : predict::noLayer;
      std::map<size_t, std::vector<size_t>> orbits;
      for (size_t unit = 0; unit < hidden.size; ++unit)
        orbits[hidden.orbit.empty() ? 0 : hidden.orbit[unit]].push_back(unit);
      for (const auto& orbit : orbits)
        u.orbits.push_back(orbit.second);
      units.push_back(u);
    }
  }
}

template<typename MatType>
void PosteriorSampler<MatType>::Draw(
    const size_t s,
    std::vector<MatType>& weights) const
{
  // Every draw has 2^32 blocks of the stream: noise first, then, from the
  // middle on, the permutations.
  RandomStream stream(key);
  stream.Seek(uint64_t(s) << 32);
  weights.resize(bayesian.size());
  for (size_t l = 0; l < bayesian.size(); ++l)
  {
    const size_t n = sigmas[l].n_elem;
    weights[l].set_size(n, 1);
    ElemType* w = weights[l].memptr();
    stream.FillNormal(w, n);
    const ElemType* mu = means[l];
    const ElemType* sigma = sigmas[l].memptr();
    for (size_t i = 0; i < n; ++i)
      w[i] = mu[i] + sigma[i] * w[i];
  }
  if (!units.empty())
  {
    stream.Seek((uint64_t(s) << 32) + (uint64_t(1) << 31));
    Permute(stream, weights);
  }
}

template<typename MatType>
void PosteriorSampler<MatType>::Permute(
    RandomStream& stream,
    std::vector<MatType>& weights) const
{
  std::vector<ElemType> work;
  for (const Units& u : units)
  {
    const LayerType& in = *bayesian[u.incoming];
    std::vector<size_t> order(in.OutSize());
    std::iota(order.begin(), order.end(), size_t(0));

    // Fisher-Yates inside every orbit.
    for (const std::vector<size_t>& orbit : u.orbits)
      for (size_t i = orbit.size(); i > 1; --i)
        std::swap(order[orbit[i - 1]], order[orbit[stream.NextIndex(i)]]);

    predict::PermuteRows(weights[u.incoming].memptr(), in.OutSize(),
        in.InSize() + (in.HasBias() ? 1 : 0), order, work);
    if (u.outgoing != predict::noLayer)
      predict::PermuteColumns(weights[u.outgoing].memptr(),
          bayesian[u.outgoing]->OutSize(), order, work);
  }
}

} // namespace symvi

#endif
