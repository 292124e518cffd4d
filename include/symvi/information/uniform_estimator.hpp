/**
 * @file symvi/information/uniform_estimator.hpp
 *
 * The paper's estimator: permutations drawn uniformly from the group.
 */
#ifndef SYMVI_INFORMATION_UNIFORM_ESTIMATOR_HPP
#define SYMVI_INFORMATION_UNIFORM_ESTIMATOR_HPP

#include "matching_gradient.hpp"
#include "per_element.hpp"
#include "permuted_density.hpp"

#include <vector>

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
 *    expectation; see information::PermutedDensity).  Switch it on for weights that
 *    are no draw of q.
 */
class UniformEstimator
{
 public:
  /**
   * @param permutations K, the number of group elements, the identity included.
   */
  explicit UniformEstimator(const size_t permutations = 20);

  //! K, the number of group elements in the mixture, the identity included.
  size_t Permutations() const { return permutations; }
  //! Modify K; at least 1.
  size_t& Permutations() { return permutations; }

  //! Whether the value is the paper's, with the closed-form entropy of q.
  bool Literal() const { return literal; }
  //! Modify that.
  bool& Literal() { return literal; }

  //! Whether groups of at most K elements are enumerated.
  bool EnumerateSmallGroups() const { return enumerate; }
  //! Modify that.
  bool& EnumerateSmallGroups() { return enumerate; }

  //! Whether every permutation is evaluated at the draw.
  bool Pointwise() const { return pointwise; }
  //! Modify that.
  bool& Pointwise() { return pointwise; }

  //! "uniform".
  const char* Name() const { return "uniform"; }

  //! The estimate for the draw that the chain holds.
  template<typename eT>
  InformationEstimate Evaluate(const SymmetricChain<eT>& chain,
                               RandomStream& stream);

  //! The estimate, and scale times its gradient added to `gradient`.
  template<typename eT>
  InformationEstimate EvaluateWithGradient(const SymmetricChain<eT>& chain,
                                           RandomStream& stream,
                                           const eT scale,
                                           InformationGradient<eT>& gradient);

 private:
  //! Choose the permutations; returns whether they are the whole group.
  template<typename eT>
  bool Choose(const SymmetricChain<eT>& chain, RandomStream& stream);

  //! Pointers to the images of permutation j, one per hidden layer.
  const UnitIndex* const* Images(const size_t j);

  template<typename eT>
  InformationEstimate Run(const SymmetricChain<eT>& chain,
                          RandomStream& stream, const eT scale,
                          InformationGradient<eT>* gradient);

  /**
   * The gradient, from relative log-densities r_j.
   *
   * @param most The largest of 0 and all r_j.
   * @param sum sum_j exp(r_j - most), the identity included.
   */
  template<typename eT>
  void AddGradient(const SymmetricChain<eT>& chain, const double most,
                   const double sum, const eT scale,
                   InformationGradient<eT>& gradient);

  size_t permutations;
  bool literal = false;
  bool enumerate = true;
  bool pointwise = false;

  //! Working memory: permutations other than the identity, back to back.
  size_t count = 0, units = 0;
  std::vector<Orbits> orbits;
  std::vector<UnitIndex> images;
  std::vector<const UnitIndex*> pointers;
  std::vector<double> relative, marginals;
  std::vector<size_t> own;
  std::vector<UnitIndex> everyone;
  information::PerElement<information::PermutedDensity> densities;
  information::PerElement<information::MatchingGradient> matchingGradients;
};

} // namespace symvi

#include "uniform_estimator_impl.hpp"

#endif
