/**
 * @file benchmarks/thread_rows.cpp
 *
 * Training steps with one thread and with two, or with as many as --threads
 * says, by the clock on the wall.
 */
#include "common/step_rows.hpp"

#include <symvi/kernel/threads.hpp>

#include <algorithm>
#include <cstdio>

namespace bench {

namespace {

/**
 * Every candidate with one thread, and again with the given number.  A round is
 * longer than for one thread: new threads have to find a processor, and what
 * they work on has to come to it.
 */
std::vector<Candidate> WithThreads(const std::vector<Candidate>& candidates,
    const size_t threads, const size_t width)
{
  std::vector<Candidate> all;
  for (const Candidate& candidate : candidates)
    for (const size_t t : { size_t(1), threads })
    {
      all.push_back(candidate);
      all.back().row.threads = t;
      all.back().wall = true;
      all.back().steps = std::max<size_t>(10, 5000 / width);
      // The first steps after a change of threads start them.
      all.back().prepare = [candidate, t]
      {
        symvi::SetThreads(t);
        candidate.prepare();
        candidate.run(3);
      };
    }
  return all;
}

} // namespace

std::vector<Row> ThreadRows(const Settings& settings)
{
  const size_t threads = (settings.threads == 1) ? 2 : settings.threads;
  if (std::thread::hardware_concurrency() < threads)
  {
    std::printf("\nrows about threads are left out: there are fewer processors "
                "than %zu\n",
        threads);
    return {};
  }

  mlpack::RandomSeed(1);
  const Data<arma::fmat> data = MakeData<arma::fmat>(60000);
  std::vector<Row> all;
  for (const size_t width : { 30, 128, 512 })
  {
    symvi::SetThreads(1);
    StepGroup<arma::fmat> group(data, { width }, 1, "threads: ");
    group.AddMeanField<symvi::AdamUpdate>("mfvi");
    group.AddSymmetrized<symvi::AdamUpdate>("sgm", "uniform", 20);
    group.AddSymmetrized<symvi::AdamUpdate>("sgm", "auto", 20);
    std::vector<Candidate> both = WithThreads(group.Candidates(), threads,
        width);
    const std::vector<Row> rows = Compare(both, settings.quick ? 2.5 : 20.0);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  symvi::SetThreads(settings.threads);
  return all;
}

} // namespace bench
