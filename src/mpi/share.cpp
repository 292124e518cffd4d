/**
 * @file src/mpi/share.cpp
 *
 * MpiCommunicator::Share(): a queue on rank 0.
 */
#include "mpi/implementation.hpp"

#include <chrono>
#include <mutex>
#include <thread>

namespace symvi {

namespace {

//! How a piece ended, in front of what it returned.
const char asksForWork = 'a', succeeded = 's', hasFailed = 'f';

//! A piece of work; the message that a worker sends when it has ended.
std::string Work(const std::function<std::string(size_t)>& work, const size_t i)
{
  try
  {
    return succeeded + work(i);
  }
  catch (const std::exception& e)
  {
    return hasFailed + std::string(e.what());
  }
}

} // namespace

//! Rank 0: who does what.
class MpiCommunicator::Queue
{
 public:
  Queue(Implementation& mpi, const size_t count,
      const std::function<void(size_t, std::string)>& done,
      const std::function<bool(size_t)>& isDone) :
      mpi(mpi),
      done(done)
  {
    for (size_t i = 0; i < count; ++i)
      if (!isDone || !isDone(i))
        waiting.push_back(i);
    std::reverse(waiting.begin(), waiting.end());
  }

  //! Hand out all pieces and collect all results; returns the first failure.
  std::string Run(const std::function<std::string(size_t)>& work)
  {
    // The calling thread alone talks to MPI.
    size_t first;
    const bool any = Next(first);
    std::thread worker(
        [&]
        {
      size_t piece = first;
      for (bool more = any; more; more = Next(piece))
        Take(piece, Work(work, piece));
    });
    std::vector<size_t> pieces(size_t(mpi.size), 0);
    for (int working = mpi.size - 1; working > 0;)
    {
      int arrived = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, resultTag, mpi.comm, &arrived, &status);
      if (!arrived)
      {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        continue;
      }
      const int from = status.MPI_SOURCE;
      std::string message;
      mpi.Receive(message, from, resultTag);
      if (message[0] != asksForWork)
        Take(pieces[size_t(from)], std::move(message));
      std::string answer;
      if (Next(pieces[size_t(from)]))
        answer = std::to_string(pieces[size_t(from)]);
      else
        --working;
      mpi.Send(answer, from, pieceTag);
    }
    worker.join();
    return failure;
  }

 private:
  bool Next(size_t& piece)
  {
    const std::lock_guard<std::mutex> lock(mutex);
    if (waiting.empty())
      return false;
    piece = waiting.back();
    waiting.pop_back();
    return true;
  }

  void Take(const size_t piece, std::string message)
  {
    const std::lock_guard<std::mutex> lock(mutex);
    try
    {
      if (message[0] == hasFailed)
        throw std::runtime_error(message.substr(1));
      done(piece, message.substr(1));
    }
    catch (const std::exception& e)
    {
      if (failure.empty())
        failure = e.what();
      waiting.clear();
    }
  }

  Implementation& mpi;
  const std::function<void(size_t, std::string)>& done;
  std::vector<size_t> waiting;
  std::string failure;
  std::mutex mutex;
};

void MpiCommunicator::Share(const size_t count,
    const std::function<std::string(size_t)>& work,
    const std::function<void(size_t, std::string)>& done,
    const std::function<bool(size_t)>& isDone)
{
  std::string failure;
  if (IsRoot())
    failure = Queue(*mpi, count, done, isDone).Run(work);
  else
  {
    std::string message(1, asksForWork), piece;
    while (true)
    {
      mpi->Send(message, 0, resultTag);
      mpi->Receive(piece, 0, pieceTag);
      if (piece.empty())
        break;
      message = Work(work, std::stoull(piece));
    }
  }
  Broadcast(failure);
  if (!failure.empty())
    Fail(failure);
}

} // namespace symvi
