/**
 * @file symvi/network/network.hpp
 *
 * What symvi knows of a network: the types inside, its layers, its symmetry
 * group, and the weight of its KL terms.
 */
#ifndef SYMVI_NETWORK_NETWORK_HPP
#define SYMVI_NETWORK_NETWORK_HPP

#include <symvi/layer/bayesian_convolution.hpp>
#include <symvi/layer/bayesian_linear.hpp>
#include <symvi/layer/fixed_linear.hpp>
#include <symvi/network/layer_registry.hpp>
#include <symvi/prereqs.hpp>
#include <symvi/require.hpp>
#include <symvi/symmetry/symmetric_chain.hpp>

#include <utility>

namespace symvi {

//! Likelihood and matrix type of a network; specialise it for network classes
//! other than mlpack::FFN.
template<typename NetworkType>
struct NetworkTraits;

template<typename OutputLayerType, typename InitType, typename Mat>
struct NetworkTraits<mlpack::FFN<OutputLayerType, InitType, Mat>>
{
  using LikelihoodType = OutputLayerType;
  using MatType = Mat;
};

#if SYMVI_MLPACK_LAYER_TEMPLATES
//! A graph trains on the plain ELBO by its own Train(); see WeightKL().
template<typename OutputLayerType, typename InitType, typename Mat>
struct NetworkTraits<mlpack::DAGNetwork<OutputLayerType, InitType, Mat>>
{
  static_assert(sizeof(Mat) == 0,
      "mlpack::DAGNetwork cannot be symmetrized: its edges are private, so "
      "that its permutation group is not known.  Call symvi::WeightKL() and "
      "its own Train() for the plain ELBO.");
};
#endif

//! The layers of a network.  The const overload of FFN::Network() is the one
//! to use: the other makes the network set up its memory again.
template<typename NetworkType>
inline const std::vector<
    mlpack::Layer<typename NetworkTraits<NetworkType>::MatType>*>&
NetworkLayers(const NetworkType& network)
{
  return network.Network();
}

/**
 * The Bayesian layers among the given ones, in order.  Inside containers such
 * as mlpack::Concat they could not be weighted or permuted and are refused.
 */
template<typename MatType>
std::vector<BayesianLinearType<MatType>*> FindBayesianLayers(
    const std::vector<mlpack::Layer<MatType>*>& layers);

/**
 * Refuse layers that keep a state between time steps: a feed-forward network
 * never initialises that state, and mlpack divides by its size.
 */
template<typename MatType>
void RefuseRecurrent(const mlpack::Layer<MatType>& layer);

/**
 * Make the network point its layers at its parameters again before they are
 * next used.  FFN::Reset() replaces the parameters and leaves the layers
 * pointing at freed memory; a call of the non-const Network() makes the network
 * set them up again.
 */
template<typename NetworkType>
inline void ForgetLayerMemory(NetworkType& network)
{
  (void) network.Network();
}

/**
 * Make dimensions and parameters of the network fit the data: keep parameters
 * of the right size, initialise them otherwise.
 *
 * @return Whether the parameters were initialised.
 */
template<typename NetworkType>
inline bool PrepareNetwork(NetworkType& network, const size_t dimensions)
{
  if (NetworkLayers(network).empty())
    Refuse("ELBO", "the network must have layers", "is empty");
  for (const auto* layer : NetworkLayers(network))
    RefuseRecurrent(*layer);
  const std::vector<size_t>& expected =
      std::as_const(network).InputDimensions();
  size_t total = 1;
  for (const size_t size : expected)
    total *= size;
  if (expected.empty())
    network.InputDimensions() = { dimensions };
  else if (total != dimensions)
    Refuse("ELBO",
        "the network takes points of " + std::to_string(total) + " dimensions",
        "the data have " + std::to_string(dimensions));

  if (network.WeightSize() == network.Parameters().n_elem)
    return false;
  ForgetLayerMemory(network);
  network.Reset();
  return true;
}

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

extern template class NetworkSymmetry<arma::mat>;
extern template class NetworkSymmetry<arma::fmat>;

/**
 * Weight the KL terms of a network of mlpack so that its own Train() with the
 * given batch size minimises -L: an epoch has ceil(N / M) batches, and
 * mlpack adds Layer::Loss() = KLWeight() KL(q || p) once per batch.
 *
 * Works for every class with Network(), mlpack::DAGNetwork included.
 *
 * @param network Network with Bayesian layers.
 * @param numPoints Number N of points that it will be trained on.
 * @param batchSize Number M of points per batch of the optimizer.
 */
template<typename NetworkType>
void WeightKL(NetworkType& network, const size_t numPoints,
    const size_t batchSize)
{
  using MatType = std::decay_t<decltype(network.Parameters())>;
  RequirePositive("WeightKL", "numPoints", numPoints);
  RequirePositive("WeightKL", "batchSize", batchSize);
  const auto layers = FindBayesianLayers<MatType>(
      std::as_const(network).Network());
  if (layers.empty())
    Refuse("WeightKL", "the network must have a Bayesian layer", "has none");
  const size_t batches = (numPoints + batchSize - 1) / batchSize;
  for (auto* layer : layers)
    layer->KLWeight() = 1.0 / double(batches);
}

} // namespace symvi

#endif
