/**
 * @file benchmarks/common/report.hpp
 *
 * What is printed and written.
 */
#ifndef SYMVI_BENCHMARKS_REPORT_HPP
#define SYMVI_BENCHMARKS_REPORT_HPP

#include <ostream>

#include "rows.hpp"

namespace bench {

//! What the matrix products of all rows rest on.
void PrintBlas();

void PrintRows(const std::string& title, const std::vector<Row>& rows);

//! An array with one object a row.
void WriteJson(std::ostream& stream, const std::vector<Row>& rows);

//! How the time grows with sizes, as far as the rows tell.
void PrintGrowth(const std::vector<Row>& rows);

//! What the second thread gains, as far as the rows tell.
void PrintSpeedUps(const std::vector<Row>& rows);

} // namespace bench

#endif
