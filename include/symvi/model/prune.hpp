/**
 * @file symvi/model/prune.hpp
 *
 * Pruning by signal-to-noise ratio.
 */
#ifndef SYMVI_MODEL_PRUNE_HPP
#define SYMVI_MODEL_PRUNE_HPP

#include <symvi/model/bayesian_ffn.hpp>

namespace symvi {

//! What was pruned and what it cost.
struct PruneReport
{
  //! Weights (or hidden units) that could have been pruned, and that were.
  size_t candidates = 0;
  size_t pruned = 0;
  //! The greatest ratio |mu| / sigma among the pruned; 0 if none was.
  double threshold = 0;
  //! KL(q || prior) of what was pruned, in nats: what the data no longer pay
  //! for it.
  double klRemoved = 0;
  //! Units left in every hidden layer (PruneUnits() only).
  std::vector<size_t> unitsLeft;

  //! Mean log predictive density in nats per point, before and after; 0 if no
  //! data were given.
  double logDensityBefore = 0;
  double logDensityAfter = 0;
  //! Error before and after: the fraction of wrong labels for Categorical and
  //! Bernoulli likelihoods, the root mean squared error for Gaussian ones.
  double errorBefore = 0;
  double errorAfter = 0;

  //! Nats per point that pruning cost.
  double Cost() const { return logDensityBefore - logDensityAfter; }
};

/**
 * |mu| / sigma of all weights of all Bayesian layers, layers in order, each
 * outSize x inSize in column-major order.  Biases are not listed: there are few
 * of them, and they are not pruned.
 */
template<typename LikelihoodType, typename InitType, typename MatType>
arma::vec WeightSignalToNoise(
    const BayesianFFN<LikelihoodType, InitType, MatType>& model);

/**
 * A ratio for every hidden unit between two Bayesian layers that are separated
 * by point-wise layers only, one vector per such hidden layer.  A unit is dead
 * if what goes in or what goes out is noise, so that its ratio is the lesser of
 *
 *   sqrt(mean (mu / sigma)^2) over incoming weights and bias, and
 *   sqrt(mean (mu / sigma)^2) over outgoing weights.
 */
template<typename LikelihoodType, typename InitType, typename MatType>
std::vector<arma::vec> UnitSignalToNoise(
    const BayesianFFN<LikelihoodType, InitType, MatType>& model);

/**
 * Set the given fraction of all weights, those of least |mu| / sigma, to zero:
 * mu = 0 and sigma = 1e-8, so that draws have them at zero too.  The fraction
 * counts weights that are zero already: pruning 0.3 and then 0.5 prunes 0.5.
 *
 * The KL of such a weight in a later Elbo() is that of a spike at zero, about
 * 18 nats; the description length of a model without these weights is smaller
 * by klRemoved instead.
 */
template<typename LikelihoodType, typename InitType, typename MatType>
PruneReport PruneWeights(
    BayesianFFN<LikelihoodType, InitType, MatType>& model,
    const double fraction);

//! The same, with log density and error on data before and after.
template<typename LikelihoodType, typename InitType, typename MatType>
PruneReport PruneWeights(
    BayesianFFN<LikelihoodType, InitType, MatType>& model,
    const double fraction,
    const MatType& predictors,
    const MatType& responses,
    const PredictOptions& options = PredictOptions());

/**
 * Take the given fraction of all hidden units, those of least ratio, out of the
 * network: it becomes smaller and faster, and Elbo() needs no correction.
 * Every hidden layer keeps at least one unit.  Settings, likelihood and prior
 * stay.
 */
template<typename LikelihoodType, typename InitType, typename MatType>
PruneReport PruneUnits(
    BayesianFFN<LikelihoodType, InitType, MatType>& model,
    const double fraction);

//! The same, with log density and error on data before and after.
template<typename LikelihoodType, typename InitType, typename MatType>
PruneReport PruneUnits(
    BayesianFFN<LikelihoodType, InitType, MatType>& model,
    const double fraction,
    const MatType& predictors,
    const MatType& responses,
    const PredictOptions& options = PredictOptions());

} // namespace symvi

#include "prune_impl.hpp"

#endif
