/**
 * @file objectives.cpp
 *
 * Groups and objectives of arma::mat networks, compiled once.
 */
#include <symvi/objective/symmetrized_elbo.hpp>

namespace symvi {

template class NetworkSymmetry<arma::mat>;
SYMVI_OBJECTIVES(, arma::mat)

} // namespace symvi
