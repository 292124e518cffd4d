/**
 * @file symvi/entropy/matching_engine.hpp
 *
 * I(g; w) of one hidden layer through the permanent, whoever solves it.
 */
#ifndef SYMVI_ENTROPY_MATCHING_ENGINE_HPP
#define SYMVI_ENTROPY_MATCHING_ENGINE_HPP

#include "block_solver.hpp"
#include "matching_gradient.hpp"
#include "unit_scores.hpp"

#include <tuple>
#include <vector>

namespace symvi {
namespace entropy {

//! Permutations below exp(-reach) times the best one are left out.
constexpr double defaultReach = 40.0;

/**
 * Scores, blocks, solution, gradient:
 *
 *   I(w) = log|G| - log perm(exp R),
 *
 * with R from UnitScores, split by MatchingBlocks, each block solved by a block
 * solver, and the marginals turned into a gradient by MatchingGradient.  If no
 * two units come within reach of each other this ends after the screening, with
 * the value log|G| and an untouched gradient.
 */
class MatchingEngine
{
 public:
  /**
   * @param chain The chain.
   * @param h Which of its hidden units; the others stay at rest.
   * @param solver The block solver.
   * @param stream Source of randomness for the solver.
   * @param scale Factor of the gradient.
   * @param gradient Where the gradient goes; null if not wanted.
   * @return The part of I(g; w) that belongs to these units.
   */
  template<typename eT, typename SolverType>
  InformationEstimate Run(const SymmetricChain<eT>& chain, const size_t h,
                          SolverType& solver, RandomStream& stream,
                          const eT scale, InformationGradient<eT>* gradient);

 private:
  Orbits orbits;
  MatchingBlocks blocks;
  std::vector<double> marginals;
  std::tuple<UnitScores<float>, UnitScores<double>> scores;
  std::tuple<MatchingGradient<float>, MatchingGradient<double>> gradients;
};

} // namespace entropy
} // namespace symvi

#include "matching_engine_impl.hpp"

#endif
