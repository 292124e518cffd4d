/**
 * @file symvi/model/convert.hpp
 *
 * From a trained deterministic network to a Bayesian one, and back.
 */
#ifndef SYMVI_MODEL_CONVERT_HPP
#define SYMVI_MODEL_CONVERT_HPP

#include <symvi/model/bayesian_ffn.hpp>

namespace symvi {

//! The posterior that a deterministic network starts with.
struct ConvertOptions
{
  //! sigma = max(relativeSigma * |w|, minSigma).
  double relativeSigma = 0.1;
  //! Least standard deviation of a weight; positive.
  double minSigma = 1e-3;
  //! Standard deviation of the prior of every converted layer.
  double priorStddev = 1.0;
  //! Centre the prior at the given weights instead of zero.  Such a prior is
  //! not permutation invariant: these layers take no part in the group G.
  bool centrePrior = false;
};

/**
 * A BayesianFFN whose posterior is centred at the weights of a trained network:
 *
 *   mu = w,  sigma = max(relativeSigma |w|, minSigma).
 *
 * Linear and LinearNoBias layers, with any regularizer, become BayesianLinear
 * and BayesianLinearNoBias; every other layer is copied with its weights.  The
 * likelihoods read logits, so a last layer that only turns logits into
 * (log-)probabilities is left out: LogSoftMax or Softmax for a Categorical
 * likelihood, Sigmoid for a Bernoulli one.
 *
 * @param network A network that has been trained or reset.
 * @param likelihood The likelihood of the new model.
 * @param options Width of the posterior, and the prior.
 */
template<typename LikelihoodType,
         typename OutputLayerType,
         typename InitType,
         typename MatType>
BayesianFFN<LikelihoodType, InitType, MatType> ToBayesian(
    const mlpack::FFN<OutputLayerType, InitType, MatType>& network,
    const LikelihoodType& likelihood = LikelihoodType(),
    const ConvertOptions& options = ConvertOptions());

/**
 * A plain network with the posterior means as its weights: BayesianLinear
 * becomes Linear, BayesianLinearNoBias becomes LinearNoBias, other layers are
 * copied with their weights.
 *
 * @tparam OutputLayerType Output layer of the plain network, default
 *     constructed; the model's likelihood if void.  symvi's likelihoods and the
 *     plain network both work on logits: append LogSoftMax to train further
 *     with mlpack::NegativeLogLikelihood.
 * @param model A model that has been trained or reset.
 */
template<typename OutputLayerType = void,
         typename LikelihoodType,
         typename InitType,
         typename MatType>
auto ToDeterministic(
    const BayesianFFN<LikelihoodType, InitType, MatType>& model);

} // namespace symvi

#include "convert_impl.hpp"

#endif
