/**
 * @file src/information/matching/chain_engine.hpp
 *
 * I(g; w) of a chain of hidden layers through permanents.
 */
#ifndef SYMVI_INFORMATION_CHAIN_ENGINE_HPP
#define SYMVI_INFORMATION_CHAIN_ENGINE_HPP

#include "information/deep/layerwise_engine.hpp"
#include "information/matching/matching_engine.hpp"

namespace symvi {
namespace information {

//! What the estimators that go through the permanent choose.
struct ChainSettings
{
  //! Name of the estimator, for messages.
  const char* name = "";
  //! See MatchingEngine.
  bool pointwise = false;
  //! Draws in deeper networks, or 0 to enumerate; see LayerwiseEngine.
  size_t draws = 0;
  //! Largest number of permutations to enumerate.
  size_t enumerations = 0;
};

/**
 * Walks over a chain: hidden layers that do not share a weight matrix with
 * another one go through MatchingEngine; runs of neighbours through
 * LayerwiseEngine.
 */
template<typename eT>
class ChainEngine
{
 public:
  /**
   * @param chain The chain.
   * @param settings Settings of the estimator.
   * @param solver What solves the blocks.
   * @param stream Source of randomness.
   * @param scale Factor of the gradient.
   * @param gradient Where the gradient goes; null if not wanted.
   */
  InformationEstimate Run(const SymmetricChain<eT>& chain,
      const ChainSettings& settings, BlockSolver& solver, RandomStream& stream,
      const eT scale, InformationGradient<eT>* gradient);

 private:
  MatchingEngine<eT> single;
  LayerwiseEngine<eT> layerwise;
};

} // namespace information
} // namespace symvi

#endif
