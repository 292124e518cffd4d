/**
 * @file symvi/information/importance_estimator.hpp
 *
 * I(g; w) by importance sampling of permutations.
 */
#ifndef SYMVI_INFORMATION_IMPORTANCE_ESTIMATOR_HPP
#define SYMVI_INFORMATION_IMPORTANCE_ESTIMATOR_HPP

#include "importance_solver.hpp"
#include "layerwise_engine.hpp"
#include "permanent_estimator.hpp"

namespace symvi {

/**
 * K permutations from a proposal that finds the likely ones; see
 * information::ImportanceSolver for the proposal and the proofs.  With omega the
 * importance weights,
 *
 *   lower = L_K = log d! + tr C - log 1/K (omega_id + sum_{j<K} omega_j)
 *   upper = U_K = log d! + tr C - log 1/K sum_{j<=K} omega_j
 *   E[L_K] <= I(g; w) <= E[U_K].
 *
 * (Where draws become unequal there are more of them, and the population with
 * the identity is drawn by itself; the inequalities are the same.)
 *
 * value is L_K: a *lower bound* in expectation.  The gradient uses the K draws
 * without the identity; it is a consistent estimate of that of I(g; w), with a
 * bias of order 1/K, and not the derivative of L_K.  Groups of at most Tail()
 * overlapping units come out exact.
 */
class ImportanceEstimator :
    public information::PermanentEstimator<ImportanceEstimator>
{
 public:
  //! @param permutations K, the number of permutations.
  explicit ImportanceEstimator(const size_t permutations = 20) :
      PermanentEstimator(false), solver(permutations) { }

  //! K, the number of permutations.
  size_t Permutations() const { return solver.Draws(); }
  //! Modify K; at least 1.
  size_t& Permutations() { return solver.Draws(); }

  //! How many rows of a group of overlapping units are summed up exactly.
  size_t Tail() const { return solver.Tail(); }
  //! Modify that; 1 to 24.
  size_t& Tail() { return solver.Tail(); }

  //! "importance".
  const char* Name() const { return "importance"; }

 private:
  friend class information::PermanentEstimator<ImportanceEstimator>;

  //! What solves a block.
  information::ImportanceSolver& Solver() { return solver; }

  //! Neighbouring hidden layers, layer by layer.
  template<typename eT>
  InformationEstimate RunCoupled(const SymmetricChain<eT>& chain,
                                 const size_t first, const size_t end,
                                 RandomStream& stream, const eT scale,
                                 InformationGradient<eT>* gradient)
  {
    return layerwise.Get<eT>().Run(chain, first, end, solver, solver.Draws(),
        0, stream, scale, gradient);
  }

  information::ImportanceSolver solver;
  information::PerElement<information::LayerwiseEngine> layerwise;
};

} // namespace symvi

#endif
