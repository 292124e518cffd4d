/**
 * @file symvi/predict/dag_predictive.hpp
 *
 * The posterior predictive of an mlpack::DAGNetwork (mlpack 4.7 and later).
 */
#ifndef SYMVI_PREDICT_DAG_PREDICTIVE_HPP
#define SYMVI_PREDICT_DAG_PREDICTIVE_HPP

#include <symvi/kernel/random_stream.hpp>
#include <symvi/predict/predictive.hpp>

#if SYMVI_MLPACK_LAYER_TEMPLATES

namespace symvi {

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
    const MatType& points,
    const LikelihoodType& likelihood,
    const PredictOptions& options = PredictOptions())
{
  options.Check("PredictPosterior");
  if (options.fromSymmetrized)
  {
    throw std::invalid_argument("PredictPosterior(): a DAGNetwork has no known "
        "permutation group, so that draws from q^G are not available.");
  }
  const auto layers = FindBayesianLayers<MatType>(
      std::as_const(network).Network());
  if (layers.empty())
  {
    throw std::invalid_argument("PredictPosterior(): the network has no "
        "Bayesian layer.");
  }
  std::vector<EvaluationMode> modes;
  for (auto* layer : layers)
  {
    modes.push_back(layer->Evaluation());
    layer->Evaluation() = EvaluationMode::Draw;
  }

  auto sink = predict::MakeSink<MatType>(likelihood, options);
  MatType outputs;
  for (size_t s = 0; s < options.samples; ++s)
  {
    RandomStream keys(kernel::KeyFromSeed(options.seed));
    keys.Seek(uint64_t(s) << 32);
    for (auto* layer : layers)
      layer->SetStream(RandomStream(keys.NextBits()));
    // One batch: a network draws anew in every forward pass.
    network.Predict(points, outputs, points.n_cols);
    if (s == 0)
    {
      sink.Reset(outputs.n_rows, points.n_cols);
      sink.BeginChunk(outputs.n_rows, 0, points.n_cols, options.samples);
    }
    sink.Add(outputs.memptr(), s, 1, 0, points.n_cols);
  }
  sink.EndChunk();
  for (size_t l = 0; l < layers.size(); ++l)
    layers[l]->Evaluation() = modes[l];
  return sink.Finish(options.samples);
}

} // namespace symvi

#endif

#endif
