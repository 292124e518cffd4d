/**
 * @file bnn_body.hpp
 *
 * What symvi_bnn and symvi_bnn_mpi do.
 */
#ifndef SYMVI_BINDINGS_PROGRAMS_BNN_BODY_HPP
#define SYMVI_BINDINGS_PROGRAMS_BNN_BODY_HPP

#include <symvi/kernel/communicator.hpp>

#include "options/arguments.hpp"

namespace symvi {
namespace cli {

/**
 * Train a Bayesian neural network, predict with it, or both.  Collective: rank
 * 0 reads, unless a file is named once per rank by "%r", speaks and writes.
 *
 * @return The exit code, the same on all ranks.
 */
int BnnBody(const Arguments& arguments, Communicator& ranks);

} // namespace cli
} // namespace symvi

#endif
