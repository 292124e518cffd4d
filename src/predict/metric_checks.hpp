/**
 * @file src/predict/metric_checks.hpp
 *
 * Argument checks shared by the metrics.  Every message names the function,
 * the argument, the column and the offending value.
 */
#ifndef SYMVI_SRC_PREDICT_METRIC_CHECKS_HPP
#define SYMVI_SRC_PREDICT_METRIC_CHECKS_HPP

#include <symvi/predict/metrics.hpp>

#include <armadillo>

#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>

namespace symvi {
namespace metrics {

//! Throws std::invalid_argument with a message made of its arguments.
template<typename... Parts>
[[noreturn]] void Fail(const Parts&... parts)
{
  std::ostringstream message;
  (message << ... << parts);
  throw std::invalid_argument(message.str());
}

//! Both matrices must have the same, non-empty shape.
template<typename A, typename B>
void CheckSameShape(const std::string& where, const std::string& nameA,
    const A& a, const std::string& nameB, const B& b)
{
  if (a.n_elem == 0)
    Fail(where, "(): ", nameA, " must not be empty, but is ", a.n_rows, " x ",
        a.n_cols, ".");
  if (a.n_rows != b.n_rows || a.n_cols != b.n_cols)
    Fail(where, "(): ", nameB, " must have the shape of ", nameA, " (",
        a.n_rows, " x ", a.n_cols, "), but is ", b.n_rows, " x ", b.n_cols,
        ".");
}

//! Every element must be finite.
template<typename MatType>
void CheckFinite(const std::string& where, const std::string& name,
    const MatType& values)
{
  for (size_t j = 0; j < values.n_cols; ++j)
    for (size_t i = 0; i < values.n_rows; ++i)
      if (!std::isfinite(double(values(i, j))))
        Fail(where, "(): ", name, " must be finite, but is ", values(i, j),
            " in row ", i, ", column ", j, ".");
}

//! Every element must be finite and positive.
template<typename MatType>
void CheckPositive(const std::string& where, const std::string& name,
    const MatType& values)
{
  CheckFinite(where, name, values);
  for (size_t j = 0; j < values.n_cols; ++j)
    for (size_t i = 0; i < values.n_rows; ++i)
      if (!(values(i, j) > 0))
        Fail(where, "(): ", name, " must be positive, but is ", values(i, j),
            " in row ", i, ", column ", j, ".");
}

//! How far a column of probabilities may be from summing to one.
template<typename eT>
double SumTolerance()
{
  return 1e4 * double(std::numeric_limits<eT>::epsilon());
}

/**
 * Every element in [0, 1]; with two or more rows every column sums to one.  A
 * single row holds P(label = 1) and needs no sum.
 */
template<typename MatType>
void CheckProbabilities(const std::string& where, const MatType& probabilities)
{
  const double slack = SumTolerance<typename MatType::elem_type>();
  if (probabilities.n_elem == 0)
    Fail(where, "(): probabilities must not be empty, but is ",
        probabilities.n_rows, " x ", probabilities.n_cols, ".");
  for (size_t j = 0; j < probabilities.n_cols; ++j)
  {
    double sum = 0;
    for (size_t i = 0; i < probabilities.n_rows; ++i)
    {
      const double p = probabilities(i, j);
      if (!(p >= 0 && p <= 1 + slack))
        Fail(where, "(): probabilities must lie in [0, 1], but is ", p,
            " in row ", i, ", column ", j, ".");
      sum += p;
    }
    if (probabilities.n_rows > 1 && !(std::abs(sum - 1) <= slack))
      Fail(where,
          "(): probabilities must sum to 1 in every column, but sum to ", sum,
          " in column ", j, ".");
  }
}

/**
 * The class numbers of the columns: one label per column, each an integer in
 * [0, numClasses).
 */
inline arma::uvec CheckLabels(const std::string& where, const Numbers& labels,
    const size_t numPoints, const size_t numClasses)
{
  if (labels.n_elem != numPoints)
    Fail(where, "(): labels must have one entry per column of probabilities (",
        numPoints, "), but has ", labels.n_elem, ".");

  arma::uvec result(numPoints);
  for (size_t j = 0; j < numPoints; ++j)
  {
    const double label = double(labels(j));
    if (!(label >= 0 && label < double(numClasses)) ||
        label != std::floor(label))
      Fail(where, "(): labels must be integers in [0, ", numClasses,
          "), but is ", label, " in column ", j, ".");
    result(j) = arma::uword(label);
  }
  return result;
}

//! A row of P(label = 1) has two classes; otherwise a class is a row.
template<typename MatType>
size_t NumClasses(const MatType& probabilities)
{
  return probabilities.n_rows == 1 ? 2 : probabilities.n_rows;
}

//! P(class | column), whichever of the two forms `probabilities` has.
template<typename MatType>
double ClassProbability(const MatType& probabilities, const size_t label,
    const size_t column)
{
  if (probabilities.n_rows > 1)
    return double(probabilities(label, column));
  const double p = double(probabilities(0, column));
  return label == 1 ? p : 1 - p;
}

} // namespace metrics
} // namespace symvi

#endif
