/**
 * @file symvi/information/bethe_estimator.hpp
 *
 * Deterministic bounds of I(g; w) by belief propagation.
 */
#ifndef SYMVI_INFORMATION_BETHE_ESTIMATOR_HPP
#define SYMVI_INFORMATION_BETHE_ESTIMATOR_HPP

#include "bethe_solver.hpp"
#include "bound_estimator.hpp"

namespace symvi {

/**
 * The Bethe permanent bounds the permanent of m overlapping units on both
 * sides, perm_B <= perm <= 2^(m/2) perm_B (see information::BetheSolver).  For
 * every draw w: upper is an *upper bound* of I(w) and lower, which is also the
 * value, a *lower bound*; they differ by (m/2) log 2 summed over groups of more
 * than two overlapping units.  The gradient, the same for both, is the
 * derivative at the fixed point of belief propagation.  One hidden layer at a
 * time: neighbouring hidden layers are refused.
 */
using BetheEstimator = information::BoundEstimator<information::BetheSolver>;

} // namespace symvi

#endif
