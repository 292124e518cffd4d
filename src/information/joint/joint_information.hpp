/**
 * @file src/information/joint/joint_information.hpp
 *
 * I(g; w) of a Gaussian over all weights.
 */
#ifndef SYMVI_INFORMATION_JOINT_INFORMATION_HPP
#define SYMVI_INFORMATION_JOINT_INFORMATION_HPP

#include "information/joint/unit_proposal.hpp"

#include <symvi/information/estimator.hpp>

#include <vector>

namespace symvi {
namespace information {

/**
 * I(w) = log|G| + log q(w) - log sum_g q(g^-1 w) for a draw w of a joint
 * Gaussian, which does not factorise over units:
 *
 *  - groups of up to `limit` elements are enumerated;
 *  - else, with g_1, ..., g_K from a UnitProposal s and omega_g = q(g^-1 w) /
 *    s(g | w), the sum over G is bounded in expectation by
 *
 *      L_K:  (omega_id + omega_1 + ... + omega_{K-1}) / K,
 *      U_K:  (omega_1 + ... + omega_K) / K,
 *
 *    because the identity is an exact draw of the posterior of g given w.
 *
 * With p_g the shares of the terms of the sum the derivative at fixed q is
 *
 *   dI/dw = -Sigma^-1 (w - mu) + sum_g p_g g Sigma^-1 (g^-1 w - mu).
 */
class JointInformation
{
 public:
  //! The derivative, and what the score terms are made of.
  struct Slope
  {
    //! dI/dw.
    arma::vec path;
    //! p_g, and Sigma^-1 (g^-1 w - mu); the first is that of w itself.
    std::vector<double> shares;
    arma::mat solved;
  };

  JointInformation(WeightSymmetry symmetry, size_t limit, size_t permutations);
  // The proposal refers to the symmetry.
  JointInformation(const JointInformation&) = delete;
  JointInformation& operator=(const JointInformation&) = delete;

  const PermutationGroup& Group() const { return group; }
  //! Whether the group is enumerated.
  bool Exact() const { return exact; }
  //! Roughly how many multiplications an evaluation takes.
  double Work() const;

  //! Take another q, which Evaluate() is then called with.
  void Prepare(const JointGaussian& q);

  /**
   * The estimate for a draw; its value is exact, or the lower bound L_K.
   *
   * @param slope Set to the derivative of the value unless null.
   */
  InformationEstimate Evaluate(const JointGaussian& q, const arma::vec& w,
      RandomStream& stream, Slope* slope = nullptr);

  //! log q^G(w) of any w, if the group is enumerated.
  double LogSymmetrized(const JointGaussian& q, const arma::vec& w);

 private:
  void Enumerate();
  void DrawElements(const arma::vec& w, RandomStream& stream);
  //! log q(g^-1 w) of the elements, without the constant.
  void FindDensities(const JointGaussian& q, const arma::vec& w);
  void FindSlope(const JointGaussian& q, const arma::vec& w,
      const std::vector<double>& logTerms, double logSum, Slope& slope) const;

  WeightSymmetry symmetry;
  PermutationGroup group;
  bool exact;
  size_t permutations;
  UnitProposal proposal;
  //! Elements, the identity first; log s of those that were drawn.
  std::vector<WeightSources> sources;
  std::vector<double> logProposal, logDensities;
};

} // namespace information
} // namespace symvi

#endif
