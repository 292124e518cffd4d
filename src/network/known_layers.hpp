/**
 * @file src/network/known_layers.hpp
 *
 * The layer classes that need no registration by the user: those of symvi, and
 * mlpack's.
 */
#ifndef SYMVI_SRC_NETWORK_KNOWN_LAYERS_HPP
#define SYMVI_SRC_NETWORK_KNOWN_LAYERS_HPP

#include <symvi/network/layer_registry.hpp>

namespace symvi {
namespace network {

//! Register all of them.
template<typename MatType>
void RegisterKnown();

extern template void RegisterKnown<arma::mat>();
extern template void RegisterKnown<arma::fmat>();

} // namespace network
} // namespace symvi

#endif
