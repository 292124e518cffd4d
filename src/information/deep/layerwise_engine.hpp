/**
 * @file src/information/deep/layerwise_engine.hpp
 *
 * I(g; w) of neighbouring hidden layers, layer by layer.
 */
#ifndef SYMVI_INFORMATION_LAYERWISE_ENGINE_HPP
#define SYMVI_INFORMATION_LAYERWISE_ENGINE_HPP

#include "information/permanent/block_solver.hpp"
#include "information/matching/matching_engine.hpp"
#include "information/scores/mean_field_scores.hpp"
#include "information/deep/peeling.hpp"
#include "information/permanent/permutation_proposal.hpp"

#include <memory>
#include <vector>

namespace symvi {
namespace information {

/**
 * For hidden layers 1, ..., m in a row the log-density of a permuted draw is
 *
 *   r(tau) = f_1(tau_1) + f_2(tau_1, tau_2) + ... + f_m(tau_(m-1), tau_m),
 *
 * and given tau_1, ..., tau_(m-1) the sum over tau_m is a permanent.
 *
 *  1. Layers whose permutation is beyond doubt are fixed (see Peeling); what
 *     remains falls into runs of neighbours.
 *  2. A run of one layer is a permanent, see MatchingEngine.
 *  3. In a longer run, tau_1, ..., tau_(m-1) are enumerated, or drawn one after
 *     the other from the mixture of PermutationProposal for three score
 *     matrices: incoming weights given the layer before; the same plus
 *     the expected score of the outgoing weights after one, and after three,
 *     rounds of mean-field matching, which starts from the incoming weights of
 *     the first layer and never looks at labels.  Scores of signed units are
 *     those of both signs together; given the permutation, signs are drawn unit
 *     by unit.  With s the density of the mixture,
 *
 *       omega(tau_1..tau_(m-1)) = exp(f_1 + ... + f_(m-1)) perm_m / s,
 *
 *     and high and low of BlockSolution follow as for one layer; perm_m comes
 *     from the block solver (for the identity its `high`, else its `low`).
 */
template<typename eT>
class LayerwiseEngine
{
 public:
  /**
   * @param chain The chain.
   * @param first First hidden layer of the run.
   * @param end One past the last.
   * @param solver Block solver.
   * @param draws K, or 0 to enumerate.
   * @param limit Largest number of permutations to enumerate.
   * @param stream Source of randomness.
   * @param scale Factor of the gradient.
   * @param gradient Where the gradient goes; null if not wanted.
   */
  InformationEstimate Run(const SymmetricChain<eT>& chain, const size_t first,
      const size_t end, BlockSolver& solver, const size_t draws,
      const size_t limit, RandomStream& stream, const eT scale,
      InformationGradient<eT>* gradient);

 private:
  //! One hidden layer of the run.
  struct Group
  {
    Orbits orbits;
    size_t size = 0;
    //! Where its images begin in a path.
    size_t begin = 0;
    //! Scores from incoming weights, given the layer before, with either sign.
    std::vector<double> incoming, incomingNegated;
    //! Expected outgoing scores after one and after three rounds.
    std::vector<double> outgoing[2], outgoingNegated[2];
    //! Soft matching.
    std::vector<double> matching, difference;
    PermutationProposal proposals[3];
    //! The log-odds of the sign -1 in each proposal, if units are signed.
    std::vector<double> odds[3];
    //! The images and signs of the layer before for which `incoming` and
    //! `proposals` are up to date.
    std::vector<UnitIndex> given;
    std::vector<UnitSign> givenSigns;

    SoftMatchingView Matching() const
    {
      return { matching.data(),
        orbits.Signed() ? difference.data() : matching.data() };
    }
    bool ready = false;
  };

  //! One choice of tau_1, ..., tau_(m-1): images and signs, back to back.
  struct Images
  {
    UnitIndex* tau = nullptr;
    UnitSign* signs = nullptr;
  };

  //! What belongs to one choice.
  struct Path
  {
    double logWeight = 0.0;
    RandomStream stream;
    BlockSolution inner;
    double innerOffset = 0.0;
  };

  InformationEstimate RunCoupled(const SymmetricChain<eT>& chain,
      const size_t first, const size_t end, BlockSolver& solver,
      const size_t draws, const size_t limit, RandomStream& stream,
      const eT scale, InformationGradient<eT>* gradient);

  //! The number of permutations of all groups but the last; refused above the
  //! limit.
  size_t Enumerable(const size_t limit) const;
  //! Images of path j: the identity.
  void Identity(const size_t j);
  //! Images of path j: those behind path j - 1 in the enumeration, which begins
  //! with the identity.
  void Enumerate(const size_t j);
  //! The first of the paths before j whose permanent is exact and that of path
  //! j; j itself if there is none.
  size_t SameInner(const size_t j) const;
  //! Value and bounds from `count` paths and, behind draws, the identity.
  InformationEstimate Estimate(const size_t count, const bool enumerated);
  //! The last group of the run.
  size_t Last() const { return runEnd - runFirst - 1; }
  //! The images of path j.
  Images At(const size_t j)
  {
    return { images.data() + j * units, signs.data() + j * units };
  }

  void Setup(const SymmetricChain<eT>& chain, const size_t first,
      const size_t end);
  void MeanField(const SymmetricChain<eT>& chain);
  void Match(const SymmetricChain<eT>& chain, const size_t g,
      const bool withOutgoing);
  //! The blocks of group g, given the images of the group before.
  UnitBlocks<eT> BlocksGiven(const SymmetricChain<eT>& chain, const size_t g,
      const Images& path) const;
  void Incoming(const SymmetricChain<eT>& chain, const size_t g,
      const Images& path);
  void Propose(const SymmetricChain<eT>& chain, const size_t g,
      const Images& path);
  void Reduce(std::vector<double>& r, const size_t m);

  double Draw(const SymmetricChain<eT>& chain, const Images& path,
      RandomStream& stream);
  double Given(const SymmetricChain<eT>& chain, const Images& path,
      const bool proposed);
  //! log of the probability of the signs of group g in proposal k.
  double LogSigns(const size_t g, const size_t k, const Images& path) const;
  void Inner(const SymmetricChain<eT>& chain, const Images& at,
      BlockSolver& solver, RandomStream& stream, Path& path);
  void AddPath(const SymmetricChain<eT>& chain, const Images& at,
      BlockSolver& solver, const Path& path, const double share, const eT scale,
      InformationGradient<eT>& gradient);
  void AddOwn(const SymmetricChain<eT>& chain, const eT scale,
      InformationGradient<eT>& gradient);

  size_t runFirst = 0, runEnd = 0, units = 0;
  //! -2 log q(w) of the weights that can move, up to a constant.
  double squares = 0.0;
  double logOrder = 0.0;
  //! log of the sum of the weights of all paths but the identity behind draws.
  double logAll = 0.0;
  //! Room for `numGroups` of them.
  std::unique_ptr<Group[]> groups;
  size_t numGroups = 0;
  std::vector<Path> paths;
  std::vector<UnitIndex> images;
  std::vector<UnitSign> signs;
  std::vector<size_t> trial;
  std::vector<double> combined, negated, marginals, logWeights;
  MatchingBlocks blocks;
  Assignment assignment;
  MatchingEngine<eT> single;
  Peeling<eT> peeling;

  UnitScores<eT> scores;
  MeanFieldScores<eT> expected;
  MatchingGradient<eT> matchingGradient;
};

} // namespace information
} // namespace symvi

#endif
