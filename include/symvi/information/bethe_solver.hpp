/**
 * @file symvi/information/bethe_solver.hpp
 *
 * Blocks by belief propagation: the Bethe permanent.
 */
#ifndef SYMVI_INFORMATION_BETHE_SOLVER_HPP
#define SYMVI_INFORMATION_BETHE_SOLVER_HPP

#include "block_solver.hpp"

#include <vector>

namespace symvi {
namespace information {

/**
 * The Bethe permanent of A = exp(scores),
 *
 *   log perm_B A = max over doubly stochastic P of
 *     sum_ij P_ij log(A_ij / P_ij) + (1 - P_ij) log(1 - P_ij),
 *
 * bounds the permanent on both sides,
 *
 *   perm_B A <= perm A <= 2^(m/2) perm_B A
 *
 * (Gurvits 2011; Anari and Rezaei 2019).  The maximum is found by belief
 * propagation, which for this concave problem converges to it (Vontobel 2013):
 *
 *   x_ij = 1 / sum_{k != j} A_ik y_ik,     y_ij = 1 / sum_{k != i} A_kj x_kj,
 *   P_ij = A_ij x_ij y_ij / (1 + A_ij x_ij y_ij).
 *
 * The expression is evaluated at the P that was reached, so that the first
 * inequality holds even before convergence.  At the maximum P is also the
 * derivative of log perm_B by the scores: those are the marginals.  Blocks of
 * one or two units are solved exactly.
 */
class BetheSolver
{
 public:
  //! "bethe".
  static const char* Name() { return "bethe"; }

  //! Largest number of rounds of belief propagation.
  size_t Rounds() const { return rounds; }
  //! Modify that.
  size_t& Rounds() { return rounds; }

  //! Make room for blocks of up to d units.
  void Reserve(const size_t d);

  //! Both bounds of log perm (log is the upper one), and the beliefs.
  BlockSolution Solve(const MatchingBlock& block, RandomStream& stream,
                      double* marginals);

 private:
  BlockSolution SolvePair(const MatchingBlock& block, double* marginals) const;
  double Sweep(const size_t m);
  void Project(const size_t m);

  size_t rounds = 1000;
  std::vector<double> weights, toColumn, toRow, beliefs, before;
};

} // namespace information
} // namespace symvi

#include "bethe_solver_impl.hpp"

#endif
