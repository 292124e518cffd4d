/**
 * @file information/deep/mean_field_matching.hpp
 *
 * Matchings of neighbouring hidden layers, each given the others'.
 */
#ifndef SYMVI_INFORMATION_MEAN_FIELD_MATCHING_HPP
#define SYMVI_INFORMATION_MEAN_FIELD_MATCHING_HPP

#include "information/permanent/scaling.hpp"
#include "information/scores/touched.hpp"

#include <symvi/symmetry/orbits.hpp>

#include <armadillo>
#include <memory>
#include <vector>

namespace symvi {
namespace information {

/**
 * For hidden layers 1, ..., m in a row the log-density of a permuted draw is
 * f(tau) = sum_l f_l(tau_(l-1), tau_l), a sum over weights W_rc of layer l
 *
 *   -1/2 (W_rc - mu_r'c')^2 / sigma_r'c'^2,   r' = tau_l(r), c' = tau_(l-1)(c)
 *
 * (log sigma adds up to the same for every tau).  log sum_tau exp f(tau) is
 * replaced by its mean-field approximation: matchings M_1, ..., M_m that are
 * independent of each other make
 *
 *   F(M) = sum_l E_M f_l + sum_g H(M_g)
 *
 * as large as possible, where E_M f_l is bilinear in M_(l-1) and M_l and the
 * entropy H is that of Scaling: exact in small groups, -sum M log M in large
 * ones.  Given the others, the best M_g is Scaling's for the scores
 *
 *   C_g = E[f_g | M_(g-1)] + E[f_(g+1) | M_(g+1)],
 *
 * so the layers take turns, from the identity, until M rests (tolerance 0) or
 * twice.  Then, with Pi = 1 / sigma^2 and M the identity for units at rest,
 *
 *   value     = log|G| + log q(w) - F
 *   dF/dW_l   = -(W_l o (M_l Pi M_(l-1)^T) - M_l (mu o Pi) M_(l-1)^T)
 *   dF/dmu    = Pi o (M_l^T W M_(l-1) - mu)
 *   dF/dsigma = (M_l^T W^2 M_(l-1) - 2 mu o (M_l^T W M_(l-1)) + mu^2) / sigma^3
 *
 * at fixed M, as F is stationary there.  value is an estimate, not a bound.
 */
template<typename eT>
class MeanFieldMatching
{
 public:
  /**
   * @param chain The chain.
   * @param first First hidden layer of the run.
   * @param end One past the last.
   * @param tolerance See TrainingEngine.
   * @param scale Factor of the gradient.
   * @param gradient Where the gradient goes; null if not wanted.
   */
  InformationEstimate Run(const SymmetricChain<eT>& chain, const size_t first,
                          const size_t end, const double tolerance,
                          const eT scale, InformationGradient<eT>* gradient);

 private:
  //! One weight matrix of the run, its biases as a last column of their own.
  struct Layer
  {
    arma::mat weight, square, precision, product;
    arma::vec bias, biasMean, biasPrecision;
    //! sum of mu^2 Pi over the columns, and over the rows.
    arma::vec rowNorm, columnNorm;
  };
  //! One hidden layer of the run.
  struct Group
  {
    Orbits orbits;
    arma::mat matching, scores;
    double entropy = 0.0;
  };

  void Setup(const SymmetricChain<eT>& chain, const size_t first,
             const size_t end);
  void AddRowScores(const size_t l, arma::mat& scores);
  void AddColumnScores(const size_t l, arma::mat& scores);
  double Match(const size_t g, const double tolerance);
  void AddGradient(const SymmetricChain<eT>& chain, const size_t l,
                   const eT scale, InformationGradient<eT>& gradient);

  //! M of the rows or columns of layer l, or null for units at rest.
  const arma::mat* RowMatching(const size_t l) const
  {
    return (l < count) ? &groups[l].matching : nullptr;
  }
  const arma::mat* ColumnMatching(const size_t l) const
  {
    return (l > 0) ? &groups[l - 1].matching : nullptr;
  }

  size_t runFirst = 0, count = 0, numLayers = 0, room = 0;
  std::unique_ptr<Layer[]> layers;
  std::unique_ptr<Group[]> groups;
  double squares = 0.0;
  arma::mat first, second, third, rowMajor, marginals;
  Scaling<float> loose;
  Scaling<double> converged;
};

} // namespace information
} // namespace symvi

#endif
