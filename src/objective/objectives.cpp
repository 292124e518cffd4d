/**
 * @file objectives.cpp
 *
 * Layers and objectives of arma::mat networks, compiled once.
 */
#include <symvi/model/extern_objectives.hpp>

namespace symvi {

template class BayesianLinearType<arma::mat>;
template class NetworkSymmetry<arma::mat>;
SYMVI_OBJECTIVES(, arma::mat)

} // namespace symvi
