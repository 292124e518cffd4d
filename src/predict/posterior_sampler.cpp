/**
 * @file src/predict/posterior_sampler.cpp
 */
#include "predict/posterior_sampler.hpp"
#include <symvi/require.hpp>

#include "kernel/softplus.hpp"

#include <symvi/kernel/random_stream.hpp>

#include <algorithm>
#include <cmath>

namespace symvi {

template<typename MatType>
PosteriorSampler<MatType>::PosteriorSampler(
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters, const uint64_t seed,
    const bool fromSymmetrized) :
    bayesian(FindBayesianLayers<MatType>(layers)),
    key(kernel::KeyFromSeed(seed))
{
  if (bayesian.empty())
    Refuse("PosteriorSampler", "the network must have a Bayesian layer",
        "has none");
  size_t total = 0;
  for (const mlpack::Layer<MatType>* layer : layers)
    total += layer->WeightSize();
  if (parameters.n_elem != total || total == 0)
    throw std::logic_error("PosteriorSampler(): the network must have been "
                           "trained or reset, so that it has " +
        std::to_string(total) + " parameters, but it has " +
        std::to_string(parameters.n_elem) + ".");

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
        sigma[i] = ElemType(
            kernel::Softplus(double(parameters[offset + n + i])));
      sigmas.push_back(std::move(sigma));
    }
    offset += layer->WeightSize();
  }
  if (fromSymmetrized)
    FindChains(layers);
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
void PosteriorSampler<MatType>::FindChains(
    const std::vector<mlpack::Layer<MatType>*>& layers)
{
  NetworkSymmetry<MatType> symmetry(layers);
  for (size_t i = 0; i < symmetry.NumChains(); ++i)
  {
    Chain chain;
    chain.shape = symmetry.GetChain(i);
    chain.group = PermutationGroup(chain.shape);
    for (const LayerType* layer : symmetry.ChainLayers(i))
      chain.layers.push_back(
          std::find(bayesian.begin(), bayesian.end(), layer) -
          bayesian.begin());
    chains.push_back(std::move(chain));
  }
}

template<typename MatType>
void PosteriorSampler<MatType>::Draw(const size_t s,
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
  if (!chains.empty())
  {
    stream.Seek((uint64_t(s) << 32) + (uint64_t(1) << 31));
    Permute(stream, weights);
  }
}

template<typename MatType>
void PosteriorSampler<MatType>::Permute(RandomStream& stream,
    std::vector<MatType>& weights) const
{
  MatType moved;
  for (const Chain& chain : chains)
  {
    const Permutation g = chain.group.Sample(stream);
    for (size_t l = 0; l < chain.layers.size(); ++l)
    {
      MatType& w = weights[chain.layers[l]];
      moved.set_size(w.n_rows, w.n_cols);
      Apply(g, chain.shape, l, w.memptr(), moved.memptr());
      w.swap(moved);
    }
  }
}

template class PosteriorSampler<arma::mat>;
template class PosteriorSampler<arma::fmat>;

} // namespace symvi
