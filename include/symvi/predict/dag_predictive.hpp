/**
 * @file symvi/predict/dag_predictive.hpp
 *
 * The posterior predictive of an mlpack::DAGNetwork (mlpack 4.7 and later).
 */
#ifndef SYMVI_PREDICT_DAG_PREDICTIVE_HPP
#define SYMVI_PREDICT_DAG_PREDICTIVE_HPP

#include <symvi/kernel/random_stream.hpp>
#include <symvi/network/network_traits.hpp>
#include <symvi/predict/predictive.hpp>

#if SYMVI_MLPACK_LAYER_TEMPLATES

namespace symvi {
namespace predict {

//! The outputs of a graph for all points under new draws of its layers.
template<typename MatType>
using GraphOutputs = std::function<void(MatType& outputs)>;

//! Averages draws of a graph with these Bayesian layers.
template<typename MatType>
ClassificationPrediction<MatType> AverageGraph(
    const std::vector<BayesianLinearType<MatType>*>& layers,
    const GraphOutputs<MatType>& outputs, const ClassLink link,
    const PredictOptions& options);
template<typename MatType>
RegressionPrediction<MatType> AverageGraph(
    const std::vector<BayesianLinearType<MatType>*>& layers,
    const GraphOutputs<MatType>& outputs,
    const TargetMoments<MatType>& likelihood, const PredictOptions& options);

} // namespace predict

/**
 * p(y | x, D) = (1/S) sum_s p(y | x, w_s) for a network that is a graph: one
 * forward pass per draw, as the products of different draws cannot be joined
 * without knowing the edges.  The results are those of Predictive.
 *
 * @param network A trained network.
 * @param points One point per column.
 * @param likelihood The likelihood that it was trained with.
 * @param options Number and seed of the draws.
 */
template<typename LikelihoodType, typename InitType, typename MatType>
auto PredictPosterior(
    mlpack::DAGNetwork<LikelihoodType, InitType, MatType>& network,
    const MatType& points, const LikelihoodType& likelihood,
    const PredictOptions& options = PredictOptions())
{
  const auto layers = FindBayesianLayers<MatType>(
      std::as_const(network).Network());
  // One batch: a network draws anew in every forward pass.
  const predict::GraphOutputs<MatType> outputs = [&](MatType& result)
  { network.Predict(points, result, points.n_cols); };
  constexpr ClassLink link = likelihood::linkOf<LikelihoodType>;
  if constexpr (link != ClassLink::None)
    return predict::AverageGraph(layers, outputs, link, options);
  else
    return predict::AverageGraph(layers, outputs,
        predict::TargetMoments<MatType>(likelihood), options);
}

} // namespace symvi

#endif

#endif
