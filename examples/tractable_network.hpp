/**
 * @file examples/tractable_network.hpp
 *
 * f(x) = ReLU(w_1 x) + ReLU(w_2 x) on data alpha |x| [Gelberg2024, Sec. 5]:
 * everything about its posterior in closed form or by quadrature over two
 * weights.
 */
#ifndef SYMVI_EXAMPLES_TRACTABLE_NETWORK_HPP
#define SYMVI_EXAMPLES_TRACTABLE_NETWORK_HPP

#include <symvi/kernel/random_stream.hpp>

#include <armadillo>

#include <algorithm>
#include <cmath>

namespace examples {

/**
 * N points x ~ U(-10, 10), y = alpha |x|.  The two weights see the data through
 * three numbers only: N and the sums of x^2 over positive and negative x,
 *
 *   log p(Y | X, w) = -N/2 log(2 pi v)
 *       - [ S+ (alpha - (w_1)+ - (w_2)+)^2
 *         + S- (alpha - (-w_1)+ - (-w_2)+)^2 ] / 2v.
 */
struct TractableNetwork
{
  arma::mat X, y;
  double alpha, noiseVariance, priorStddev;
  double positive = 0, negative = 0;

  TractableNetwork(double alpha, size_t points, double noiseVariance,
      double priorStddev, uint64_t seed) :
      X(1, points),
      alpha(alpha),
      noiseVariance(noiseVariance),
      priorStddev(priorStddev)
  {
    symvi::RandomStream stream(seed);
    for (double& x : X)
      x = 20 * stream.NextUniform() - 10;
    y = alpha * arma::abs(X);
    for (double x : X)
      (x > 0 ? positive : negative) += x * x;
  }

  double LogLikelihood(double w1, double w2) const
  {
    const double p = alpha - std::max(w1, 0.0) - std::max(w2, 0.0);
    const double n = alpha - std::max(-w1, 0.0) - std::max(-w2, 0.0);
    return -0.5 * (positive * p * p + negative * n * n) / noiseVariance -
        0.5 * double(X.n_elem) * std::log(2 * M_PI * noiseVariance);
  }

  double LogPrior(double w1, double w2) const
  {
    return LogNormal(w1, 0, priorStddev) + LogNormal(w2, 0, priorStddev);
  }

  static double LogNormal(double x, double mean, double stddev)
  {
    const double z = (x - mean) / stddev;
    return -0.5 * z * z - std::log(stddev) - 0.5 * std::log(2 * M_PI);
  }

  //! log p(Y | X), by the trapezoidal rule over 8 prior deviations.
  double LogEvidence() const
  {
    const int half = 400;
    const double h = 8 * priorStddev / half;
    double largest = -arma::datum::inf, sum = 0;
    for (int i = -half; i <= half; ++i)
      for (int j = -half; j <= half; ++j)
      {
        const double t = LogLikelihood(i * h, j * h) + LogPrior(i * h, j * h);
        if (t > largest)
        {
          sum *= std::exp(largest - t);
          largest = t;
        }
        sum += std::exp(t - largest);
      }
    return largest + std::log(sum * h * h);
  }
};

//! A mean-field posterior over the two weights, and what quadrature says of it.
struct TwoWeights
{
  double mu[2], sigma[2];
  double elbo = 0, symmetrizedElbo = 0;

  TwoWeights(const arma::mat& means, const arma::mat& sigmas,
      const TractableNetwork& network) :
      mu{ means[0], means[1] },
      sigma{ sigmas[0], sigmas[1] }
  {
    // L = E_q [log p(Y | X, w) + log p(w) - log q(w)], L^G with log q^G.
    const int half = 120;
    const double h = 7.0 / half;
    for (int i = -half; i <= half; ++i)
      for (int j = -half; j <= half; ++j)
      {
        const double weight = h * h * std::exp(-0.5 * h * h * (i * i + j * j)) /
            (2 * M_PI);
        const double w1 = mu[0] + sigma[0] * h * i;
        const double w2 = mu[1] + sigma[1] * h * j;
        const double joint = network.LogLikelihood(w1, w2) +
            network.LogPrior(w1, w2);
        const double q = LogDensity(w1, w2), swapped = LogDensity(w2, w1);
        const double high = std::max(q, swapped);
        elbo += weight * (joint - q);
        symmetrizedElbo += weight *
            (joint - high -
                std::log(
                    0.5 * (std::exp(q - high) + std::exp(swapped - high))));
      }
  }

  double LogDensity(double w1, double w2) const
  {
    return TractableNetwork::LogNormal(w1, mu[0], sigma[0]) +
        TractableNetwork::LogNormal(w2, mu[1], sigma[1]);
  }
};

} // namespace examples

#endif
