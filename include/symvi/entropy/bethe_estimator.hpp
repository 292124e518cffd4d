/**
 * @file symvi/entropy/bethe_estimator.hpp
 *
 * Deterministic bounds of I(g; w) by belief propagation.
 */
#ifndef SYMVI_ENTROPY_BETHE_ESTIMATOR_HPP
#define SYMVI_ENTROPY_BETHE_ESTIMATOR_HPP

#include "bethe_solver.hpp"
#include "permanent_estimator.hpp"

#include <stdexcept>
#include <string>

namespace symvi {

/**
 * The Bethe permanent bounds the permanent of m overlapping units on both
 * sides, perm_B <= perm <= 2^(m/2) perm_B (see entropy::BetheSolver).  For
 * every draw w: upper is an *upper bound* of I(w) and lower, which is also the
 * value, a *lower bound*; they differ by (m/2) log 2 summed over groups of more
 * than two overlapping units.  The gradient, the same for both, is the
 * derivative at the fixed point of belief propagation.  One hidden layer at a
 * time: neighbouring hidden layers are refused.
 */
class BetheEstimator : public entropy::PermanentEstimator<BetheEstimator>
{
 public:
  BetheEstimator() : PermanentEstimator(true) { }

  //! K; not used, kept so that estimators can be exchanged.
  size_t Permutations() const { return permutations; }
  //! Modify K.
  size_t& Permutations() { return permutations; }

  //! Largest number of rounds of belief propagation.
  size_t Rounds() const { return solver.Rounds(); }
  //! Modify that.
  size_t& Rounds() { return solver.Rounds(); }

  //! "bethe".
  const char* Name() const { return "bethe"; }

 private:
  friend class entropy::PermanentEstimator<BetheEstimator>;

  //! What solves a block.
  entropy::BetheSolver& Solver() { return solver; }

  //! Neighbouring hidden layers have no permanent.
  template<typename eT>
  InformationEstimate RunCoupled(const SymmetricChain<eT>& /* chain */,
                                 const size_t first, const size_t end,
                                 RandomStream& /* stream */,
                                 const eT /* scale */,
                                 InformationGradient<eT>* /* gradient */)
  {
    throw std::invalid_argument("BetheEstimator: hidden layers must not share "
        "a weight matrix, but layers " + std::to_string(first) + " to " +
        std::to_string(end - 1) + " do; use 'auto' for deeper networks.");
  }

  size_t permutations = 20;
  entropy::BetheSolver solver;
};

} // namespace symvi

#endif
