/**
 * @file examples/common/problems.hpp
 *
 * Small data sets: a sine with a gap, two moons, and handwritten digits.
 */
#ifndef SYMVI_EXAMPLES_COMMON_PROBLEMS_HPP
#define SYMVI_EXAMPLES_COMMON_PROBLEMS_HPP

#include <symvi/kernel/random_stream.hpp>

#include <armadillo>

#include <cmath>
#include <stdexcept>
#include <string>

namespace examples {

//! Points and targets, one column each, for training and for testing.
struct Problem
{
  arma::mat X, y, testX, testY;
};

/**
 * y = sin(f x) + N(0, noise^2); x uniform on [-2, 2], outside of (-gap, gap)
 * for the training points.
 */
inline Problem Sine(size_t points, size_t testPoints, double noise, double gap,
    uint64_t seed, double frequency = 3)
{
  symvi::RandomStream stream(seed);
  auto fill = [&](arma::mat& X, arma::mat& y, size_t n, double hole)
  {
    X.set_size(1, n);
    y.set_size(1, n);
    stream.FillNormal(y.memptr(), n);
    for (size_t i = 0; i < n; ++i)
    {
      const double u = 2 * stream.NextUniform() - 1;
      X[i] = (u < 0 ? -hole : hole) + u * (2 - hole);
      y[i] = std::sin(frequency * X[i]) + noise * y[i];
    }
  };
  Problem problem;
  fill(problem.X, problem.y, points, gap);
  fill(problem.testX, problem.testY, testPoints, 0.0);
  return problem;
}

//! Two interleaved half circles of radius 1, with N(0, noise^2) added; classes
//! 0 and 1, scaled to about unit variance.
inline Problem TwoMoons(size_t points, size_t testPoints, double noise,
    uint64_t seed)
{
  symvi::RandomStream stream(seed);
  auto fill = [&](arma::mat& X, arma::mat& y, size_t n)
  {
    X.set_size(2, n);
    y.set_size(1, n);
    stream.FillNormal(X.memptr(), X.n_elem);
    for (size_t i = 0; i < n; ++i)
    {
      const double angle = M_PI * stream.NextUniform();
      y[i] = double(i % 2);
      const double x0 = i % 2 ? 1 - std::cos(angle) : std::cos(angle);
      const double x1 = i % 2 ? 0.5 - std::sin(angle) : std::sin(angle);
      X(0, i) = (x0 + noise * X(0, i) - 0.5) / 0.87;
      X(1, i) = (x1 + noise * X(1, i) - 0.25) / 0.5;
    }
  };
  Problem problem;
  fill(problem.X, problem.y, points);
  fill(problem.testX, problem.testY, testPoints);
  return problem;
}

/**
 * The 8 x 8 digits of examples/data/digits.csv, pixels in [0, 1]: `points` of
 * them, chosen at random, for training, the rest for testing.
 */
inline Problem Digits(const std::string& file, size_t points, uint64_t seed)
{
  arma::mat data;
  if (!data.load(file, arma::csv_ascii) || data.n_cols != 65)
    throw std::runtime_error(
        "Digits(): " + file + " must be a CSV file of 65 columns.");
  symvi::RandomStream stream(seed);
  arma::uvec order = arma::regspace<arma::uvec>(0, data.n_rows - 1);
  for (size_t i = order.n_elem - 1; i > 0; --i)
    std::swap(order[i], order[stream.NextIndex(i + 1)]);
  data = arma::mat(data.rows(order)).t();
  Problem problem;
  problem.X = data.submat(0, 0, 63, points - 1) / 16.0;
  problem.y = data.submat(64, 0, 64, points - 1);
  problem.testX = data.submat(0, points, 63, data.n_cols - 1) / 16.0;
  problem.testY = data.submat(64, points, 64, data.n_cols - 1);
  return problem;
}

} // namespace examples

#endif
