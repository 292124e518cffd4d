/**
 * @file examples/common/ranks.hpp
 *
 * Experiments whose runs are shared out over the ranks of mpirun.
 */
#ifndef SYMVI_EXAMPLES_COMMON_RANKS_HPP
#define SYMVI_EXAMPLES_COMMON_RANKS_HPP

#include <symvi/kernel/communicator.hpp>

#ifdef SYMVI_EXAMPLE_RANKS
  #include <symvi/mpi/communicator.hpp>
#endif

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace examples {

//! The ranks of this program: one, but inside OverRanks().
inline symvi::Communicator*& CurrentRanks()
{
  static symvi::Communicator* ranks = &symvi::Communicator::Alone();
  return ranks;
}
inline symvi::Communicator& Ranks()
{
  return *CurrentRanks();
}

//! Whether mpirun has started this process as one of several.
inline bool IsOneOfRanks()
{
  for (const char* name : { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE" })
  {
    const char* size = std::getenv(name);
    if (size && std::atoi(size) > 1)
      return true;
  }
  return false;
}

/**
 * Calls experiment() on all ranks.  All have the same results; rank 0 speaks
 * and writes into `output`, what the others write goes to a folder that is
 * removed in the end.
 */
template<typename Experiment>
int OverRanks(const std::string& program, std::string& output,
    const Experiment& experiment)
{
#ifdef SYMVI_EXAMPLE_RANKS
  return symvi::RunRanks(
      [&](symvi::MpiCommunicator& ranks)
      {
    CurrentRanks() = &ranks;
    if (ranks.IsRoot())
      return experiment();
    output = (std::filesystem::temp_directory_path() /
        (program + "-" + std::to_string(::getpid())))
                 .string();
    std::filesystem::create_directories(output);
    if (!std::freopen("/dev/null", "w", stdout))
      throw std::runtime_error("cannot write to /dev/null");
    const int code = experiment();
    std::filesystem::remove_all(output);
    return code;
  });
#else
  (void) output;
  (void) experiment;
  throw std::invalid_argument(program +
      " runs as one process: several would overwrite one another's files");
#endif
}

} // namespace examples

#endif
