/**
 * @file src/likelihood/check.hpp
 *
 * Checks that the likelihoods share.  Messages name the column, counted from
 * zero.
 */
#ifndef SYMVI_SRC_LIKELIHOOD_CHECK_HPP
#define SYMVI_SRC_LIKELIHOOD_CHECK_HPP

#include <armadillo>
#include <symvi/require.hpp>

#include <cmath>
#include <stdexcept>
#include <string>

namespace symvi {
namespace likelihood {

//! Targets must be a matrix of the given shape.
template<typename MatType>
inline void CheckShape(const char* where, const MatType& targets,
    const size_t rows, const size_t cols)
{
  if (targets.n_rows == rows && targets.n_cols == cols)
    return;
  Refuse(where,
      "targets must be " + std::to_string(rows) + " x " + std::to_string(cols),
      "are " + std::to_string(targets.n_rows) + " x " +
          std::to_string(targets.n_cols));
}

[[noreturn]] inline void BadTarget(const char* where, const char* what,
    const size_t column, const double value)
{
  Refuse(where, what,
      "the target in column " + std::to_string(column) + " is " +
          ValueText(value));
}

//! Every target must be finite.
template<typename MatType>
inline void CheckFinite(const char* where, const MatType& targets)
{
  for (size_t c = 0; c < targets.n_cols; ++c)
    for (size_t r = 0; r < targets.n_rows; ++r)
      if (!std::isfinite(targets(r, c)))
        BadTarget(where, "targets must be finite", c, targets(r, c));
}

} // namespace likelihood
} // namespace symvi

#endif
