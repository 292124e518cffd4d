/**
 * @file src/information/permanent/auto_solver.hpp
 *
 * Small blocks exactly, large ones by importance sampling.
 */
#ifndef SYMVI_INFORMATION_AUTO_SOLVER_HPP
#define SYMVI_INFORMATION_AUTO_SOLVER_HPP

#include "information/permanent/exact_solver.hpp"
#include "information/permanent/importance_solver.hpp"

namespace symvi {
namespace information {

//! ExactSolver up to a size, ImportanceSolver above it.
class AutoSolver final : public BlockSolver
{
 public:
  //! @param draws K of the importance sampler.
  explicit AutoSolver(const size_t draws = 20) : exact(16), importance(draws)
  {
    // Nothing to do.
  }

  //! The solver of small blocks; Exact().Largest() is the limit between both.
  ExactSolver& Exact() { return exact; }
  //! The solver of small blocks.
  const ExactSolver& Exact() const { return exact; }

  //! The solver of large blocks.
  ImportanceSolver& Importance() { return importance; }
  //! The solver of large blocks.
  const ImportanceSolver& Importance() const { return importance; }

  //! Make room for blocks of up to d units.
  void Reserve(const size_t d) override
  {
    exact.Reserve(d);
    if (d > exact.Largest())
      importance.Reserve(d);
  }

  //! log perm or bounds of it, and matching marginals.
  BlockSolution Solve(const MatchingBlock& block, RandomStream& stream,
      double* marginals) override
  {
    return (block.size <= exact.Largest()) ?
        exact.Solve(block, stream, marginals) :
        importance.Solve(block, stream, marginals);
  }

 private:
  ExactSolver exact;
  ImportanceSolver importance;
};

} // namespace information
} // namespace symvi

#endif
