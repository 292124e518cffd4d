/**
 * @file bnn.cpp
 *
 * symvi_bnn: train a Bayesian neural network, predict with it, or both.
 */
#include <cstdlib>
#include <string>

#include "bnn_body.hpp"
#include "options/run.hpp"
#include "tables.hpp"

using namespace symvi;
using namespace symvi::cli;

namespace {

//! As one of several ranks it would overwrite the files of the others.
void RequireAlone()
{
  for (const char* name : { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE" })
  {
    const char* size = std::getenv(name);
    if (size != nullptr && std::atol(size) > 1)
      throw UsageError("symvi_bnn was started as one of " + std::string(size) +
          " ranks, which would overwrite one another's files; use "
          "symvi_bnn_mpi.");
  }
}

} // namespace

int main(int argc, char** argv)
{
  return Run(BnnProgram, argc, argv,
      [](const Arguments& arguments)
      {
    RequireAlone();
    return BnnBody(arguments, Communicator::Alone());
  });
}
