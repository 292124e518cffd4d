/**
 * @file symvi/io/dataset.hpp
 *
 * Points with their labels or responses, the numbers that stand for class
 * names, and the scaling of rows to mean 0 and standard deviation 1.
 */
#ifndef SYMVI_IO_DATASET_HPP
#define SYMVI_IO_DATASET_HPP

#include <armadillo>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <unordered_map>
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

//! What LoadDataset() looks for.
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

/**
 * A one-to-one map between labels as a user wrote them ("setosa", "7",
 * "-1.0") and class numbers 0 .. C-1 as mlpack wants them.
 *
 * Labels that are all numbers are compared as numbers ("1" is "1.0") and
 * ordered by value; others are compared as text and ordered alphabetically.
 * The spelling that was seen first is the one written back.
 */
class LabelCodec
{
 public:
  LabelCodec() = default;

  //! Learn the classes of `labels`.
  explicit LabelCodec(const std::vector<std::string>& labels);

  //! Classes whose numbers are given by their order in `names`.
  static LabelCodec Ordered(const std::vector<std::string>& names);

  //! Number of classes.
  size_t Classes() const { return names.size(); }

  //! Names in the order of their numbers.
  const std::vector<std::string>& Names() const { return names; }

  //! The name of class `index`.
  const std::string& Decode(const size_t index) const;

  //! True if `label` was seen; then `index` is its class.
  bool Find(const std::string& label, size_t& index) const;

  /**
   * Class numbers of `labels`, as the row vector that mlpack's classifiers
   * take.  An unknown label is a std::invalid_argument that says which one it
   * is and where (`source` names the file, the position counts from 1).
   */
  arma::mat Encode(const std::vector<std::string>& labels,
      const std::string& source) const;

 private:
  void Index();
  std::string Key(const std::string& label) const;

  std::vector<std::string> names;
  std::unordered_map<std::string, size_t> indices;
  bool numeric = false;
};

/**
 * x' = (x - mean) / scale for every dimension (row) of the data, with the mean
 * and the (n-1) standard deviation of the data it was fitted on.  A constant
 * dimension has scale 1.  A default-constructed object changes nothing.
 */
class Standardizer
{
 public:
  Standardizer() = default;

  //! Fit mean and scale to the columns of `data`.
  explicit Standardizer(const arma::mat& data);

  /**
   * Fit to columns that several processes hold.
   *
   * @param data The columns of this process.
   * @param use Those of them to fit to.
   * @param points How many all processes fit to.
   * @param inTurn Called by all with sums, and with what adds their columns to
   *     them; see Communicator::InTurn().
   */
  Standardizer(const arma::mat& data, const std::vector<bool>& use,
      size_t points,
      const std::function<void(std::vector<double>&,
          const std::function<void()>&)>& inTurn);

  //! Use the given means and (positive) scales; both empty: change nothing.
  Standardizer(const arma::vec& means, const arma::vec& scales);

  //! True if it does nothing.
  bool Identity() const { return means.empty(); }

  //! Standardise in place; throws if the number of rows is another one.
  void Apply(arma::mat& data) const;

  //! Undo Apply() in place.
  void Revert(arma::mat& data) const;

  //! Undo the scaling only, for standard deviations.
  void RevertScale(arma::mat& deviations) const;

  //! Means, one for each row.
  const std::vector<double>& Means() const { return means; }
  //! Scales, one for each row.
  const std::vector<double>& Scales() const { return scales; }

  //! log |dx'/dx|: add it to a log-density of x' to get that of x.
  double LogJacobian() const;

 private:
  void CheckRows(const arma::mat& data, const char* where) const;

  std::vector<double> means;
  std::vector<double> scales;
};

} // namespace io
} // namespace symvi

#endif
