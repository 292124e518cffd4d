/**
 * @file symvi/model/bayesian_ffn.hpp
 *
 * The drop-in for mlpack::FFN.
 */
#ifndef SYMVI_MODEL_BAYESIAN_FFN_HPP
#define SYMVI_MODEL_BAYESIAN_FFN_HPP

#include <symvi/likelihood/categorical.hpp>
#include <symvi/network/layer_registry.hpp>
#include <symvi/objective/symmetrized_elbo.hpp>
#include <symvi/predict/predictive.hpp>
#include <symvi/prereqs.hpp>
#include <symvi/train/fit_options.hpp>

#include "compute_elbo.hpp"
#include "reports.hpp"

#include <functional>
#include <memory>

namespace symvi {

//! The settings of a BayesianFFN; see its accessors.
struct ModelSettings
{
  EstimatorPtr estimator = MakeEstimator();
  bool symmetrize = true;
  size_t samples = 1;
  double temperature = 1.0;
  double warmUpEpochs = 0.0;
  size_t predictSamples = 100;
  size_t elboSamples = 100;
};

namespace model {

//! What is saved of a model, but for its likelihood.
template<typename MatType>
struct NetworkContent
{
  ModelSettings settings;
  std::vector<size_t> inputDimensions;
  std::vector<std::unique_ptr<mlpack::Layer<MatType>>> layers;
  MatType parameters;
};

/**
 * The bytes of a model.
 *
 * @param likelihood Bytes of its likelihood.
 */
template<typename MatType>
std::string WriteContent(const std::string& likelihood,
    const ModelSettings& settings, const std::vector<size_t>& inputDimensions,
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters);

/**
 * Read what WriteContent() wrote; throws cereal::Exception if it cannot be.
 *
 * @param readLikelihood Takes the likelihood from the archive.
 */
template<typename MatType>
NetworkContent<MatType> ReadContent(const std::string& content,
    const std::function<void(cereal::BinaryInputArchive&)>& readLikelihood);

} // namespace model

/**
 * A feed-forward network with a posterior over the weights of its Bayesian
 * layers, trained on the symmetrized ELBO [Gelberg2024, Sec. 4].
 *
 * It has the interface of mlpack::FFN; Train() maximises L^G (or L, if
 * Symmetrize() is false) and Predict() averages over the posterior.
 *
 * @tparam LikelihoodType Output layer: a likelihood of symvi.
 * @tparam InitializationRuleType mlpack's rule for the weights of deterministic
 *     layers and the means of Bayesian ones.  With mlpack's default, unless one
 *     is passed to the constructor, Bayesian layers use their own rule.
 * @tparam MatType arma::mat or arma::fmat.
 */
template<typename LikelihoodType = CategoricalLikelihood,
    typename InitializationRuleType = mlpack::RandomInitialization,
    typename MatType = arma::mat>
class BayesianFFN
{
 public:
  using NetworkType =
      mlpack::FFN<LikelihoodType, InitializationRuleType, MatType>;
  using ElemType = typename MatType::elem_type;
  static_assert(std::is_same_v<ElemType, double> ||
          std::is_same_v<ElemType, float>,
      "BayesianFFN: numbers must be float or double; half precision (FP16) is "
      "too coarse for log-densities.");
  static_assert(likelihood::IsLikelihood<LikelihoodType, MatType>::value,
      "BayesianFFN: the output layer must be a likelihood of symvi for the "
      "same matrices, such as symvi::CategoricalLikelihood instead of "
      "mlpack::NegativeLogLikelihood, or symvi::GaussianLikelihood instead of "
      "mlpack::MeanSquaredError; mlpack's losses are not normalised "
      "densities.");

  explicit BayesianFFN(LikelihoodType likelihood = LikelihoodType());
  BayesianFFN(LikelihoodType likelihood, InitializationRuleType initializeRule);

  BayesianFFN(const BayesianFFN& other) = default;
  BayesianFFN(BayesianFFN&& other) = default;
  BayesianFFN& operator=(const BayesianFFN& other);
  BayesianFFN& operator=(BayesianFFN&& other);

