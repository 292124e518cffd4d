/**
 * @file predictive_float.cpp
 *
 * The posterior predictive of arma::fmat networks, compiled once.
 */
#include <symvi/predict/predictive.hpp>

namespace symvi {

SYMVI_PREDICTIVE(, arma::fmat)

} // namespace symvi
