/**
 * @file symvi/model/hidden_blocks.hpp
 *
 * Where the posterior of every Bayesian layer lies in a network's parameters,
 * and which hidden units stand between two of them.
 */
#ifndef SYMVI_MODEL_HIDDEN_BLOCKS_HPP
#define SYMVI_MODEL_HIDDEN_BLOCKS_HPP

#include <symvi/layer/bayesian_linear.hpp>
#include <symvi/network/layer_name.hpp>

namespace symvi {
namespace prune {

//! One Bayesian layer: its place among the layers and among the parameters.
template<typename MatType>
struct Block
{
  const BayesianLinearType<MatType>* layer;
  size_t position;
  size_t offset;

  size_t Rows() const { return layer->OutSize(); }
  size_t Cols() const { return layer->InSize(); }
  size_t Size() const { return layer->PosteriorSize(); }
  //! Columns of W and the bias.
  size_t Columns() const { return Cols() + (layer->HasBias() ? 1 : 0); }
};

//! All Bayesian layers of a network, in order.
template<typename MatType>
std::vector<Block<MatType>> FindBlocks(
    const std::vector<mlpack::Layer<MatType>*>& layers)
{
  std::vector<Block<MatType>> blocks;
  size_t offset = 0;
  for (size_t i = 0; i < layers.size(); ++i)
  {
    const auto* layer =
        dynamic_cast<const BayesianLinearType<MatType>*>(layers[i]);
    if (layer)
      blocks.push_back({ layer, i, offset });
    offset += layers[i]->WeightSize();
  }
  return blocks;
}

/**
 * Indices b such that the units between blocks b and b + 1 can be taken out:
 * only point-wise layers stand there.
 */
template<typename MatType>
std::vector<size_t> FindHidden(
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const std::vector<Block<MatType>>& blocks)
{
  std::vector<size_t> hidden;
  for (size_t b = 0; b + 1 < blocks.size(); ++b)
  {
    bool pointwise = true;
    for (size_t i = blocks[b].position + 1; i < blocks[b + 1].position; ++i)
      pointwise = pointwise && IsPointwise(*layers[i]);
    if (pointwise && blocks[b].Rows() == blocks[b + 1].Cols())
      hidden.push_back(b);
  }
  return hidden;
}

} // namespace prune
} // namespace symvi

#endif
