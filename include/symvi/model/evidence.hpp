/**
 * @file symvi/model/evidence.hpp
 *
 * A bound on the evidence by importance sampling, and whether to trust it.
 */
#ifndef SYMVI_MODEL_EVIDENCE_HPP
#define SYMVI_MODEL_EVIDENCE_HPP

#include <cstddef>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

namespace symvi {

/**
 * The evidence log p(Y | X) from S importance weights,
 *
 *   omega_s = p(Y | X, w_s) p(w_s) / q^G(w_s),   w_s ~ q,   E omega = p(Y | X),
 *   E log 1/S sum_s omega_s <= log p(Y | X),
 *
 * in nats.  The functions of q and of q^G are the same, so that draws of q will
 * do, but the density must be that of q^G: with q every mode but one is missed,
 * and the value is too small by up to I(g; w) for any S that is feasible.
 *
 * `bound` is random, and it exceeds log p(Y | X) by t nats with a probability of
 * at most exp(-t) (Markov's inequality), whatever the weights are like.
 */
struct EvidenceReport
{
  //! log 1/S sum_s omega_s, a lower bound in expectation that grows with S.
  double bound = NaN();
  //! Its standard error, by a jackknife over 20 batches of draws; NaN where
  //! IsGood() is false, because a few draws then decide the value.
  double standardError = NaN();
  //! The same with the largest weights smoothed (PSIS): an estimate of the
  //! evidence, not a bound; NaN if the tail of the weights cannot be fitted.
  double smoothed = NaN();
  //! Pareto shape of the largest weights: omega has moments of order less than
  //! 1 / k.  NaN for fewer than 25 draws.
  double paretoK = NaN();
  //! k should be less than this: min(1 - 1 / log10(S), 0.7).
  double threshold = NaN();
  //! (sum_s omega_s)^2 / sum_s omega_s^2, from 1 to S.
  double effectiveSamples = NaN();
  //! log omega_s, in the order of the draws.
  std::vector<double> logWeights;

  //! S; 0 if there is no such bound.
  size_t Samples() const { return logWeights.size(); }

  //! Whether k says that the mean of the weights has settled, so that its error
  //! can be relied on.  It cannot see what q does not reach.
  bool IsGood() const { return paretoK < threshold; }

  //! Add a constant to all logarithms of weights.
  void Shift(const double nats);

 private:
  static constexpr double NaN()
  {
    return std::numeric_limits<double>::quiet_NaN();
  }
};

/**
 * The report of some weights, also of an importance sampler of your own.
 *
 * @param logWeights log omega_s; -infinity is a weight of zero.  There must be
 *     at least one, and NaN or infinity are a std::invalid_argument.
 */
EvidenceReport SummarizeEvidence(std::vector<double> logWeights);

//! Print a report in plain English.
std::ostream& operator<<(std::ostream& out, const EvidenceReport& report);

} // namespace symvi

#endif
