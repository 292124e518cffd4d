/**
 * @file information/permanent/scaling.hpp
 *
 * Matching marginals for training: exact in small groups, scaled in large ones.
 */
#ifndef SYMVI_INFORMATION_SCALING_HPP
#define SYMVI_INFORMATION_SCALING_HPP

#include "information/permanent/permanent.hpp"

#include <symvi/symmetry/assignment.hpp>

#include <cstddef>
#include <vector>

namespace symvi {
namespace information {

//! log perm(exp R) as training sees it.
struct ScaledPermanent
{
  //! log perm of small groups plus log-capacity of large ones.
  double log = 0.0;
  //! log perm is at most `log` and at least `log - gap`.
  double gap = 0.0;
};

/**
 * Brings A = exp R to a doubly stochastic matrix P = diag(r) A diag(c) by
 * Sinkhorn's iteration.  At the fixed point
 *
 *   log cap A = -sum_a log r_a - sum_b log c_b
 *             = max over doubly stochastic M of sum_ab M_ab (R_ab - log M_ab),
 *   d log cap A / dR = P,
 *   log cap A - log(m^m / m!) <= log perm A <= log cap A,
 *
 * the last line by van der Waerden's inequality (Gurvits, "Van der Waerden /
 * Schrijver-Valiant like conjectures", 2008).  Entries of P below 1e-6 link
 * nothing: the groups of rows that the others link are solved on their own, by
 * Permanent where they have at most Largest() rows (P would mix too much there:
 * x / (1 + x) instead of x^2 / (1 + x^2) for two units), else by P.
 *
 * Rows of P sum to one whenever the iteration stops, and the value is then that
 * of the dual at c, an upper bound of log cap A.
 *
 * The iteration starts from rows relative to their largest entries.  Where
 * several rows want the same column, it would walk for long: after a few rounds
 * without progress it starts again from the duals of the best permutation,
 * A_ab = exp(R_ab - u_a - v_b) <= 1 with a one in every row and column.
 *
 * @tparam eT Type in which the iteration runs.
 */
template<typename eT>
class Scaling
{
 public:
  //! Make room for matrices of up to m rows.
  void Reserve(const size_t m);

  //! The largest group that is solved exactly (default 12).
  size_t Largest() const { return largest; }
  //! Modify the largest group that is solved exactly; at most 24.
  size_t& Largest() { return largest; }

  /**
   * @param scores R, row-major, 0 on the diagonal or at least finite there;
   *     -infinity for pairs that must not be matched.
   * @param m Number of rows and columns.
   * @param step Distance between rows of `scores`.
   * @param tolerance Column sums of P may differ from one by this much.
   * @param marginals If not null, the derivative of `log` by R, row-major.
   */
  ScaledPermanent Solve(const double* scores, const size_t m,
                        const size_t step, const double tolerance,
                        double* marginals);

  //! Passes over the matrix in the last call.
  size_t Rounds() const { return rounds; }

 private:
  void Load(const double* scores, const size_t step);
  void LoadReduced(const double* scores, const size_t step);
  //! Whether the column sums came within the tolerance of one.
  bool Iterate(const double tolerance, const size_t most, const size_t patience);
  void Link();
  double SolveExactly(const size_t* group, const size_t count,
                      double* marginals);

  size_t largest = 12;
  size_t m = 0, padded = 0, rounds = 0;
  //! A relative to `most` of its rows and `shift`, then P; `padded` per row.
  std::vector<eT> a;
  std::vector<eT> row, column, sums;
  std::vector<double> most, dense;
  double shift = 0.0;
  Assignment assignment;
  std::vector<size_t> start, members;
  std::vector<double> small, smallMarginals;
  Permanent permanent;
};

} // namespace information
} // namespace symvi

#endif
