/**
 * @file symvi/likelihood/logits.hpp
 *
 * Likelihoods of classes read logits, not probabilities.
 */
#ifndef SYMVI_LIKELIHOOD_LOGITS_HPP
#define SYMVI_LIKELIHOOD_LOGITS_HPP

#include <symvi/network/layer_name.hpp>
#include <symvi/network/layer_registry.hpp>

#include "bernoulli.hpp"
#include "categorical.hpp"

namespace symvi {
namespace likelihood {

/**
 * Refuse a last layer that turns logits into probabilities, which the
 * likelihood would do once more: softmax or sigmoid.  A LogSoftMax changes
 * nothing and is fine.
 *
 * @tparam LikelihoodType The network's likelihood.
 * @param last The network's last layer.
 */
template<typename LikelihoodType, typename MatType>
void RequireLogits(const mlpack::Layer<MatType>& last)
{
  const bool isProbability =
      (std::is_same_v<LikelihoodType, CategoricalLikelihoodType<MatType>> &&
          RoleOf(last) == LayerRole::Softmax) ||
      (std::is_same_v<LikelihoodType, BernoulliLikelihoodType<MatType>> &&
          FunctionOf(last).activation == Activation::Sigmoid);
  if (isProbability)
  {
    throw std::invalid_argument("ELBO(): the likelihood reads logits and turns "
        "them into probabilities itself, but the network ends in " +
        LayerName(last) + "; leave that layer out.");
  }
}

} // namespace likelihood
} // namespace symvi

#endif
