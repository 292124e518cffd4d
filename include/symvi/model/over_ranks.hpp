/**
 * @file symvi/model/over_ranks.hpp
 *
 * Data, models and predictions of several processes.
 */
#ifndef SYMVI_MODEL_OVER_RANKS_HPP
#define SYMVI_MODEL_OVER_RANKS_HPP

#include <symvi/model/ensemble.hpp>
#include <symvi/train/communicator.hpp>

namespace symvi {

/**
 * Deal out the points of rank 0, which alone has read them: each rank gets as
 * many, to one, of those that follow one another.  Collective, as all below.
 *
 * @param data The points of rank 0; what other ranks have is replaced.
 */
void DealOut(io::Dataset& data, Communicator& ranks);

//! Give all ranks the points of rank 0.
void Broadcast(io::Dataset& data, Communicator& ranks);

//! Give all ranks the fitted model of rank 0.
void Broadcast(Ensemble& model, Communicator& ranks);

/**
 * Ensemble::Classify() of the points of rank 0, each rank predicting as many of
 * them; the result, in the order of the points, is on rank 0, and empty on the
 * others.  All ranks must have the model.
 */
EnsembleClassification Classify(const Ensemble& model, const arma::mat& points,
    const PredictOptions& options, Communicator& ranks);

//! Ensemble::Regress() in the same way.
EnsembleRegression Regress(const Ensemble& model, const arma::mat& points,
    const PredictOptions& options, Communicator& ranks);

} // namespace symvi

#endif
