/**
 * @file src/information/permanent/exact_solver.hpp
 *
 * Blocks by their exact permanent.
 */
#ifndef SYMVI_INFORMATION_EXACT_SOLVER_HPP
#define SYMVI_INFORMATION_EXACT_SOLVER_HPP

#include "information/permanent/block_solver.hpp"
#include "information/permanent/permanent.hpp"

#include <symvi/require.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace symvi {
namespace information {

//! Solves a block by forward-backward over subsets; see Permanent.
class ExactSolver final : public BlockSolver
{
 public:
  //! @param largest Largest block to be solved; larger ones are refused.
  explicit ExactSolver(const size_t largest = 20) : largest(largest) { }

  //! Largest block to be solved.
  size_t Largest() const { return largest; }
  //! Modify that; at most Permanent::MaxSize().
  size_t& Largest() { return largest; }

  //! Make room for blocks of up to d units.
  void Reserve(const size_t d) override
  {
    const size_t m = std::min({ d, largest, Permanent::MaxSize() });
    permanent.Reserve(m);
    weights.reserve(m * m);
  }

  //! log perm, and the matching marginals.
  BlockSolution Solve(const MatchingBlock& block, RandomStream& /* stream */,
      double* marginals) override
  {
    const size_t m = block.size;
    if (m > std::min(largest, Permanent::MaxSize()))
      Refuse("ExactEstimator",
          "at most " + std::to_string(std::min(largest, Permanent::MaxSize())) +
              " units may overlap",
          std::to_string(m) + " do; use 'auto' or 'importance'");
    weights.resize(m * m);
    for (size_t i = 0; i < m * m; ++i)
      weights[i] = std::exp(block.scores[i]);
    BlockSolution solution;
    solution.log = std::log(permanent.Compute(weights.data(), m, marginals));
    solution.high = solution.low = solution.log;
    return solution;
  }

 private:
  size_t largest;
  Permanent permanent;
  std::vector<double> weights;
};

} // namespace information
} // namespace symvi

#endif
