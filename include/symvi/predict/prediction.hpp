/**
 * @file symvi/predict/prediction.hpp
 *
 * What a posterior predictive gives back.
 */
#ifndef SYMVI_PREDICT_PREDICTION_HPP
#define SYMVI_PREDICT_PREDICTION_HPP

#include <armadillo>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace symvi {

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
 * are 1 x n.  Bernoulli: a row per output, each an event of its own with
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
    throw std::invalid_argument("RegressionPrediction::Quantile(): level must "
                                "be one of PredictOptions::quantiles, but is " +
        std::to_string(level) + ".");
  }
};

} // namespace symvi

#endif
