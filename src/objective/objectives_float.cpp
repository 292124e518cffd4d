/**
 * @file objectives_float.cpp
 *
 * Groups and objectives of arma::fmat networks, compiled once.
 */
#include <symvi/objective/symmetrized_elbo.hpp>

namespace symvi {

template class NetworkSymmetry<arma::fmat>;
SYMVI_OBJECTIVES(, arma::fmat)

} // namespace symvi
