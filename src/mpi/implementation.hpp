/**
 * @file src/mpi/implementation.hpp
 *
 * MPI behind MpiCommunicator: the C interface of MPI-3.
 */
#ifndef SYMVI_SRC_MPI_IMPLEMENTATION_HPP
#define SYMVI_SRC_MPI_IMPLEMENTATION_HPP

// The C++ bindings, which MPI-3 has removed.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <symvi/mpi/communicator.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace symvi {

//! Kinds of messages between two ranks.
const int moveTag = 1, resultTag = 2, pieceTag = 3;

struct MpiCommunicator::Implementation
{
  ~Implementation();

  void Duplicate(MPI_Comm from);
  void Send(std::string& bytes, int to, int tag);
  void Receive(std::string& bytes, int from, int tag);

  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, size = 1;
  //! Whether MPI was initialised here.
  bool finalise = false;
  //! Exceptions on their way when it began to live.
  int exceptions = 0;
};

} // namespace symvi

#endif
