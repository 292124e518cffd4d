/**
 * @file symvi/model/reports.hpp
 *
 * What is reported of a model: the terms of L and L^G, the bound on the
 * evidence, scores on a data set, and what pruning took away.
 */
#ifndef SYMVI_MODEL_REPORTS_HPP
#define SYMVI_MODEL_REPORTS_HPP

#include <symvi/predict/prediction.hpp>
#include <symvi/train/fit_options.hpp>

#include <armadillo>
#include <cmath>
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
 * `bound` is random, and it exceeds log p(Y | X) by t nats with a probability
 * of at most exp(-t) (Markov's inequality), whatever the weights are like.
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

//! I(g; w) in nats: an estimate and an interval [L_K, U_K] around it.
struct InformationReport
{
  double value = 0.0;
  double standardError = 0.0;
  //! Expected to be at most I(g; w); -infinity if the estimator has no bound.
  double lower = 0.0;
  double lowerStandardError = 0.0;
  //! Expected to be at least I(g; w); infinity if the estimator has no bound.
  double upper = 0.0;
  double upperStandardError = 0.0;
  //! Whether every draw was evaluated exactly, so that lower = upper.
  bool exact = true;
};

/**
 * L   = E_q log p(Y | X, w) - KL(q || p)
 * L^G = L + I(g; w)                                [Gelberg2024, Thm. 4.1]
 *
 * in nats, sums over the data.  The KL is exact; the log-likelihood and I(g; w)
 * are means over draws of w, with standard errors.
 */
struct ElboReport
{
  double logLikelihood = 0.0;
  double logLikelihoodStandardError = 0.0;
  double kl = 0.0;
  InformationReport information;

  //! L.
  double elbo = 0.0;
  double elboStandardError = 0.0;
  //! L^G.
  double symmetrizedElbo = 0.0;
  double symmetrizedElboStandardError = 0.0;
  //! L^G with the lower and the upper bound of I(g; w).
  double symmetrizedElboLower = 0.0;
  double symmetrizedElboUpper = 0.0;

  //! The network's group in letters, such as "B_8 x S_4".
  std::string group;
  //! log|G|, the most that I(g; w) can be.
  double logGroupOrder = 0.0;
  size_t numPoints = 0;
  size_t samples = 0;
  //! The prior p of every Bayesian layer, in order.
  std::vector<LayerPrior> priors;
  //! Sentences on what these numbers are not: units without permutations, or
  //! an L that bounds nothing.
  std::vector<std::string> notes;

  //! The importance-weighted bound of the same draws, at least L^G in
  //! expectation; without samples if a weight was not a number, or if the
  //! estimator of I(g; w) gives no lower bound.
  EvidenceReport evidence;

  //! The same report divided by the number of points; the weights of the
  //! evidence stay what they are.
  ElboReport PerDatum() const
  {
    ElboReport r = *this;
    for (double* field :
        { &r.logLikelihood, &r.logLikelihoodStandardError, &r.kl,
            &r.information.value, &r.information.standardError,
            &r.information.lower, &r.information.lowerStandardError,
            &r.information.upper, &r.information.upperStandardError, &r.elbo,
            &r.elboStandardError, &r.symmetrizedElbo,
            &r.symmetrizedElboStandardError, &r.symmetrizedElboLower,
            &r.symmetrizedElboUpper, &r.evidence.bound,
            &r.evidence.standardError, &r.evidence.smoothed, &r.logGroupOrder })
    {
      *field /= double(numPoints);
    }
    return r;
  }
};

//! Print a report, a line per term.
inline std::ostream& operator<<(std::ostream& out, const ElboReport& r)
{
  out << "log-likelihood   " << r.logLikelihood << " +- "
      << r.logLikelihoodStandardError << '\n'
      << "KL(q || p)       " << r.kl << '\n'
      << "I(g; w)          " << r.information.value << " +- "
      << r.information.standardError;
  if (r.information.exact)
    out << " (exact)";
  else
    out << " in [" << r.information.lower << ", " << r.information.upper << ']';
  out << " of at most " << r.logGroupOrder
      << (r.group.empty() ? "" : ", group " + r.group) << '\n'
      << "L                " << r.elbo << " +- " << r.elboStandardError << '\n'
      << "L^G              " << r.symmetrizedElbo << " +- "
      << r.symmetrizedElboStandardError << '\n'
      << r.evidence;
  for (const std::string& note : r.notes)
    out << note << '\n';
  return out;
}

//! One number with its name for programs and for people.
struct Metric
{
  std::string key;
  std::string label;
  double value = 0.0;
  //! Negative: there is none.
  double standardError = -1.0;
};

//! How a model is evaluated.
struct EvaluateOptions
{
  //! Weight samples, seed and interval of the predictions.
  PredictOptions predict;
  //! Bins of the calibration error.
  size_t bins = 15;
  //! Estimator of I(g; w), its permutations K, and the weight samples that the
  //! bounds are averaged over; 0 leaves the bounds out.
  std::string estimator = "auto";
  size_t permutations = 20;
  size_t samples = 100;
};

//! What Pipeline::Evaluate() finds, in the units of the data.
struct Evaluation
{
  EvaluateOptions options;
  size_t points = 0;
  //! Scores of the predictions, then the terms of the bounds.
  std::vector<Metric> metrics;

  //! Classification: class numbers and the prediction.
  arma::mat labels;
  ClassificationPrediction<arma::mat> classes;

  //! Regression: responses and the prediction, with quantiles at 0.05, 0.1,
  //! ..., 0.95.
  arma::mat responses;
  RegressionPrediction<arma::mat> regression;

  ElboReport elbo;

  //! The value of a metric; throws std::invalid_argument if there is none.
  double Value(const std::string& key) const;
};

/**
 * Calibration of a regression's intervals: probabilities of central intervals
 * (first row) and the fraction of responses inside them (second row), from
 * (0, 0) to (1, 1).  The prediction must hold quantiles at symmetric levels.
 */
arma::mat CoverageCurve(const RegressionPrediction<arma::mat>& prediction,
    const arma::mat& responses);

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
