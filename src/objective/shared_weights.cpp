/**
 * @file src/objective/shared_weights.cpp
 *
 * Steps of training in which several ranks share out the weights: each draws its
 * own, and gets the draws of all and the sum of the gradients by its own.
 */
#include <symvi/objective/symmetrized_elbo.hpp>
#include <symvi/require.hpp>

namespace symvi {

namespace {

//! Below it, a sum and the draw of all weights take less time than two messages
//! more.
constexpr size_t smallestCut = 1 << 14;

} // namespace

template<typename MatType>
void ElboObjective<MatType>::ShareWeights(Communicator& ranks)
{
  if (ranks.Size() != parts)
    Refuse("ELBO::ShareWeights",
        "there must be as many ranks as HoldPart() has parts, " +
            std::to_string(parts),
        "there are " + std::to_string(ranks.Size()));
  this->ranks = &ranks;
  cuts.clear();
  for (const LayerType* layer : layers)
  {
    const bool isLarge = layer->PosteriorSize() >= smallestCut;
    cuts.push_back(
        (parts > 1 && isLarge) ? layer->Shares(parts) : std::vector<size_t>());
  }
  if (Shares().empty())
    cuts.clear();
}

template<typename MatType>
std::vector<SharedArray> ElboObjective<MatType>::Shares() const
{
  std::vector<SharedArray> shares;
  for (size_t l = 0; l < cuts.size(); ++l)
  {
    if (cuts[l].empty())
      continue;
    shares.push_back({ offsets[l], cuts[l] });
    shares.push_back({ offsets[l] + layers[l]->PosteriorSize(), cuts[l] });
  }
  return shares;
}

template<typename MatType>
std::pair<size_t, size_t> ElboObjective<MatType>::OwnWeights(
    const size_t l) const
{
  if (!IsCut(l))
    return { 0, layers[l]->PosteriorSize() };
  return { cuts[l][ranks->Rank()], cuts[l][ranks->Rank() + 1] };
}

template<typename MatType>
void ElboObjective<MatType>::DrawOwnShares()
{
  for (size_t l = 0; l < layers.size(); ++l)
  {
    if (!IsCut(l))
      continue;
    // The network would do so in its next pass.
    MatType own;
    mlpack::MakeAlias(own, passes->Parameters(), layers[l]->WeightSize(), 1,
        offsets[l]);
    layers[l]->SetWeights(own);
    layers[l]->Training() = true;
    layers[l]->IsShared() = true;
    const auto [begin, end] = OwnWeights(l);
    layers[l]->DrawShare(begin, end);
  }
}

template<typename MatType>
void ElboObjective<MatType>::GatherDraws(const bool withPosterior)
{
  for (size_t l = 0; l < layers.size(); ++l)
  {
    if (!IsCut(l))
      continue;
    ranks->GatherShares(layers[l]->Weights().memptr(), cuts[l]);
    if (!withPosterior || symmetry.NumChains() == 0)
      continue;
    ranks->GatherShares(layers[l]->Means().memptr(), cuts[l]);
    ranks->GatherShares(layers[l]->DrawnSigmas().memptr(), cuts[l]);
  }
}

template<typename MatType>
void ElboObjective<MatType>::SumShares(MatType& gradient)
{
  for (size_t l = 0; l < layers.size(); ++l)
  {
    if (!IsCut(l))
      continue;
    ranks->SumShares(gradient.memptr() + offsets[l], cuts[l]);
    MatType part;
    mlpack::MakeAlias(part, gradient, layers[l]->WeightSize(), 1, offsets[l]);
    const auto [begin, end] = OwnWeights(l);
    layers[l]->ShareGradient(begin, end, part);
  }
}

// symmetrized_elbo.cpp instantiates the class with the other members.
#define SYMVI_SHARED_WEIGHTS(MATRIX) \
  template void ElboObjective<MATRIX>::ShareWeights(Communicator&); \
  template std::vector<SharedArray> ElboObjective<MATRIX>::Shares() const; \
  template std::pair<size_t, size_t> ElboObjective<MATRIX>::OwnWeights( \
      const size_t) const; \
  template void ElboObjective<MATRIX>::DrawOwnShares(); \
  template void ElboObjective<MATRIX>::GatherDraws(const bool); \
  template void ElboObjective<MATRIX>::SumShares(MATRIX&);
SYMVI_SHARED_WEIGHTS(arma::mat)
SYMVI_SHARED_WEIGHTS(arma::fmat)
#undef SYMVI_SHARED_WEIGHTS

} // namespace symvi
