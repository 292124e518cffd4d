/**
 * @file symvi/information/auto_estimator.hpp
 *
 * I(g; w) exactly where that is cheap, else by importance sampling.
 */
#ifndef SYMVI_INFORMATION_AUTO_ESTIMATOR_HPP
#define SYMVI_INFORMATION_AUTO_ESTIMATOR_HPP

#include "auto_solver.hpp"
#include "layerwise_engine.hpp"
#include "permanent_estimator.hpp"

namespace symvi {

/**
 * The default estimator.  Units that overlap are found first.  Groups of at
 * most Largest() of them are solved as by ExactEstimator, larger ones as by
 * ImportanceEstimator with K permutations; neighbouring hidden layers go layer
 * by layer, see information::LayerwiseEngine.
 *
 * value is *exact* if `exact` says so in the result, else a *lower bound* in
 * expectation; lower and upper are L_K and U_K.
 */
class AutoEstimator : public information::PermanentEstimator<AutoEstimator>
{
 public:
  //! @param permutations K, the number of permutations.
  explicit AutoEstimator(const size_t permutations = 20) :
      PermanentEstimator(false), solver(permutations) { }

  //! K, the number of permutations where sampling is needed.
  size_t Permutations() const { return solver.Importance().Draws(); }
  //! Modify K; at least 1.
  size_t& Permutations() { return solver.Importance().Draws(); }

  //! The largest group of overlapping units that is solved exactly; 16.
  size_t Largest() const { return solver.Exact().Largest(); }
  //! Modify that; at most 24.
  size_t& Largest() { return solver.Exact().Largest(); }

  //! How many rows of a larger group are summed up exactly.
  size_t Tail() const { return solver.Importance().Tail(); }
  //! Modify that; 1 to 24.
  size_t& Tail() { return solver.Importance().Tail(); }

  //! "auto".
  const char* Name() const { return "auto"; }

 private:
  friend class information::PermanentEstimator<AutoEstimator>;

  //! What solves a block.
  information::AutoSolver& Solver() { return solver; }

  //! Neighbouring hidden layers, layer by layer.
  template<typename eT>
  InformationEstimate RunCoupled(const SymmetricChain<eT>& chain,
                                 const size_t first, const size_t end,
                                 RandomStream& stream, const eT scale,
                                 InformationGradient<eT>* gradient)
  {
    return layerwise.Get<eT>().Run(chain, first, end, solver,
        solver.Importance().Draws(), 0, stream, scale, gradient);
  }

  information::AutoSolver solver;
  information::PerElement<information::LayerwiseEngine> layerwise;
};

} // namespace symvi

#endif
