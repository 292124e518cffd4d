/**
 * @file symvi/predict/prediction.hpp
 *
 * How a posterior predictive is computed, and what it gives back.
 */
#ifndef SYMVI_PREDICT_PREDICTION_HPP
#define SYMVI_PREDICT_PREDICTION_HPP

#include <symvi/require.hpp>

#include <armadillo>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace symvi {

/**
 * Options of every function that averages over the posterior.  Draw s is a
 * function of (seed, s) alone: the same seed gives the same weights however
 * many draws or points are asked for, and the same options give the same
 * predictions bit for bit.
 */
struct PredictOptions
{
  PredictOptions() { }
  //! The two that are changed most often.
  explicit PredictOptions(const size_t samples, const uint64_t seed = 0) :
      samples(samples),
      seed(seed)
  { }

  //! Number S of weight draws.
  size_t samples = 1000;
  //! Random seed of the weight samples.
  uint64_t seed = 0;
  //! Draw from q^G (a draw of q, then a uniform group element) rather than
  //! from q.  The functions are the same up to rounding; the weights are not.
  bool fromSymmetrized = false;

  //! Regression: probability of the central interval; 0 for none.
  double interval = 0.95;
  //! Regression: levels of further quantiles, each in (0, 1).
  std::vector<double> quantiles;

  //! Points that share one set of draws; 0: automatic.  Draws are repeated for
  //! every chunk, so that small chunks cost time and save memory.
  size_t pointsPerChunk = 0;
  //! Draws stacked into one matrix product; 0: automatic.
  size_t drawsPerBlock = 0;
  //! Points of one matrix product; 0: automatic.
  size_t pointsPerTile = 0;

  //! Throws std::invalid_argument if a value is out of range.
  void Check(const char* where) const
  {
    RequirePositive(where, "samples", samples);
    Require(interval >= 0 && interval < 1, where, "interval must lie in [0, 1)",
        interval);
    for (const double level : quantiles)
      Require(level > 0 && level < 1, where, "quantiles must lie in (0, 1)",
          level);
  }
};

/**
 * Posterior predictive of a classifier, with p_s the class probabilities under
 * draw s, s = 1 ... S, and means over draws:
 *
 *   probabilities     p = mean_s p_s
 *   variance          mean_s (p_s - p)^2
 *   entropy           H(p) = -sum_c p_c log p_c          (total, in nats)
 *   expectedEntropy   mean_s H(p_s)                      (aleatoric)
 *   mutualInformation H(p) - mean_s H(p_s) >= 0          (epistemic)
 *
 * One column per point.  Categorical: a row per class, and the three entropies
 * are 1 x n.  Bernoulli: a row per output, each a separate event with
 * probability `probabilities`, and the entropies have a row per output too.
 */
template<typename MatType = arma::mat>
struct ClassificationPrediction
{
  MatType probabilities;
  MatType variance;
  MatType entropy;
  MatType expectedEntropy;
  MatType mutualInformation;
  //! Number of draws S.
  size_t samples = 0;

  //! Mean of the predictive distribution: the probabilities.
  const MatType& Mean() const { return probabilities; }
};

/**
 * Posterior predictive of a Gaussian likelihood: the mixture
 * (1/S) sum_s N(f_s, v_s) for every output of every point, with f_s the
 * network's output and v_s the noise variance under draw s.
 *
 *   mean               mean_s f_s
 *   epistemicVariance  mean_s (f_s - mean)^2
 *   aleatoricVariance  mean_s v_s
 *   Variance()         their sum, the variance of the mixture
 *
 * One column per point, one row per output.  The central interval and the
 * quantiles are those of the mixture, not of a Gaussian with its moments.
 */
template<typename MatType = arma::mat>
struct RegressionPrediction
{
  MatType mean;
  MatType epistemicVariance;
  MatType aleatoricVariance;
  //! Probability of the central interval; 0 if none was asked for.
  double interval = 0;
  //! Bounds of the central interval; empty if interval is 0.
  MatType lower, upper;
  //! Levels asked for, and the quantiles of each.
  std::vector<double> levels;
  std::vector<MatType> quantiles;
  //! Number of draws S.
  size_t samples = 0;

  //! Mean of the predictive distribution.
  const MatType& Mean() const { return mean; }
  //! Variance of the predictive distribution.
  MatType Variance() const { return epistemicVariance + aleatoricVariance; }

  //! Quantiles of one of the levels that were asked for.
  const MatType& Quantile(const double level) const
  {
    for (size_t i = 0; i < levels.size(); ++i)
      if (std::abs(levels[i] - level) < 1e-12)
        return quantiles[i];
    Refuse("RegressionPrediction::Quantile",
        "level must be one of PredictOptions::quantiles",
        "is " + ValueText(level));
  }
};

} // namespace symvi

#endif
