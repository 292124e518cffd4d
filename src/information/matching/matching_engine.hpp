/**
 * @file src/information/matching/matching_engine.hpp
 *
 * I(g; w) of one hidden layer through the permanent, whoever solves it.
 */
#ifndef SYMVI_INFORMATION_MATCHING_ENGINE_HPP
#define SYMVI_INFORMATION_MATCHING_ENGINE_HPP

#include "information/permanent/block_solver.hpp"
#include "information/matching/matching_gradient.hpp"
#include "information/scores/separation.hpp"
#include "information/scores/unit_scores.hpp"

#include <vector>

namespace symvi {
namespace information {

//! Permutations below exp(-reach) times the best one are left out.
constexpr double defaultReach = 40.0;

/**
 * Scores, blocks, solution, gradient:
 *
 *   I(w) = log|G| - log perm(exp R),
 *
 * with R from UnitScores (of both signs together where units are signed: the
 * sum over signs factorises), split by MatchingBlocks, each block solved by a
 * block solver, and the marginals turned into a gradient by MatchingGradient.
 *
 * Two ways to find out which units matter to each other:
 *
 *  - by the draw (pointwise = true): every pair is followed until its score is
 *    provably out of reach; exact for every w, whatever it is;
 *  - by the posterior first (the default): pairs that Separation passes are not
 *    looked at; much cheaper for wide layers.  What that leaves out of the
 *    expectation over q is below 1e-12 nats where all pairs are passed; see
 *    Separation for the case that some overlap.
 *
 * If no two units come within reach of each other the value is log|G| and the
 * gradient stays untouched.
 */
template<typename eT>
class MatchingEngine
{
 public:
  /**
   * @param chain The chain.
   * @param h Which of its hidden units; the others stay at rest.
   * @param pointwise Whether the draw alone decides which pairs matter.
   * @param solver The block solver.
   * @param stream Source of randomness for the solver.
   * @param scale Factor of the gradient.
   * @param gradient Where the gradient goes; null if not wanted.
   * @return The part of I(g; w) that belongs to these units.
   */
  InformationEstimate Run(const SymmetricChain<eT>& chain, const size_t h,
      const bool pointwise, BlockSolver& solver, RandomStream& stream,
      const eT scale, InformationGradient<eT>* gradient);

 private:
  void RunCluster(const UnitBlocks<eT>& weights, const UnitIndex* members,
      const size_t size, BlockSolver& solver, RandomStream& stream,
      const eT scale, const UnitGradient<eT>* gradient,
      InformationEstimate& estimate, bool& touched);

  Orbits orbits;
  std::vector<UnitIndex> everyone;
  MatchingBlocks blocks;
  std::vector<double> marginals;
  UnitScores<eT> scores;
  Separation<eT> separation;
  MatchingGradient<eT> matchingGradient;
};

} // namespace information
} // namespace symvi

#endif
