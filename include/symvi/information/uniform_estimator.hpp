/**
 * @file symvi/information/uniform_estimator.hpp
 *
 * The paper's estimator: permutations drawn uniformly from the group.
 */
#ifndef SYMVI_INFORMATION_UNIFORM_ESTIMATOR_HPP
#define SYMVI_INFORMATION_UNIFORM_ESTIMATOR_HPP

#include "estimator.hpp"

namespace symvi {

/**
 * With g_1, ..., g_(K-1) uniform on G and w a draw of q,
 *
 *   I^K(w) = log q(w) - log 1/K ( q(w) + sum_j q(g_j^-1 w) ).
 *
 * E[I^K] is a *lower bound* of I(g; w): it is H^K - H(q) of the paper
 * [Gelberg2024, Eq. 8], it grows with K towards I(g; w), and it never exceeds
 * log K nor log|G|.  K = 1 gives exactly 0: plain mean-field inference.
 *
 * The gradient is that of I^K(w) at fixed permutations (softmax weights s_j of
 * the permuted log-densities, dI^K = -sum_j s_j dr_j).
 *
 * Three switches:
 *
 *  - Literal(): the paper prints -log(...) - H(q) with the closed-form entropy.
 *    It equals I^K(w) + 1/2 sum_i (eps_i^2 - 1): the same expectation, the same
 *    full gradient under the reparametrization trick, but a variance of D/2 for
 *    D weights, whatever K is.  The switch changes the value only.
 *  - EnumerateSmallGroups(): a group of at most K elements is summed up exactly
 *    instead of being sampled with replacement (for |G| = 2 and K = 2 drawing
 *    gives half of I).  On by default; off is the paper's estimator to the
 *    letter.  Groups of more than K elements are not affected.
 *  - Pointwise(): permutations that the posterior alone proves negligible are
 *    left out before the draw is looked at (less than 1e-15 nats in
 *    expectation).  Switch it on for weights not sampled from q.
 */
class UniformEstimator final : public InformationEstimator
{
 public:
  /**
   * @param permutations K, the number of group elements, the identity included.
   */
  explicit UniformEstimator(const size_t permutations = 20) :
      permutations(permutations)
  { }

  //! K, the number of group elements in the mixture, the identity included.
  size_t Permutations() const { return permutations; }
  //! Modify K; at least 1.
  size_t& Permutations() { return permutations; }

  //! Whether the value is the paper's, with the closed-form entropy of q.
  bool Literal() const { return literal; }
  //! Modify whether the value is the paper's.
  bool& Literal() { return literal; }

  //! Whether groups of at most K elements are enumerated.
  bool EnumerateSmallGroups() const { return enumerate; }
  //! Modify whether small groups are enumerated.
  bool& EnumerateSmallGroups() { return enumerate; }

  //! Whether every permutation is evaluated at the draw.
  bool Pointwise() const { return pointwise; }
  //! Modify whether every permutation is evaluated.
  bool& Pointwise() { return pointwise; }

  std::unique_ptr<InformationEstimator> Clone() const override;
  //! "uniform".
  const char* Name() const override { return "uniform"; }

  InformationEstimate Evaluate(const SymmetricChain<float>& chain,
      RandomStream& stream) override;
  InformationEstimate Evaluate(const SymmetricChain<double>& chain,
      RandomStream& stream) override;
  InformationEstimate EvaluateWithGradient(const SymmetricChain<float>& chain,
      RandomStream& stream, const float scale,
      InformationGradient<float>& gradient) override;
  InformationEstimate EvaluateWithGradient(const SymmetricChain<double>& chain,
      RandomStream& stream, const double scale,
      InformationGradient<double>& gradient) override;

 private:
  struct Memory;

  template<typename eT>
  InformationEstimate Run(const SymmetricChain<eT>& chain, RandomStream& stream,
      const eT scale, InformationGradient<eT>* gradient);

  size_t permutations;
  bool literal = false;
  bool enumerate = true;
  bool pointwise = false;
  information::WorkingMemory<Memory> memory;
};

} // namespace symvi

#endif
