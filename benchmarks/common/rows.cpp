/**
 * @file benchmarks/common/rows.cpp
 */
#include "rows.hpp"

#include "clock.hpp"

#include <algorithm>

namespace bench {

Row MakeRow(const std::string& name, const std::string& hidden,
            const std::string& estimator, const size_t k,
            const std::string& type, const size_t threads)
{
  Row row;
  row.name = name;
  row.hidden = hidden;
  row.estimator = estimator;
  row.k = k;
  row.type = type;
  row.threads = threads;
  return row;
}

std::string Text(const std::vector<size_t>& hidden)
{
  std::string text;
  for (const size_t width : hidden)
    text += (text.empty() ? "" : "-") + std::to_string(width);
  return text;
}

namespace {

double Time(const Candidate& candidate, const size_t steps)
{
  const double start = Microseconds(candidate.row.threads);
  candidate.run(steps);
  return (Microseconds(candidate.row.threads) - start) / double(steps);
}

} // namespace

std::vector<Row> Compare(std::vector<Candidate>& candidates,
                         const double seconds)
{
  // Warm up, and choose as many steps as take some five milliseconds.
  std::vector<size_t> steps;
  double once = 0.0;
  for (Candidate& candidate : candidates)
  {
    candidate.run(3);
    const double time = std::max(Time(candidate, 3), 0.01);
    steps.push_back(size_t(std::min(std::max(5000.0 / time, 1.0), 1e6)));
    once += time * double(steps.back());
  }

  const size_t repetitions = size_t(std::min(std::max(seconds * 1e6 / once,
      5.0), 501.0)) | 1;
  std::vector<std::vector<double>> times(candidates.size()),
      ratios(candidates.size());
  for (size_t r = 0; r < repetitions; ++r)
    for (size_t i = 0; i < candidates.size(); ++i)
    {
      times[i].push_back(Time(candidates[i], steps[i]));
      ratios[i].push_back(times[i][r] / times[0][r]);
    }

  std::vector<Row> rows;
  for (size_t i = 0; i < candidates.size(); ++i)
  {
    rows.push_back(candidates[i].row);
    rows.back().median = Median(times[i]);
    rows.back().ratio = Median(ratios[i]);
  }
  return rows;
}

} // namespace bench
