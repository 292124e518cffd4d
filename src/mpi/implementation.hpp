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
#include <vector>

namespace symvi {

//! Kinds of messages between two ranks.
const int moveTag = 1, resultTag = 2, pieceTag = 3, shareTag = 4;

//! MPI as long as it lives, unless somebody else has initialised it.
class Environment
{
 public:
  Environment()
  {
    int initialised = 0;
    MPI_Initialized(&initialised);
    if (initialised)
      return;
    int level = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
    finalise = true;
  }
  ~Environment()
  {
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (finalise && !finalised)
      MPI_Finalize();
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  bool finalise = false;
};

struct MpiCommunicator::Implementation
{
  ~Implementation();

  void Duplicate(MPI_Comm from);
  void Send(std::string& bytes, int to, int tag);
  void Receive(std::string& bytes, int from, int tag);

  Environment environment;
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, size = 1;
  //! What others send for SumShares(), kept from one step to the next.
  std::vector<char> buffer;
  //! Exceptions on their way when it began to live.
  int exceptions = 0;
};

} // namespace symvi

#endif
