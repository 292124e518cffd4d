/**
 * @file model/compute_elbo.hpp
 *
 * Monte-Carlo evaluation of L, L^G and the importance-weighted bound of a
 * network on data.
 */
#ifndef SYMVI_MODEL_COMPUTE_ELBO_HPP
#define SYMVI_MODEL_COMPUTE_ELBO_HPP

#include <symvi/information/estimator.hpp>
#include <symvi/network/network_symmetry.hpp>
#include <symvi/network/network_traits.hpp>

#include "elbo_report.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace symvi {

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

/**
 * log p(Y | X, w) of the weights that the network holds, summed over the data.
 */
template<typename NetworkType>
double LogLikelihood(NetworkType& network,
    const typename NetworkTraits<NetworkType>::LikelihoodType& likelihood,
    const typename NetworkTraits<NetworkType>::MatType& predictors,
    const typename NetworkTraits<NetworkType>::MatType& responses)
{
  using MatType = typename NetworkTraits<NetworkType>::MatType;
  // Enough points at a time for large products, few enough to stay in memory.
  const size_t chunk = 4096;
  MatType points, targets, outputs;
  double sum = 0.0;
  for (size_t begin = 0; begin < predictors.n_cols; begin += chunk)
  {
    const size_t n = std::min<size_t>(chunk, predictors.n_cols - begin);
    mlpack::MakeAlias(points, predictors, predictors.n_rows, n,
        begin * predictors.n_rows);
    mlpack::MakeAlias(targets, responses, responses.n_rows, n,
        begin * responses.n_rows);
    network.Forward(points, outputs);
    sum -= double(likelihood.Forward(outputs, targets));
  }
  return sum;
}

//! log p(w) - log q(w) at the current draw of a layer.
template<typename MatType>
double LogPriorRatio(const BayesianLinearType<MatType>& layer);

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

/**
 * Estimate L, L^G and the importance-weighted bound from draws of w; each draw
 * is used for all data.
 *
 * The logarithm of an importance weight is
 *
 *   log p(Y | X, w) + log p(w) - log q(w) + L_K(w),
 *
 * where L_K is the lower end of the estimator's interval.  Where permutations
 * are sampled, exp(-L_K) is the mean of K terms of which the identity is one,
 * and exp(L_K) is then unbiased for q(w) / q^G(w) over the labellings of w
 * (test evidence), which makes the weight unbiased for p(Y | X).
 *
 * @param network Network with parameters; its mode and generators are kept.
 * @param likelihood The network's likelihood.
 * @param predictors One point per column.
 * @param responses One target per column.
 * @param estimator Estimator of I(g; w); null leaves I(g; w) at zero.
 * @param samples Number of draws of w.
 * @param seed Random seed of the weight samples.
 */
template<typename NetworkType>
ElboReport ComputeElbo(NetworkType& network,
    const typename NetworkTraits<NetworkType>::LikelihoodType& likelihood,
    const typename NetworkTraits<NetworkType>::MatType& predictors,
    const typename NetworkTraits<NetworkType>::MatType& responses,
    const EstimatorPtr& estimator, const size_t samples, const uint64_t seed)
{
  using MatType = typename NetworkTraits<NetworkType>::MatType;
  if (samples == 0)
    throw std::invalid_argument("Elbo(): samples must be positive, but is 0.");
  if (predictors.n_cols != responses.n_cols || predictors.is_empty())
  {
    throw std::invalid_argument("Elbo(): there must be one response per point "
                                "and at least one point, but there are " +
        std::to_string(predictors.n_cols) + " points and " +
        std::to_string(responses.n_cols) + " responses.");
  }

  // The first pass makes the network set up its memory.
  network.SetNetworkMode(false);
  MatType outputs;
  network.Forward(MatType(predictors.col(0)), outputs);

  const auto layers = FindBayesianLayers<MatType>(NetworkLayers(network));
  NetworkSymmetry<MatType> symmetry;
  if (estimator)
    symmetry = NetworkSymmetry<MatType>(NetworkLayers(network));
  EvaluationScope<MatType> scope(layers, EvaluationMode::Held);
  RandomStream keys(seed);
  for (auto* layer : layers)
    layer->SetStream(RandomStream(keys.NextBits()));
  RandomStream stream(keys.NextBits());

  ElboReport report;
  report.numPoints = predictors.n_cols;
  report.samples = samples;
  report.group = symmetry.GroupName();
  report.logGroupOrder = symmetry.LogOrder();
  report.notes = symmetry.Notes();
  for (const std::string& note : BatchNotes<MatType>(NetworkLayers(network)))
    report.notes.push_back(note);
  for (const auto* layer : layers)
    report.kl += layer->KL();

  RunningMean logLikelihood, value, lower, upper, sum;
  std::vector<double> logWeights;
  for (size_t s = 0; s < samples; ++s)
  {
    for (auto* layer : layers)
      layer->Draw();
    const double logDensity = LogLikelihood(network, likelihood, predictors,
        responses);
    const InformationEstimate information = EvaluateInformation(symmetry,
        estimator, stream);
    logLikelihood.Add(logDensity);
    value.Add(information.value);
    lower.Add(information.lower);
    upper.Add(information.upper);
    sum.Add(logDensity + information.value);
    double logWeight = logDensity + information.lower;
    for (const auto* layer : layers)
      logWeight += LogPriorRatio(*layer);
    logWeights.push_back(logWeight);
    report.information.exact = report.information.exact && information.exact;
  }

  report.logLikelihood = logLikelihood.Mean();
  report.logLikelihoodStandardError = logLikelihood.StandardError();
  report.information.value = value.Mean();
  report.information.standardError = value.StandardError();
  report.information.lower = lower.Mean();
  report.information.lowerStandardError = lower.StandardError();
  report.information.upper = upper.Mean();
  report.information.upperStandardError = upper.StandardError();
  report.elbo = report.logLikelihood - report.kl;
  report.elboStandardError = report.logLikelihoodStandardError;
  report.symmetrizedElbo = report.elbo + report.information.value;
  report.symmetrizedElboStandardError = sum.StandardError();
  report.symmetrizedElboLower = report.elbo + report.information.lower;
  report.symmetrizedElboUpper = report.elbo + report.information.upper;
  if (std::isinf(report.information.lower))
    report.notes.push_back(std::string("The estimator '") + estimator->Name() +
        "' gives no lower bound of I(g; w), without which there is no "
        "importance-weighted bound.");
  else if (std::none_of(logWeights.begin(), logWeights.end(),
               [](const double log) { return std::isnan(log); }))
    report.evidence = SummarizeEvidence(std::move(logWeights));
  return report;
}

} // namespace symvi

#endif
