/**
 * @file src/model/pareto_smoothing.cpp
 */
#include "model/pareto_smoothing.hpp"
#include <symvi/require.hpp>

#include "information/scores/log_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

namespace symvi {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

//! 1/n sum_i log(1 - theta x_i).
double ProfileShape(const double theta, const std::vector<double>& x)
{
  double sum = 0.0;
  for (const double value : x)
    sum += std::log1p(-theta * value);
  return sum / double(x.size());
}

//! exp(a) - exp(b) for a >= b, also where both are nearly equal.
double Excess(const double a, const double b)
{
  return (a - b < 1.0) ? std::exp(b) * std::expm1(a - b) :
                         std::exp(a) - std::exp(b);
}

} // namespace

double GeneralizedPareto::Quantile(const double p) const
{
  const double t = -std::log1p(-p);
  return sigma * ((std::abs(k) < 1e-12) ? t : std::expm1(k * t) / k);
}

GeneralizedPareto FitGeneralizedPareto(const std::vector<double>& sorted)
{
  const size_t n = sorted.size(), grid = 30 + size_t(std::sqrt(double(n)));
  const double quartile = sorted[size_t(double(n) / 4.0 + 0.5) - 1];
  if (!(quartile > 0.0))
    return { infinity, infinity };
  std::vector<double> theta(grid), log(grid);
  for (size_t j = 0; j < grid; ++j)
  {
    theta[j] = 1.0 / sorted.back() +
        (1.0 - std::sqrt(double(grid) / (double(j) + 0.5))) / (3.0 * quartile);
    const double k = ProfileShape(theta[j], sorted);
    log[j] = double(n) * (std::log(-theta[j] / k) - k - 1.0);
  }
  const double all = information::LogSum(log.data(), grid);
  double mean = 0.0;
  for (size_t j = 0; j < grid; ++j)
    mean += theta[j] * std::exp(log[j] - all);
  const double k = ProfileShape(mean, sorted);
  return { k, -k / mean };
}

SmoothedWeights SmoothWeights(std::vector<double> logWeights)
{
  for (size_t i = 0; i < logWeights.size(); ++i)
  {
    if (!(logWeights[i] < infinity))
      Refuse("SmoothWeights",
          "logarithms of weights must be numbers below infinity",
          "number " + std::to_string(i + 1) + " is " +
              ValueText(logWeights[i]));
  }
  SmoothedWeights result{ std::numeric_limits<double>::quiet_NaN(),
    std::move(logWeights) };
  std::vector<double>& log = result.logWeights;
  const size_t n = log.size();
  const size_t tail = std::min(n / 5, size_t(3.0 * std::sqrt(double(n))));
  if (tail < 5)
    return result;

  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(),
      [&](size_t a, size_t b) { return log[a] < log[b]; });
  const size_t first = n - tail;
  const double most = log[order.back()];
  if (!(most > -infinity))
    return result;
  // Relative to the largest weight, from where the tail begins.
  const double cut = log[order[first - 1]] - most;
  if (cut > -1e-10)
  {
    result.k = -infinity;
    return result;
  }
  std::vector<double> excess(tail);
  for (size_t i = 0; i < tail; ++i)
    excess[i] = Excess(log[order[first + i]] - most, cut);
  GeneralizedPareto fit = FitGeneralizedPareto(excess);
  const double m = double(tail);
  fit.k = (m * fit.k + 5.0) / (m + 10.0);
  result.k = std::isfinite(fit.k) ? fit.k : infinity;
  for (size_t i = 0; i < tail && std::isfinite(fit.k); ++i)
    log[order[first + i]] = most +
        std::min(0.0,
            std::log(std::exp(cut) + fit.Quantile((double(i) + 0.5) / m)));
  return result;
}

double ParetoThreshold(const size_t samples)
{
  return std::min(1.0 - 1.0 / std::log10(double(samples)), 0.7);
}

} // namespace symvi