  /**
   * Add a layer, in all forms of mlpack::FFN and for all versions of mlpack:
   * `Add<symvi::BayesianLinear>(30)`, where a class that is written for
   * arma::mat is taken for this network's matrices.
   */
  template<typename LayerType, typename... Args>
  void Add(Args&&... args)
  {
    Add(new typename RebindLayer<LayerType, MatType>::Type(
        std::forward<Args>(args)...));
  }
  //! The same with a class template.
  template<template<typename...> class LayerTemplate, typename... Args>
  void Add(Args&&... args)
  {
    Add(new LayerTemplate<MatType>(std::forward<Args>(args)...));
  }
  //! Add a copy of a layer, or move it.
  template<typename LayerType,
      typename = std::enable_if_t<
          std::is_base_of_v<mlpack::Layer<MatType>, std::decay_t<LayerType>>>>
  void Add(LayerType&& layer)
  {
    Add(new std::decay_t<LayerType>(std::forward<LayerType>(layer)));
  }
  //! Add a layer and take ownership of it.
  template<typename LayerType,
      typename = std::enable_if_t<
          std::is_base_of_v<mlpack::Layer<MatType>, LayerType>>>
  void Add(LayerType* layer)
  {
    if constexpr (!std::is_same_v<LayerType, mlpack::Layer<MatType>> &&
        !IsKnownLayer<LayerType>::value)
      RegisterLayer<LayerType>();
    std::unique_ptr<LayerType> owned(layer);
    RefuseRecurrent<MatType>(*layer);
    AddOwned<NetworkType, MatType>(network, owned.release());
  }

  /**
   * Train without an optimizer to set up; see FitOptions and the free function
   * Fit().
   *
   * @param predictors One point per column.
   * @param responses One target per column.
   * @param options How to train; the defaults converge by themselves.
   * @throws std::runtime_error if training diverges; the model stays as it was.
   */
  FitReport Fit(MatType predictors, MatType responses,
      const FitOptions& options = FitOptions());

  /**
   * Train on data with any ensmallen optimizer and callbacks.  Training starts
   * from the current parameters if they fit the data.  ens::L_BFGS sees the
   * same weight samples in every evaluation; ens::EarlyStopAtMinLoss and
   * ens::StoreBestCoordinates wait for the end of the warm-up.
   *
   * @param predictors One point per column.
   * @param responses One target per column.
   * @param optimizer An ensmallen optimizer.
   * @param callbacks ensmallen callbacks.
   * @return The objective, -L^G, of the last complete epoch while it was
   *     running; what the optimizer returned if there was none.
   * @throws std::runtime_error if the objective or a parameter is not finite
   *     at the end; the parameters are then what they were before.
   */
  template<typename OptimizerType, typename... CallbackTypes>
  ElemType Train(MatType predictors, MatType responses,
      OptimizerType& optimizer, CallbackTypes&&... callbacks);

  //! The same with a default-constructed optimizer; by default ens::Adam with
  //! batches of 32 and steps of 1e-3 per batch.
  template<typename OptimizerType = ens::Adam, typename... CallbackTypes>
  ElemType Train(MatType predictors, MatType responses,
      CallbackTypes&&... callbacks);

  //! Labels of a classifier may be whole numbers, here and below.
  FitReport Fit(MatType predictors, const arma::Row<size_t>& labels,
      const FitOptions& options = FitOptions())
  {
    return Fit(std::move(predictors), Numbers(labels), options);
  }
  template<typename OptimizerType, typename... CallbackTypes>
  ElemType Train(MatType predictors, const arma::Row<size_t>& labels,
      OptimizerType& optimizer, CallbackTypes&&... callbacks)
  {
    return Train(std::move(predictors), Numbers(labels), optimizer,
        callbacks...);
  }
  template<typename OptimizerType = ens::Adam, typename... CallbackTypes>
  ElemType Train(MatType predictors, const arma::Row<size_t>& labels,
      CallbackTypes&&... callbacks)
  {
    return Train<OptimizerType>(std::move(predictors), Numbers(labels),
        callbacks...);
  }

