/**
 * @file src/model/compute_elbo.cpp
 */
#include <symvi/model/compute_elbo.hpp>

#include "model/elbo_mean.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace symvi {

namespace {

/**
 * Put the Bayesian layers of a network into another evaluation mode and back
 * at the end of the scope, exceptions included.
 */
template<typename MatType>
class EvaluationScope
{
 public:
  using LayerType = BayesianLinearType<MatType>;

  EvaluationScope(std::vector<LayerType*> layers, const EvaluationMode mode) :
      layers(std::move(layers))
  {
    for (LayerType* layer : this->layers)
    {
      modes.push_back(layer->Evaluation());
      streams.push_back(layer->Stream());
      layer->Evaluation() = mode;
    }
  }

  ~EvaluationScope()
  {
    for (size_t l = 0; l < layers.size(); ++l)
    {
      layers[l]->Evaluation() = modes[l];
      layers[l]->SetStream(streams[l]);
    }
  }

  EvaluationScope(const EvaluationScope&) = delete;
  EvaluationScope& operator=(const EvaluationScope&) = delete;

 private:
  std::vector<LayerType*> layers;
  std::vector<EvaluationMode> modes;
  std::vector<RandomStream> streams;
};

//! log p(w) - log q(w) at the current draw of a layer.
template<typename MatType>
double LogPriorRatio(const BayesianLinearType<MatType>& layer)
{
  const MatType& w = layer.Weights();
  const MatType& sigma = layer.DrawnSigmas();
  const MatType& noise = layer.Noise();
  const MatType& mean = layer.PriorMean();
  const size_t weights = layer.OutSize() * layer.InSize();
  double sum = 0.0;
  for (size_t i = 0; i < w.n_elem; ++i)
  {
    const double s = (i < weights) ? layer.PriorStddev() :
                                     layer.BiasPriorStddev();
    const double z = (double(w[i]) -
                         (mean.is_empty() ? 0.0 : double(mean[i]))) /
        s;
    const double e = double(noise[i]);
    sum += 0.5 * (e * e - z * z) + std::log(double(sigma[i]) / s);
  }
  return sum;
}

//! I(g; w) at the layers' current draws, summed over the chains.
template<typename MatType>
InformationEstimate EvaluateInformation(NetworkSymmetry<MatType>& symmetry,
    const EstimatorPtr& estimator, RandomStream& stream)
{
  InformationEstimate total;
  for (size_t i = 0; i < symmetry.NumChains(); ++i)
    total += estimator->Evaluate(symmetry.GetChain(i), stream);
  return total;
}

} // namespace

template<typename MatType>
ElboReport model::AverageElbo(
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const std::function<double()>& logLikelihood, const size_t numPoints,
    const EstimatorPtr& estimator, const size_t samples, const uint64_t seed)
{
  const auto bayesian = FindBayesianLayers<MatType>(layers);
  NetworkSymmetry<MatType> symmetry;
  if (estimator)
    symmetry = NetworkSymmetry<MatType>(layers);
  EvaluationScope<MatType> scope(bayesian, EvaluationMode::Held);
  RandomStream keys(seed);
  for (auto* layer : bayesian)
    layer->SetStream(RandomStream(keys.NextBits()));
  RandomStream stream(keys.NextBits());

  ElboReport report;
  report.numPoints = numPoints;
  report.samples = samples;
  for (const auto* layer : bayesian)
    report.priors.push_back({ layer->PriorStddev(), layer->BiasPriorStddev() });
  report.group = symmetry.GroupName();
  report.logGroupOrder = symmetry.LogOrder();
  report.notes = symmetry.Notes();
  for (const std::string& note : BatchNotes<MatType>(layers))
    report.notes.push_back(note);
  for (const auto* layer : bayesian)
    report.kl += layer->KL();

  model::ElboMean mean;
  for (size_t s = 0; s < samples; ++s)
  {
    for (auto* layer : bayesian)
      layer->Draw();
    const double logDensity = logLikelihood();
    const InformationEstimate information = EvaluateInformation(symmetry,
        estimator, stream);
    double logPriorRatio = 0.0;
    for (const auto* layer : bayesian)
      logPriorRatio += LogPriorRatio(*layer);
    mean.Add(logDensity, information, logPriorRatio);
    report.information.exact = report.information.exact && information.exact;
  }

  mean.Summarize(report);
  if (std::isinf(report.information.lower))
    report.notes.push_back(std::string("The estimator '") + estimator->Name() +
        "' gives no lower bound of I(g; w), without which there is no "
        "importance-weighted bound.");
  return report;
}

#define SYMVI_AVERAGE_ELBO(MATRIX) \
  template ElboReport model::AverageElbo( \
      const std::vector<mlpack::Layer<MATRIX>*>&, \
      const std::function<double()>&, const size_t, const EstimatorPtr&, \
      const size_t, const uint64_t)
SYMVI_AVERAGE_ELBO(arma::mat);
SYMVI_AVERAGE_ELBO(arma::fmat);
#undef SYMVI_AVERAGE_ELBO

} // namespace symvi
