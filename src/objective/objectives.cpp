/**
 * @file src/objective/objectives.cpp
 *
 * Objectives of arma::mat networks, compiled once.
 */
#include <symvi/objective/symmetrized_elbo.hpp>

namespace symvi {

SYMVI_OBJECTIVES(, arma::mat)

} // namespace symvi
