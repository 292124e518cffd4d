/**
 * @file src/predict/regression_accumulator_impl.hpp
 *
 * Implementation of RegressionAccumulator.
 */
#ifndef SYMVI_SRC_PREDICT_REGRESSION_ACCUMULATOR_IMPL_HPP
#define SYMVI_SRC_PREDICT_REGRESSION_ACCUMULATOR_IMPL_HPP

#include "predict/regression_accumulator.hpp"

#include <algorithm>

namespace symvi {

template<typename LikelihoodType, typename MatType>
RegressionAccumulator<LikelihoodType, MatType>::RegressionAccumulator(
    const LikelihoodType& likelihood, const PredictOptions& options) :
    likelihood(likelihood),
    interval(options.interval),
    rows(0),
    chunkBegin(0),
    chunkCount(0)
{
  options.Check("RegressionAccumulator");
  if (interval > 0)
    levels = { 0.5 * (1 - interval), 0.5 * (1 + interval) };
  levels.insert(levels.end(), options.quantiles.begin(),
      options.quantiles.end());
  for (const double level : levels)
    normalQuantiles.push_back(predict::NormalQuantile(level));
}

template<typename LikelihoodType, typename MatType>
size_t RegressionAccumulator<LikelihoodType, MatType>::Targets(
    const size_t outputs) const
{
  MatType one(outputs, 1, arma::fill::zeros), result;
  likelihood.Mean(one, result);
  return result.n_rows;
}

template<typename LikelihoodType, typename MatType>
void RegressionAccumulator<LikelihoodType, MatType>::Reset(const size_t outputs,
    const size_t points)
{
  rows = outputs;
  const size_t targets = Targets(outputs);
  mean.zeros(targets, points);
  scatter.zeros(targets, points);
  noise.zeros(targets, points);
  quantiles.assign(levels.size(), MatType(targets, points));
}

template<typename LikelihoodType, typename MatType>
size_t RegressionAccumulator<LikelihoodType, MatType>::ChunkLimit(
    const PredictOptions& options, const size_t outputs) const
{
  if (levels.empty())
    return size_t(-1);
  const size_t budget = size_t(1) << 23;
  const size_t perPoint = 2 * Targets(outputs) * options.samples;
  return std::max<size_t>(1, budget / perPoint);
}

template<typename LikelihoodType, typename MatType>
void RegressionAccumulator<LikelihoodType, MatType>::BeginChunk(
    const size_t /* outputs */, const size_t point, const size_t count,
    const size_t samples)
{
  chunkBegin = point;
  chunkCount = count;
  if (levels.empty())
    return;
  keptMeans.set_size(samples, mean.n_rows * count);
  keptStddevs.set_size(samples, mean.n_rows * count);
}

template<typename LikelihoodType, typename MatType>
void RegressionAccumulator<LikelihoodType, MatType>::Add(ElemType* outputs,
    const size_t firstDraw, const size_t draws, const size_t point,
    const size_t count)
{
  const MatType block(outputs, rows, draws * count, false, true);
  likelihood.Mean(block, drawMeans);
  likelihood.Variance(block, drawVariances);
  for (size_t j = 0; j < count; ++j)
  {
    for (size_t i = 0; i < mean.n_rows; ++i)
    {
      AddMoments(i, point + j, j * draws, firstDraw, draws);
      if (!levels.empty())
        Keep(i, point + j, j * draws, firstDraw, draws);
    }
  }
}

template<typename LikelihoodType, typename MatType>
void RegressionAccumulator<LikelihoodType, MatType>::AddMoments(
    const size_t target, const size_t point, const size_t firstColumn,
    const size_t firstDraw, const size_t draws)
{
  double m = mean(target, point), q = scatter(target, point);
  double v = noise(target, point);
  for (size_t s = 0; s < draws; ++s)
  {
    const double weight = 1 / double(firstDraw + s + 1);
    const double f = double(drawMeans(target, firstColumn + s));
    const double delta = f - m;
    m += delta * weight;
    q += delta * (f - m);
    v += (double(drawVariances(target, firstColumn + s)) - v) * weight;
  }
  mean(target, point) = m;
  scatter(target, point) = q;
  noise(target, point) = v;
}

template<typename LikelihoodType, typename MatType>
void RegressionAccumulator<LikelihoodType, MatType>::Keep(const size_t target,
    const size_t point, const size_t firstColumn, const size_t firstDraw,
    const size_t draws)
{
  const size_t column = (point - chunkBegin) * mean.n_rows + target;
  for (size_t s = 0; s < draws; ++s)
  {
    keptMeans(firstDraw + s, column) = drawMeans(target, firstColumn + s);
    keptStddevs(firstDraw + s, column) = std::sqrt(
        drawVariances(target, firstColumn + s));
  }
}

template<typename LikelihoodType, typename MatType>
void RegressionAccumulator<LikelihoodType, MatType>::EndChunk()
{
  if (levels.empty())
    return;
  const size_t targets = mean.n_rows;
  for (size_t c = 0; c < targets * chunkCount; ++c)
  {
    const predict::NormalMixture<ElemType> mixture(keptMeans.colptr(c),
        keptStddevs.colptr(c), keptMeans.n_rows);
    for (size_t l = 0; l < levels.size(); ++l)
      quantiles[l](c % targets, chunkBegin + c / targets) = ElemType(
          mixture.Quantile(levels[l], normalQuantiles[l]));
  }
}

template<typename LikelihoodType, typename MatType>
RegressionPrediction<MatType>
RegressionAccumulator<LikelihoodType, MatType>::Finish(const size_t samples)
{
  RegressionPrediction<MatType> result;
  result.samples = samples;
  result.mean = arma::conv_to<MatType>::from(mean);
  result.epistemicVariance = arma::conv_to<MatType>::from(
      arma::mat(scatter / double(samples)));
  result.aleatoricVariance = arma::conv_to<MatType>::from(noise);
  result.interval = interval;
  size_t first = 0;
  if (interval > 0)
  {
    result.lower = quantiles[0];
    result.upper = quantiles[1];
    first = 2;
  }
  result.levels.assign(levels.begin() + first, levels.end());
  result.quantiles.assign(quantiles.begin() + first, quantiles.end());
  return result;
}

} // namespace symvi

#endif
