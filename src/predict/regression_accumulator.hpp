/**
 * @file src/predict/regression_accumulator.hpp
 *
 * Running moments and quantiles from which a RegressionPrediction is made.
 */
#ifndef SYMVI_SRC_PREDICT_REGRESSION_ACCUMULATOR_HPP
#define SYMVI_SRC_PREDICT_REGRESSION_ACCUMULATOR_HPP

#include "predict/normal_mixture.hpp"

#include <symvi/predict/predictive.hpp>

#include <vector>

namespace symvi {

/**
 * Collects draws of network outputs under a likelihood that has
 * Mean(outputs, mean) and Variance(outputs, variance), Gaussian given the
 * outputs.  Mean and variance are updated by Welford's recurrence in double,
 * so that a small spread around a large mean is not lost.
 *
 * Quantiles of the mixture need all draws of a point at once.  They are kept
 * for one chunk of points only, mean and noise of every draw, target and point
 * of the chunk: at most 2^23 numbers (32 MB of float, 64 MB of double) unless
 * one point alone needs more.  Memory grows with neither the number of points
 * nor, up to 4 million draws of one target, the number of draws.  Without
 * interval and quantiles no draw is kept.
 */
template<typename LikelihoodType, typename MatType = arma::mat>
class RegressionAccumulator final : public PredictiveSink<MatType>
{
 public:
  using ElemType = typename MatType::elem_type;

  //! @param likelihood Copied; gives mean and variance of a draw.
  RegressionAccumulator(const LikelihoodType& likelihood,
      const PredictOptions& options);

  //! Start anew for this many points with this many network outputs each.
  void Reset(const size_t outputs, const size_t points) override;

  //! Points whose draws may be kept together.
  size_t ChunkLimit(const PredictOptions& options,
      const size_t outputs) const override;

  //! Make room for the draws of a chunk of points.
  void BeginChunk(const size_t outputs, const size_t point, const size_t count,
      const size_t samples) override;
  //! Find the quantiles of the chunk.
  void EndChunk() override;

  /**
   * Add draws of the outputs of some points.
   *
   * @param outputs rows x (draws * count), the draws of a point side by side.
   */
  void Add(ElemType* outputs, const size_t firstDraw, const size_t draws,
      const size_t point, const size_t count) override;

  //! The prediction, given how many draws every point has seen.
  RegressionPrediction<MatType> Finish(const size_t samples);

 private:
  //! Welford's update of one target by the draws of one point.
  void AddMoments(const size_t target, const size_t point,
      const size_t firstColumn, const size_t firstDraw, const size_t draws);
  //! Keep the draws of one target of one point.
  void Keep(const size_t target, const size_t point, const size_t firstColumn,
      const size_t firstDraw, const size_t draws);
  //! Number of targets that this many outputs stand for.
  size_t Targets(const size_t outputs) const;

  LikelihoodType likelihood;
  //! All levels: the interval's two, then the quantiles.
  std::vector<double> levels;
  std::vector<double> normalQuantiles;
  double interval;

  size_t rows;
  //! Welford's mean and sum of squares, and the mean noise variance.
  arma::mat mean, scatter, noise;
  std::vector<MatType> quantiles;

  //! The chunk whose draws are kept: samples x (targets * points).
  size_t chunkBegin, chunkCount;
  MatType keptMeans, keptStddevs;

  //! Mean and variance of the draws being added.
  MatType drawMeans, drawVariances;
};

} // namespace symvi

#include "predict/regression_accumulator_impl.hpp"

#endif
