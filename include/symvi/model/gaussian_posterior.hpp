/**
 * @file symvi/model/gaussian_posterior.hpp
 *
 * A Gaussian posterior over all weights of a network at once, with their
 * covariance.
 */
#ifndef SYMVI_MODEL_GAUSSIAN_POSTERIOR_HPP
#define SYMVI_MODEL_GAUSSIAN_POSTERIOR_HPP

#include <symvi/io/file.hpp>
#include <symvi/model/convert.hpp>
#include <symvi/train/columns.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace symvi {

//! How a GaussianPosterior begins.
struct GaussianOptions
{
  //! Let `rank` be chosen.
  static constexpr size_t automatic = size_t(-1);

  //! Columns r of F in Sigma = F F^T + diag(sigma^2); 0 for a full covariance.
  //! By itself: full for up to 200 weights, 20 for more.  A full covariance is
  //! meant for up to about 1,000 weights, but takes long to train there.
  size_t rank = automatic;
  //! Standard deviation at the start of weights that have none yet: all of a
  //! plain network.
  double sigma = 0.01;
  //! Standard deviation of the prior of those weights.
  double priorStddev = 1.0;
  //! Groups of up to this many elements are enumerated.
  size_t enumerate = 5000;
  //! Elements that are drawn of larger groups for a value, K.
  size_t permutations = 20;
};

namespace model {

//! Shape, prior and symmetry of a Gaussian posterior.
struct GaussianFamily;
using GaussianFamilyPtr = std::shared_ptr<const GaussianFamily>;

//! The outputs of a network with the given weights.
template<typename MatType>
using WeightOutputs = std::function<void(const MatType& weights,
    const MatType& points, MatType& outputs)>;

} // namespace model

/**
 * The negative (symmetrized) ELBO of a Gaussian over all weights as a separable
 * function for any ensmallen optimizer.  A batch B of M of the N points adds
 *
 *   -1/S sum_i log p(Y_B | X_B, w_i) + beta M/N (KL(q || p) - I(g; w_1)),
 *
 * w_i ~ q, so that an epoch sums to -L^G (or -L).  GaussianPosterior makes it;
 * its parameters are those of the posterior, which must outlive it.
 *
 * @tparam MatType arma::mat or arma::fmat.
 */
template<typename MatType = arma::mat>
class GaussianElbo
{
 public:
  using ElemType = typename MatType::elem_type;

  GaussianElbo(model::GaussianFamilyPtr family,
      std::shared_ptr<objective::ElboNetwork<MatType>> network,
      MatType predictors, MatType responses);
  ~GaussianElbo();
  GaussianElbo(GaussianElbo&& other) noexcept;

  //! Whether I(g; w) is added (default).
  bool Symmetrize() const;
  bool& Symmetrize();
  //! Number S of weight samples per step (default 1).
  size_t Samples() const;
  size_t& Samples();
  //! Weight beta of KL(q^G || p); 1 is the ELBO.
  double Temperature() const;
  double& Temperature();

  //! Every how many batches the gradient of I(g; w) is computed anew; see
  //! ElboObjective::InformationInterval().
  size_t InformationInterval() const;
  size_t& InformationInterval();

  //! Add the zero-mean score terms of I(g; w) to its gradient, to compare with
  //! finite differences.
  bool FullGradient() const;
  bool& FullGradient();

  //! Make everything from here on a function of the parameters and of the key.
  void Seed(uint64_t key);
  //! Repeat the same noise in every evaluation.
  void Freeze();
  //! Draw anew in every evaluation (the default).
  void Thaw();

  //! Terms of the current epoch, or of the last one once it is complete.
  const ElboTerms& Terms() const;

  ElemType Evaluate(const MatType& parameters);
  ElemType Evaluate(const MatType& parameters, size_t begin, size_t batchSize);
  ElemType EvaluateWithGradient(const MatType& parameters, MatType& gradient);
  ElemType EvaluateWithGradient(const MatType& parameters, size_t begin,
      MatType& gradient, size_t batchSize);
  void Gradient(const MatType& parameters, MatType& gradient)
  {
    EvaluateWithGradient(parameters, gradient);
  }
  void Gradient(const MatType& parameters, const size_t begin,
      MatType& gradient, const size_t batchSize)
  {
    EvaluateWithGradient(parameters, begin, gradient, batchSize);
  }

