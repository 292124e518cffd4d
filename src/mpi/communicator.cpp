/**
 * @file src/mpi/communicator.cpp
 */
#include "mpi/implementation.hpp"

#include <exception>
#include <iostream>

namespace symvi {

namespace {

//! This process in the communicator made last, which may not exist any more.
int lastRank = 0;

//! MPI counts by int.
const size_t largest = size_t(1) << 28;

template<typename eT>
void SumAll(MPI_Comm comm, const MPI_Datatype type, eT* values, const size_t n)
{
  for (size_t at = 0; at < n; at += largest)
    MPI_Allreduce(MPI_IN_PLACE, values + at, int(std::min(n - at, largest)),
        type, MPI_SUM, comm);
}

//! Calls transfer(pointer, count) for all parts of a message.
template<typename Transfer>
void InParts(std::string& bytes, const Transfer& transfer)
{
  uint64_t size = bytes.size();
  transfer(reinterpret_cast<char*>(&size), sizeof(size));
  bytes.resize(size);
  for (size_t at = 0; at < size; at += largest)
    transfer(&bytes[at], std::min<size_t>(size - at, largest));
}

} // namespace

void MpiCommunicator::Implementation::Send(std::string& bytes, const int to,
    const int tag)
{
  InParts(bytes,
      [&](char* part, const size_t n)
      { MPI_Send(part, int(n), MPI_BYTE, to, tag, comm); });
}

void MpiCommunicator::Implementation::Receive(std::string& bytes,
    const int from, const int tag)
{
  InParts(bytes,
      [&](char* part, const size_t n) {
    MPI_Recv(part, int(n), MPI_BYTE, from, tag, comm, MPI_STATUS_IGNORE);
  });
}

MpiCommunicator::MpiCommunicator(const std::string& version) :
    mpi(std::make_unique<Implementation>())
{
  int initialised = 0;
  MPI_Initialized(&initialised);
  if (!initialised)
  {
    int level = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
    mpi->finalise = true;
  }
  mpi->Duplicate(MPI_COMM_WORLD);
  RequireSame("version of symvi", version);
}

MpiCommunicator::MpiCommunicator(const int handle, const std::string& version) :
    mpi(std::make_unique<Implementation>())
{
  mpi->Duplicate(MPI_Comm_f2c(MPI_Fint(handle)));
  RequireSame("version of symvi", version);
}

MpiCommunicator::~MpiCommunicator()
{
  if (std::uncaught_exceptions() > mpi->exceptions && !HasFailed())
    MPI_Abort(mpi->comm, 1);
}

MpiCommunicator::Implementation::~Implementation()
{
  int finalised = 0;
  MPI_Finalized(&finalised);
  if (finalised)
    return;
  MPI_Comm_free(&comm);
  if (finalise)
    MPI_Finalize();
}

void MpiCommunicator::Implementation::Duplicate(const MPI_Comm from)
{
  MPI_Comm_dup(from, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  lastRank = rank;
  exceptions = std::uncaught_exceptions();
}

size_t MpiCommunicator::Rank() const
{
  return size_t(mpi->rank);
}

size_t MpiCommunicator::Size() const
{
  return size_t(mpi->size);
}

void MpiCommunicator::Sum(double* values, const size_t n)
{
  SumAll(mpi->comm, MPI_DOUBLE, values, n);
}

void MpiCommunicator::Sum(float* values, const size_t n)
{
  SumAll(mpi->comm, MPI_FLOAT, values, n);
}

void MpiCommunicator::Broadcast(std::string& bytes, const size_t root)
{
  InParts(bytes,
      [&](char* part, const size_t n)
      { MPI_Bcast(part, int(n), MPI_BYTE, int(root), mpi->comm); });
}

void MpiCommunicator::Move(std::string& bytes, const size_t from,
    const size_t to)
{
  if (from == to)
    return;
  if (Rank() == from)
    mpi->Send(bytes, int(to), moveTag);
  else if (Rank() == to)
    mpi->Receive(bytes, int(from), moveTag);
}

void MpiCommunicator::Abort(const int code)
{
  MPI_Abort(mpi->comm, code);
  std::abort();
}

int RunRanks(const std::function<int(MpiCommunicator&)>& body,
    const std::string& version)
{
  try
  {
    MpiCommunicator ranks(version);
    try
    {
      return body(ranks);
    }
    catch (const RankError&)
    {
      throw;
    }
    catch (const std::exception& e)
    {
      std::cerr << "[FATAL] "
                << (ranks.Size() == 1 ? "" :
                                        "rank " + std::to_string(ranks.Rank()) +
                               " of " + std::to_string(ranks.Size()) + ": ")
                << e.what() << std::endl;
      if (ranks.Size() > 1)
        ranks.Abort();
      return 1;
    }
  }
  catch (const RankError& e)
  {
    if (lastRank == 0)
      std::cerr << "[FATAL] " << e.what() << std::endl;
    return 1;
  }
}

} // namespace symvi
