/**
 * @file src/model/hidden_blocks.hpp
 *
 * Where the posterior of every Bayesian layer lies in a network's parameters,
 * which hidden units stand between two of them, and what pruning asks of them.
 */
#ifndef SYMVI_SRC_MODEL_HIDDEN_BLOCKS_HPP
#define SYMVI_SRC_MODEL_HIDDEN_BLOCKS_HPP

#include "kernel/softplus.hpp"

#include <symvi/layer/bayesian_linear.hpp>
#include <symvi/network/layer_registry.hpp>
#include <symvi/require.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

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
    const auto* layer = dynamic_cast<const BayesianLinearType<MatType>*>(
        layers[i]);
    if (layer)
      blocks.push_back({ layer, i, offset });
    offset += layers[i]->WeightSize();
  }
  return blocks;
}

/**
 * Indices b such that the units between blocks b and b + 1 can be taken out:
 * only point-wise layers stand there, or, if the units are maps, pooling and
 * padding.
 */
template<typename MatType>
std::vector<size_t> FindHidden(
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const std::vector<Block<MatType>>& blocks)
{
  std::vector<size_t> hidden;
  for (size_t b = 0; b + 1 < blocks.size(); ++b)
  {
    bool free = ColumnsPerUnit(*blocks[b].layer, *blocks[b + 1].layer) > 0;
    const bool areMaps = dynamic_cast<const BayesianConvolutionType<MatType>*>(
        blocks[b].layer);
    for (size_t i = blocks[b].position + 1; i < blocks[b + 1].position; ++i)
      free = free &&
          (IsPointwise(*layers[i]) ||
              (areMaps && RoleOf(*layers[i]) == LayerRole::Maps));
    if (free)
      hidden.push_back(b);
  }
  return hidden;
}

//! (mu / sigma)^2 of weight i of a block.
template<typename MatType>
double SquaredRatio(const MatType& parameters, const Block<MatType>& block,
    const size_t i)
{
  const double mu = double(parameters[block.offset + i]);
  const double sigma = kernel::Softplus(
      double(parameters[block.offset + block.Size() + i]));
  return (mu / sigma) * (mu / sigma);
}

//! KL(q_i || prior) of weight i of a block.
template<typename MatType>
double WeightKL(const MatType& parameters, const Block<MatType>& block,
    const size_t i)
{
  const MatType& centre = block.layer->PriorMean();
  const double prior = (i < block.layer->OutSize() * block.layer->InSize()) ?
      block.layer->PriorStddev() :
      block.layer->BiasPriorStddev();
  const double sigma = kernel::Softplus(double(
                           parameters[block.offset + block.Size() + i])) /
      prior;
  const double mu = (double(parameters[block.offset + i]) -
                        (centre.is_empty() ? 0.0 : double(centre[i]))) /
      prior;
  return 0.5 * (sigma * sigma + mu * mu - 1) - std::log(sigma);
}

//! How many of n to prune.
inline size_t Count(const char* where, const double fraction, const size_t n)
{
  Require(fraction >= 0 && fraction < 1, where, "fraction must lie in [0, 1)",
      fraction);
  return size_t(std::floor(fraction * double(n) + 1e-9));
}

//! Indices in order of increasing ratio; equal ones keep their order.
inline std::vector<size_t> Rank(const arma::vec& ratios)
{
  std::vector<size_t> order(ratios.n_elem);
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(),
      [&](const size_t a, const size_t b) { return ratios(a) < ratios(b); });
  return order;
}

} // namespace prune
} // namespace symvi

#endif
