/**
 * @file src/information/permanent/scaling.hpp
 *
 * Matching marginals for training: exact in small groups, scaled in large ones.
 */
#ifndef SYMVI_INFORMATION_SCALING_HPP
#define SYMVI_INFORMATION_SCALING_HPP

#include "information/permanent/permanent.hpp"

#include "symmetry/assignment.hpp"

#include <cstddef>
#include <vector>

namespace symvi {
namespace information {

//! log perm(exp R) as training sees it.
struct ScaledPermanent
{
  //! log perm of small groups plus the approximation of large ones.
  double log = 0.0;
  //! log perm lies between `log - below` and `log + above`.
  double below = 0.0, above = 0.0;

  //! Whether `log` is log perm itself.
  bool Exact() const { return below == 0.0 && above == 0.0; }
};

/**
 * Matching marginals of A = exp R.
 *
 * A is first brought near a doubly stochastic matrix P = diag(r) A diag(c) by
 * Sinkhorn's iteration, which changes no marginal.  Units that P keeps apart
 * fall into groups.  Groups of at most Largest() units are solved exactly
 * (Permanent).  In larger ones log perm is replaced by
 *
 *   log Z = max over doubly stochastic M of
 *       sum_ab M_ab (R_ab - log M_ab) + 1/2 sum_ab (1 - M_ab) log(1 - M_ab),
 *   d log Z / dR = M,
 *
 * the fractional free energy of Chertkov and Yedidia ("Approximating the
 * permanent with fractional belief propagation", 2013) with weight -1/2.  With
 * weight 0 it would be the capacity, with -1 Bethe's approximation.  The former
 * mixes units too much (x / (1 + x) instead of x^2 / (1 + x^2) for two units
 * with off-diagonal entries x), the latter too little; -1/2 is right for two.
 * As the second sum is negative, and for m units
 *
 *   Bethe <= log perm <= log cap <= log perm + log(m^m / m!),
 *   log perm <= Bethe + m / 2 log 2
 *
 * (Gurvits 2011; Anari and Rezaei 2019), log Z - log(m^m / m!) <= log perm <=
 * log Z + m / 2 log 2.  At the maximum
 *
 *   M_ab = u_a v_b A_ab / sqrt(1 - M_ab),
 *   log Z = -sum_a log u_a - sum_b log v_b + 1/2 sum_ab log(1 - M_ab),
 *
 * which is Sinkhorn's iteration on a matrix that follows M.
 *
 * Sinkhorn's iteration starts from rows relative to their largest entries.
 * Where several rows want the same column, it would walk for long: after a few
 * rounds without progress it starts again from the duals of the best
 * permutation, A_ab = exp(R_ab - u_a - v_b) <= 1 with a one in every row and
 * column.
 *
 * @tparam eT Type in which the iterations run.
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
   * @param tolerance Column sums of M may differ from one by this much, and
   *     links between groups be ignored below a thousandth of it; 0 iterates to
   *     convergence.
   * @param marginals If not null, the derivative of `log` by R, row-major.
   */
  ScaledPermanent Solve(const double* scores, const size_t m, const size_t step,
      const double tolerance, double* marginals);

  //! Passes of Sinkhorn's iteration over the whole matrix in the last call.
  size_t Rounds() const { return rounds; }

 private:
  void Load(const double* scores, const size_t step);
  void LoadReduced(const double* scores, const size_t step);
  //! Whether the column sums came within the tolerance of one.
  bool Iterate(const double tolerance, const size_t most,
      const size_t patience);
  void Link(const double tolerance);
  double SolveExactly(const size_t* group, const size_t count,
      double* marginals);
  double SolveFractionally(const size_t* group, const size_t count,
      const double tolerance, double* marginals);
  //! part = P of the group, and what the iteration on it starts with.
  void LoadGroup(const size_t* group, const size_t count);
  //! follow = part / sqrt(1 - M).
  void Follow(const size_t count);
  //! The sum of log(1 - M), of the M that Follow() took.
  double LogRest(const size_t count);
  //! v from the last round's sums.
  void NextColumns(const size_t count);
  //! One round on `follow`; the largest error of a column sum.
  eT Round(const size_t count);

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
  //! A large group: its P, the matrix that follows M, u, v and sums.
  std::vector<eT> part, follow, groupRow, groupColumn, groupSums, rest;
  size_t wide = 0;
};

} // namespace information
} // namespace symvi

#endif
