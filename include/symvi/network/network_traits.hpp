/**
 * @file network/network_traits.hpp
 *
 * Types inside a network type, and the layers inside a network.
 */
#ifndef SYMVI_NETWORK_NETWORK_TRAITS_HPP
#define SYMVI_NETWORK_NETWORK_TRAITS_HPP

#include <symvi/layer/bayesian_linear.hpp>
#include <symvi/prereqs.hpp>

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
      "mlpack::DAGNetwork cannot be symmetrized: "
      "its edges are private, so that its permutation group is not known.  "
      "Call symvi::WeightKL() and its own Train() for the plain ELBO.");
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
 * never sets that state up, and mlpack divides by its size.
 */
template<typename MatType>
void RefuseRecurrent(const mlpack::Layer<MatType>& layer);

/**
 * Make the network point its layers at its parameters again before they are
 * next used.  FFN::Reset() replaces the parameters and leaves the layers on the
 * freed ones; asking for the layers to modify them is what makes it look.
 */
template<typename NetworkType>
inline void ForgetLayerMemory(NetworkType& network)
{
  (void) network.Network();
}

/**
 * Make sure that dimensions and parameters of the network fit the data: keep
 * parameters of the right size, initialise them otherwise.
 *
 * @return Whether the parameters were initialised.
 */
template<typename NetworkType>
inline bool PrepareNetwork(NetworkType& network, const size_t dimensions)
{
  if (NetworkLayers(network).empty())
  {
    throw std::invalid_argument("ELBO(): the network must have layers, but is "
                                "empty.");
  }
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
  {
    throw std::invalid_argument("ELBO(): the network takes points of " +
        std::to_string(total) + " dimensions, but the data have " +
        std::to_string(dimensions) + ".");
  }

  if (network.WeightSize() == network.Parameters().n_elem)
    return false;
  ForgetLayerMemory(network);
  network.Reset();
  return true;
}

} // namespace symvi

#endif
