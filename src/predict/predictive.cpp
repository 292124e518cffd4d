/**
 * @file src/predict/predictive.cpp
 */
#include <symvi/predict/predictive.hpp>
#include <symvi/require.hpp>

#include "predict/classification_accumulator.hpp"
#include "predict/regression_accumulator.hpp"
#include "predict/sinks.hpp"
#include "predict/stacked_network.hpp"

#include <algorithm>

namespace symvi {
namespace predict {

//! Sizes in which work is done.
struct Blocking
{
  size_t chunk; //!< Points that share one set of draws.
  size_t draws; //!< Draws stacked into one product.
  size_t tile;  //!< Points of one product.
};

/**
 * Blocks that keep products large and activations in cache: about 512 stacked
 * rows, and 2^18 activations of the widest layer.
 */
template<typename MatType>
Blocking ChooseBlocking(const PredictOptions& options,
    const StackedNetwork<MatType>& network, const size_t weights,
    const size_t limit, const size_t points)
{
  Blocking b;
  const size_t rows = std::max<size_t>(1, network.StackedRows());
  b.draws = options.drawsPerBlock;
  if (b.draws == 0)
    b.draws = std::min((512 + rows - 1) / rows,
        std::max<size_t>(1, (size_t(1) << 22) / std::max<size_t>(1, weights)));
  b.draws = std::min(b.draws, options.samples);

  b.chunk = options.pointsPerChunk ? options.pointsPerChunk : 16384;
  b.chunk = std::max<size_t>(1, std::min({ b.chunk, limit, points }));

  const size_t width = std::max<size_t>(1, network.MaxRows() * b.draws);
  b.tile = options.pointsPerTile;
  if (b.tile == 0)
    b.tile = std::min<size_t>(1024,
        std::max<size_t>(32, (size_t(1) << 18) / width));
  b.tile = std::min(b.tile, b.chunk);
  return b;
}

} // namespace predict

template<typename MatType>
Predictive<MatType>::Predictive(
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters) :
    layers(layers),
    parameters(parameters)
{ }

template<typename MatType>
void Predictive<MatType>::Run(const char* where, const MatType& points,
    const PredictOptions& options, PredictiveSink<MatType>& sink) const
{
  options.Check(where);
  const PosteriorSampler<MatType> sampler(layers, parameters, options.seed,
      options.fromSymmetrized);
  StackedNetwork<MatType> network(layers, parameters);
  RequireCount(where, "points", "rows", points.n_rows, network.InSize());

  sink.Reset(network.OutSize(), points.n_cols);
  const predict::Blocking block = predict::ChooseBlocking(options, network,
      sampler.TotalSize(), sink.ChunkLimit(options, network.OutSize()),
      points.n_cols);

  MatType features;
  for (size_t first = 0; first < points.n_cols; first += block.chunk)
  {
    const size_t count = std::min<size_t>(block.chunk, points.n_cols - first);
    const MatType chunk(const_cast<ElemType*>(points.colptr(first)),
        points.n_rows, count, false, true);
    if (network.HasPrefix())
      network.Features(chunk, features);
    const MatType& input = network.HasPrefix() ? features : chunk;

    sink.BeginChunk(network.OutSize(), first, count, options.samples);
    for (size_t s = 0; s < options.samples; s += block.draws)
    {
      const size_t draws = std::min(block.draws, options.samples - s);
      network.SetDraws(sampler, s, draws);
      for (size_t j = 0; j < count; j += block.tile)
      {
        const size_t tile = std::min(block.tile, count - j);
        sink.Add(network.Forward(input.colptr(j), tile), s, draws, first + j,
            tile);
      }
    }
    sink.EndChunk();
  }
}

template<typename MatType>
ClassificationPrediction<MatType> Predictive<MatType>::Predict(
    const MatType& points,
    const CategoricalLikelihoodType<MatType>& /* likelihood */,
    const PredictOptions& options) const
{
  ClassificationAccumulator<MatType> sink(ClassLink::Softmax);
  Run("Predict", points, options, sink);
  return sink.Finish(options.samples);
}

template<typename MatType>
ClassificationPrediction<MatType> Predictive<MatType>::Predict(
    const MatType& points,
    const BernoulliLikelihoodType<MatType>& /* likelihood */,
    const PredictOptions& options) const
{
  ClassificationAccumulator<MatType> sink(ClassLink::Sigmoid);
  Run("Predict", points, options, sink);
  return sink.Finish(options.samples);
}

template<typename MatType>
RegressionPrediction<MatType> Predictive<MatType>::PredictTargets(
    const MatType& points, const predict::TargetMoments<MatType>& likelihood,
    const PredictOptions& options) const
{
  RegressionAccumulator<predict::TargetMoments<MatType>, MatType> sink(
      likelihood, options);
  Run("Predict", points, options, sink);
  return sink.Finish(options.samples);
}

template<typename MatType>
arma::rowvec Predictive<MatType>::TargetLogDensity(const MatType& points,
    const predict::TargetDensity<MatType>& density,
    const PredictOptions& options) const
{
  predict::DensitySink<MatType> sink(density);
  Run("LogDensity", points, options, sink);
  return sink.Finish(options.samples);
}

template<typename MatType>
typename Predictive<MatType>::CubeType Predictive<MatType>::Draws(
    const MatType& points, const PredictOptions& options) const
{
  predict::DrawSink<MatType> sink(options.samples);
  Run("Draws", points, options, sink);
  return sink.cube;
}

template<typename MatType>
MatType Predictive<MatType>::Weights(const PredictOptions& options) const
{
  options.Check("Weights");
  const PosteriorSampler<MatType> sampler(layers, parameters, options.seed,
      options.fromSymmetrized);
  MatType result(sampler.TotalSize(), options.samples);
  std::vector<MatType> drawn;
  for (size_t s = 0; s < options.samples; ++s)
  {
    sampler.Draw(s, drawn);
    ElemType* out = result.colptr(s);
    for (const MatType& layer : drawn)
      out = std::copy(layer.begin(), layer.end(), out);
  }
  return result;
}

template class Predictive<arma::mat>;
template class Predictive<arma::fmat>;

} // namespace symvi
