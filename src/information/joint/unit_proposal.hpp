/**
 * @file src/information/joint/unit_proposal.hpp
 *
 * Likely group elements for a draw of a joint Gaussian.
 */
#ifndef SYMVI_INFORMATION_UNIT_PROPOSAL_HPP
#define SYMVI_INFORMATION_UNIT_PROPOSAL_HPP

#include "information/joint/joint_gaussian.hpp"
#include "information/joint/weight_symmetry.hpp"
#include "information/permanent/permutation_proposal.hpp"

#include "symmetry/assignment.hpp"

#include <symvi/kernel/random_stream.hpp>

#include <vector>

namespace symvi {
namespace information {

/**
 * A law s(g | w) of group elements that knows neither which unit of w is which
 * nor the signs, layer by layer.  With the units of the layers in front placed,
 * C[a, b] is the log-density of the weights of unit a of w under the marginal
 * of q for unit b: its incoming weights and bias and, if the layer behind is not
 * permuted itself, its outgoing weights, with the covariance among them.  A
 * PermutationProposal draws from logaddexp(C_+, C_-), and then signs.
 */
class UnitProposal
{
 public:
  explicit UnitProposal(const WeightSymmetry& symmetry);

  //! Take another q.
  void Prepare(const JointGaussian& q);

  /**
   * Draw an element.
   *
   * @param w The draw of q, or any element of its orbit.
   * @param stream Source of randomness.
   * @param g The element: g^-1 w is a likely draw of q.
   * @return log s(g | w); infinity for a dead end, whose weight is zero.
   */
  double Sample(const arma::vec& w, RandomStream& stream, Permutation& g);

  //! log s(g | w).
  double LogProbability(const arma::vec& w, Permutation g);

 private:
  //! What is known of one hidden layer.
  struct Layer
  {
    //! Weights of each unit.
    std::vector<arma::uvec> weights;
    //! Their means, and the factor of their covariance.
    std::vector<arma::vec> means;
    std::vector<arma::mat> factors;
    std::vector<double> logDiagonals;
    //! log q of unit a as unit b, and of its negative, row-major.
    std::vector<double> scores, negated, reduced;
    PermutationProposal proposal;
  };

  //! Scores of a hidden layer, given g of the layers in front.
  void Score(size_t h, const arma::vec& w, const Permutation& g);
  //! log of the odds that unit a as unit b keeps its sign.
  double LogOdds(const Layer& layer, size_t a, size_t b) const;
  double Place(const arma::vec& w, RandomStream* stream, Permutation& g);

  const WeightSymmetry& symmetry;
  PermutationGroup group;
  std::vector<Layer> layers;
  Assignment assignment;
  //! The draw whose first layer has been scored.
  arma::vec scored;
  std::vector<size_t> tau;
};

} // namespace information
} // namespace symvi

#endif
