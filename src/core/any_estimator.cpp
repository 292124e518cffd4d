/**
 * @file any_estimator.cpp
 *
 * Every estimator of I(g; w), compiled once.
 */
#include <symvi/entropy/any_estimator.hpp>

namespace symvi {

SYMVI_ANY_ESTIMATOR(, float)
SYMVI_ANY_ESTIMATOR(, double)

} // namespace symvi
