/**
 * @file src/predict/dag_predictive.cpp
 */
#include <symvi/predict/predictive.hpp>
#include <symvi/require.hpp>

#include "predict/classification_accumulator.hpp"
#include "predict/regression_accumulator.hpp"

#include <symvi/kernel/random_stream.hpp>

#if SYMVI_MLPACK_LAYER_TEMPLATES

namespace symvi {
namespace predict {
namespace {

//! Hand all draws of the outputs to a sink.
template<typename MatType>
void RunGraph(const std::vector<BayesianLinearType<MatType>*>& layers,
    const GraphOutputs<MatType>& outputs, const PredictOptions& options,
    PredictiveSink<MatType>& sink)
{
  if (options.fromSymmetrized)
    Refuse("PredictPosterior", "draws from q^G need a permutation group",
        "that of a DAGNetwork is not known");
  if (layers.empty())
    Refuse("PredictPosterior", "the network must have a Bayesian layer",
        "has none");
  std::vector<EvaluationMode> modes;
  for (auto* layer : layers)
  {
    modes.push_back(layer->Evaluation());
    layer->Evaluation() = EvaluationMode::Draw;
  }

  MatType result;
  for (size_t s = 0; s < options.samples; ++s)
  {
    RandomStream keys(kernel::KeyFromSeed(options.seed));
    keys.Seek(uint64_t(s) << 32);
    for (auto* layer : layers)
      layer->SetStream(RandomStream(keys.NextBits()));
    outputs(result);
    if (s == 0)
    {
      sink.Reset(result.n_rows, result.n_cols);
      sink.BeginChunk(result.n_rows, 0, result.n_cols, options.samples);
    }
    sink.Add(result.memptr(), s, 1, 0, result.n_cols);
  }
  sink.EndChunk();
  for (size_t l = 0; l < layers.size(); ++l)
    layers[l]->Evaluation() = modes[l];
}

} // namespace

template<typename MatType>
ClassificationPrediction<MatType> AverageGraph(
    const std::vector<BayesianLinearType<MatType>*>& layers,
    const GraphOutputs<MatType>& outputs, const ClassLink link,
    const PredictOptions& options)
{
  options.Check("PredictPosterior");
  ClassificationAccumulator<MatType> sink(link);
  RunGraph(layers, outputs, options, sink);
  return sink.Finish(options.samples);
}

template<typename MatType>
RegressionPrediction<MatType> AverageGraph(
    const std::vector<BayesianLinearType<MatType>*>& layers,
    const GraphOutputs<MatType>& outputs,
    const TargetMoments<MatType>& likelihood, const PredictOptions& options)
{
  options.Check("PredictPosterior");
  RegressionAccumulator<TargetMoments<MatType>, MatType> sink(likelihood,
      options);
  RunGraph(layers, outputs, options, sink);
  return sink.Finish(options.samples);
}

  #define SYMVI_AVERAGE_GRAPH(MatType) \
    template ClassificationPrediction<MatType> AverageGraph( \
        const std::vector<BayesianLinearType<MatType>*>&, \
        const GraphOutputs<MatType>&, const ClassLink, const PredictOptions&); \
    template RegressionPrediction<MatType> AverageGraph( \
        const std::vector<BayesianLinearType<MatType>*>&, \
        const GraphOutputs<MatType>&, const TargetMoments<MatType>&, \
        const PredictOptions&);
SYMVI_AVERAGE_GRAPH(arma::mat)
SYMVI_AVERAGE_GRAPH(arma::fmat)

} // namespace predict
} // namespace symvi

#endif
