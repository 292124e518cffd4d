/**
 * @file src/information/matching/training_engine.hpp
 *
 * The gradient of I(g; w) that training uses.
 */
#ifndef SYMVI_INFORMATION_TRAINING_ENGINE_HPP
#define SYMVI_INFORMATION_TRAINING_ENGINE_HPP

#include "information/deep/mean_field_matching.hpp"
#include "information/deep/peeling.hpp"
#include "information/matching/matching_gradient.hpp"
#include "information/permanent/scaling.hpp"
#include "information/scores/separation.hpp"
#include "information/scores/unit_scores.hpp"

#include <vector>

namespace symvi {
namespace information {

/**
 * A gradient needs the matching marginals M only, not the permanent.  For every
 * hidden layer on its own: units that the posterior keeps apart are left out
 * (Separation), the others are scored at the draw (UnitScores, both signs of
 * signed units together) and M comes from Scaling.  The value is
 *
 *   log|G| - sum over groups of (log perm or log Z)(exp R),
 *
 * with bounds on either side where a group is large, and its derivative is the
 * gradient (up to the tolerance of the scaling).  Layers among neighbours whose
 * permutation is beyond doubt are fixed (Peeling); neighbours that remain go
 * through MeanFieldMatching.
 */
template<typename eT>
class TrainingEngine
{
 public:
  /**
   * @param chain The chain.
   * @param tolerance How far the scaling may stop from convergence; 0 for
   *     rounding.
   * @param scale Factor of the gradient.
   * @param gradient Where the gradient goes; null if not wanted.
   */
  InformationEstimate Run(const SymmetricChain<eT>& chain,
      const double tolerance, const eT scale,
      InformationGradient<eT>* gradient);

  //! See InformationEstimator::Work().
  static double Work(const SymmetricChain<eT>& chain);

 private:
  InformationEstimate RunLayer(const SymmetricChain<eT>& chain, const size_t h,
      const eT scale, InformationGradient<eT>* gradient);
  bool RunCluster(const UnitBlocks<eT>& weights, const UnitIndex* members,
      const size_t size, const eT scale, const UnitGradient<eT>* gradient,
      InformationEstimate& estimate);

  double tolerance = 0.0;
  Orbits orbits;
  std::vector<size_t> own;
  std::vector<UnitIndex> everyone;
  std::vector<double> local, marginals, shares;
  UnitScores<eT> scores;
  Separation<eT> separation;
  MatchingGradient<eT> matchingGradient;
  //! In float where the scaling stops early, in double where it converges.
  Scaling<float> loose;
  Scaling<double> converged;
  Peeling<eT> peeling;
  MeanFieldMatching<eT> coupled;
};

} // namespace information
} // namespace symvi

#endif
