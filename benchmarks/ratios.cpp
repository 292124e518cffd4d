/**
 * @file benchmarks/ratios.cpp
 *
 * Prints the table of ratios, and writes it as JSON.
 *
 *   ratios [--quick] [--threads N] [--json FILE] [--only GROUP]
 *          [--hidden UNITS]
 */
#include "common/options.hpp"
#include "common/report.hpp"

#include <symvi/io/file.hpp>
#include <symvi/kernel/threads.hpp>

#include <cstdio>
#include <stdexcept>

namespace {

using bench::Row;

struct Group
{
  const char* key;
  const char* title;
  std::vector<Row> (*rows)(const bench::Settings&);
  //! Whether --quick leaves it out, unless it is asked for.
  bool onRequest = false;
};

const Group groups[] = { { "float", "training step, 784 inputs, batch 100",
                             bench::FloatSteps },
  { "double", "training step in double", bench::DoubleSteps },
  { "small", "training step, 2,000 points", bench::SmallDataSteps },
  { "overlap", "training step where units overlap", bench::OverlapSteps, true },
  { "parts", "one step with the default estimator, part by part",
      bench::StepParts },
  { "threads", "training step with one and two threads, time on the wall",
      bench::ThreadRows },
  { "predictive", "posterior predictive, 784-30-10", bench::PredictiveRows },
  { "growth", "growth with depth, draws and points", bench::GrowthRows },
  { "files", "files, 784-128-10", bench::FileRows },
  { "memory", "peak memory; the ratio is one of memory", bench::MemoryRows } };

void Run(const bench::Options& options)
{
  // A file that cannot be written should not cost two minutes.
  if (!options.json.empty())
    symvi::io::RequireWritable(options.json);

  bench::PrintBlas();
  std::vector<Row> all;
  for (const Group& group : groups)
  {
    if (options.only.empty() ? options.settings.quick && group.onRequest :
                               options.only != group.key)
      continue;
    symvi::SetThreads(options.settings.threads);
    const std::vector<Row> rows = group.rows(options.settings);
    PrintRows(group.title, rows);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  bench::PrintSpeedUps(all);
  bench::PrintGrowth(all);
  if (!options.json.empty())
  {
    symvi::io::AtomicFile file(options.json);
    bench::WriteJson(file.Stream(), all);
    file.Commit();
  }
}

} // namespace

int main(int argc, char** argv)
{
  try
  {
    std::vector<std::string> keys;
    for (const Group& group : groups)
      keys.push_back(group.key);
    const bench::Options options = bench::ParseOptions(argc, argv, keys);
    if (options.child.empty())
      Run(options);
    else
      bench::MemoryChild(options.child);
    return 0;
  }
  catch (const std::exception& e)
  {
    std::fprintf(stderr, "ratios: %s\n", e.what());
    return 1;
  }
}
