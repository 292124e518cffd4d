/**
 * @file src/predict/ranking_metrics.cpp
 */
#include <symvi/predict/metrics.hpp>

#include "predict/metric_checks.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace symvi {
namespace metrics {
namespace {

//! The elements of a vector, none of which may be NaN.
std::vector<double> Scores(const char* where, const char* name,
    const Numbers& values)
{
  std::vector<double> scores;
  for (size_t i = 0; i < values.n_elem; ++i)
  {
    scores.push_back(double(values[i]));
    if (std::isnan(scores.back()))
      Fail(where, "(): ", name, " must be numbers, but element ", i,
          " is NaN.");
  }
  if (scores.empty())
    Fail(where, "(): ", name, " must not be empty, but has 0 elements.");
  return scores;
}

} // namespace
} // namespace metrics

double Auroc(const metrics::Numbers& inside, const metrics::Numbers& outside)
{
  std::vector<double> in = metrics::Scores("Auroc", "inside", inside);
  std::sort(in.begin(), in.end());
  double pairs = 0.0;
  for (const double score : metrics::Scores("Auroc", "outside", outside))
  {
    const auto range = std::equal_range(in.begin(), in.end(), score);
    pairs += 0.5 *
        double((range.first - in.begin()) + (range.second - in.begin()));
  }
  return pairs / (double(in.size()) * double(outside.n_elem));
}

double FalsePositiveRate(const metrics::Numbers& inside,
    const metrics::Numbers& outside, const double detected)
{
  if (!(detected > 0.0 && detected <= 1.0))
    metrics::Fail("FalsePositiveRate(): detected must lie in (0, 1], but is ",
        detected, ".");
  const std::vector<double> in = metrics::Scores("FalsePositiveRate", "inside",
      inside);
  std::vector<double> out = metrics::Scores("FalsePositiveRate", "outside",
      outside);
  std::sort(out.begin(), out.end(), std::greater<double>());
  // Rounding must not ask for one point more: 0.95 * 20 is 19.
  const size_t needed = std::max<size_t>(1,
      size_t(std::ceil(detected * double(out.size()) - 1e-9)));
  const double threshold = out[needed - 1];
  return double(std::count_if(in.begin(), in.end(),
             [&](const double score) { return score >= threshold; })) /
      double(in.size());
}

double Aurc(const metrics::Numbers& uncertainty, const metrics::Numbers& losses)
{
  const std::vector<double> u = metrics::Scores("Aurc", "uncertainty",
      uncertainty);
  const std::vector<double> loss = metrics::Scores("Aurc", "losses", losses);
  if (u.size() != loss.size())
    metrics::Fail("Aurc(): losses must have one element per uncertainty (",
        u.size(), "), but has ", loss.size(), ".");
  std::vector<size_t> order(u.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::sort(order.begin(), order.end(),
      [&](const size_t a, const size_t b) { return u[a] < u[b]; });
  double area = 0.0, sum = 0.0;
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end)
  {
    double tied = 0.0;
    for (end = begin; end < order.size() && u[order[end]] == u[order[begin]];
         ++end)
      tied += loss[order[end]];
    const double each = tied / double(end - begin);
    for (size_t k = begin; k < end; ++k)
    {
      sum += each;
      area += sum / double(k + 1);
    }
  }
  return area / double(order.size());
}

} // namespace symvi
