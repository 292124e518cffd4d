/**
 * @file symvi/io/table.hpp
 *
 * Numeric tables from text files, with errors that name file and line.
 */
#ifndef SYMVI_IO_TABLE_HPP
#define SYMVI_IO_TABLE_HPP

#include <armadillo>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace symvi {
namespace io {

//! How LoadTable() is to treat the columns of a file.
struct TableOptions
{
  /**
   * The column that is returned as text (class names, responses): "first",
   * "last", a name of the header line, or a number from 1.  Empty: none.
   */
  std::string target;

  /**
   * Number of other columns that is expected; 0 means any.  If it is given,
   * a file with exactly that many columns simply has no target column.
   */
  size_t features = 0;

  //! Whether entries of the target column must be numbers, too.
  bool numericTarget = false;

  /**
   * Whether the file may come from a data frame: a first line that numbers its
   * columns from 0 is a header line then, and a first column whose name is
   * empty holds names or numbers of rows and is left out.
   */
  bool hasRowNames = false;
};

//! What LoadTable() found.
struct Table
{
  //! One point per column, as mlpack stores data; one per line of the file.
  arma::mat values;
  //! Names of the rows of `values`; empty without a header line.
  std::vector<std::string> names;
  //! The target column, one entry per point; empty if there is none.
  std::vector<std::string> target;
  //! Name of the target column; empty without a header line.
  std::string targetName;
};

/**
 * Load a table of numbers: CSV, TSV, blanks or semicolons between the columns
 * (detected from the first line), or ARFF (by the extension .arff).
 *
 * - Points are rows in the file and columns in memory.
 * - A first line without any number is a header line; so is one that numbers
 *   the columns (0, 1, 2, ... , name) and scikit-learn's "points, features,
 *   class names".
 * - Blank lines and lines that start with '#' are skipped.
 * - A file is read twice, counting first, so that there is never a second copy
 *   of the numbers.
 *
 * A missing file, an empty one, lines of different lengths, text or a missing
 * value in a number column, NaN, infinity and numbers above LargestNumber() are
 * errors (std::invalid_argument) that name the file, the line and the column.
 */
Table LoadTable(const std::string& path,
    const TableOptions& options = TableOptions());

/**
 * Load one label per line (or all in one line) as text.  If the file has
 * `points` + 1 entries and the first occurs nowhere else, it is a header line.
 * `points` = 0 accepts any number.
 */
std::vector<std::string> LoadLabels(const std::string& path, size_t points = 0);

/**
 * Load responses: one point per row, one response per column; a single line of
 * `points` numbers is taken as one response each.
 */
arma::mat LoadResponses(const std::string& path, size_t points = 0);

//! Parse text entries as finite numbers; `source` is named in errors.
arma::mat ToNumbers(const std::vector<std::string>& text,
    const std::string& source);

/**
 * Write `values`, one column of it per line, with as many digits as needed to
 * read back the same numbers.  The extension of `path` gives the separator:
 * tab for .tsv, blank for .txt, comma otherwise.
 */
void WriteTable(std::ostream& stream, const std::string& path,
    const arma::mat& values, const std::vector<std::string>& header = {});

/**
 * Parse all of `text` (surrounding blanks allowed) as a number, independent of
 * the locale; false if it is not one.  "nan" and "inf" are numbers here; it is
 * up to the caller to refuse them.
 */
bool ParseNumber(std::string_view text, double& value);

/**
 * `text` as a field of a table: in double quotes, with quotes inside doubled,
 * if it would be read as something else without them.
 */
std::string QuoteField(const std::string& text);

} // namespace io
} // namespace symvi

#endif
