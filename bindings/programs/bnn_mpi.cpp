/**
 * @file bnn_mpi.cpp
 *
 * symvi_bnn_mpi: symvi_bnn over the ranks of MPI.
 */
#include <symvi/mpi/communicator.hpp>

#include <fcntl.h>
#include <unistd.h>

#include "bnn_body.hpp"
#include "options/run.hpp"
#include "tables.hpp"

using namespace symvi;
using namespace symvi::cli;

namespace {

//! Rank 0 speaks: what others print is the same, or of no interest.
void Silence(const int stream)
{
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere < 0)
    return;
  ::dup2(nowhere, stream);
  ::close(nowhere);
}

/**
 * The body; an error that the ranks do not share ends all of them, as the
 * others would wait for this one.
 */
int Body(const Arguments& arguments, MpiCommunicator& ranks, const int errors)
{
  try
  {
    return BnnBody(arguments, ranks);
  }
  catch (const RankError&)
  {
    throw;
  }
  catch (const std::exception& e)
  {
    if (ranks.Size() == 1)
      throw;
    const std::string text = "[FATAL] rank " + std::to_string(ranks.Rank()) +
        " of " + std::to_string(ranks.Size()) + ": " + e.what() + "\n";
    const ssize_t written = ::write(errors, text.data(), text.size());
    ranks.Abort(written < 0 ? 2 : 1);
  }
}

int RunProgram(MpiCommunicator& ranks, const int argc, char** argv)
{
  const int errors = ::dup(STDERR_FILENO);
  if (!ranks.IsRoot())
  {
    Silence(STDOUT_FILENO);
    Silence(STDERR_FILENO);
  }
  const int code = Run(BnnMpiProgram, argc, argv,
      [&](const Arguments& arguments)
      { return Body(arguments, ranks, errors); });
  // The result must not depend on which rank ends last.
  return int(ranks.Broadcast(double(code)));
}

} // namespace

int main(int argc, char** argv)
{
  return RunRanks(
      [&](MpiCommunicator& ranks) { return RunProgram(ranks, argc, argv); });
}
