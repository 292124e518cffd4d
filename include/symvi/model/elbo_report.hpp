/**
 * @file model/elbo_report.hpp
 *
 * What an ELBO consists of, with its Monte-Carlo errors.
 */
#ifndef SYMVI_MODEL_ELBO_REPORT_HPP
#define SYMVI_MODEL_ELBO_REPORT_HPP

#include <symvi/model/evidence.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

namespace symvi {

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

//! Mean and standard error of the mean, updated one number at a time.
class RunningMean
{
 public:
  //! Once an infinite number was added, the mean is that infinity.
  void Add(const double x)
  {
    ++count;
    if (std::isinf(x) || std::isinf(mean))
    {
      mean = std::isinf(x) ? x : mean;
      return;
    }
    const double delta = x - mean;
    mean += delta / double(count);
    squares += delta * (x - mean);
  }

  double Mean() const { return mean; }

  double StandardError() const
  {
    if (count < 2)
      return std::numeric_limits<double>::quiet_NaN();
    return std::sqrt(squares / double(count - 1) / double(count));
  }

 private:
  size_t count = 0;
  double mean = 0.0;
  double squares = 0.0;
};

} // namespace symvi

#endif
