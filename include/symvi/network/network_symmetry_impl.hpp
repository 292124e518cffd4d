/**
 * @file network/network_symmetry_impl.hpp
 *
 * Implementation of NetworkSymmetry.
 */
#ifndef SYMVI_NETWORK_NETWORK_SYMMETRY_IMPL_HPP
#define SYMVI_NETWORK_NETWORK_SYMMETRY_IMPL_HPP

#include "network_symmetry.hpp"

#include <symvi/symmetry/log_factorial.hpp>

#include <algorithm>
#include <cmath>

namespace symvi {

template<typename MatType>
const mlpack::Layer<MatType>* NetworkSymmetry<MatType>::Obstacle(
    const std::vector<mlpack::Layer<MatType>*>& layers)
{
  const mlpack::Layer<MatType>* found = nullptr;
  bool open = false;
  for (const mlpack::Layer<MatType>* layer : layers)
  {
    if (dynamic_cast<const LayerType*>(layer))
    {
      if (found)
        return found;
      open = true;
    }
    else if (!open || found || IsPointwise(*layer))
      continue;
    else if (dynamic_cast<const FixedLinearType<MatType>*>(layer))
      open = false;
    else
      found = layer;
  }
  return nullptr;
}

template<typename MatType>
NetworkSymmetry<MatType>::NetworkSymmetry(
    const std::vector<mlpack::Layer<MatType>*>& layers)
{
  if (const mlpack::Layer<MatType>* obstacle = Obstacle(layers))
  {
    throw std::invalid_argument("SymmetrizedELBO(): a layer of type " +
        LayerName(*obstacle) + " stands between two Bayesian layers and breaks "
        "the permutation symmetry of the hidden units; only point-wise layers "
        "may stand there.  Move it, or train with the plain ELBO.");
  }

  LayerType* previous = nullptr;
  for (mlpack::Layer<MatType>* layer : layers)
  {
    if (LayerType* current = dynamic_cast<LayerType*>(layer))
    {
      bayesian.push_back(current);
      if (previous)
        Join(previous, current);
      previous = current;
    }
    else if (previous && !IsPointwise(*layer))
    {
      if (const auto* fixed =
          dynamic_cast<const FixedLinearType<MatType>*>(layer))
        JoinFixed(previous, *fixed);
      previous = nullptr;
    }
  }
}

template<typename MatType>
size_t NetworkSymmetry<MatType>::ChainOf(LayerType* layer)
{
  if (chainLayers.empty() || chainLayers.back().back() != layer)
  {
    chains.push_back(Chain());
    chainLayers.push_back({ layer });
  }
  return chains.size() - 1;
}

template<typename MatType>
void NetworkSymmetry<MatType>::Join(LayerType* first, LayerType* second)
{
  // A single unit has no permutation; a centred prior is not invariant.
  if (first->OutSize() < 2 || !first->PriorMean().is_empty() ||
      !second->PriorMean().is_empty())
    return;

  const size_t i = ChainOf(first);
  HiddenUnits hidden;
  hidden.incoming = chainLayers[i].size() - 1;
  hidden.hasOutgoing = true;
  hidden.size = first->OutSize();
  chains[i].hidden.push_back(hidden);
  chainLayers[i].push_back(second);
}

template<typename MatType>
void NetworkSymmetry<MatType>::JoinFixed(
    LayerType* first,
    const FixedLinearType<MatType>& fixed)
{
  if (first->OutSize() != fixed.Weight().n_cols ||
      !first->PriorMean().is_empty())
    return;

  HiddenUnits hidden;
  hidden.hasOutgoing = false;
  hidden.size = first->OutSize();
  // Units with equal columns have the same label.
  const MatType& weight = fixed.Weight();
  size_t classes = 0;
  for (size_t unit = 0; unit < hidden.size; ++unit)
  {
    size_t same = 0;
    while (same < unit && !std::equal(weight.begin_col(unit),
        weight.end_col(unit), weight.begin_col(same)))
      ++same;
    hidden.orbit.push_back(same < unit ? hidden.orbit[same] : classes++);
  }
  if (classes == hidden.size)
    return;

  const size_t i = ChainOf(first);
  hidden.incoming = chainLayers[i].size() - 1;
  chains[i].hidden.push_back(hidden);
}

template<typename MatType>
const typename NetworkSymmetry<MatType>::Chain&
NetworkSymmetry<MatType>::GetChain(const size_t i)
{
  Chain& chain = chains[i];
  chain.layers.resize(chainLayers[i].size());
  for (size_t l = 0; l < chain.layers.size(); ++l)
    chain.layers[l] = chainLayers[i][l]->View();
  return chain;
}

template<typename MatType>
double NetworkSymmetry<MatType>::LogOrder() const
{
  double sum = 0.0;
  for (const Chain& chain : chains)
  {
    for (const HiddenUnits& hidden : chain.hidden)
    {
      // Labels are smaller than the number of units; see JoinFixed().
      std::vector<size_t> counts(hidden.size, 0);
      if (hidden.orbit.empty())
        counts[0] = hidden.size;
      for (const size_t label : hidden.orbit)
        ++counts[label];
      for (const size_t count : counts)
        sum += LogFactorial(count);
    }
  }
  return sum;
}

extern template class NetworkSymmetry<arma::mat>;
extern template class NetworkSymmetry<arma::fmat>;

} // namespace symvi

#endif
