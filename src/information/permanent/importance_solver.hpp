/**
 * @file src/information/permanent/importance_solver.hpp
 *
 * Blocks by importance sampling of permutations.
 */
#ifndef SYMVI_INFORMATION_IMPORTANCE_SOLVER_HPP
#define SYMVI_INFORMATION_IMPORTANCE_SOLVER_HPP

#include "information/permanent/block_solver.hpp"
#include "information/permanent/permanent.hpp"
#include "information/permanent/permutation_particles.hpp"
#include "information/permanent/permutation_proposal.hpp"

#include <vector>

namespace symvi {
namespace information {

/**
 * Draws K permutations of a block side by side, row by row, from a
 * PermutationProposal s.  The last `tail` rows are not drawn but summed up
 * exactly, which makes
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
 * Kullback-Leibler divergence between the joint laws Q of K permutations drawn
 * as above and P of K permutations of which one follows the posterior, with
 * dP/dQ = mean(omega) / perm; the second is Jensen's inequality.  Blocks of at
 * most `tail` units come out exact.
 *
 * Most draws in a large block end with rows whose likely columns are gone.
 * Every few rows, what is left to each draw is therefore estimated (see
 * PermutationLookahead), and if the draws have become too unequal those without
 * prospects are replaced by copies of the others (Resample()), 3 K of them from
 * the first time on: a sequential Monte Carlo sampler.  Its mean(omega) is
 * still unbiased: whatever is decided from the past of all draws, the
 * conditional expectation of what follows does not change.  So low keeps its
 * meaning.  For high, the permutations with the identity among them are
 * continued on their own, and the identity is kept at every replacement; dP/dQ
 * = mean(omega) / perm then holds for the law P of such conditional samplers
 * (Andrieu, Doucet and Holenstein, "Particle Markov chain Monte Carlo methods",
 * 2010), and with it the inequality.  Where no replacement is needed both
 * populations share their draws.
 *
 * Marginals are the self-normalized mean over draws 1, ..., K, without the
 * identity: with it they would be pulled to the identity by 1/K.
 */
class ImportanceSolver final : public BlockSolver
{
 public:
  /**
   * @param draws K.
   * @param tail Number of rows that are summed up exactly.
   */
  explicit ImportanceSolver(const size_t draws = 20, const size_t tail = 8) :
      draws(draws),
      tail(tail)
  { }

  //! K.
  size_t Draws() const { return draws; }
  //! Modify K; at least 1.
  size_t& Draws() { return draws; }

  //! Number of rows that are summed up exactly.
  size_t Tail() const { return tail; }
  //! Modify that; at least 1, at most Permanent::MaxSize().
  size_t& Tail() { return tail; }

  //! Make room for blocks of up to d units.
  void Reserve(const size_t d) override;

  //! Bounds of log perm, and estimated matching marginals.
  BlockSolution Solve(const MatchingBlock& block, RandomStream& stream,
      double* marginals) override;

 private:
  void CheckSettings() const;
  size_t Draws(const PermutationParticles& particles) const;
  bool Unequal(const size_t count) const;
  void Step(PermutationParticles& particles, const size_t k,
      const size_t* identity, RandomStream& stream);
  size_t Advance(PermutationParticles& particles, const size_t first,
      const size_t* identity, const bool shared, RandomStream& stream);
  void Replace(PermutationParticles& particles, const size_t count,
      const bool keepLast, RandomStream& stream);
  void Sample(const MatchingBlock& block, RandomStream& stream);
  void AddTails(PermutationParticles& particles, const bool withMarginals);
  void Marginals(const MatchingBlock& block, const double logAll,
      double* marginals) const;

  size_t draws, tail;
  //! Whether draws with and without the identity have parted ways.
  bool split = false;
  PermutationProposal proposal;
  PermutationLookahead lookahead;
  //! The draws (and the identity, last, before they split), and those with the
  //! identity among them; memory for replacements.
  PermutationParticles drawn, given, spare;
  std::vector<double> ahead, products, logs;
  std::vector<size_t> order, parents;
  //! For each draw: the columns of its tail, and its marginals.
  std::vector<double> tailWeights, tailMarginals;
  std::vector<size_t> tailColumns;
  Permanent permanent;
};

} // namespace information
} // namespace symvi

#endif
