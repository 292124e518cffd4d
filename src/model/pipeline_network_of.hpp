/**
 * @file src/model/pipeline_network_of.hpp
 *
 * PipelineNetwork for one likelihood.
 */
#ifndef SYMVI_SRC_MODEL_PIPELINE_NETWORK_OF_HPP
#define SYMVI_SRC_MODEL_PIPELINE_NETWORK_OF_HPP

#include <symvi/layer/learned_noise.hpp>
#include <symvi/model/bayesian_ffn.hpp>
#include <symvi/model/convert.hpp>
#include <symvi/model/fit.hpp>
#include <symvi/model/prune.hpp>
#include <symvi/symmetry/alignment.hpp>

#include <type_traits>
#include <utility>

#include "kernel/softplus.hpp"
#include "model/pipeline_network.hpp"

namespace symvi {

//! The layer of an activation function; the caller owns it.
mlpack::Layer<arma::mat>* MakeActivation(const std::string& name);

template<typename LikelihoodType>
class PipelineNetworkOf final : public PipelineNetwork
{
 public:
  using ModelType = BayesianFFN<LikelihoodType>;
  using LayerType = BayesianLinearType<arma::mat>;

  PipelineNetworkOf(const NetworkSpec& spec, const double noise,
      const LikelihoodType& likelihood) :
      model(likelihood)
  {
    const bool bounded = spec.activation == "tanh" ||
        spec.activation == "sigmoid";
    const BayesianOptions options = BayesianOptions()
                                        .InitialSigma(spec.initialSigma)
                                        .Init(bounded ? MeanInit::Glorot :
                                                        MeanInit::He);
    for (const uint64_t width : spec.hidden)
    {
      model.template Add<BayesianLinear>(size_t(width), options);
      model.Add(MakeActivation(spec.activation));
    }
    model.template Add<BayesianLinear>(size_t(spec.Widths().back()), options);
    if (spec.HasLearnedNoise())
      model.template Add<symvi::LearnedNoise>(noise);
    model.InputDimensions() = { size_t(spec.inputs) };
    SetPriors(spec.Priors());
  }

  std::unique_ptr<PipelineNetwork> Clone() const override
  {
    return std::make_unique<PipelineNetworkOf>(*this);
  }

  //! Take parameters as they are, without initialising any.
  void SetParameters(const std::vector<double>& values)
  {
    model.Parameters() = arma::mat(values);
    PrepareNetwork(model.Base(),
        std::as_const(model).InputDimensions().front());
  }

  const arma::mat& Parameters() const override { return model.Parameters(); }

  FitReport Fit(DataSplit<arma::mat>& data, const BoundOptions& bound,
      const FitOptions& options, const double logJacobian,
      const std::string& description) override
  {
    model.Symmetrize() = bound.symmetrize;
    model.Estimator() = MakeEstimator(bound.estimator, bound.permutations);
    model.Samples() = bound.samples;
    Start(data.points.n_rows, options.Seed());
    return FitSplit(model, data, options, logJacobian, description);
  }

  ClassificationPrediction<arma::mat> Classify(const arma::mat& points,
      const PredictOptions& options) const override
  {
    if constexpr (isClassifier)
      return model.Predict(points, options);
    throw std::logic_error("Pipeline::Classify(): this is a regression.");
  }

  RegressionPrediction<arma::mat> Regress(const arma::mat& points,
      const PredictOptions& options) const override
  {
    if constexpr (!isClassifier)
      return model.Predict(points, options);
    throw std::logic_error("Pipeline::Regress(): this is a classifier.");
  }

  arma::rowvec LogDensity(const arma::mat& points, const arma::mat& targets,
      const PredictOptions& options) const override
  {
    return model.LogDensity(points, targets, options);
  }

  arma::cube Draws(const arma::mat& points,
      const PredictOptions& options) const override
  {
    return model.Draws(points, options);
  }

  void Components(const arma::mat& points, const PredictOptions& options,
      arma::cube& means, arma::cube& stddevs) const override
  {
    if constexpr (!isClassifier)
    {
      const arma::cube outputs = model.Draws(points, options);
      arma::mat mean, variance;
      for (size_t s = 0; s < outputs.n_slices; ++s)
      {
        model.Likelihood().Mean(outputs.slice(s), mean);
        model.Likelihood().Variance(outputs.slice(s), variance);
        if (s == 0)
        {
          means.set_size(mean.n_rows, mean.n_cols, outputs.n_slices);
          stddevs.set_size(arma::size(means));
        }
        means.slice(s) = mean;
        stddevs.slice(s) = arma::sqrt(variance);
      }
      return;
    }
    throw std::logic_error("Pipeline::Components(): this is a classifier.");
  }

  ElboReport Elbo(const arma::mat& points, const arma::mat& targets,
      const EvaluateOptions& options) const override
  {
    ModelType copy(model);
    copy.Symmetrize() = true;
    copy.Estimator() = MakeEstimator(options.estimator, options.permutations);
    return copy.Elbo(points, targets, options.samples, options.predict.seed);
  }

  std::vector<LayerPosterior> Posterior() const override
  {
    ModelType copy(model);
    std::vector<LayerPosterior> posterior;
    for (const LayerType* layer : copy.BayesianLayers())
      posterior.push_back(
          { Matrix(*layer, layer->Means()), Matrix(*layer, layer->Sigmas()) });
    return posterior;
  }

