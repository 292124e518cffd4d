/**
 * @file examples/common/csv.hpp
 *
 * A CSV table written row by row, and a results file that survives an
 * interruption.
 */
#ifndef SYMVI_EXAMPLES_COMMON_CSV_HPP
#define SYMVI_EXAMPLES_COMMON_CSV_HPP

#include "ranks.hpp"

#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace examples {

//! Writes a header and rows of values, separated by commas.
class CsvWriter
{
 public:
  CsvWriter(const std::string& file, const std::string& header) : out(file)
  {
    if (!out)
      throw std::runtime_error("CsvWriter(): cannot write " + file + ".");
    out.precision(10);
    out << header << "\n";
  }

  template<typename... Values>
  void Row(const Values&... values)
  {
    const char* separator = "";
    ((out << separator << values, separator = ","), ...);
    out << std::endl;
  }

 private:
  std::ofstream out;
};

/**
 * One line per finished run, `key,value,value,...`, appended and flushed as
 * runs end.  Opening an existing file reads back what is there, so that a
 * program started again does only the runs that are missing.  A half-written
 * last line is ignored.  Add() may be called by several threads.
 *
 * Under mpirun all ranks have the rows of rank 0's file; ForEachRun() brings
 * new ones there, and from there to all.
 */
class ResultsFile
{
 public:
  using Row = std::vector<double>;

  ResultsFile(const std::string& file, const std::string& header)
  {
    for (char c : header)
      columns += (c == ',');
    std::string text;
    if (Ranks().IsRoot())
    {
      std::ifstream in(file);
      text.assign(std::istreambuf_iterator<char>(in), {});
    }
    Ranks().Broadcast(text);
    std::istringstream lines(text);
    std::string line;
    const bool isNew = !std::getline(lines, line);
    if (!isNew && line != header)
      throw std::runtime_error(
          "ResultsFile(): " + file + " holds other columns; move it away.");
    while (std::getline(lines, line))
      Read(line);
    out.open(file, std::ios::app);
    out << (isNew                      ? header + "\n" :
                   text.back() == '\n' ? "" :
                                         "\n")
        << std::flush;
  }

  bool Has(const std::string& key) const { return rows.count(key) > 0; }

  const Row& operator[](const std::string& key) const { return rows.at(key); }

  void Add(const std::string& key, const Row& row)
  {
    const std::lock_guard<std::mutex> lock(mutex);
    rows[key] = row;
    out << Line(key, row, 10) << std::flush;
    if (!Ranks().IsRoot())
      fresh += Line(key, row, 17);
  }

  //! Rows that were added since the last call and that rank 0 lacks, as lines.
  std::string TakeFresh()
  {
    const std::lock_guard<std::mutex> lock(mutex);
    return std::exchange(fresh, "");
  }

  //! Add the rows that another rank has taken.
  void AddLines(const std::string& text)
  {
    std::istringstream lines(text);
    std::pair<std::string, Row> entry;
    for (std::string line; std::getline(lines, line);)
      if (Parse(line, entry))
        Add(entry.first, entry.second);
  }

  //! All ranks get the rows of rank 0.
  void Synchronize()
  {
    std::string all;
    for (const auto& [key, row] : rows)
      all += Line(key, row, 17);
    Ranks().Broadcast(all);
    std::istringstream lines(all);
    for (std::string line; std::getline(lines, line);)
      Read(line);
  }

 private:
  static std::string Line(const std::string& key, const Row& row,
      const int precision)
  {
    std::ostringstream text;
    text.precision(precision);
    text << key;
    for (double value : row)
      text << "," << value;
    text << "\n";
    return text.str();
  }

  bool Parse(const std::string& line, std::pair<std::string, Row>& entry) const
  {
    std::istringstream text(line);
    std::string cell;
    entry.second.clear();
    std::getline(text, entry.first, ',');
    while (std::getline(text, cell, ','))
      entry.second.push_back(std::stod(cell));
    return entry.second.size() == columns;
  }

  void Read(const std::string& line)
  {
    std::pair<std::string, Row> entry;
    if (Parse(line, entry))
      rows[entry.first] = entry.second;
  }

  size_t columns = 0;
  std::map<std::string, Row> rows;
  //! See TakeFresh().
  std::string fresh;
  std::ofstream out;
  std::mutex mutex;
};

} // namespace examples

#endif
