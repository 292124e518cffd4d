/**
 * @file symvi/io/standardizer.hpp
 *
 * Rows of a matrix brought to mean 0 and standard deviation 1, and back.
 */
#ifndef SYMVI_IO_STANDARDIZER_HPP
#define SYMVI_IO_STANDARDIZER_HPP

#include <armadillo>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <vector>

namespace symvi {
namespace io {

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
