/**
 * @file symvi/information/soules_estimator.hpp
 *
 * A deterministic lower bound of I(g; w).
 */
#ifndef SYMVI_INFORMATION_SOULES_ESTIMATOR_HPP
#define SYMVI_INFORMATION_SOULES_ESTIMATOR_HPP

#include "bound_estimator.hpp"
#include "soules_solver.hpp"

namespace symvi {

/**
 * The permanent is replaced by an upper bound (Bregman, Minc, Soules; see
 * information::SoulesSolver), which makes value a *lower bound* of I(w) for every
 * draw w, without sampling.  The gradient is that of the bound at fixed column
 * scaling.  One hidden layer at a time: neighbouring hidden layers are refused.
 */
using SoulesEstimator = information::BoundEstimator<information::SoulesSolver>;

} // namespace symvi

#endif