  //! Reorder the points.
  void Shuffle();
  //! The number N of points.
  size_t NumFunctions() const;

 private:
  struct State;
  std::unique_ptr<State> state;
};

namespace model {

//! Find out shape, prior and symmetry, from the layers of a BayesianFFN.
template<typename MatType>
GaussianFamilyPtr DescribeGaussian(
    const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters, const GaussianOptions& options);

//! The parameters of the posterior at the start.
template<typename MatType>
MatType StartGaussian(const GaussianFamily& family, const MatType& weights);

//! Number of weights that are random.
size_t GaussianWeights(const GaussianFamily& family);
//! r, or 0 for a full covariance.
size_t GaussianRank(const GaussianFamily& family);

//! The posterior means and standard deviations of the weights.
template<typename MatType>
MatType GaussianDeviations(const GaussianFamily& family,
    const MatType& parameters);

//! Sigma.
template<typename MatType>
MatType GaussianCovariance(const GaussianFamily& family,
    const MatType& parameters);

//! Draws of all parameters of the network, one per column.
template<typename MatType>
MatType DrawGaussian(const GaussianFamily& family, const MatType& parameters,
    size_t samples, uint64_t seed, bool fromSymmetrized);

//! L, L^G and the evidence.
template<typename MatType>
ElboReport GaussianReport(const GaussianFamily& family,
    const MatType& parameters,
    const std::function<double(const MatType&)>& logLikelihood,
    size_t numPoints, size_t samples, uint64_t seed);

//! log p(Y, w | X) / q^G(w) of draws of a mixture of posteriors.
template<typename MatType>
std::vector<double> PoolWeights(
    const std::vector<const GaussianFamily*>& families,
    const std::vector<const MatType*>& parameters,
    const std::function<double(const MatType&)>& logLikelihood, size_t samples,
    uint64_t seed);

//! Averages over draws of the weights.
template<typename MatType>
ClassificationPrediction<MatType> AverageWeights(const MatType& weights,
    const WeightOutputs<MatType>& outputs, const MatType& points,
    ClassLink link, const PredictOptions& options);
template<typename MatType>
RegressionPrediction<MatType> AverageWeights(const MatType& weights,
    const WeightOutputs<MatType>& outputs, const MatType& points,
    const predict::TargetMoments<MatType>& likelihood,
    const PredictOptions& options);
template<typename MatType>
arma::rowvec WeightLogDensity(const MatType& weights,
    const WeightOutputs<MatType>& outputs, const MatType& points,
    const predict::TargetDensity<MatType>& density,
    const PredictOptions& options);

//! Minimize() an objective; `score` is the mean negative log density of the
//! held-out points.
template<typename MatType>
FitReport FitGaussian(GaussianElbo<MatType>& elbo, MatType& parameters,
    DataSplit<MatType>& data, const std::function<double()>& score,
    const std::string& description, const FitOptions& options);

} // namespace model

/**
 * q(w) = N(mu, Sigma) over all D weights of a network of plain layers, with a
 * full covariance Sigma = L L^T or one of low rank plus diagonal, Sigma = F F^T
 * + diag(sigma^2); prior N(0, s^2 I).  Trained on the symmetrized ELBO,
 *
 *   L^G = E_q log p(Y | X, w) - KL(q || p) + I(g; w),
 *
 * with I(g; w) over the group of the network as BayesianFFN finds it.  What the
 * weights know of each other is most of what a mean-field posterior misses:
 * L^G and the evidence come closer to log p(Y | X) by many nats.
 *
 * All parameters of the network are random but those of a LearnedNoise layer,
 * which is a point estimate here as well.
 *
 * @code
 * symvi::GaussianPosterior posterior(model);   // a BayesianFFN that was fitted
 * posterior.Fit(X, y);
 * std::cout << posterior.Elbo(X, y);
 * @endcode
 */
template<typename LikelihoodType = CategoricalLikelihood,
    typename InitType = mlpack::RandomInitialization,
    typename MatType = arma::mat>
