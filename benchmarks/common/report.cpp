/**
 * @file benchmarks/common/report.cpp
 */
#include "report.hpp"

#include "kernel/blas_threads.hpp"

#include <rapidjson/ostreamwrapper.h>
#include <rapidjson/prettywriter.h>

#include <cmath>
#include <cstdio>

namespace bench {

void PrintBlas()
{
  const std::string name = symvi::kernel::BlasKernels();
  std::printf("matrix products by %s\n",
      name.empty() ? "an unknown BLAS" :
                     ("OpenBLAS, kernels for " + name).c_str());
#if defined(__GNUC__) && defined(__x86_64__)
  if (name == "Prescott" && __builtin_cpu_supports("avx2"))
    std::printf(
        "  (this OpenBLAS does not know the processor and takes its "
        "slowest kernels:\n  OPENBLAS_CORETYPE=%s in the environment gives "
        "faster ones)\n",
        __builtin_cpu_supports("avx512f") ? "SkylakeX" : "Haswell");
#endif
}

void PrintRows(const std::string& title, const std::vector<Row>& rows)
{
  std::printf("\n%s\n", title.c_str());
  std::printf("%-40s %-15s %-10s %4s %-6s %7s %12s %7s\n", "name", "hidden",
      "estimator", "K", "type", "threads", "median us", "ratio");
  for (const Row& r : rows)
  {
    std::printf("%-40s %-15s %-10s %4zu %-6s %7zu %12.1f %7.3f", r.name.c_str(),
        r.hidden.c_str(), r.estimator.c_str(), r.k, r.type.c_str(), r.threads,
        r.median, r.ratio);
    if (r.megabytes > 0.0)
      std::printf("  (%.1f MB)", r.megabytes);
    std::printf("\n");
  }
  std::fflush(stdout);
}

void WriteJson(std::ostream& stream, const std::vector<Row>& rows)
{
  rapidjson::OStreamWrapper output(stream);
  rapidjson::PrettyWriter<rapidjson::OStreamWrapper> writer(output);
  writer.SetIndent(' ', 2);
  const auto text = [&](const char* key, const std::string& value)
  {
    writer.Key(key);
    writer.String(value.c_str(), rapidjson::SizeType(value.size()));
  };
  const auto number = [&](const char* key, const double value)
  {
    writer.Key(key);
    if (std::isfinite(value))
      writer.Double(value);
    else
      writer.Null();
  };
  const auto count = [&](const char* key, const size_t value)
  {
    writer.Key(key);
    writer.Uint64(value);
  };
  writer.StartArray();
  for (const Row& row : rows)
  {
    writer.StartObject();
    text("name", row.name);
    text("hidden", row.hidden);
    text("estimator", row.estimator);
    count("k", row.k);
    text("type", row.type);
    count("threads", row.threads);
    number("median_us", row.median);
    number("ratio", row.ratio);
    if (row.megabytes > 0.0)
      number("peak_mb", row.megabytes);
    writer.EndObject();
  }
  writer.EndArray();
  stream << '\n';
}

namespace {

//! The row of type float with these entries, or nullptr.
const Row* Find(const std::vector<Row>& rows, const std::string& name,
    const std::string& estimator, const size_t k, const std::string& hidden,
    const size_t threads = 1)
{
  for (const Row& r : rows)
    if (r.name == name && r.estimator == estimator && r.k == k &&
        r.hidden == hidden && r.type == "float" && r.threads == threads)
      return &r;
  return nullptr;
}

//! log(time ratio) / log(size ratio) between two rows.
void PrintExponent(const char* what, const Row* small, const Row* large,
    const double factor)
{
  if (small && large)
    std::printf("%-52s %.2f\n", what,
        std::log(large->median / small->median) / std::log(factor));
}

} // namespace

void PrintGrowth(const std::vector<Row>& rows)
{
  const auto find = [&](const char* name, const char* estimator, const size_t k,
                        const char* hidden)
  { return Find(rows, name, estimator, k, hidden); };
  std::printf("\ngrowth: exponent of the time (rows at both ends)\n");
  PrintExponent("width 30 -> 512, plain network", find("ffn", "", 0, "30"),
      find("ffn", "", 0, "512"), 512.0 / 30);
  PrintExponent("width 30 -> 512, mean field", find("mfvi", "", 0, "30"),
      find("mfvi", "", 0, "512"), 512.0 / 30);
  PrintExponent("width 30 -> 512, default estimator",
      find("sgm", "auto", 20, "30"), find("sgm", "auto", 20, "512"),
      512.0 / 30);
  const char *once = "128", *often = "128-128-128-128";
  PrintExponent("depth 1 -> 4 layers of 128, plain network",
      find("depth: ffn", "", 0, once), find("depth: ffn", "", 0, often), 4.0);
  PrintExponent("depth 1 -> 4 layers of 128, mean field",
      find("depth: mfvi", "", 0, once), find("depth: mfvi", "", 0, often), 4.0);
  PrintExponent("depth 1 -> 4 layers of 128, default estimator",
      find("depth: sgm", "auto", 20, once),
      find("depth: sgm", "auto", 20, often), 4.0);
  PrintExponent("K 20 -> 100, uniform, 128 units",
      find("sgm", "uniform", 20, "128"), find("sgm", "uniform", 100, "128"),
      5.0);
  PrintExponent("N 2,000 -> 60,000, a step, mean field, 128 units",
      find("2,000 points: mfvi", "", 0, "128"), find("mfvi", "", 0, "128"),
      30.0);
  const Row* base = find("predictive, 100 draws, 1000 points", "", 0, "30");
  PrintExponent("S 100 -> 400, predictive", base,
      find("predictive, 400 draws, 1000 points", "", 0, "30"), 4.0);
  PrintExponent("N 1,000 -> 4,000, predictive", base,
      find("predictive, 100 draws, 4000 points", "", 0, "30"), 4.0);
}

void PrintSpeedUps(const std::vector<Row>& rows)
{
  bool first = true;
  for (const Row& two : rows)
  {
    const Row* one = Find(rows, two.name, two.estimator, two.k, two.hidden, 1);
    if (two.name.rfind("threads: ", 0) != 0 || two.threads == 1 || !one)
      continue;
    if (first)
      std::printf("\ntimes as fast with %zu threads as with one\n",
          two.threads);
    first = false;
    std::printf("%-40s %-15s %-10s %.2f\n", two.name.c_str(),
        two.hidden.c_str(), two.estimator.c_str(), one->ratio / two.ratio);
  }
}

} // namespace bench
