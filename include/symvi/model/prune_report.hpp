/**
 * @file symvi/model/prune_report.hpp
 *
 * What pruning took away, and what it cost.
 */
#ifndef SYMVI_MODEL_PRUNE_REPORT_HPP
#define SYMVI_MODEL_PRUNE_REPORT_HPP

#include <cstddef>
#include <vector>

namespace symvi {

//! What was pruned and what it cost.
struct PruneReport
{
  //! Weights (or hidden units) that could have been pruned, and that were.
  size_t candidates = 0;
  size_t pruned = 0;
  //! The greatest ratio |mu| / sigma among the pruned; 0 if none was.
  double threshold = 0;
  //! KL(q || prior) of what was pruned, in nats: what the data no longer pay
  //! for it.
  double klRemoved = 0;
  //! Units left in every hidden layer (PruneUnits() only).
  std::vector<size_t> unitsLeft;

  //! Mean log predictive density in nats per point, before and after; 0 if no
  //! data were given.
  double logDensityBefore = 0;
  double logDensityAfter = 0;
  //! Error before and after: the fraction of wrong labels for Categorical and
  //! Bernoulli likelihoods, the root mean squared error for Gaussian ones.
  double errorBefore = 0;
  double errorAfter = 0;

  //! Nats per point that pruning cost.
  double Cost() const { return logDensityBefore - logDensityAfter; }
};

} // namespace symvi

#endif
