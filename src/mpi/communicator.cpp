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

/**
 * Every rank sends each other one its share, and adds what it gets in an order
 * that depends on the ranks only.  (MPI_Reduce_scatter takes twice as long with
 * two ranks of one machine.)
 */
template<typename eT>
void SumOfShares(MPI_Comm comm, const MPI_Datatype type, const size_t rank,
    eT* values, const std::vector<size_t>& bounds, std::vector<char>& buffer)
{
  const size_t size = bounds.size() - 1;
  eT* own = values + bounds[rank];
  const size_t n = bounds[rank + 1] - bounds[rank];
  buffer.resize(std::max(buffer.size(), std::min(n, largest) * sizeof(eT)));
  eT* part = reinterpret_cast<eT*>(buffer.data());
  for (size_t step = 1; step < size; ++step)
  {
    const size_t to = (rank + step) % size;
    const size_t from = (rank + size - step) % size;
    const size_t toSend = bounds[to + 1] - bounds[to];
    for (size_t at = 0; at < std::max(n, toSend); at += largest)
    {
      const size_t received = std::min(n - std::min(n, at), largest);
      const size_t sent = std::min(toSend - std::min(toSend, at), largest);
      MPI_Sendrecv(values + bounds[to] + at, int(sent), type, int(to), shareTag,
          part, int(received), type, int(from), shareTag, comm,
          MPI_STATUS_IGNORE);
      for (size_t i = 0; i < received; ++i)
        own[at + i] += part[i];
    }
  }
}

template<typename eT>
void GatherAllShares(MPI_Comm comm, const MPI_Datatype type, eT* values,
    const std::vector<size_t>& bounds)
{
  if (bounds.back() >= largest)
  {
    // MPI counts by int.
    for (size_t r = 0; r + 1 < bounds.size(); ++r)
      for (size_t at = bounds[r]; at < bounds[r + 1]; at += largest)
        MPI_Bcast(values + at, int(std::min(bounds[r + 1] - at, largest)), type,
            int(r), comm);
    return;
  }
  std::vector<int> counts, offsets;
  for (size_t r = 0; r + 1 < bounds.size(); ++r)
  {
    offsets.push_back(int(bounds[r]));
    counts.push_back(int(bounds[r + 1] - bounds[r]));
  }
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, counts.data(),
      offsets.data(), type, comm);
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
  if (!finalised)
    MPI_Comm_free(&comm);
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

void MpiCommunicator::SumShares(double* values,
    const std::vector<size_t>& bounds)
{
  SumOfShares(mpi->comm, MPI_DOUBLE, Rank(), values, bounds, mpi->buffer);
}

void MpiCommunicator::SumShares(float* values,
    const std::vector<size_t>& bounds)
{
  SumOfShares(mpi->comm, MPI_FLOAT, Rank(), values, bounds, mpi->buffer);
}

void MpiCommunicator::GatherShares(double* values,
    const std::vector<size_t>& bounds)
{
  GatherAllShares(mpi->comm, MPI_DOUBLE, values, bounds);
}

void MpiCommunicator::GatherShares(float* values,
    const std::vector<size_t>& bounds)
{
  GatherAllShares(mpi->comm, MPI_FLOAT, values, bounds);
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
  // Finalised last: mpirun may end the others as soon as one rank has failed,
  // but not before rank 0 has said why.
  const Environment environment;
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