  /**
   * Mean of the posterior predictive distribution: class probabilities for
   * classification, expected targets for regression.  Averages PredictSamples()
   * draws; the same model gives the same answer every time.
   *
   * @param predictors One point per column.
   * @param results One prediction per column.
   * @param batchSize Points to predict at a time; 0 chooses.
   */
  void Predict(const MatType& predictors, MatType& results,
      const size_t batchSize = 0) const;

  /**
   * The posterior predictive with its uncertainties: a ClassificationPrediction
   * for Categorical and Bernoulli likelihoods, a RegressionPrediction for
   * Gaussian ones.
   */
  auto Predict(const MatType& predictors, const PredictOptions& options) const
  {
    RequireReady("Predict", predictors);
    return Predictive<MatType>(network).Predict(predictors, likelihood,
        options);
  }

  //! log p(y_i | x_i, D) of every point under the posterior predictive.
  arma::rowvec LogDensity(const MatType& predictors, const MatType& responses,
      const PredictOptions& options = PredictOptions()) const;
  arma::rowvec LogDensity(const MatType& predictors,
      const arma::Row<size_t>& labels,
      const PredictOptions& options = PredictOptions()) const
  {
    return LogDensity(predictors, Numbers(labels), options);
  }

  //! Outputs of the network under every draw: outputs x points x draws.
  arma::Cube<ElemType> Draws(const MatType& predictors,
      const PredictOptions& options = PredictOptions()) const;

  /**
   * The predictive loss of data, for instance of held-out ones after every
   * epoch: the sum of -log p(y_i | x_i, D), with the same draws every time.
   * The objective of training is NegativeElbo().
   *
   * @param predictors One point per column.
   * @param responses One target per column.
   * @param samples Number of draws of w.
   */
  double Evaluate(const MatType& predictors, const MatType& responses,
      const size_t samples = 20) const;
  double Evaluate(const MatType& predictors, const arma::Row<size_t>& labels,
      const size_t samples = 20) const
  {
    return Evaluate(predictors, Numbers(labels), samples);
  }

  //! The objective of training on data: -L^G (or -L), from ElboSamples() draws.
  double NegativeElbo(const MatType& predictors, const MatType& responses);
  double NegativeElbo(const MatType& predictors,
      const arma::Row<size_t>& labels)
  {
    return NegativeElbo(predictors, Numbers(labels));
  }

  /**
   * L and L^G with all their terms.  I(g; w) is reported for models that were
   * trained without it, too.
   *
   * @param predictors One point per column.
   * @param responses One target per column.
   * @param samples Number of draws of w; 0 means ElboSamples().
   * @param seed Random seed of the weight samples.
   */
  ElboReport Elbo(const MatType& predictors, const MatType& responses,
      const size_t samples = 0, const uint64_t seed = 0);
  ElboReport Elbo(const MatType& predictors, const arma::Row<size_t>& labels,
      const size_t numSamples = 0, const uint64_t seed = 0)
  {
    return Elbo(predictors, Numbers(labels), numSamples, seed);
  }

  /**
   * A bound on the evidence log p(Y | X) by importance sampling from q^G, with
   * a diagnostic; see EvidenceReport.  The same draws as Elbo() takes.
   *
   * @param predictors One point per column.
   * @param responses One target per column.
   * @param samples Number of draws of w; 0 means ElboSamples().
   * @param seed Random seed of the weight samples.
   */
  EvidenceReport Evidence(const MatType& predictors, const MatType& responses,
      const size_t samples = 1000, const uint64_t seed = 0)
  {
    return Elbo(predictors, responses, samples, seed).evidence;
  }
  EvidenceReport Evidence(const MatType& predictors,
      const arma::Row<size_t>& labels, const size_t samples = 1000,
      const uint64_t seed = 0)
  {
    return Evidence(predictors, Numbers(labels), samples, seed);
  }

  //! [mu; rho] of every Bayesian layer and the weights of the others.
  const MatType& Parameters() const { return network.Parameters(); }
  MatType& Parameters() { return network.Parameters(); }

