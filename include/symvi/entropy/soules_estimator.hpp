/**
 * @file symvi/entropy/soules_estimator.hpp
 *
 * A deterministic lower bound of I(g; w).
 */
#ifndef SYMVI_ENTROPY_SOULES_ESTIMATOR_HPP
#define SYMVI_ENTROPY_SOULES_ESTIMATOR_HPP

#include "permanent_estimator.hpp"
#include "soules_solver.hpp"

#include <stdexcept>
#include <string>

namespace symvi {

/**
 * The permanent is replaced by an upper bound (Bregman, Minc, Soules; see
 * entropy::SoulesSolver), which makes value a *lower bound* of I(w) for every
 * draw w, without sampling.  The gradient is that of the bound at fixed column
 * scaling.  One hidden layer at a time: neighbouring hidden layers are refused.
 */
class SoulesEstimator : public entropy::PermanentEstimator<SoulesEstimator>
{
 public:
  SoulesEstimator() : PermanentEstimator(true) { }

  //! K; not used, kept so that estimators can be exchanged.
  size_t Permutations() const { return permutations; }
  //! Modify K.
  size_t& Permutations() { return permutations; }

  //! Rounds of column scaling.
  size_t Rounds() const { return solver.Rounds(); }
  //! Modify that.
  size_t& Rounds() { return solver.Rounds(); }

  //! "soules".
  const char* Name() const { return "soules"; }

 private:
  friend class entropy::PermanentEstimator<SoulesEstimator>;

  //! What solves a block.
  entropy::SoulesSolver& Solver() { return solver; }

  //! Neighbouring hidden layers have no permanent.
  template<typename eT>
  InformationEstimate RunCoupled(const SymmetricChain<eT>& /* chain */,
                                 const size_t first, const size_t end,
                                 RandomStream& /* stream */,
                                 const eT /* scale */,
                                 InformationGradient<eT>* /* gradient */)
  {
    throw std::invalid_argument("SoulesEstimator: hidden layers must not share "
        "a weight matrix, but layers " + std::to_string(first) + " to " +
        std::to_string(end - 1) + " do; use 'auto' for deeper networks.");
  }

  size_t permutations = 20;
  entropy::SoulesSolver solver;
};

} // namespace symvi

#endif
