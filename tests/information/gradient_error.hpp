/**
 * @file gradient_error.hpp
 *
 * Gradients against finite differences, with noise and permutations frozen.
 */
#ifndef SYMVI_TESTS_INFORMATION_GRADIENT_ERROR_HPP
#define SYMVI_TESTS_INFORMATION_GRADIENT_ERROR_HPP

#include "random_chain.hpp"

namespace symvi_tests {

/**
 * Largest error of the full gradient (means and deviations, through the draw)
 * against central differences, relative to the largest derivative.
 */
inline double GradientError(RandomChain<double>& net,
    symvi::InformationEstimator& estimator, const double scale = 1.0)
{
  net.Full(true);
  net.ZeroGradient();
  symvi::RandomStream stream(7);
  estimator.EvaluateWithGradient(net.chain, stream, scale, net.gradient);
  const auto value = [&]()
  {
    net.Update();
    symvi::RandomStream copy(7);
    return scale * estimator.TrainingValue(net.chain, copy).value;
  };
  double worst = 0.0, largest = 0.0;
  for (size_t l = 0; l < net.means.size(); ++l)
    for (size_t i = 0; i < net.means[l].size(); ++i)
      for (const bool mean : { true, false })
      {
        double& x = mean ? net.means[l][i] : net.sigmas[l][i];
        const double old = x, h = 1e-4 * std::max(0.1, std::abs(old));
        double f[4];
        for (const int k : { 0, 1, 2, 3 })
        {
          x = old + (k < 2 ? k - 2 : k - 1) * h;
          f[k] = value();
        }
        x = old;
        // Fourth order: error O(h^4).
        const double numeric = (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h);
        const double analytic = mean ?
            net.path[l][i] + net.direct[l][i] :
            net.path[l][i] * net.noise[l][i] + net.score[l][i];
        worst = std::max(worst, std::abs(numeric - analytic));
        largest = std::max(largest, std::abs(numeric));
      }
  net.Update();
  return worst / std::max(largest, 1e-2);
}

} // namespace symvi_tests

#endif
