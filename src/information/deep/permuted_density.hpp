/**
 * @file src/information/deep/permuted_density.hpp
 *
 * The density of a draw under a permuted posterior, for a chain of any depth.
 */
#ifndef SYMVI_INFORMATION_PERMUTED_DENSITY_HPP
#define SYMVI_INFORMATION_PERMUTED_DENSITY_HPP

#include "information/scores/touched.hpp"

#include "kernel/multiversion.hpp"
#include "symmetry/orbits.hpp"

#include <vector>

namespace symvi {
namespace information {

//! A permutation as plain arrays, one for each hidden layer of a chain.
struct UnitImages
{
  const UnitIndex* const* tau = nullptr;
  //! Null pointers where all signs are 1.
  const UnitSign* const* signs = nullptr;
};

/**
 * For one draw w of a chain and permutations tau_h of its hidden units, with
 * tau(i) the weight whose posterior weight i is compared with and s_i the
 * product of the signs of the units on either side (1 without signs),
 *
 *   r(tau) = log q(g^-1 w) - log q(w)
 *          = 1/2 sum_i ( eps_i^2 - z_i^2 ),
 *   eps_i = (w_i - mu_i) / sigma_i,
 *   z_i   = (s_i w_i - mu_tau(i)) / sigma_tau(i);
 *
 * the terms log sigma appear in both densities and cancel.  Derivatives:
 *
 *   dr/dw_i     = eps_i / sigma_i   - s_i z_i / sigma_tau(i)
 *   dr/dmu_i    = -eps_i / sigma_i,    dr/dmu_tau(i)    += z_i / sigma_tau(i)
 *   dr/dsigma_i = -eps_i^2 / sigma_i,  dr/dsigma_tau(i) += z_i^2 / sigma_tau(i)
 *
 * sum_i z_i^2 only grows while it is accumulated, so a permutation is given up
 * as soon as r(tau) is provably below a floor.
 *
 * Most permutations need not be looked at that closely: with the Bhattacharyya
 * distance between posterior and permuted posterior
 *
 *   D(tau) = sum_i (s_i mu_i - mu_tau(i))^2 / (4 (sigma_i^2 + sigma_tau(i)^2))
 *            + ...
 *
 * (the dots are positive) E_q exp(r / 2) = exp(-D), so leaving out permutations
 * with D(tau) >= 40 changes the expectation of log(1 + sum_j exp r_j) by less
 * than 2 exp(-40) each.  A few hundred weights usually suffice to see that.
 */
template<typename eT>
class PermutedDensity
{
 public:
  /**
   * Whether the permutation is known, from the posterior alone, not to matter.
   *
   * @param chain The chain.
   * @param g The permutation.
   * @param need How large D(tau) must be.
   */
  static bool Separated(const SymmetricChain<eT>& chain, const UnitImages& g,
      const double need);

  /**
   * Prepare for a draw: one pass over the weights.
   *
   * @param chain The chain; must outlive the calls below.
   */
  void Reset(const SymmetricChain<eT>& chain);

  //! sum of eps^2 over all weights of all layers, moved or not.
  double Squares() const { return allSquares; }

  /**
   * r(tau), or -infinity as soon as it is known to be below the floor.
   *
   * @param g The permutation.
   * @param floor What is too small to matter.
   */
  double Relative(const UnitImages& g, const double floor) const;

  /**
   * Add factor * dr/d(...) to the gradient.
   */
  void AddGradient(const UnitImages& g, const eT factor,
      InformationGradient<eT>& gradient) const;

 private:
  const SymmetricChain<eT>* chain = nullptr;
  //! sum of eps^2 over the weights that can move, per layer.
  std::vector<double> squares;
  double movedSquares = 0.0;
  double allSquares = 0.0;
};

} // namespace information
} // namespace symvi

#endif
