/**
 * @file benchmarks/common/rows.hpp
 *
 * Rows of the table of ratios, and what measures them.
 */
#ifndef SYMVI_BENCHMARKS_ROWS_HPP
#define SYMVI_BENCHMARKS_ROWS_HPP

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bench {

//! One line of the table.
struct Row
{
  std::string name;       //!< What was timed.
  std::string hidden;     //!< Hidden units, "128-128" for two layers.
  std::string estimator;  //!< Estimator of I(g; w); empty for none.
  size_t k = 0;           //!< Permutations; 0 for none.
  std::string type;       //!< float or double.
  size_t threads = 1;
  double median = 0.0;    //!< Microseconds.
  double ratio = 0.0;     //!< Median of the ratios to the first in its group.
};

//! A row that is not measured yet.
Row MakeRow(const std::string& name, const std::string& hidden,
            const std::string& estimator, const size_t k,
            const std::string& type, const size_t threads);

//! What to measure.
struct Settings
{
  bool quick = false;
  size_t threads = 1;
};

//! Something to be timed: run() does `steps` steps.
struct Candidate
{
  Row row;
  std::function<void(size_t)> run;
};

/**
 * Time candidates in turn, many times: every repetition gives one ratio to the
 * first candidate, measured a moment before or after, and the median of those
 * forgets what else the machine did.
 *
 * @param candidates The first is the yardstick.
 * @param seconds How long to go on.
 */
std::vector<Row> Compare(std::vector<Candidate>& candidates,
                         const double seconds);

//! Hidden layers as text.
std::string Text(const std::vector<size_t>& hidden);

// The groups of rows; each is a file.
std::vector<Row> FloatSteps(const Settings& settings);
std::vector<Row> DoubleSteps(const Settings& settings);
std::vector<Row> StepParts(const Settings& settings);
std::vector<Row> PredictiveRows(const Settings& settings);
std::vector<Row> FileRows(const Settings& settings);

} // namespace bench

#endif