class GaussianPosterior
{
 public:
  using ModelType = BayesianFFN<LikelihoodType, InitType, MatType>;
  using NetworkType = mlpack::FFN<LikelihoodType, InitType, MatType>;
  using ElemType = typename MatType::elem_type;

  //! Nothing yet: for Load().
  GaussianPosterior() { }

  /**
   * Start at a mean-field posterior, with its means, standard deviations and
   * prior, which must be centred at zero.
   *
   * @param model A model that has been trained or reset.
   */
  explicit GaussianPosterior(const ModelType& model,
      const GaussianOptions& options = GaussianOptions());

  /**
   * Start at the weights of a plain network, such as those of maximal posterior
   * density, with the standard deviation options.sigma.
   *
   * @param network A network that has been trained or reset; a last layer that
   *     only turns logits into probabilities is left out, as by ToBayesian().
   * @param likelihood Its likelihood; a Gaussian one without a noise level
   *     learns it, from 1.
   */
  template<typename OutputLayerType>
  explicit GaussianPosterior(
      const mlpack::FFN<OutputLayerType, InitType, MatType>& network,
      const LikelihoodType& likelihood = LikelihoodType(),
      const GaussianOptions& options = GaussianOptions()) :
      GaussianPosterior(Convert(network, likelihood, options), options)
  { }

  //! How Fit() trains by default: without a warm-up of the KL divergence, as
  //! the posterior begins at a solution, and in steps of min(0.005, 0.25 / D),
  //! as the noise of all columns of L or F adds up.
  FitOptions Defaults() const
  {
    const double steps = 0.25 / double(NumWeights());
    return FitOptions().KLWarmUp(0.0).StepSize(std::min(0.005, steps));
  }

  /**
   * Train; see FitOptions, and begin with Defaults() to change some of them.
   *
   * @throws std::runtime_error if training diverges; the posterior stays as it
   *     was.
   */
  FitReport Fit(MatType predictors, MatType responses,
      const FitOptions& options);
  FitReport Fit(MatType predictors, MatType responses)
  {
    return Fit(std::move(predictors), std::move(responses), Defaults());
  }

  //! The objective on data, for any optimizer:
  //! `adam.Optimize(elbo, posterior.Parameters())`.
  GaussianElbo<MatType> Objective(MatType predictors, MatType responses);

  //! L and L^G with everything that went into them, as BayesianFFN::Elbo().
  ElboReport Elbo(const MatType& predictors, const MatType& responses,
      const size_t samples = 100, const uint64_t seed = 0) const;

  //! The bound on the evidence, as BayesianFFN::Evidence().
  EvidenceReport Evidence(const MatType& predictors, const MatType& responses,
      const size_t samples = 1000, const uint64_t seed = 0) const
  {
    return Elbo(predictors, responses, samples, seed).evidence;
  }

  //! The posterior predictive with its uncertainties.
  auto Predict(const MatType& predictors,
      const PredictOptions& options = PredictOptions()) const;

  //! log p(y_i | x_i, D) of every point under the posterior predictive.
  arma::rowvec LogDensity(const MatType& predictors, const MatType& responses,
      const PredictOptions& options = PredictOptions()) const;

  //! Draws of all parameters of the network, one per column.
  MatType Weights(const PredictOptions& options = PredictOptions()) const
  {
    RequireReady("Weights");
    options.Check("GaussianPosterior::Weights");
    return model::DrawGaussian(*family, parameters, options.samples,
        options.seed, options.fromSymmetrized);
  }

  //! mu, the standard deviations and the covariance of the random weights, in
  //! the order of Network().Parameters().
  MatType Mean() const { return parameters.head_rows(NumWeights()); }
  MatType Stddevs() const
  {
    RequireReady("Stddevs");
    return model::GaussianDeviations(*family, parameters);
  }
  MatType Covariance() const
  {
    RequireReady("Covariance");
    return model::GaussianCovariance(*family, parameters);
  }

