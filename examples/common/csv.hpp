/**
 * @file examples/common/csv.hpp
 *
 * A CSV table written row by row, and a results file that survives an
 * interruption.
 */
#ifndef SYMVI_EXAMPLES_COMMON_CSV_HPP
#define SYMVI_EXAMPLES_COMMON_CSV_HPP

#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
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
 */
class ResultsFile
{
 public:
  using Row = std::vector<double>;

  ResultsFile(const std::string& file, const std::string& header)
  {
    size_t columns = 0;
    for (char c : header)
      columns += (c == ',');
    std::ifstream in(file);
    std::string line;
    const bool isNew = !std::getline(in, line);
    if (!isNew && line != header)
      throw std::runtime_error("ResultsFile(): " + file +
          " holds other columns"
          "; move it away.");
    while (std::getline(in, line))
      Read(line, columns);
    in.close();
    out.open(file, std::ios::app);
    out.precision(10);
    out << (isNew                      ? header + "\n" :
                   EndsInNewline(file) ? "" :
                                         "\n")
        << std::flush;
  }

  bool Has(const std::string& key) const { return rows.count(key) > 0; }

  const Row& operator[](const std::string& key) const { return rows.at(key); }

  void Add(const std::string& key, const Row& row)
  {
    const std::lock_guard<std::mutex> lock(mutex);
    rows[key] = row;
    std::ostringstream text;
    text.precision(10);
    text << key;
    for (double value : row)
      text << "," << value;
    out << text.str() << std::endl;
  }

 private:
  void Read(const std::string& line, size_t columns)
  {
    std::istringstream text(line);
    std::string key, cell;
    Row row;
    std::getline(text, key, ',');
    while (std::getline(text, cell, ','))
      row.push_back(std::stod(cell));
    if (row.size() == columns)
      rows[key] = row;
  }

  static bool EndsInNewline(const std::string& file)
  {
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    if (in.tellg() <= 0)
      return true;
    in.seekg(-1, std::ios::end);
    return in.get() == '\n';
  }

  std::map<std::string, Row> rows;
  std::ofstream out;
  std::mutex mutex;
};

} // namespace examples

#endif