  //! Initialise all parameters anew, as FFN::Reset().
  void Reset(const size_t inputDimensionality = 0);

  /**
   * What Train() and Fit() do first: add LearnedNoise behind a
   * GaussianLikelihood without a noise level, initialise parameters that do not
   * fit the data, and warn of a layer that Save() will refuse.
   */
  void Prepare(const MatType& predictors, const MatType& responses);

  const std::vector<mlpack::Layer<MatType>*>& Network() const
  {
    return network.Network();
  }
  std::vector<mlpack::Layer<MatType>*>& Network() { return network.Network(); }

  //! Shape of a point, if it is not a plain vector.
  std::vector<size_t>& InputDimensions() { return network.InputDimensions(); }
  const std::vector<size_t>& InputDimensions() const
  {
    return network.InputDimensions();
  }

  //! Number of parameters, two per weight of a Bayesian layer.
  size_t WeightSize() { return network.WeightSize(); }

  //! The mlpack network inside.
  NetworkType& Base() { return network; }
  const NetworkType& Base() const { return network; }

  const LikelihoodType& Likelihood() const { return likelihood; }

  //! The Bayesian layers, in order, with their parameters in place.
  std::vector<BayesianLinearType<MatType>*> BayesianLayers();

  //! Whether training uses L^G (default) or L.
  bool Symmetrize() const { return settings.symmetrize; }
  bool& Symmetrize() { return settings.symmetrize; }

  //! Estimator of I(g; w) (default MakeEstimator("auto")).
  const EstimatorPtr& Estimator() const { return settings.estimator; }
  //! Modify the estimator of I(g; w).
  EstimatorPtr& Estimator() { return settings.estimator; }

  //! Number S of weight samples per training step (default 1).
  size_t Samples() const { return settings.samples; }
  size_t& Samples() { return settings.samples; }

  //! Weight of KL(q^G || p) in training (default 1).
  double Temperature() const { return settings.temperature; }
  double& Temperature() { return settings.temperature; }

  //! Epochs over which that weight grows from 0 (default 0).
  double WarmUpEpochs() const { return settings.warmUpEpochs; }
  double& WarmUpEpochs() { return settings.warmUpEpochs; }

  //! Draws that Predict() averages (default 100).
  size_t PredictSamples() const { return settings.predictSamples; }
  size_t& PredictSamples() { return settings.predictSamples; }

  //! Draws that Elbo() and NegativeElbo() average (default 100).
  size_t ElboSamples() const { return settings.elboSamples; }
  size_t& ElboSamples() { return settings.elboSamples; }

  //! All of these settings.
  const ModelSettings& Settings() const { return settings; }
  ModelSettings& Settings() { return settings; }

  /**
   * Save to a file, completely or not at all, and load it again.  A file that
   * is not such a model, is damaged or of another version is a
   * std::invalid_argument that names it, and the model stays as it was.
   */
  void Save(const std::string& path) const;
  void Load(const std::string& path);

  //! For mlpack::data::Save() and Load().  A file that is not a model, is
  //! damaged or of another version is a cereal::Exception, and the model stays
  //! as it was.
  template<typename Archive>
  void serialize(Archive& ar, const uint32_t version);

 private:
  //! All that is saved, as bytes.
  std::string Content() const;
  void SetContent(const std::string& content);
  //! Labels as numbers of the network.
  static MatType Numbers(const arma::Row<size_t>& labels)
  {
    return arma::conv_to<MatType>::from(labels);
  }
  //! End the network in LearnedNoise if the likelihood needs it.
  void AddLearnedNoise(const double initialStddev);
  //! Initialise the means of Bayesian layers by the user's rule.
  void InitializeMeans();
  //! Parameters must exist and fit the data.
  void RequireReady(const char* where, const MatType& predictors) const;

  LikelihoodType likelihood;
  NetworkType network;
  //! The user's rule, and whether there is one.
  InitializationRuleType initializeRule;
  bool hasRule;

  ModelSettings settings;
};

} // namespace symvi

#include "bayesian_ffn_impl.hpp"
#include "fit.hpp"

#endif
