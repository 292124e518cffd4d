/**
 * @file predictive.cpp
 *
 * The posterior predictive of arma::mat networks, compiled once.
 */
#include <symvi/predict/predictive.hpp>

namespace symvi {

SYMVI_PREDICTIVE(, arma::mat)

} // namespace symvi
