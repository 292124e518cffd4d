/**
 * @file symvi/network/plain_training.hpp
 *
 * The plain ELBO through the Train() of mlpack's own network classes.
 */
#ifndef SYMVI_NETWORK_PLAIN_TRAINING_HPP
#define SYMVI_NETWORK_PLAIN_TRAINING_HPP

#include <symvi/network/network_traits.hpp>

namespace symvi {

/**
 * Weight the KL terms of a network of mlpack, such that its own Train() with
 * the given batch size minimises -L: an epoch has ceil(N / M) batches, and
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
  if (numPoints == 0 || batchSize == 0)
  {
    throw std::invalid_argument("WeightKL(): numPoints and batchSize must be "
                                "positive, but are " +
        std::to_string(numPoints) + " and " + std::to_string(batchSize) + ".");
  }
  const auto layers = FindBayesianLayers<MatType>(
      std::as_const(network).Network());
  if (layers.empty())
  {
    throw std::invalid_argument("WeightKL(): the network has no Bayesian "
                                "layer.");
  }
  const size_t batches = (numPoints + batchSize - 1) / batchSize;
  for (auto* layer : layers)
    layer->KLWeight() = 1.0 / double(batches);
}

} // namespace symvi

#endif
