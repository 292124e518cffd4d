/**
 * @file symvi/model/prune.hpp
 *
 * Pruning by signal-to-noise ratio.
 */
#ifndef SYMVI_MODEL_PRUNE_HPP
#define SYMVI_MODEL_PRUNE_HPP

#include <symvi/model/bayesian_ffn.hpp>
#include <symvi/model/prune_report.hpp>

namespace symvi {

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
