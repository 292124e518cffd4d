/**
 * @file src/predict/normal_mixture.hpp
 *
 * Distribution function and quantiles of a mixture of Gaussians with equal
 * weights.
 */
#ifndef SYMVI_SRC_PREDICT_NORMAL_MIXTURE_HPP
#define SYMVI_SRC_PREDICT_NORMAL_MIXTURE_HPP

#include <algorithm>
#include <symvi/require.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>

namespace symvi {
namespace predict {

//! Phi(z), accurate in both tails.
inline double NormalCDF(const double z)
{
  return 0.5 * std::erfc(-z * 0.70710678118654752440);
}

//! z with Phi(z) = level, by bisection; level in (0, 1).
inline double NormalQuantile(const double level)
{
  Require(level > 0 && level < 1, "NormalQuantile", "level must lie in (0, 1)",
      level);
  if (level > 0.5)
    return -NormalQuantile(1 - level);
  double low = -39, high = 0;
  for (size_t i = 0; i < 60; ++i)
  {
    const double middle = 0.5 * (low + high);
    (NormalCDF(middle) < level ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/**
 * The mixture F(y) = (1/S) sum_s Phi((y - m_s) / d_s).  Memory is not owned.
 */
template<typename eT>
class NormalMixture
{
 public:
  /**
   * @param means Array of S means.
   * @param stddevs Array of S standard deviations, all positive.
   * @param size S.
   */
  NormalMixture(const eT* means, const eT* stddevs, const size_t size) :
      means(means),
      stddevs(stddevs),
      size(size)
  { }

  //! F(y); `density` is set to its derivative.
  double CDF(const double y, double& density) const
  {
    double sum = 0, slope = 0;
    for (size_t s = 0; s < size; ++s)
    {
      const double inverse = 1 / double(stddevs[s]);
      const double z = (y - double(means[s])) * inverse;
      // Beyond eight standard deviations both are 0 or 1 to 1e-15.
      if (z > 8)
        sum += 1;
      else if (z > -8)
      {
        sum += NormalCDF(z);
        slope += inverse * std::exp(-0.5 * z * z);
      }
    }
    density = slope * 0.39894228040143267794 / double(size);
    return sum / double(size);
  }

  /**
   * y with F(y) = level, given z = NormalQuantile(level).
   *
   * The quantile lies between the least and the greatest of the components'
   * own quantiles m_s + d_s z, and F is increasing: Newton's method inside
   * this bracket, bisection wherever a step would leave it.
   */
  double Quantile(const double level, const double z) const
  {
    double low, high, y;
    Bracket(z, low, high, y);
    const double tolerance = 8 * double(std::numeric_limits<eT>::epsilon()) *
        std::max(std::abs(low), std::abs(high));
    for (size_t i = 0; i < 100 && high - low > tolerance; ++i)
    {
      double density;
      const double error = CDF(y, density) - level;
      (error < 0 ? low : high) = y;
      double next = y - error / density;
      if (!(next > low && next < high))
        next = 0.5 * (low + high);
      const double step = std::abs(next - y);
      y = next;
      if (step <= tolerance)
        break;
    }
    return y;
  }

 private:
  //! The bracket, and the Gaussian approximation of the quantile inside it.
  void Bracket(const double z, double& low, double& high, double& start) const
  {
    low = std::numeric_limits<double>::infinity();
    high = -low;
    double mean = 0, scatter = 0, noise = 0;
    for (size_t s = 0; s < size; ++s)
    {
      const double m = double(means[s]), d = double(stddevs[s]);
      low = std::min(low, m + d * z);
      high = std::max(high, m + d * z);
      const double delta = m - mean;
      mean += delta / double(s + 1);
      scatter += delta * (m - mean);
      noise += d * d;
    }
    start = mean + z * std::sqrt((scatter + noise) / double(size));
    start = std::min(std::max(start, low), high);
  }

  const eT* means;
  const eT* stddevs;
  size_t size;
};

} // namespace predict
} // namespace symvi

#endif
