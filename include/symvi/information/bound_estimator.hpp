/**
 * @file symvi/information/bound_estimator.hpp
 *
 * Estimators that put a deterministic bound in place of the permanent.
 */
#ifndef SYMVI_INFORMATION_BOUND_ESTIMATOR_HPP
#define SYMVI_INFORMATION_BOUND_ESTIMATOR_HPP

#include "permanent_estimator.hpp"

#include <stdexcept>
#include <string>

namespace symvi {
namespace information {

/**
 * One hidden layer at a time, every block by the given solver, which has
 * Rounds() and a static Name().  Bounds hold for every draw, so the draw alone
 * decides which units matter to each other; neighbouring hidden layers, for
 * which there is no permanent, are refused.
 */
template<typename SolverType>
class BoundEstimator :
    public PermanentEstimator<BoundEstimator<SolverType>>
{
 public:
  BoundEstimator() :
      PermanentEstimator<BoundEstimator<SolverType>>(true) { }

  //! K; not used, kept so that estimators can be exchanged.
  size_t Permutations() const { return permutations; }
  //! Modify K.
  size_t& Permutations() { return permutations; }

  //! Largest number of rounds of the solver.
  size_t Rounds() const { return solver.Rounds(); }
  //! Modify that.
  size_t& Rounds() { return solver.Rounds(); }

  //! The name of the solver.
  const char* Name() const { return SolverType::Name(); }

 private:
  friend class PermanentEstimator<BoundEstimator<SolverType>>;

  //! What solves a block.
  SolverType& Solver() { return solver; }

  //! Neighbouring hidden layers have no permanent.
  template<typename eT>
  InformationEstimate RunCoupled(const SymmetricChain<eT>& /* chain */,
                                 const size_t first, const size_t end,
                                 RandomStream& /* stream */,
                                 const eT /* scale */,
                                 InformationGradient<eT>* /* gradient */)
  {
    throw std::invalid_argument(std::string("the estimator '") + Name() +
        "': hidden layers must not share a weight matrix, but layers " +
        std::to_string(first) + " to " + std::to_string(end - 1) +
        " do; use 'auto' for deeper networks.");
  }

  size_t permutations = 20;
  SolverType solver;
};

} // namespace information
} // namespace symvi

#endif
