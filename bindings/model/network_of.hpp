/**
 * @file network_of.hpp
 *
 * Network for one likelihood; each is compiled once, in a file of its own.
 */
#ifndef SYMVI_BINDINGS_MODEL_NETWORK_OF_HPP
#define SYMVI_BINDINGS_MODEL_NETWORK_OF_HPP

#include <symvi/information/make_estimator.hpp>
#include <symvi/layer/learned_noise.hpp>
#include <symvi/model/compute_elbo.hpp>
#include <symvi/objective/symmetrized_elbo.hpp>
#include <symvi/predict/predictive.hpp>

#include <optional>
#include <type_traits>
#include <utility>

#include "network.hpp"

namespace symvi {
namespace cli {

//! The layer of an activation function; the caller owns it.
mlpack::Layer<arma::mat>* MakeActivation(const std::string& name);

//! Seed of mlpack's generator for a key; mlpack takes what fits a size_t.
inline void SeedFrom(const uint64_t key)
{
  mlpack::RandomSeed(size_t(RandomStream(key).NextBits()));
}

template<typename LikelihoodType>
class NetworkOf : public Network
{
 public:
  using NetworkType = mlpack::FFN<LikelihoodType, mlpack::RandomInitialization,
      arma::mat>;

  NetworkOf(const NetworkSpec& spec,
            const LikelihoodType& likelihood,
            const uint64_t seed) :
      likelihood(likelihood),
      network(likelihood)
  {
    const BayesianOptions options = BayesianOptions().
        PriorStddev(spec.priorStddev).InitialSigma(spec.initialSigma).
        Init(spec.activation == "tanh" || spec.activation == "sigmoid" ?
            MeanInit::Glorot : MeanInit::He);
    for (const uint64_t width : spec.hidden)
    {
      network.template Add<BayesianLinear>(size_t(width), options);
      AddOwned(network, MakeActivation(spec.activation));
    }
    network.template Add<BayesianLinear>(size_t(spec.LastWidth()), options);
    if (!spec.IsClassification() && spec.noise == "learned")
      network.template Add<LearnedNoise>(spec.noiseStddev);

    SeedFrom(seed);
    network.Reset(size_t(spec.inputs));
  }

  const arma::mat& Parameters() const override
  {
    return network.Parameters();
  }
  arma::mat& Parameters() override { return network.Parameters(); }

  void SetParameters(const std::vector<double>& values) override
  {
    if (values.size() != network.Parameters().n_elem)
      throw std::invalid_argument("Network::SetParameters(): there must be " +
          std::to_string(network.Parameters().n_elem) + " values, but there "
          "are " + std::to_string(values.size()) + ".");
    std::copy(values.begin(), values.end(), network.Parameters().begin());
  }

  void BeginEpoch(arma::mat& points,
                  arma::mat& targets,
                  const BoundOptions& options,
                  const uint64_t key) override
  {
    SeedFrom(key);
    // Views of the caller's memory, which moving keeps as views.
    arma::mat pointsView(points.memptr(), points.n_rows, points.n_cols, false,
        true);
    arma::mat targetsView(targets.memptr(), targets.n_rows, targets.n_cols,
        false, true);
    objective.reset();
    objective.emplace(network, std::move(pointsView), std::move(targetsView),
        options.symmetrize ? MakeEstimator(options.estimator,
            options.permutations) : nullptr);
    objective->Samples() = options.samples;
  }

  void Step(const size_t begin,
            const size_t size,
            const double temperature,
            arma::mat& gradient) override
  {
    objective->Temperature() = temperature;
    objective->EvaluateWithGradient(network.Parameters(), begin, gradient,
        size);
  }

  EpochTerms Terms() const override
  {
    const ElboTerms& terms = objective->Terms();
    EpochTerms result;
    // Of the points seen, scaled to all of them.
    result.logLikelihood = -terms.negativeLogLikelihood *
        double(objective->NumFunctions()) / double(terms.points);
    result.kl = terms.kl;
    result.information = terms.information;
    return result;
  }

  ClassificationPrediction<arma::mat> Classify(
      const arma::mat& points,
      const PredictOptions& options) const override
  {
    if constexpr (isClassifier)
      return Predictive<arma::mat>(network).Predict(points, likelihood,
          options);
    throw std::logic_error("Network::Classify(): this is a regression.");
  }

  RegressionPrediction<arma::mat> Regress(
      const arma::mat& points,
      const PredictOptions& options) const override
  {
    if constexpr (!isClassifier)
      return Predictive<arma::mat>(network).Predict(points, likelihood,
          options);
    throw std::logic_error("Network::Regress(): this is a classifier.");
  }

  arma::rowvec LogDensity(const arma::mat& points,
                          const arma::mat& targets,
                          const PredictOptions& options) const override
  {
    return Predictive<arma::mat>(network).LogDensity(points, targets,
        likelihood, options);
  }

  arma::cube Draws(const arma::mat& points,
                   const PredictOptions& options) const override
  {
    return Predictive<arma::mat>(network).Draws(points, options);
  }

  ElboReport Elbo(const arma::mat& points,
                  const arma::mat& targets,
                  const BoundOptions& options,
                  const uint64_t seed) override
  {
    return ComputeElbo(network, likelihood, points, targets,
        MakeEstimator(options.estimator, options.permutations),
        options.samples, seed);
  }

 private:
  static constexpr bool isClassifier =
      std::is_same_v<LikelihoodType, CategoricalLikelihood>;

  LikelihoodType likelihood;
  NetworkType network;
  std::optional<SymmetrizedELBO<NetworkType>> objective;
};

//! One for each likelihood, in network_*.cpp.
std::unique_ptr<Network> MakeCategorical(const NetworkSpec& spec,
                                         uint64_t seed);
std::unique_ptr<Network> MakeGaussian(const NetworkSpec& spec, uint64_t seed);
std::unique_ptr<Network> MakeHeteroscedastic(const NetworkSpec& spec,
                                             uint64_t seed);

} // namespace cli
} // namespace symvi

#endif