  //! Number D of random weights.
  size_t NumWeights() const
  {
    RequireReady("NumWeights");
    return model::GaussianWeights(*family);
  }
  //! Rank of F; 0 for a full covariance.
  size_t Rank() const
  {
    RequireReady("Rank");
    return model::GaussianRank(*family);
  }

  //! [mu; rho; L below its diagonal or F, column by column; learned noise],
  //! with softplus(rho) the diagonal of L, or sigma.
  const MatType& Parameters() const { return parameters; }
  MatType& Parameters() { return parameters; }

  //! Whether training uses L^G (default) or L.
  bool Symmetrize() const { return start.Symmetrize(); }
  bool& Symmetrize() { return start.Symmetrize(); }
  //! Number S of weight samples per training step (default 4).
  size_t Samples() const { return samples; }
  size_t& Samples() { return samples; }
  //! Weight of KL(q^G || p) in training (default 1).
  double Temperature() const { return start.Temperature(); }
  double& Temperature() { return start.Temperature(); }

  //! The plain network; its weights are the last ones that were evaluated.
  const NetworkType& Network() const { return network; }
  const LikelihoodType& Likelihood() const { return start.Likelihood(); }

  /**
   * The bound on the evidence with a mixture of posteriors of one network as
   * the proposal, such as fits from several starts,
   *
   *   q(w) = 1/M sum_m q_m(w),   omega_s = p(Y, w_s | X) / q^G(w_s),
   *
   * with as many draws of each.  The mean of `logWeights` estimates L^G of the
   * mixture.  The group must be enumerated, and the noise known.
   */
  static EvidenceReport Pool(const std::vector<GaussianPosterior>& posteriors,
      const MatType& predictors, const MatType& responses,
      const size_t samples = 1000, const uint64_t seed = 0);

  //! Save to a file, completely or not at all, and load it again; a file that
  //! is not such a posterior or damaged is a std::invalid_argument that names
  //! it, and the posterior stays as it was.
  void Save(const std::string& path) const;
  void Load(const std::string& path);

 private:
  //! The network with a posterior of options.sigma.
  template<typename PlainType>
  static ModelType Convert(const PlainType& network,
      const LikelihoodType& likelihood, const GaussianOptions& options);
  void RequireReady(const char* where) const
  {
    if (!family)
      throw std::logic_error("GaussianPosterior::" + std::string(where) +
          "(): there is no network yet; make the posterior of one, or call "
          "Load().");
  }
  void CheckData(const char* where, const MatType& predictors,
      const MatType* responses) const;
  model::WeightOutputs<MatType> Outputs() const;
  //! log p(Y | X, w).
  std::function<double(const MatType&)> Density(const MatType& predictors,
      const MatType& responses) const;

  //! Architecture, likelihood and prior; settings of training.
  ModelType start;
  GaussianOptions options;
  //! Evaluates weights.
  mutable NetworkType network;
  model::GaussianFamilyPtr family;
  MatType parameters;
  size_t samples = 4;
};

template<typename LikelihoodType, typename InitType, typename MatType>
GaussianPosterior(const BayesianFFN<LikelihoodType, InitType, MatType>&)
    -> GaussianPosterior<LikelihoodType, InitType, MatType>;
template<typename LikelihoodType, typename InitType, typename MatType>
GaussianPosterior(const BayesianFFN<LikelihoodType, InitType, MatType>&,
    const GaussianOptions&)
    -> GaussianPosterior<LikelihoodType, InitType, MatType>;
template<typename OutputLayerType, typename InitType, typename MatType,
    typename LikelihoodType>
GaussianPosterior(const mlpack::FFN<OutputLayerType, InitType, MatType>&,
    const LikelihoodType&)
    -> GaussianPosterior<LikelihoodType, InitType, MatType>;
template<typename OutputLayerType, typename InitType, typename MatType,
    typename LikelihoodType>
GaussianPosterior(const mlpack::FFN<OutputLayerType, InitType, MatType>&,
    const LikelihoodType&, const GaussianOptions&)
    -> GaussianPosterior<LikelihoodType, InitType, MatType>;

extern template class GaussianElbo<arma::mat>;
extern template class GaussianElbo<arma::fmat>;

} // namespace symvi

#include "gaussian_posterior_impl.hpp"

#endif
