/**
 * @file network/network_symmetry.hpp
 *
 * Finds the Bayesian layers of a network and the symmetry group they have.
 */
#ifndef SYMVI_NETWORK_NETWORK_SYMMETRY_HPP
#define SYMVI_NETWORK_NETWORK_SYMMETRY_HPP

#include <symvi/layer/bayesian_convolution.hpp>
#include <symvi/layer/bayesian_linear.hpp>
#include <symvi/layer/fixed_linear.hpp>
#include <symvi/network/layer_registry.hpp>
#include <symvi/prereqs.hpp>
#include <symvi/symmetry/symmetric_chain.hpp>

namespace symvi {

/**
 * The group G = S_d1 x ... x S_d(L-1) of a network [Gelberg2024, Sec. 4], with
 * B_d, permutations and changes of sign, in place of S_d where the function
 * between two Bayesian layers is odd (see KeepsSigns()).
 *
 * Hidden units are exchangeable where a Bayesian layer is followed by layers
 * that treat all units alike (point-wise ones, dropout, sums of such; see
 * KeepsUnits()) and then by
 *  - another Bayesian layer: all units, S_d;
 *  - a FixedLinear layer: units with equal outgoing columns, without signs
 *    (opposite columns behind an odd function are left out);
 *  - a trained deterministic layer or the end of the network: none.
 * The units of a BayesianConvolution are its maps: pooling and padding treat
 * those alike too, and what reads a map, the filters of the next convolution or
 * a block of columns of a dense layer, goes with it (PosteriorView::block).
 *
 * Any other layer between two Bayesian ones, such as BatchNorm with its trained
 * parameters for every unit, fixes the order of the units in front of it: they
 * take no part in G, and Notes() says so.  A layer whose prior is not centred
 * at zero is no part of G either, since its prior is not invariant.
 *
 * Layers that share hidden units form a chain; chains are independent, so
 * I(g; w) and log|G| are sums over them.
 */
template<typename MatType = arma::mat>
class NetworkSymmetry
{
 public:
  using ElemType = typename MatType::elem_type;
  using LayerType = BayesianLinearType<MatType>;
  using Chain = SymmetricChain<ElemType>;

  NetworkSymmetry() { }

  //! @param layers Layers of a network whose dimensions are known.
  explicit NetworkSymmetry(const std::vector<mlpack::Layer<MatType>*>& layers);

  //! All Bayesian layers, in order.
  const std::vector<LayerType*>& BayesianLayers() const { return bayesian; }

  size_t NumChains() const { return chains.size(); }

  //! Chain i, with its views pointing at the layers' current draws.
  const Chain& GetChain(const size_t i);

  //! The layers of chain i.
  const std::vector<LayerType*>& ChainLayers(const size_t i) const
  {
    return chainLayers[i];
  }

  //! log|G| in nats.
  double LogOrder() const;

  //! G in letters, such as "B_8 x S_4"; "trivial" if nothing moves.
  std::string GroupName() const;

  //! One sentence for each set of units between two Bayesian layers that has
  //! lost its permutations, with the layer that is the reason.
  const std::vector<std::string>& Notes() const { return notes; }

 private:
  //! Join two Bayesian layers by the hidden units between them, behind an odd
  //! function or another one.
  void Join(LayerType* first, LayerType* second, const bool isOdd);
  //! Units of equal outgoing columns behind a Bayesian layer.
  void JoinFixed(LayerType* first, const FixedLinearType<MatType>& fixed);
  //! Say why the units between two Bayesian layers are not permuted.
  void NoteObstacle(const LayerType& first,
      const mlpack::Layer<MatType>& obstacle);
  void Note(const LayerType& first, const mlpack::Layer<MatType>& obstacle,
      const char* reason);
  //! The chain that ends in this layer, or a new one.
  size_t ChainOf(LayerType* layer);

  std::vector<LayerType*> bayesian;
  std::vector<Chain> chains;
  std::vector<std::vector<LayerType*>> chainLayers;
  std::vector<std::string> notes;
};

//! One sentence if a network uses statistics of its batches, nothing otherwise.
template<typename MatType>
std::vector<std::string> BatchNotes(
    const std::vector<mlpack::Layer<MatType>*>& layers);

} // namespace symvi

#include "network_symmetry_impl.hpp"

#endif
