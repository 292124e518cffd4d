/**
 * @file faults.cpp
 *
 * Ranks with a fault, for faults.sh:
 *
 *   faults version X    of symvi X, which is checked
 *   faults throw        the last rank throws while others wait for it
 *   faults queue DIR    40 pieces of work, whose results are files in DIR
 */
#include <symvi/io/file.hpp>
#include <symvi/mpi/communicator.hpp>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <thread>

using namespace symvi;

namespace {

int Throw(MpiCommunicator& ranks)
{
  if (ranks.Rank() + 1 == ranks.Size())
    throw std::runtime_error("a fault of its own.");
  ranks.Sum(1.0);
  return 0;
}

int Queue(MpiCommunicator& ranks, const std::string& folder)
{
  const auto file = [&](const size_t i)
  { return folder + "/result." + std::to_string(i); };
  size_t done = 0;
  ranks.Share(
      40,
      [](const size_t i)
      {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return std::to_string(i * i);
      },
      [&](const size_t i, const std::string result)
      {
    io::SaveContainer(file(i), "result", result);
    ++done;
  },
      [&](const size_t i) { return io::IsContainer(file(i), "result"); });
  if (!ranks.IsRoot())
    return 0;
  std::cout << done << std::endl;
  for (size_t i = 0; i < 40; ++i)
  {
    if (io::LoadContainer(file(i), "result") != std::to_string(i * i))
      return 2;
  }
  return 0;
}

} // namespace

int main(int argc, char** argv)
{
  const std::string mode = (argc > 1) ? argv[1] : "";
  const std::string value = (argc > 2) ? argv[2] : "";
  if (mode == "version")
    return RunRanks([](MpiCommunicator&) { return 0; }, value);
  return RunRanks([&](MpiCommunicator& ranks)
      { return mode == "throw" ? Throw(ranks) : Queue(ranks, value); });
}