  std::vector<LayerPrior> Priors() const override { return PriorsOf(model); }

  void SetPriors(const std::vector<LayerPrior>& priors) override
  {
    symvi::SetPriors(model, priors);
  }

  void SetPosterior(const std::vector<LayerPosterior>& layers,
      const arma::vec& noise) override
  {
    std::vector<double> values;
    for (const LayerPosterior& layer : layers)
    {
      values.insert(values.end(), layer.mean.begin(), layer.mean.end());
      for (const double sigma : layer.sigma)
        values.push_back(kernel::InverseSoftplus(sigma));
    }
    for (const double level : noise)
      values.push_back(kernel::InverseSoftplus(level));
    SetParameters(values);
  }

  std::vector<arma::cube> Weights(const PredictOptions& options) const override
  {
    ModelType copy(model);
    const arma::mat drawn = Predictive<arma::mat>(copy.Base()).Weights(options);
    std::vector<arma::cube> weights;
    size_t row = 0;
    for (const LayerType* layer : copy.BayesianLayers())
    {
      const size_t size = layer->PosteriorSize();
      weights.emplace_back(layer->OutSize(), layer->InSize() + 1, drawn.n_cols);
      for (size_t s = 0; s < drawn.n_cols; ++s)
        std::copy_n(drawn.colptr(s) + row, size,
            weights.back().slice_memptr(s));
      row += size;
    }
    return weights;
  }

  arma::vec LearnedNoise() const override
  {
    const mlpack::Layer<arma::mat>* last = model.Network().back();
    if (!dynamic_cast<const LearnedNoiseType<arma::mat>*>(last))
      return arma::vec();
    arma::vec raw = model.Parameters().tail_rows(last->WeightSize());
    return raw.transform(
        [](const double rho) { return kernel::Softplus(rho); });
  }

  arma::vec WeightSignalToNoise() const override
  {
    return symvi::WeightSignalToNoise(model);
  }

  std::vector<arma::vec> UnitSignalToNoise() const override
  {
    return symvi::UnitSignalToNoise(model);
  }

  arma::mat UnitDistances(const size_t hiddenLayer) const override
  {
    ModelType copy(model);
    NetworkSymmetry<arma::mat> symmetry;
    const SymmetricChain<double>& chain = ChainOf(copy, symmetry);
    const size_t units = chain.hidden.at(hiddenLayer).size;
    const std::vector<double> squares = symvi::UnitDistances(chain, chain,
        hiddenLayer, PermutationGroup(chain).Identity(),
        UnitMetric::Standardized);
    return arma::sqrt(arma::mat(squares.data(), units, units));
  }

  std::vector<EquivalentMode> NearestModes(const size_t count) const override
  {
    ModelType copy(model);
    NetworkSymmetry<arma::mat> symmetry;
    return symvi::NearestModes(ChainOf(copy, symmetry), count);
  }

  PruneReport PruneWeights(const double fraction) override
  {
    return symvi::PruneWeights(model, fraction);
  }

  PruneReport PruneUnits(const double fraction) override
  {
    return symvi::PruneUnits(model, fraction);
  }

 private:
  /**
   * Initialise a new network.  Heteroscedastic noise starts as the same for all
   * points: the means of what it is read from are zero, but for a bias.
   */
  void Start(const size_t inputs, const uint64_t seed)
  {
    if (!model.Parameters().is_empty())
      return;
    SeedGenerators(seed);
    PrepareNetwork(model.Base(), inputs);
    if constexpr (std::is_same_v<LikelihoodType,
                      HeteroscedasticGaussianLikelihood>)
    {
      LayerType* last = model.BayesianLayers().back();
      if (last != model.Network().back())
        return; // A LearnedNoise layer follows.
      arma::mat means = Matrix(*last, last->Means());
      const size_t targets = last->OutSize() / 2;
      means.tail_rows(targets).zeros();
      means.tail_rows(targets)
          .col(last->InSize())
          .fill(model.Likelihood().Raw(0.6));
      std::copy(means.begin(), means.end(), last->Means().begin());
    }
  }

  static constexpr bool isClassifier =
      std::is_same_v<LikelihoodType, CategoricalLikelihood>;

  static arma::mat Matrix(const LayerType& layer, const arma::mat& values)
  {
    return arma::reshape(values, layer.OutSize(), layer.InSize() + 1);
  }

  //! All layers as one chain; hidden layers are point-wise here.
  static const SymmetricChain<double>& ChainOf(ModelType& copy,
      NetworkSymmetry<arma::mat>& symmetry)
  {
    for (LayerType* layer : copy.BayesianLayers())
      layer->DrawWith(arma::mat(layer->PosteriorSize(), 1, arma::fill::zeros));
    symmetry = NetworkSymmetry<arma::mat>(NetworkLayers(copy.Base()));
    return symmetry.GetChain(0);
  }

  ModelType model;
};

template<typename LikelihoodType>
std::unique_ptr<PipelineNetwork> MakeNetwork(const NetworkSpec& spec,
    const double noise, const LikelihoodType& likelihood,
    const std::vector<double>& parameters)
{
  auto network = std::make_unique<PipelineNetworkOf<LikelihoodType>>(spec,
      noise, likelihood);
  if (!parameters.empty())
    network->SetParameters(parameters);
  return network;
}

} // namespace symvi

#endif
