/**
 * @file benchmarks/common/rows.cpp
 */
#include "rows.hpp"

#include "clock.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace bench {

Row MakeRow(const std::string& name, const std::string& hidden,
    const std::string& estimator, const size_t k, const std::string& type,
    const size_t threads)
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

std::vector<size_t> Shape(const std::string& text)
{
  std::vector<size_t> hidden;
  const char* next = text.c_str();
  while (*next >= '1' && *next <= '9' && hidden.size() < 100)
  {
    char* end = nullptr;
    hidden.push_back(std::strtoul(next, &end, 10));
    next = (*end == '-') ? end + 1 : end;
  }
  // What is read must be what was written.
  if (hidden.empty() || Text(hidden) != text)
    throw std::invalid_argument("--hidden must be numbers of units such as 30 "
                                "or 128-128, but is '" +
        text + "'.");
  return hidden;
}

namespace {

double Time(const Candidate& candidate, const size_t steps)
{
  const bool wall = candidate.wall || candidate.row.threads > 1;
  if (candidate.prepare)
    candidate.prepare();
  const double start = Microseconds(wall);
  candidate.run(steps);
  return (Microseconds(wall) - start) / double(steps);
}

//! Warm up, and choose as many steps as take some five milliseconds.
void ChooseSteps(Candidate& candidate)
{
  if (candidate.steps > 0)
    return;
  double time = Time(candidate, 1);
  if (time < 1e5)
    time = Time(candidate, 3);
  candidate.steps = size_t(
      std::min(std::max(5000.0 / std::max(time, 0.005), 1.0), 1e6));
}

} // namespace

std::vector<Row> Compare(std::vector<Candidate>& candidates,
    const double seconds, const size_t fewest)
{
  std::vector<std::vector<double>> times(candidates.size()),
      ratios(candidates.size());
  for (Candidate& candidate : candidates)
    ChooseSteps(candidate);

  const double start = Microseconds(true);
  for (size_t r = 0;
       r < fewest || (r < 501 && Microseconds(true) - start < 1e6 * seconds);
       ++r)
    for (size_t i = 0; i < candidates.size(); ++i)
    {
      times[i].push_back(Time(candidates[i], candidates[i].steps));
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
