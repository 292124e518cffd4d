/**
 * @file src/network/known_layers_float.cpp
 *
 * The known layers of networks of float.
 */
#include "network/known_layers_impl.hpp"

template void symvi::network::RegisterKnown<arma::fmat>();
