/**
 * @file benchmarks/ratios.cpp
 *
 * Prints the table of ratios, and writes it as JSON.
 *
 *   ratios [--quick] [--threads N] [--json FILE] [--only GROUP]
 */
#include "common/rows.hpp"

#include <symvi/kernel/threads.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <sys/resource.h>

namespace {

using bench::Row;

struct Options
{
  bench::Settings settings;
  std::string json, only;
};

Options Parse(const int argc, char** argv)
{
  Options options;
  for (int i = 1; i < argc; ++i)
  {
    const std::string name = argv[i];
    if (name == "--quick")
      options.settings.quick = true;
    else if (name == "--threads" && i + 1 < argc)
      options.settings.threads = size_t(std::atoi(argv[++i]));
    else if (name == "--json" && i + 1 < argc)
      options.json = argv[++i];
    else if (name == "--only" && i + 1 < argc)
      options.only = argv[++i];
    else
      throw std::invalid_argument("usage: ratios [--quick] [--threads N] "
          "[--json FILE] [--only float|double|parts|predictive|files]");
  }
  return options;
}

void Print(const std::string& title, const std::vector<Row>& rows)
{
  std::printf("\n%s\n", title.c_str());
  std::printf("%-40s %-8s %-10s %4s %-6s %7s %12s %7s\n", "name", "hidden",
      "estimator", "K", "type", "threads", "median us", "ratio");
  for (const Row& r : rows)
    std::printf("%-40s %-8s %-10s %4zu %-6s %7zu %12.1f %7.3f\n",
        r.name.c_str(), r.hidden.c_str(), r.estimator.c_str(), r.k,
        r.type.c_str(), r.threads, r.median, r.ratio);
  std::fflush(stdout);
}

void WriteJson(const std::string& path, const std::vector<Row>& rows)
{
  std::ofstream file(path);
  file << "[\n";
  for (size_t i = 0; i < rows.size(); ++i)
  {
    const Row& r = rows[i];
    file << "  {\"name\": \"" << r.name << "\", \"hidden\": \"" << r.hidden
        << "\", \"estimator\": \"" << r.estimator << "\", \"k\": " << r.k
        << ", \"type\": \"" << r.type << "\", \"threads\": " << r.threads
        << ", \"median_us\": " << r.median << ", \"ratio\": " << r.ratio
        << "}" << (i + 1 < rows.size() ? "," : "") << "\n";
  }
  file << "]\n";
  if (!file)
    throw std::runtime_error("cannot write " + path);
}

const Row* Find(const std::vector<Row>& rows, const std::string& name,
                const std::string& estimator, const size_t k,
                const std::string& hidden)
{
  for (const Row& r : rows)
    if (r.name == name && r.estimator == estimator && r.k == k &&
        r.hidden == hidden && r.type == "float")
      return &r;
  return nullptr;
}

//! log(time ratio) / log(size ratio) between two rows.
void PrintExponent(const char* what, const Row* small, const Row* large,
                   const double factor)
{
  if (small && large)
    std::printf("%-52s %.2f\n", what, std::log(large->median / small->median) /
        std::log(factor));
}

void PrintGrowth(const std::vector<Row>& rows)
{
  std::printf("\ngrowth: exponent of the time of a step\n");
  const auto find = [&](const char* name, const char* estimator,
      const size_t k, const char* hidden)
  {
    return Find(rows, name, estimator, k, hidden);
  };
  PrintExponent("width 30 -> 512, plain network", find("ffn", "", 0, "30"),
      find("ffn", "", 0, "512"), 512.0 / 30);
  PrintExponent("width 30 -> 512, mean field", find("mfvi", "", 0, "30"),
      find("mfvi", "", 0, "512"), 512.0 / 30);
  PrintExponent("width 30 -> 512, default estimator",
      find("sgm", "auto", 20, "30"), find("sgm", "auto", 20, "512"),
      512.0 / 30);
  PrintExponent("K 20 -> 100, uniform, 128 units",
      find("sgm", "uniform", 20, "128"), find("sgm", "uniform", 100, "128"),
      5.0);
  PrintExponent("weights 128 -> 128-128, mean field",
      find("mfvi", "", 0, "128"), find("mfvi", "", 0, "128-128"),
      (794.0 * 128 + 128.0 * 129) / (794.0 * 128));
}

void Run(const Options& options)
{
  symvi::SetThreads(options.settings.threads);
  using Group = std::vector<Row> (*)(const bench::Settings&);
  const struct { const char* key; const char* title; Group group; } groups[] =
  {
    { "float", "training step, 784 inputs, batch 100", bench::FloatSteps },
    { "double", "training step in double", bench::DoubleSteps },
    { "parts", "one step with the default estimator, part by part",
        bench::StepParts },
    { "predictive", "posterior predictive, 784-30-10", bench::PredictiveRows },
    { "files", "files, 784-128-10", bench::FileRows }
  };

  std::vector<Row> all;
  for (const auto& g : groups)
  {
    if (!options.only.empty() && options.only != g.key)
      continue;
    const std::vector<Row> rows = g.group(options.settings);
    Print(g.title, rows);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  PrintGrowth(all);
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  std::printf("\npeak memory of all of this: %.0f MB\n",
      double(usage.ru_maxrss) / 1024.0);
  if (!options.json.empty())
    WriteJson(options.json, all);
}

} // namespace

int main(int argc, char** argv)
{
  try
  {
    Run(Parse(argc, argv));
    return 0;
  }
  catch (const std::exception& e)
  {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
