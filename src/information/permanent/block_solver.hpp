/**
 * @file src/information/permanent/block_solver.hpp
 *
 * What solves one block of the matching problem.
 */
#ifndef SYMVI_INFORMATION_BLOCK_SOLVER_HPP
#define SYMVI_INFORMATION_BLOCK_SOLVER_HPP

#include "information/matching/matching_blocks.hpp"

#include <symvi/kernel/random_stream.hpp>

namespace symvi {
namespace information {

//! log perm(exp scores) of one block, or what is known about it.
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

/**
 * Solves blocks.  Marginals, if asked for, are a doubly (or for bounds, row)
 * stochastic matrix M, row-major: the derivative of the solution by the scores,
 * or an estimate of the derivative of log perm.
 */
class BlockSolver
{
 public:
  virtual ~BlockSolver() = default;

  //! Make room for blocks of up to d units.
  virtual void Reserve(const size_t d) = 0;

  //! Solve a block; `marginals` may be null.
  virtual BlockSolution Solve(const MatchingBlock& block, RandomStream& stream,
      double* marginals) = 0;
};

} // namespace information
} // namespace symvi

#endif
