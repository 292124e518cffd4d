/**
 * @file symvi/information/block_solver.hpp
 *
 * What solves one block of the matching problem.
 */
#ifndef SYMVI_INFORMATION_BLOCK_SOLVER_HPP
#define SYMVI_INFORMATION_BLOCK_SOLVER_HPP

#include "matching_blocks.hpp"

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
 * A reference to a block solver: any class with
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
 *
 * What walks over blocks takes this instead of the solver itself, so that it is
 * compiled once and not once for every solver; a call costs nothing beside the
 * block that it solves.  (Virtual functions would do as well, but compilers
 * keep those of every solver in sight.)
 */
class BlockSolver
{
 public:
  template<typename SolverType>
  BlockSolver(SolverType& solver) :
      solver(&solver),
      reserve([](void* s, const size_t d)
      {
        static_cast<SolverType*>(s)->Reserve(d);
      }),
      solve([](void* s, const MatchingBlock& block, RandomStream& stream,
               double* marginals)
      {
        return static_cast<SolverType*>(s)->Solve(block, stream, marginals);
      })
  {
    // Nothing to do.
  }

  //! Make room for blocks of up to d units.
  void Reserve(const size_t d) const { reserve(solver, d); }

  //! Solve a block.
  BlockSolution Solve(const MatchingBlock& block, RandomStream& stream,
                      double* marginals) const
  {
    return solve(solver, block, stream, marginals);
  }

 private:
  void* solver;
  void (*reserve)(void*, const size_t);
  BlockSolution (*solve)(void*, const MatchingBlock&, RandomStream&, double*);
};

} // namespace information
} // namespace symvi

#endif
