/**
 * @file src/network/network_symmetry.cpp
 *
 * Which hidden units of a network may be exchanged.
 */
#include <symvi/network/network.hpp>
#include <symvi/symmetry/permutation_group.hpp>

#include <algorithm>

namespace symvi {

template<typename MatType>
NetworkSymmetry<MatType>::NetworkSymmetry(
    const std::vector<mlpack::Layer<MatType>*>& layers)
{
  LayerType* previous = nullptr;
  const mlpack::Layer<MatType>* obstacle = nullptr;
  bool isOdd = true;
  for (mlpack::Layer<MatType>* layer : layers)
  {
    if (LayerType* current = dynamic_cast<LayerType*>(layer))
    {
      bayesian.push_back(current);
      if (previous && obstacle)
        NoteObstacle(*previous, *obstacle);
      else if (previous)
        Join(previous, current, isOdd);
      previous = current;
      obstacle = nullptr;
      isOdd = true;
    }
    else if (previous && !obstacle && !KeepsUnits(*layer))
    {
      const auto* fixed = dynamic_cast<const FixedLinearType<MatType>*>(layer);
      if (fixed)
      {
        JoinFixed(previous, *fixed);
        previous = nullptr;
      }
      else
        obstacle = layer;
    }
    else
      isOdd = isOdd && KeepsSigns(*layer);
  }
}

template<typename MatType>
void NetworkSymmetry<MatType>::NoteObstacle(const LayerType& first,
    const mlpack::Layer<MatType>& obstacle)
{
  const LayerRole role = RoleOf(obstacle);
  const bool hasParameters = (role == LayerRole::UnitParameters ||
      role == LayerRole::BatchNorm || obstacle.WeightSize() > 0);
  notes.push_back("The " + std::to_string(first.OutSize()) +
      " units in front of " + LayerName(obstacle) +
      " train on the plain ELBO and take no part in the permutation group, "
      "because that layer " +
      (hasParameters ? "has trained parameters that fix their order." :
                       "is not known to treat all units alike; see "
                       "symvi::LayerTraits."));
}

template<typename MatType>
std::vector<std::string> BatchNotes(
    const std::vector<mlpack::Layer<MatType>*>& layers)
{
  for (const mlpack::Layer<MatType>* layer : layers)
  {
    if (RoleOf(*layer) == LayerRole::BatchNorm)
    {
      return { "With the batch statistics of " + LayerName(*layer) +
        " the likelihood of a point depends on the rest of its batch, so that "
        "L is not a bound on the evidence." };
    }
  }
  return {};
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
void NetworkSymmetry<MatType>::Join(LayerType* first, LayerType* second,
    const bool isOdd)
{
  // A single unit has no permutation; a prior with means is not invariant.
  if ((first->OutSize() < 2 && !isOdd) || !first->PriorMean().is_empty() ||
      !second->PriorMean().is_empty())
    return;

  const size_t i = ChainOf(first);
  HiddenUnits hidden;
  hidden.incoming = chainLayers[i].size() - 1;
  hidden.hasOutgoing = true;
  hidden.size = first->OutSize();
  hidden.isSigned = isOdd;
  chains[i].hidden.push_back(hidden);
  chainLayers[i].push_back(second);
}

template<typename MatType>
void NetworkSymmetry<MatType>::JoinFixed(LayerType* first,
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
    while (same < unit &&
        !std::equal(weight.begin_col(unit), weight.end_col(unit),
            weight.begin_col(same)))
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
    sum += PermutationGroup::Of(chain.hidden).LogOrder();
  return sum;
}

template<typename MatType>
std::string NetworkSymmetry<MatType>::GroupName() const
{
  std::vector<HiddenUnits> hidden;
  for (const Chain& chain : chains)
    hidden.insert(hidden.end(), chain.hidden.begin(), chain.hidden.end());
  return PermutationGroup::Of(hidden).Name();
}

template class NetworkSymmetry<arma::mat>;
template class NetworkSymmetry<arma::fmat>;
template std::vector<std::string> BatchNotes(
    const std::vector<mlpack::Layer<arma::mat>*>&);
template std::vector<std::string> BatchNotes(
    const std::vector<mlpack::Layer<arma::fmat>*>&);

} // namespace symvi
