/**
 * @file symvi/model/compute_elbo.hpp
 *
 * Monte-Carlo evaluation of L, L^G and the importance-weighted bound of a
 * network on data.
 */
#ifndef SYMVI_MODEL_COMPUTE_ELBO_HPP
#define SYMVI_MODEL_COMPUTE_ELBO_HPP

#include <symvi/information/estimator.hpp>
#include <symvi/network/network.hpp>
#include <symvi/require.hpp>

#include "reports.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace symvi {

namespace model {

/**
 * ComputeElbo() of what a network consists of.
 *
 * @param layers Layers of the network, whose memory is set up.
 * @param logLikelihood log p(Y | X, w) at the layers' current draws.
 * @param numPoints Number of points of the data.
 */
template<typename MatType>
ElboReport AverageElbo(const std::vector<mlpack::Layer<MatType>*>& layers,
    const std::function<double()>& logLikelihood, const size_t numPoints,
    const EstimatorPtr& estimator, const size_t samples, const uint64_t seed);

} // namespace model

/**
 * log p(Y | X, w) of the weights that the network holds, summed over the data.
 */
template<typename NetworkType>
double LogLikelihood(NetworkType& network,
    const typename NetworkTraits<NetworkType>::LikelihoodType& likelihood,
    const typename NetworkTraits<NetworkType>::MatType& predictors,
    const typename NetworkTraits<NetworkType>::MatType& responses)
{
  using MatType = typename NetworkTraits<NetworkType>::MatType;
  // Enough points at a time for large products, few enough to stay in memory.
  const size_t chunk = 4096;
  MatType points, targets, outputs;
  double sum = 0.0;
  for (size_t begin = 0; begin < predictors.n_cols; begin += chunk)
  {
    const size_t n = std::min<size_t>(chunk, predictors.n_cols - begin);
    mlpack::MakeAlias(points, predictors, predictors.n_rows, n,
        begin * predictors.n_rows);
    mlpack::MakeAlias(targets, responses, responses.n_rows, n,
        begin * responses.n_rows);
    network.Forward(points, outputs);
    sum -= double(likelihood.Forward(outputs, targets));
  }
  return sum;
}

/**
 * Estimate L, L^G and the importance-weighted bound from draws of w; each draw
 * is used for all data.
 *
 * The logarithm of an importance weight is
 *
 *   log p(Y | X, w) + log p(w) - log q(w) + L_K(w),
 *
 * where L_K is the lower end of the estimator's interval.  Where permutations
 * are sampled, exp(-L_K) is the mean of K terms of which the identity is one,
 * and exp(L_K) is then unbiased for q(w) / q^G(w) over the labellings of w
 * (test evidence), which makes the weight unbiased for p(Y | X).
 *
 * @param network Network with parameters; its mode and generators are kept.
 * @param likelihood The network's likelihood.
 * @param predictors One point per column.
 * @param responses One target per column.
 * @param estimator Estimator of I(g; w); null leaves I(g; w) at zero.
 * @param samples Number of draws of w.
 * @param seed Random seed of the weight samples.
 */
template<typename NetworkType>
ElboReport ComputeElbo(NetworkType& network,
    const typename NetworkTraits<NetworkType>::LikelihoodType& likelihood,
    const typename NetworkTraits<NetworkType>::MatType& predictors,
    const typename NetworkTraits<NetworkType>::MatType& responses,
    const EstimatorPtr& estimator, const size_t samples, const uint64_t seed)
{
  using MatType = typename NetworkTraits<NetworkType>::MatType;
  RequirePositive("Elbo", "samples", samples);
  if (predictors.n_cols != responses.n_cols || predictors.is_empty())
    Refuse("Elbo",
        "there must be one response per point and at least one point",
        "there are " + std::to_string(predictors.n_cols) + " points and " +
            std::to_string(responses.n_cols) + " responses");

  // The first pass makes the network set up its memory.
  network.SetNetworkMode(false);
  MatType outputs;
  network.Forward(MatType(predictors.col(0)), outputs);

  return model::AverageElbo<MatType>(
      NetworkLayers(network),
      [&] { return LogLikelihood(network, likelihood, predictors, responses); },
      predictors.n_cols, estimator, samples, seed);
}

} // namespace symvi

#endif
