/**
 * @file benchmarks/memory_rows.cpp
 *
 * Peak memory, each of a process of its own: this program, started once more.
 */
#include "common/clock.hpp"
#include "common/predictive.hpp"
#include "common/step_rows.hpp"

#include <symvi/kernel/threads.hpp>

#include <cstdio>
#include <fstream>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace bench {

namespace {

constexpr size_t points = 2000;
constexpr size_t width = 512;

struct Job
{
  std::string key;
  Row row;
};

std::vector<Job> Jobs()
{
  const std::string shape = std::to_string(width);
  std::vector<Job> jobs;
  jobs.push_back(
      { "data", MakeRow("memory: the data alone", shape, "", 0, "float", 1) });
  jobs.push_back({ "ffn", MakeRow("memory: ffn", shape, "", 0, "float", 1) });
  jobs.push_back({ "mfvi", MakeRow("memory: mfvi", shape, "", 0, "float", 1) });
  jobs.push_back(
      { "uniform", MakeRow("memory: sgm", shape, "uniform", 20, "float", 1) });
  jobs.push_back(
      { "auto", MakeRow("memory: sgm", shape, "auto", 20, "float", 1) });
  for (const char* draws : { "10", "1000" })
    jobs.push_back({ draws,
        MakeRow("memory: predictive, " + std::string(draws) + " draws", "30",
            "", 0, "float", 1) });
  return jobs;
}

/**
 * The peak memory of this process in kilobytes, as the system sees it.  Not
 * getrusage(): that starts from the size of the process that started this one.
 */
std::string OwnPeak()
{
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line))
    if (line.rfind("VmHWM:", 0) == 0)
      return line.substr(6);
  throw std::runtime_error("the system does not tell the peak memory.");
}

//! Start this program with --child key, its output going to the given file.
pid_t Start(const std::string& key, const int output)
{
  std::string program = "/proc/self/exe", option = "--child", value = key;
  char* arguments[] = { &program[0], &option[0], &value[0], nullptr };
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  pid_t child = -1;
  const int error = posix_spawn(&child, program.c_str(), &actions, nullptr,
      arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    throw std::runtime_error("cannot start a process to measure its memory.");
  return child;
}

//! The peak memory of a job in megabytes.
double PeakMemory(const std::string& key)
{
  std::FILE* output = std::tmpfile();
  if (!output)
    throw std::runtime_error("cannot create a temporary file.");
  int status = 0;
  double kilobytes = 0.0;
  const pid_t child = Start(key, fileno(output));
  const bool done = waitpid(child, &status, 0) == child && status == 0;
  std::rewind(output);
  const bool read = std::fscanf(output, "%lf", &kilobytes) == 1;
  std::fclose(output);
  if (!done || !read)
    throw std::runtime_error(
        "the process that measures the memory of '" + key + "' failed.");
  return kilobytes / 1024.0;
}

void RunJob(const std::string& key)
{
  if (key == "10" || key == "1000")
  {
    std::make_shared<Predictor>(points)
        ->Predictive(std::stoul(key), points, 1)
        .run(1);
    return;
  }

  const Data<arma::fmat> data = MakeData<arma::fmat>(points);
  const std::vector<size_t> hidden = { width };
  if (key == "ffn")
    PlainStep<arma::fmat>(data, hidden).Run(20);
  else if (key == "mfvi")
    BayesianStep<arma::fmat, symvi::AdamUpdate>(data, hidden, nullptr).Run(20);
  else if (key != "data")
    BayesianStep<arma::fmat, symvi::AdamUpdate>(data, hidden,
        symvi::MakeEstimator(key))
        .Run(20);
}

} // namespace

void MemoryChild(const std::string& key)
{
  symvi::SetThreads(1);
  RunJob(key);
  std::printf("%s\n", OwnPeak().c_str());
}

std::vector<Row> MemoryRows(const Settings& /* settings */)
{
  std::vector<Row> rows;
  double plain = 0.0;
  for (const Job& job : Jobs())
  {
    Row row = job.row;
    const double start = Microseconds(true);
    row.megabytes = PeakMemory(job.key);
    row.median = Microseconds(true) - start;
    if (job.key == "ffn")
      plain = row.megabytes;
    rows.push_back(row);
  }
  for (Row& row : rows)
    row.ratio = row.megabytes / plain;
  return rows;
}

} // namespace bench
