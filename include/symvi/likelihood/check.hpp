/**
 * @file likelihood/check.hpp
 *
 * Checks that the likelihoods share.  Messages name the column, counted from
 * zero.
 */
#ifndef SYMVI_LIKELIHOOD_CHECK_HPP
#define SYMVI_LIKELIHOOD_CHECK_HPP

#include <armadillo>

#include <cmath>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace symvi {
namespace likelihood {

//! Targets must be a matrix of the given shape.
template<typename MatType>
inline void CheckShape(const char* where,
                       const MatType& targets,
                       const size_t rows,
                       const size_t cols)
{
  if (targets.n_rows == rows && targets.n_cols == cols)
    return;
  throw std::invalid_argument(std::string(where) + "(): targets must be " +
      std::to_string(rows) + " x " + std::to_string(cols) + ", but are " +
      std::to_string(targets.n_rows) + " x " + std::to_string(targets.n_cols) +
      ".");
}

[[noreturn]] inline void BadTarget(const char* where,
                                   const char* what,
                                   const size_t column,
                                   const double value)
{
  throw std::invalid_argument(std::string(where) + "(): " + what +
      ", but the target in column " + std::to_string(column) + " is " +
      std::to_string(value) + ".");
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

/**
 * Whether a network of matrices MatType can be trained with this output layer:
 * a likelihood of symvi (or one with the same functions) for these matrices,
 * and not a loss of mlpack, which is no normalised density.
 */
template<typename LikelihoodType, typename MatType, typename = void>
struct IsLikelihood : std::false_type { };

template<typename LikelihoodType, typename MatType>
struct IsLikelihood<LikelihoodType, MatType,
    std::void_t<decltype(LikelihoodType::CheckTargets(
        std::declval<const MatType&>(), size_t(), size_t()))>> :
    std::true_type { };

} // namespace likelihood
} // namespace symvi

#endif
