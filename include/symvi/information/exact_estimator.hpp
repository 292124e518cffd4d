/**
 * @file symvi/information/exact_estimator.hpp
 *
 * I(g; w) by exact permanents.
 */
#ifndef SYMVI_INFORMATION_EXACT_ESTIMATOR_HPP
#define SYMVI_INFORMATION_EXACT_ESTIMATOR_HPP

#include "exact_solver.hpp"
#include "layerwise_engine.hpp"
#include "permanent_estimator.hpp"

namespace symvi {

/**
 * I(w) = log q(w) - log q^G(w) itself: *exact*, neither a bound nor an
 * approximation.  Terms below exp(-40) of the largest are left out, and so are
 * permutations between units that the posterior alone keeps apart (see
 * information::Separation); Pointwise() = true looks at those too, for weights that
 * are no draw of q.
 *
 *   one hidden layer:  I(w) = log d! + tr C - log perm(exp C),
 *   gradient:          dI/dC = Id - M,  M the matching marginals.
 *
 * Units that overlap are found first; a group of m of them takes O(m 2^m)
 * operations, whatever the width of the layer.  Groups of more than Largest()
 * units are refused with std::invalid_argument.  In deeper networks the
 * permutations of all hidden layers before the last of a run are enumerated, up
 * to Enumerations() of them.
 */
class ExactEstimator : public information::PermanentEstimator<ExactEstimator>
{
 public:
  //! @param largest The largest group of overlapping units.
  explicit ExactEstimator(const size_t largest = 20) :
      PermanentEstimator(false), solver(largest) { }

  //! K; not used, kept so that estimators can be exchanged.
  size_t Permutations() const { return permutations; }
  //! Modify K.
  size_t& Permutations() { return permutations; }

  //! The largest group of overlapping units; 20, and at most 24.
  size_t Largest() const { return solver.Largest(); }
  //! Modify that.
  size_t& Largest() { return solver.Largest(); }

  //! The most permutations to enumerate in deeper networks; 50000.
  size_t Enumerations() const { return enumerations; }
  //! Modify that.
  size_t& Enumerations() { return enumerations; }

  //! "exact".
  const char* Name() const { return "exact"; }

 private:
  friend class information::PermanentEstimator<ExactEstimator>;

  //! What solves a block.
  information::ExactSolver& Solver() { return solver; }

  //! Neighbouring hidden layers, layer by layer.
  template<typename eT>
  InformationEstimate RunCoupled(const SymmetricChain<eT>& chain,
                                 const size_t first, const size_t end,
                                 RandomStream& stream, const eT scale,
                                 InformationGradient<eT>* gradient)
  {
    return layerwise.Get<eT>().Run(chain, first, end, solver, 0, enumerations,
        stream, scale, gradient);
  }

  size_t permutations = 20;
  size_t enumerations = 50000;
  information::ExactSolver solver;
  information::PerElement<information::LayerwiseEngine> layerwise;
};

} // namespace symvi

#endif
