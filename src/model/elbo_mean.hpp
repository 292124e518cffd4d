/**
 * @file src/model/elbo_mean.hpp
 *
 * An ElboReport from what single draws of q give.
 */
#ifndef SYMVI_MODEL_ELBO_MEAN_HPP
#define SYMVI_MODEL_ELBO_MEAN_HPP

#include <symvi/information/estimator.hpp>
#include <symvi/model/reports.hpp>

#include "model/running_mean.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace symvi {
namespace model {

//! Means over draws w ~ q of log p(Y | X, w) and I(w), and the logarithms of
//! the importance weights p(Y | X, w) p(w) / q^G(w).
class ElboMean
{
 public:
  //! @param logPriorRatio log p(w) - log q(w).
  void Add(const double logLikelihood, const InformationEstimate& information,
      const double logPriorRatio)
  {
    densities.Add(logLikelihood);
    value.Add(information.value);
    lower.Add(information.lower);
    upper.Add(information.upper);
    sum.Add(logLikelihood + information.value);
    logWeights.push_back(logLikelihood + information.lower + logPriorRatio);
  }

  //! Fill in all that depends on the draws; `report.kl` must be set.  Without
  //! a lower bound of I(g; w), or with a weight of NaN, there is no evidence.
  void Summarize(ElboReport& report)
  {
    report.logLikelihood = densities.Mean();
    report.logLikelihoodStandardError = densities.StandardError();
    report.information.value = value.Mean();
    report.information.standardError = value.StandardError();
    report.information.lower = lower.Mean();
    report.information.lowerStandardError = lower.StandardError();
    report.information.upper = upper.Mean();
    report.information.upperStandardError = upper.StandardError();
    report.elbo = report.logLikelihood - report.kl;
    report.elboStandardError = report.logLikelihoodStandardError;
    report.symmetrizedElbo = report.elbo + report.information.value;
    report.symmetrizedElboStandardError = sum.StandardError();
    report.symmetrizedElboLower = report.elbo + report.information.lower;
    report.symmetrizedElboUpper = report.elbo + report.information.upper;
    const bool isBounded = !std::isinf(report.information.lower) &&
        std::none_of(logWeights.begin(), logWeights.end(),
            [](const double log) { return std::isnan(log); });
    if (isBounded)
      report.evidence = SummarizeEvidence(std::move(logWeights));
  }

 private:
  RunningMean densities, value, lower, upper, sum;
  std::vector<double> logWeights;
};

} // namespace model
} // namespace symvi

#endif
