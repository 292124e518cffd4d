/**
 * @file src/network/known_layers.cpp
 *
 * The known layers of networks of double.
 */
#include "network/known_layers_impl.hpp"

template void symvi::network::RegisterKnown<arma::mat>();
