/**
 * @file symvi/io/dataset.hpp
 *
 * Points with their labels or responses.
 */
#ifndef SYMVI_IO_DATASET_HPP
#define SYMVI_IO_DATASET_HPP

#include <armadillo>
#include <string>
#include <vector>

namespace symvi {
namespace io {

//! Points and, if there are any, their targets, in the units of the files.
struct Dataset
{
  //! One point per column.
  arma::mat points;
  //! Labels of a classification, as text; one per point.
  std::vector<std::string> labels;
  //! All classes, in the order of their numbers; empty: those of `labels`, see
  //! LabelCodec.
  std::vector<std::string> classNames;
  //! Responses of a regression; one column per point.
  arma::mat responses;
  //! Names of the input columns; may be empty.
  std::vector<std::string> features;
  //! The column of the file that held the targets; empty if none did.
  std::string targetColumn;
  //! Where points and targets come from, for error messages.
  std::string source = "points", targetSource = "targets";
};

//! What LoadDataset() is to look for.
struct DatasetOptions
{
  //! Whether targets are labels (text) or responses (numbers).
  bool classification = true;
  //! File of the targets; empty: they are a column of the file of points.
  std::string targetFile;
  //! That column: "first", "last", a number from 1 or a name.
  std::string targetColumn = "last";
  //! Number of input columns that is expected; 0 accepts any.  If it is given,
  //! a file with exactly that many columns has no target column.
  size_t features = 0;
  //! Whether targets are wanted at all.
  bool targets = true;
};

/**
 * Load points and targets from tables (see LoadTable()).  Files that do not
 * fit each other, or the number of columns that is expected, are a
 * std::invalid_argument that names them.  Labels and responses stay empty where
 * the file has no target column.
 */
Dataset LoadDataset(const std::string& path, const DatasetOptions& options);

} // namespace io
} // namespace symvi

#endif
