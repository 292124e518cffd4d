/**
 * @file src/io/standardizer.cpp
 */
#include <symvi/io/dataset.hpp>
#include <symvi/require.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "io/number.hpp"

namespace symvi {
namespace io {

Standardizer::Standardizer(const arma::mat& data) :
    Standardizer(data, std::vector<bool>(data.n_cols, true), data.n_cols,
        [](std::vector<double>&, const std::function<void()>& add) { add(); })
{ }

Standardizer::Standardizer(const arma::mat& data, const std::vector<bool>& use,
    const size_t points,
    const std::function<void(std::vector<double>&,
        const std::function<void()>&)>& inTurn) :
    means(data.n_rows, 0.0),
    scales(data.n_rows, 0.0)
{
  if (points == 0)
    Refuse("Standardizer", "data must have at least one point", "has 0");

  // Two passes, without a copy of the data.
  const auto forAll = [&](std::vector<double>& sums, const auto& add)
  {
    inTurn(sums,
        [&]
        {
      for (size_t j = 0; j < data.n_cols; ++j)
        for (size_t i = 0; use[j] && i < data.n_rows; ++i)
          add(i, data(i, j));
    });
  };
  forAll(means,
      [&](const size_t i, const double x) { means[i] += x / double(points); });
  // Squares relative to the largest deviation neither overflow nor vanish.
  std::vector<double> largest(data.n_rows, 0.0);
  forAll(largest,
      [&](const size_t i, const double x)
      { largest[i] = std::max(largest[i], std::abs(x - means[i])); });
  forAll(scales,
      [&](const size_t i, const double x)
      {
    if (largest[i] > 0.0)
      scales[i] += std::pow((x - means[i]) / largest[i], 2);
  });

  const double denominator = double(points > 1 ? points - 1 : 1);
  for (size_t i = 0; i < data.n_rows; ++i)
  {
    scales[i] = largest[i] * std::sqrt(scales[i] / denominator);
    if (!(std::abs(means[i]) <= LargestNumber()) ||
        !(scales[i] <= LargestNumber()))
      Refuse("Standardizer",
          "dimension " + std::to_string(i + 1) +
              " must have a mean and a standard deviation below 1e150",
          "its numbers are too large; divide them by a power of ten");
    // Rounding leaves a trace of 1e-16 on a constant dimension.
    if (!(scales[i] > 1e-12 * (1e-300 + std::abs(means[i]))))
      scales[i] = 1.0;
  }
}

Standardizer::Standardizer(const arma::vec& means, const arma::vec& scales) :
    means(means.begin(), means.end()),
    scales(scales.begin(), scales.end())
{
  RequireCount("Standardizer", "scales", "entries, one per mean", scales.n_elem,
      means.n_elem);
  for (const double mean : means)
    RequireFinite("Standardizer", "a mean", mean);
  for (const double scale : scales)
    RequirePositive("Standardizer", "a scale", scale);
}

void Standardizer::Apply(arma::mat& data) const
{
  if (Identity())
    return;
  CheckRows(data, "Apply");
  for (size_t j = 0; j < data.n_cols; ++j)
    for (size_t i = 0; i < data.n_rows; ++i)
      data(i, j) = (data(i, j) - means[i]) / scales[i];
}

void Standardizer::Revert(arma::mat& data) const
{
  if (Identity())
    return;
  CheckRows(data, "Revert");
  for (size_t j = 0; j < data.n_cols; ++j)
    for (size_t i = 0; i < data.n_rows; ++i)
      data(i, j) = data(i, j) * scales[i] + means[i];
}

void Standardizer::RevertScale(arma::mat& deviations) const
{
  if (Identity())
    return;
  CheckRows(deviations, "RevertScale");
  for (size_t j = 0; j < deviations.n_cols; ++j)
    for (size_t i = 0; i < deviations.n_rows; ++i)
      deviations(i, j) *= scales[i];
}

double Standardizer::LogJacobian() const
{
  double sum = 0.0;
  for (const double scale : scales)
    sum -= std::log(scale);
  return sum;
}

void Standardizer::CheckRows(const arma::mat& data, const char* where) const
{
  RequireCount("Standardizer::" + std::string(where), "data", "dimensions",
      data.n_rows, means.size());
}

} // namespace io
} // namespace symvi
