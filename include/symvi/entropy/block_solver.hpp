/**
 * @file symvi/entropy/block_solver.hpp
 *
 * What solves one block of the matching problem.
 */
#ifndef SYMVI_ENTROPY_BLOCK_SOLVER_HPP
#define SYMVI_ENTROPY_BLOCK_SOLVER_HPP

#include "matching_blocks.hpp"

#include <symvi/kernel/random_stream.hpp>

namespace symvi {
namespace entropy {

/**
 * log perm(exp scores) of one block, or what is known about it.
 *
 * A block solver is a class with
 *
 * @code
 * void Reserve(const size_t d);   // room for blocks of up to d units
 * BlockSolution Solve(const MatchingBlock& block, RandomStream& stream,
 *                     double* marginals);
 * @endcode
 *
 * Marginals, if asked for, are a doubly (or for bounds, row) stochastic matrix
 * M, row-major: the derivative of the solution by the scores, or an estimate of
 * the derivative of log perm.
 */
struct BlockSolution
{
  //! What the value of the estimate uses.
  double log = 0.0;
  //! For the lower bound of I(g; w): at least log perm in expectation.
  double high = 0.0;
  //! For the upper bound of I(g; w): at most log perm in expectation.
  double low = 0.0;
  //! Whether log is log perm itself.
  bool exact = true;
};

} // namespace entropy
} // namespace symvi

#endif
