/**
 * @file symvi/information/make_estimator.hpp
 *
 * Estimators of I(g; w) by name.
 */
#ifndef SYMVI_INFORMATION_MAKE_ESTIMATOR_HPP
#define SYMVI_INFORMATION_MAKE_ESTIMATOR_HPP

#include "estimator.hpp"

#include <string>
#include <vector>

namespace symvi {

//! The names that MakeEstimator() knows, the default first.
std::vector<std::string> EstimatorNames();

/**
 * The estimator of the given name; std::invalid_argument if there is none.
 *
 * @param name One of EstimatorNames().
 * @param permutations K, for estimators that draw permutations.
 */
std::unique_ptr<InformationEstimator> MakeEstimator(
    const std::string& name = "auto", const size_t permutations = 20);

//! K of an estimator that draws permutations, else 0.
size_t EstimatorPermutations(const InformationEstimator& estimator);

} // namespace symvi

#endif
