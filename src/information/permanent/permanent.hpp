/**
 * @file src/information/permanent/permanent.hpp
 *
 * The permanent of a small matrix and its matching marginals, exactly.
 */
#ifndef SYMVI_INFORMATION_PERMANENT_HPP
#define SYMVI_INFORMATION_PERMANENT_HPP

#include <cstddef>
#include <vector>

namespace symvi {
namespace information {

/**
 * perm A = sum_tau prod_a A[a, tau(a)] for a nonnegative matrix, by dynamic
 * programming over the set S of columns that the first |S| rows have taken.
 * Only positive terms are added, so there is no cancellation.
 *
 *   F[S] = sum_{b in S} A[|S| - 1, b] F[S \ b],         perm A = F[all]
 *   B[S] = sum_{b not in S} A[|S|, b] B[S + b]
 *   M[a,b] = P(tau(a) = b) = d log perm A / d log A[a,b]
 *          = A[a,b] / perm A * sum_{|S| = a, b not in S} F[S] B[S + b]
 *
 * Time O(m 2^m), memory 2^(m+4) bytes with marginals.
 */
class Permanent
{
 public:
  //! The largest matrix that Compute() takes.
  static constexpr size_t MaxSize() { return 24; }

  //! Make room for matrices of up to m rows.
  void Reserve(const size_t m);

  /**
   * @param a The matrix, row-major, nonnegative.
   * @param m Number of rows and columns.
   * @param marginals If not null, M is written here, row-major (zeros if the
   *     permanent is zero).
   * @return perm A.
   */
  double Compute(const double* a, const size_t m, double* marginals);

 private:
  double Run(const double* a, const size_t m, double* marginals);

  std::vector<double> forward, backward, table, parts, firsts;
  std::vector<double> extended, enlarged, small;
};

} // namespace information
} // namespace symvi

#endif
