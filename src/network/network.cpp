/**
 * @file src/network/network.cpp
 */
#include <symvi/network/network.hpp>
#include <symvi/require.hpp>

namespace symvi {

template<typename MatType>
std::vector<BayesianLinearType<MatType>*> FindBayesianLayers(
    const std::vector<mlpack::Layer<MatType>*>& layers)
{
  std::vector<BayesianLinearType<MatType>*> found;
  for (mlpack::Layer<MatType>* layer : layers)
  {
    if (auto* bayesian = dynamic_cast<BayesianLinearType<MatType>*>(layer))
      found.push_back(bayesian);
    auto* container = dynamic_cast<mlpack::MultiLayer<MatType>*>(layer);
    if (container && !FindBayesianLayers<MatType>(container->Network()).empty())
      Refuse("ELBO", "a Bayesian layer must be added to the network itself",
          "is inside a container of type " + LayerName(*layer));
  }
  return found;
}

template<typename MatType>
void RefuseRecurrent(const mlpack::Layer<MatType>& layer)
{
  if (dynamic_cast<const mlpack::RecurrentLayer<MatType>*>(&layer))
    Refuse("BayesianFFN", "layers must not be recurrent",
        LayerName(layer) +
            " works in an mlpack::RNN only, which symvi does not train; train "
            "the recurrent part there, and give its outputs to this network");
  const auto* container = dynamic_cast<const mlpack::MultiLayer<MatType>*>(
      &layer);
  if (!container)
    return;
  for (const mlpack::Layer<MatType>* child : container->Network())
    RefuseRecurrent(*child);
}

template std::vector<BayesianLinearType<arma::mat>*> FindBayesianLayers(
    const std::vector<mlpack::Layer<arma::mat>*>&);
template std::vector<BayesianLinearType<arma::fmat>*> FindBayesianLayers(
    const std::vector<mlpack::Layer<arma::fmat>*>&);
template void RefuseRecurrent(const mlpack::Layer<arma::mat>&);
template void RefuseRecurrent(const mlpack::Layer<arma::fmat>&);

} // namespace symvi
