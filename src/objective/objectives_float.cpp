/**
 * @file src/objective/objectives_float.cpp
 *
 * Objectives of arma::fmat networks, compiled once.
 */
#include <symvi/objective/symmetrized_elbo.hpp>

namespace symvi {

SYMVI_OBJECTIVES(, arma::fmat)

} // namespace symvi
