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
  std::string name;      //!< What was measured.
  std::string hidden;    //!< Hidden units, "128-128" for two layers.
  std::string estimator; //!< Estimator of I(g; w); empty for none.
  size_t k = 0;          //!< Permutations; 0 for none.
  std::string type;      //!< float or double.
  size_t threads = 1;
  double median = 0.0;    //!< Microseconds.
  double ratio = 0.0;     //!< Median of the ratios to the first in its group.
  double megabytes = 0.0; //!< Peak memory, in the rows about that.
};

//! A row that is not measured yet.
Row MakeRow(const std::string& name, const std::string& hidden,
    const std::string& estimator, const size_t k, const std::string& type,
    const size_t threads);

//! What to measure.
struct Settings
{
  bool quick = false;
  size_t threads = 1;
  //! Only training steps of this shape; empty for all.
  std::string hidden;
};

//! Something to be timed: run() does `steps` steps.
struct Candidate
{
  Row row;
  std::function<void(size_t)> run;
  //! Called before the clock starts, if given.
  std::function<void()> prepare;
  //! Steps to be timed at once; 0 for as many as take five milliseconds.
  size_t steps = 0;
  //! Whether the time on the wall counts, as it does for several threads.
  bool wall = false;
};

/**
 * Time candidates in turn, many times: every repetition gives one ratio to the
 * first candidate, measured a moment before or after, and the median of those
 * forgets what else the machine did.
 *
 * @param candidates The first is the yardstick.
 * @param seconds How long to go on.
 * @param fewest Repetitions at least.
 */
std::vector<Row> Compare(std::vector<Candidate>& candidates,
    const double seconds, const size_t fewest = 5);

//! Hidden layers as text.
std::string Text(const std::vector<size_t>& hidden);

//! Hidden layers from text; an std::invalid_argument if it names none.
std::vector<size_t> Shape(const std::string& text);

// The groups of rows; each is a file.
std::vector<Row> FloatSteps(const Settings& settings);
std::vector<Row> DoubleSteps(const Settings& settings);
std::vector<Row> SmallDataSteps(const Settings& settings);
std::vector<Row> OverlapSteps(const Settings& settings);
std::vector<Row> StepParts(const Settings& settings);
std::vector<Row> ThreadRows(const Settings& settings);
std::vector<Row> PredictiveRows(const Settings& settings);
std::vector<Row> GrowthRows(const Settings& settings);
std::vector<Row> FileRows(const Settings& settings);
std::vector<Row> MemoryRows(const Settings& settings);

//! What MemoryRows() runs in a process of its own.
void MemoryChild(const std::string& name);

} // namespace bench

#endif
