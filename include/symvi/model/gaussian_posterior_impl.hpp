/**
 * @file symvi/model/gaussian_posterior_impl.hpp
 */
#ifndef SYMVI_MODEL_GAUSSIAN_POSTERIOR_IMPL_HPP
#define SYMVI_MODEL_GAUSSIAN_POSTERIOR_IMPL_HPP

#include "gaussian_posterior.hpp"

namespace symvi {

template<typename LikelihoodType, typename InitType, typename MatType>
GaussianPosterior<LikelihoodType, InitType, MatType>::GaussianPosterior(
    const ModelType& model, const GaussianOptions& options) :
    start(model),
    options(options),
    network(ToDeterministic(model))
{
  objective::RequireLogits(*NetworkLayers(start.Base()).back(),
      likelihood::linkOf<LikelihoodType>);
  // Sets up the memory of the layers, whose sizes are read.
  start.BayesianLayers();
  family = model::DescribeGaussian<MatType>(NetworkLayers(start.Base()),
      start.Parameters(), options);
  parameters = model::StartGaussian(*family, network.Parameters());
}

template<typename LikelihoodType, typename InitType, typename MatType>
template<typename PlainType>
BayesianFFN<LikelihoodType, InitType, MatType>
GaussianPosterior<LikelihoodType, InitType, MatType>::Convert(
    const PlainType& network, const LikelihoodType& likelihood,
    const GaussianOptions& options)
{
  RequirePositive("GaussianPosterior", "sigma", options.sigma);
  RequirePositive("GaussianPosterior", "priorStddev", options.priorStddev);
  ConvertOptions convert;
  convert.relativeSigma = 0.0;
  convert.minSigma = options.sigma;
  convert.priorStddev = options.priorStddev;
  return ToBayesian(network, likelihood, convert);
}

template<typename LikelihoodType, typename InitType, typename MatType>
void GaussianPosterior<LikelihoodType, InitType, MatType>::CheckData(
    const char* where, const MatType& predictors,
    const MatType* responses) const
{
  RequireReady(where);
  const std::string name = "GaussianPosterior::" + std::string(where);
  size_t dimensions = 1;
  for (const size_t size : network.InputDimensions())
    dimensions *= size;
  RequireCount(name, "points", "dimensions", predictors.n_rows, dimensions);
  if (!parameters.is_finite())
    Refuse(name, "all parameters must be finite", "one is not");
  if (!responses)
    return;
  if (predictors.n_cols != responses->n_cols || predictors.is_empty())
    Refuse(name, "there must be one response per point and at least one point",
        "there are " + std::to_string(predictors.n_cols) + " points and " +
            std::to_string(responses->n_cols) + " responses");
  if (!predictors.is_finite())
    Refuse(name, "all inputs must be finite", "one is not");
  LikelihoodType::CheckTargets(*responses,
      NetworkLayers(network).back()->OutputSize(), predictors.n_cols);
}

template<typename LikelihoodType, typename InitType, typename MatType>
GaussianElbo<MatType>
GaussianPosterior<LikelihoodType, InitType, MatType>::Objective(
    MatType predictors, MatType responses)
{
  CheckData("Objective", predictors, &responses);
  ForgetLayerMemory(network);
  network.SetNetworkMode(false);
  GaussianElbo<MatType> elbo(family,
      std::make_shared<objective::NetworkPasses<NetworkType>>(network),
      std::move(predictors), std::move(responses));
  elbo.Symmetrize() = Symmetrize();
  elbo.Samples() = samples;
  elbo.Temperature() = Temperature();
  return elbo;
}

template<typename LikelihoodType, typename InitType, typename MatType>
FitReport GaussianPosterior<LikelihoodType, InitType, MatType>::Fit(
    MatType predictors, MatType responses, const FitOptions& fitOptions)
{
  CheckData("Fit", predictors, &responses);
  FitOptions seeded = fitOptions;
  seeded.Seed(SeedOf(fitOptions));
  DataSplit<MatType> data(predictors, responses,
      PointSplit(predictors.n_cols, seeded.Validation(), seeded.SplitSeed()));
  // Views: the points are put into another order as training goes on.
  const auto view = [](MatType& values) {
    return MatType(values.memptr(), values.n_rows, values.n_cols, false, true);
  };
  GaussianElbo<MatType> elbo = Objective(view(data.points), view(data.targets));
  const PredictOptions draws(seeded.ValidationDraws(), seeded.Seed());
  const auto score = [&]
  {
    return -arma::mean(
        LogDensity(data.validationPoints, data.validationTargets, draws));
  };
  std::string description = "gaussian rank " + std::to_string(Rank()) +
      "\nlayers";
  for (const mlpack::Layer<MatType>* layer : NetworkLayers(network))
    description += " " + LayerName(*layer) + "(" +
        std::to_string(layer->WeightSize()) + ")";
  return model::FitGaussian<MatType>(elbo, parameters, data, score, description,
      seeded);
}

template<typename LikelihoodType, typename InitType, typename MatType>
ElboReport GaussianPosterior<LikelihoodType, InitType, MatType>::Elbo(
    const MatType& predictors, const MatType& responses,
    const size_t numSamples, const uint64_t seed) const
{
  CheckData("Elbo", predictors, &responses);
  RequirePositive("GaussianPosterior::Elbo", "samples", numSamples);
  return model::GaussianReport<MatType>(*family, parameters,
      Density(predictors, responses), predictors.n_cols, numSamples, seed);
}

template<typename LikelihoodType, typename InitType, typename MatType>
std::function<double(const MatType&)>
GaussianPosterior<LikelihoodType, InitType, MatType>::Density(
    const MatType& predictors, const MatType& responses) const
{
  ForgetLayerMemory(network);
  network.SetNetworkMode(false);
  return [this, &predictors, &responses](const MatType& weights)
  {
    std::copy(weights.begin(), weights.end(), network.Parameters().begin());
    return LogLikelihood(network, Likelihood(), predictors, responses);
      };
}

template<typename LikelihoodType, typename InitType, typename MatType>
EvidenceReport GaussianPosterior<LikelihoodType, InitType, MatType>::Pool(
    const std::vector<GaussianPosterior>& posteriors, const MatType& predictors,
    const MatType& responses, const size_t numSamples, const uint64_t seed)
{
  Require(!posteriors.empty(), "GaussianPosterior::Pool",
      "there must be a posterior", posteriors.size());
  RequirePositive("GaussianPosterior::Pool", "samples", numSamples);
  std::vector<const model::GaussianFamily*> families;
  std::vector<const MatType*> all;
  for (const GaussianPosterior& posterior : posteriors)
  {
    posterior.CheckData("Pool", predictors, &responses);
    families.push_back(posterior.family.get());
    all.push_back(&posterior.parameters);
  }
  return SummarizeEvidence(model::PoolWeights<MatType>(families, all,
      posteriors[0].Density(predictors, responses), numSamples, seed));
}

template<typename LikelihoodType, typename InitType, typename MatType>
model::WeightOutputs<MatType>
GaussianPosterior<LikelihoodType, InitType, MatType>::Outputs() const
{
  ForgetLayerMemory(network);
  network.SetNetworkMode(false);
  return [this](const MatType& weights, const MatType& points, MatType& outputs)
  {
    std::copy(weights.begin(), weights.end(), network.Parameters().begin());
    network.Forward(points, outputs);
      };
}

template<typename LikelihoodType, typename InitType, typename MatType>
auto GaussianPosterior<LikelihoodType, InitType, MatType>::Predict(
    const MatType& predictors, const PredictOptions& predictOptions) const
{
  CheckData("Predict", predictors, nullptr);
  const MatType weights = Weights(predictOptions);
  constexpr ClassLink link = likelihood::linkOf<LikelihoodType>;
  if constexpr (link != ClassLink::None)
    return model::AverageWeights<MatType>(weights, Outputs(), predictors, link,
        predictOptions);
  else
    return model::AverageWeights<MatType>(weights, Outputs(), predictors,
        predict::TargetMoments<MatType>(Likelihood()), predictOptions);
}

template<typename LikelihoodType, typename InitType, typename MatType>
arma::rowvec GaussianPosterior<LikelihoodType, InitType, MatType>::LogDensity(
    const MatType& predictors, const MatType& responses,
    const PredictOptions& predictOptions) const
{
  CheckData("LogDensity", predictors, &responses);
  return model::WeightLogDensity<MatType>(Weights(predictOptions), Outputs(),
      predictors, predict::TargetDensity<MatType>(Likelihood(), responses),
      predictOptions);
}

template<typename LikelihoodType, typename InitType, typename MatType>
void GaussianPosterior<LikelihoodType, InitType, MatType>::Save(
    const std::string& path) const
{
  RequireReady("Save");
  std::ostringstream stream;
  cereal::BinaryOutputArchive ar(stream);
  ar(start, uint64_t(Rank()), options.sigma, options.priorStddev,
      uint64_t(options.enumerate), uint64_t(options.permutations),
      uint64_t(samples), parameters);
  io::SaveContainer(path, "gaussian", stream.str());
}

template<typename LikelihoodType, typename InitType, typename MatType>
void GaussianPosterior<LikelihoodType, InitType, MatType>::Load(
    const std::string& path)
{
  std::istringstream stream(io::LoadContainer(path, "gaussian"));
  try
  {
    cereal::BinaryInputArchive ar(stream);
    ModelType loadedStart;
    GaussianOptions loadedOptions;
    uint64_t rank = 0, enumerate = 0, permutations = 0, loadedSamples = 0;
    MatType loadedParameters;
    ar(loadedStart, rank, loadedOptions.sigma, loadedOptions.priorStddev,
        enumerate, permutations, loadedSamples, loadedParameters);
    loadedOptions.rank = rank;
    loadedOptions.enumerate = enumerate;
    loadedOptions.permutations = permutations;
    GaussianPosterior loaded(loadedStart, loadedOptions);
    if (loadedParameters.n_elem != loaded.parameters.n_elem ||
        !loadedParameters.is_finite())
      throw std::invalid_argument("its parameters do not fit its network.");
    loaded.parameters = std::move(loadedParameters);
    loaded.samples = loadedSamples;
    *this = std::move(loaded);
  }
  catch (const cereal::Exception& e)
  {
    throw std::invalid_argument("'" + path + "': " + e.what());
  }
  catch (const std::invalid_argument& e)
  {
    throw std::invalid_argument("'" + path + "': " + e.what());
  }
}

} // namespace symvi

#endif
