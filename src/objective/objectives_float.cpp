/**
 * @file objectives_float.cpp
 *
 * Layers and objectives of arma::fmat networks, compiled once.
 */
#include <symvi/model/extern_objectives.hpp>

namespace symvi {

template class BayesianLinearType<arma::fmat>;
template class NetworkSymmetry<arma::fmat>;
SYMVI_OBJECTIVES(, arma::fmat)

} // namespace symvi
