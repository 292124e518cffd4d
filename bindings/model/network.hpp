/**
 * @file network.hpp
 *
 * A Bayesian network behind a narrow interface: programs that use it do not
 * compile mlpack.
 */
#ifndef SYMVI_BINDINGS_MODEL_NETWORK_HPP
#define SYMVI_BINDINGS_MODEL_NETWORK_HPP

#include <symvi/model/elbo_report.hpp>
#include <symvi/predict/options.hpp>
#include <symvi/predict/prediction.hpp>

#include <armadillo>
#include <memory>

#include "spec.hpp"

namespace symvi {
namespace cli {

//! Which bound is trained or reported.
struct BoundOptions
{
  bool symmetrize = true;
  std::string estimator = "auto";
  size_t permutations = 20;
  size_t samples = 1;
};

//! Means over one epoch of what the objective consists of; nats.
struct EpochTerms
{
  double logLikelihood = 0, kl = 0, information = 0;
};

/**
 * The network of a specification.  Data are arma::mat with a point a column,
 * standardised; labels are class numbers.
 */
class Network
{
 public:
  virtual ~Network() = default;

  //! A network with initial weights that depend on `seed` only.
  static std::unique_ptr<Network> Create(const NetworkSpec& spec,
                                         uint64_t seed);

  //! A network with the weights of a model.
  static std::unique_ptr<Network> Create(const Model& model);

  //! Trained parameters, one column; [means, rhos] a layer.
  virtual const arma::mat& Parameters() const = 0;
  virtual arma::mat& Parameters() = 0;
  virtual void SetParameters(const std::vector<double>& values) = 0;

  /**
   * Prepare an epoch: all noise and permutations of it depend on `key` only.
   * The data are not copied; their columns may be reordered between epochs.
   */
  virtual void BeginEpoch(arma::mat& points,
                          arma::mat& targets,
                          const BoundOptions& options,
                          uint64_t key) = 0;

  //! Gradient of the objective on a batch, KL weighted by `temperature`.
  virtual void Step(size_t begin,
                    size_t size,
                    double temperature,
                    arma::mat& gradient) = 0;

  //! What the steps since BeginEpoch() saw.
  virtual EpochTerms Terms() const = 0;

  virtual ClassificationPrediction<arma::mat> Classify(
      const arma::mat& points, const PredictOptions& options) const = 0;
  virtual RegressionPrediction<arma::mat> Regress(
      const arma::mat& points, const PredictOptions& options) const = 0;

  //! log p(y | x, D) of every point.
  virtual arma::rowvec LogDensity(const arma::mat& points,
                                  const arma::mat& targets,
                                  const PredictOptions& options) const = 0;

  //! Network outputs: outputs x points x draws.
  virtual arma::cube Draws(const arma::mat& points,
                           const PredictOptions& options) const = 0;

  //! L and L^G on the data, from `options.samples` draws.
  virtual ElboReport Elbo(const arma::mat& points,
                          const arma::mat& targets,
                          const BoundOptions& options,
                          uint64_t seed) = 0;

  //! Names of the estimators of I(g; w).
  static std::vector<std::string> Estimators();
};

//! Use that many threads; 0 chooses by the largest layer and the batch.
void UseThreads(size_t threads, const NetworkSpec& spec, size_t batchSize);

//! Names of the activation functions.
const std::vector<std::string>& Activations();

} // namespace cli
} // namespace symvi

#endif
