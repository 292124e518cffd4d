/**
 * @file symvi/entropy/importance_solver.hpp
 *
 * Blocks by importance sampling of permutations.
 */
#ifndef SYMVI_ENTROPY_IMPORTANCE_SOLVER_HPP
#define SYMVI_ENTROPY_IMPORTANCE_SOLVER_HPP

#include "block_solver.hpp"
#include "permanent.hpp"

#include <vector>

namespace symvi {
namespace entropy {

/**
 * Draws permutations of a block from a proposal s that does not look at which
 * unit is which, after Kou and McCullagh ("Approximating the alpha-permanent",
 * 2009): with P the matrix exp(scores) after a few Sinkhorn steps, rows are
 * visited by increasing entropy o_1, o_2, ..., and row o_k takes a column b
 * among those left with weight
 *
 *   P[o_k, b] / ( sum_{i > k} P[o_i, b] + tiny ).
 *
 * The last `tail` rows are not drawn but summed up exactly, which makes
 *
 *   omega = exp(scores of the head) perm(tail) / s(head),   E_s omega = perm.
 *
 * From draws 1, ..., K and the identity (whose head is an exact draw of the
 * posterior over permutations):
 *
 *   high = log 1/K (omega_id + omega_1 + ... + omega_(K-1))
 *   low  = log 1/K (omega_1 + ... + omega_K)
 *
 * In expectation over w and the draws high >= log perm >= low: the first is a
 * Kullback-Leibler divergence between the joint laws of K permutations of which
 * one, or none, follows the posterior; the second is Jensen's inequality.
 * Blocks of at most `tail` units come out exact.
 *
 * Marginals are the self-normalized mean over draws 1, ..., K, without the
 * identity: with it they would be pulled to the identity by 1/K.
 */
class ImportanceSolver
{
 public:
  /**
   * @param draws K.
   * @param tail Number of rows that are summed up exactly.
   */
  explicit ImportanceSolver(const size_t draws = 20, const size_t tail = 8) :
      draws(draws), tail(tail) { }

  //! K.
  size_t Draws() const { return draws; }
  //! Modify K; at least 1.
  size_t& Draws() { return draws; }

  //! Number of rows that are summed up exactly.
  size_t Tail() const { return tail; }
  //! Modify that; at least 1, at most Permanent::MaxSize().
  size_t& Tail() { return tail; }

  //! Make room for blocks of up to d units.
  void Reserve(const size_t d);

  //! Bounds of log perm, and estimated matching marginals.
  BlockSolution Solve(const MatchingBlock& block, RandomStream& stream,
                      double* marginals);

  /**
   * Prepare proposals for the given matrix of scores (at most 0).  Used by
   * Solve(); Sample() and LogProbability() may be called afterwards.
   */
  void Prepare(const double* scores, const size_t m, const size_t exactRows);

  /**
   * Draw the head of a permutation.
   *
   * @param tau Row k's column is written to tau[k], for rows of the head.
   * @param stream Source of randomness.
   * @return log s(tau), or infinity if the draw ran into a dead end (its weight
   *     is zero).
   */
  double Sample(size_t* tau, RandomStream& stream);

  //! log s of the head of the given permutation.
  double LogProbability(const size_t* tau);

  //! Rows in the order in which they are visited.
  const std::vector<size_t>& Order() const { return order; }

  //! Number of rows that are drawn.
  size_t Head() const { return head; }

 private:
  void Balance(const double* scores, const size_t m);
  double LogWeight(const double* scores, const size_t* tau,
                   const double logProbability, double* tailMarginals);

  size_t draws, tail;

  size_t m = 0, head = 0;
  //! exp(scores), and the same with rows and columns summing to about one.
  std::vector<double> weights, balanced;
  //! Proposal weights, one row per step.
  std::vector<double> steps;
  std::vector<double> scale, spread, available;
  std::vector<size_t> order, images;
  std::vector<size_t> left;
  //! For each draw: the log-weight, the columns of its tail, its marginals.
  std::vector<double> logWeights, tailWeights, tailMarginals;
  std::vector<size_t> tailColumns;
  Permanent permanent;
};

} // namespace entropy
} // namespace symvi

#include "importance_solver_impl.hpp"

#endif
