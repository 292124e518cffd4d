/**
 * @file src/information/deep/mean_field_matching.hpp
 *
 * Matchings of neighbouring hidden layers, each given the others'.
 */
#ifndef SYMVI_INFORMATION_MEAN_FIELD_MATCHING_HPP
#define SYMVI_INFORMATION_MEAN_FIELD_MATCHING_HPP

#include "information/matching/matching_gradient.hpp"
#include "information/permanent/scaling.hpp"
#include "information/scores/unit_scores.hpp"

#include "symmetry/orbits.hpp"

#include <armadillo>
#include <memory>
#include <vector>

namespace symvi {
namespace information {

/**
 * For hidden layers 1, ..., m in a row the log-density of a permuted draw is
 * f(tau) = sum_l f_l(tau_(l-1), tau_l), a sum over weights W_rc of layer l
 *
 *   -1/2 (W_rc - mu_r'c')^2 / sigma_r'c'^2 - log sigma_r'c',
 *   r' = tau_l(r), c' = tau_(l-1)(c).
 *
 * log sum_tau exp f(tau) is replaced by its mean-field approximation: matchings
 * M_1, ..., M_m that are independent of each other make
 *
 *   F(M) = sum_l E_M f_l + sum_g H(M_g)
 *
 * as large as possible, where E_M f_l is bilinear in M_(l-1) and M_l and the
 * entropy H is that of Scaling: exact in small groups, that of the fractional
 * free energy in large ones.  Given the others, the best M_g is Scaling's for the scores
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
 *               - 1 / sigma
 *
 * at fixed M, as F is stationary there.  value is an estimate, not a bound.
 *
 * Signed units have two matrices, M = M+ + M- and D = M+ - M-.  In f, terms
 * W^2 and mu^2 meet M, terms W mu meet D:
 *
 *   E f_l = -sum ( M_l M_(l-1) (W^2 + mu^2) / 2 - D_l D_(l-1) W mu ) o Pi + ...
 *
 * and the same in the derivatives.  The best M_g has the scores of both signs
 * together, log(exp C+ + exp C-), and is shared out between the signs by them.
 *
 * Weights to units at rest, in front of the first and behind the last layer,
 * have scores that do not depend on M: those are UnitScores'.
 */
template<typename eT>
class MeanFieldMatching
{
 public:
  /**
   * @param chain The chain.
   * @param first First hidden layer of the run.
   * @param end One past the last; at least two layers.
   * @param tolerance See TrainingEngine.
   * @param scale Factor of the gradient.
   * @param gradient Where the gradient goes; null if not wanted.
   */
  InformationEstimate Run(const SymmetricChain<eT>& chain, const size_t first,
      const size_t end, const double tolerance, const eT scale,
      InformationGradient<eT>* gradient);

 private:
  //! A weight matrix between two hidden layers of the run, without its biases.
  struct Layer
  {
    //! W, W^2, Pi, mu o Pi.
    arma::mat weight, square, precision, product;
    //! sum of mu^2 Pi / 2 + log sigma over the columns, and over the rows.
    arma::vec rowNorm, columnNorm;
  };
  /**
   * One hidden layer of the run.  Matrices hold what belongs to unit a and
   * posterior b in row b of column a, as Scaling has it.
   */
  struct Group
  {
    Orbits orbits;
    //! M, and the part of the scores that no other M has a share in.
    arma::mat matching, fixed;
    //! Of signed units: the share of the sign -1 in M, D, and the fixed scores
    //! with that sign.
    arma::mat share, difference, fixedNegated;
    double entropy = 0.0;
    //! E f of the weights in front of the group and of the fixed part.
    double expected = 0.0;

    const arma::mat& Difference() const
    {
      return orbits.Signed() ? difference : matching;
    }
  };

  void Setup(const SymmetricChain<eT>& chain, const size_t first,
      const size_t end, const double reach);
  //! log q of the weights between hidden layers, up to a constant.
  void SetupLayer(const PosteriorView<eT>& view, Layer& layer);
  //! Scores of the weights between group g and units at rest, and of biases.
  void SetFixed(const SymmetricChain<eT>& chain, const size_t g,
      const double reach);
  void AddScores(const UnitBlocks<eT>& weights, const double reach, Group& g);
  //! Add `even` + `odd` to scores, and `even` - `odd` to those of the sign -1.
  void AddExpected(const Group& group, arma::mat& plus, arma::mat& minus) const;
  //! The best M_g given the others; how far it moved.
  double Match(const size_t g, const double tolerance);
  void AddGradient(const SymmetricChain<eT>& chain, const size_t l,
      const eT scale, InformationGradient<eT>& gradient);
  void AddFixedGradient(const SymmetricChain<eT>& chain, const size_t g,
      const eT scale, InformationGradient<eT>& gradient);

  size_t runFirst = 0, count = 0, room = 0;
  //! layers[l] lies in front of groups[l]; layers[0] is not used.
  std::unique_ptr<Layer[]> layers;
  std::unique_ptr<Group[]> groups;
  double own = 0.0;
  arma::mat first, second, third, even, odd, marginals;
  //! Scores of Match(), without and with those of the layer behind, and both
  //! signs together.
  arma::mat scores, scoresNegated, total, totalNegated, folded;
  std::vector<size_t> self;
  std::vector<UnitIndex> everyone;
  UnitScores<eT> unitScores;
  MatchingGradient<eT> matchingGradient;
  //! In float where the scaling stops early, in double where it converges.
  Scaling<float> loose;
  Scaling<double> converged;
};

} // namespace information
} // namespace symvi

#endif
