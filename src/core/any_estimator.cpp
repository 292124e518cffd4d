/**
 * @file any_estimator.cpp
 *
 * Every estimator of I(g; w), compiled once.
 */
#include <symvi/entropy/make_estimator.hpp>
