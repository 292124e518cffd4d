/**
 * @file symvi/information/soules_solver.hpp
 *
 * Blocks by the upper bound of Soules on the permanent.
 */
#ifndef SYMVI_INFORMATION_SOULES_SOLVER_HPP
#define SYMVI_INFORMATION_SOULES_SOLVER_HPP

#include "block_solver.hpp"

#include <vector>

namespace symvi {
namespace information {

/**
 * The bound of Bregman and Minc for 0-1 matrices as Soules extended it to
 * nonnegative ones (2005): with the entries of row i in falling order,
 * a_i(1) >= a_i(2) >= ...,
 *
 *   perm A <= prod_i sum_k delta_k a_i(k),
 *   delta_k = (k!)^(1/k) - ((k - 1)!)^(1/(k - 1)),   delta_1 = 1.
 *
 * Scaling columns by exp(-v_j) and the result by exp(sum v) leaves the
 * permanent alone and changes the bound; the solver takes the best of some
 * rounds of v_j += log(column sum of the shares), the first of which is v = 0
 * after the Hungarian reduction.  Marginals are the shares
 *
 *   M[i,j] = delta_rank(j) a_ij / sum_k delta_k a_i(k),
 *
 * the derivative of the bound at fixed v; rows sum to one.
 */
class SoulesSolver
{
 public:
  //! "soules".
  static const char* Name() { return "soules"; }

  //! Number of rounds of scaling; 0 leaves v = 0.
  size_t Rounds() const { return rounds; }
  //! Modify that.
  size_t& Rounds() { return rounds; }

  //! Make room for blocks of up to d units.
  void Reserve(const size_t d);

  //! An upper bound of log perm, and the shares.
  BlockSolution Solve(const MatchingBlock& block, RandomStream& stream,
                      double* marginals);

 private:
  double Bound(const MatchingBlock& block);

  size_t rounds = 20;
  std::vector<double> delta, shift, best, shares, row, sums;
  std::vector<size_t> order;
};

} // namespace information
} // namespace symvi

#include "soules_solver_impl.hpp"

#endif
