/**
 * @file src/information/permanent/permutation_proposal.hpp
 *
 * Where likely permutations of a block are drawn from.
 */
#ifndef SYMVI_INFORMATION_PERMUTATION_PROPOSAL_HPP
#define SYMVI_INFORMATION_PERMUTATION_PROPOSAL_HPP

#include <symvi/kernel/random_stream.hpp>

#include <cstddef>
#include <vector>

namespace symvi {
namespace information {

/**
 * A law s of permutations that knows the scores but not which unit is which,
 * after Kou and McCullagh ("Approximating the alpha-permanent", 2009): with P
 * the matrix exp(scores) after a few Sinkhorn steps, rows are visited by
 * increasing entropy o_1, o_2, ..., and row o_k takes a column b among those
 * left with weight
 *
 *   f_b P[o_k, b] / ( sum_{i > k} P[o_i, b] + tiny ),
 *
 * where f = 1 unless the caller knows better.  The last `exactRows` rows are
 * left to the caller.
 */
class PermutationProposal
{
 public:
  //! Make room for blocks of up to d units.
  void Reserve(const size_t d);

  /**
   * Prepare for a matrix of scores.
   *
   * @param scores Row-major, at most 0, with a 0 in every row and column.
   * @param m Number of rows and columns.
   * @param exactRows How many rows are not drawn.
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

  //! Number of rows.
  size_t Units() const { return m; }
  //! Number of rows that are drawn.
  size_t Head() const { return head; }
  //! Distance between rows of Row() and Step(); zeros in between.
  size_t Padded() const { return padded; }
  //! Rows in the order in which they are visited.
  const std::vector<size_t>& Order() const { return order; }
  //! Row o_k of P.
  const double* Row(const size_t k) const { return &rows[k * padded]; }
  //! log perm(exp scores) - log perm P.
  double LogScale() const { return logScale; }

  /**
   * Let row o_k take a column.
   *
   * @param k The step.
   * @param available f, zero where columns are taken; Padded() numbers.
   * @param stream Source of randomness.
   * @param ratio Set to P[o_k, b] over the probability of b.
   * @return The column b, or Units() for a dead end.
   */
  size_t Draw(const size_t k, const double* available, RandomStream& stream,
      double& ratio);

  //! The same ratio for a given column, zero for a dead end.
  double Ratio(const size_t k, const double* available, const size_t b);

 private:
  void Balance(const double* scores);
  void SetOrder();

  size_t m = 0, head = 0, padded = 0;
  double logScale = 0.0;
  //! exp(scores), P in visiting order, and the proposal weights of every step.
  std::vector<double> weights, rows, steps;
  std::vector<double> rowScale, columnScale, sums, spread, free;
  std::vector<size_t> order;
};

} // namespace information
} // namespace symvi

#endif
