/**
 * @file src/model/pipeline_network.hpp
 *
 * The network of a Pipeline behind a narrow interface; data are standardised.
 */
#ifndef SYMVI_SRC_MODEL_PIPELINE_NETWORK_HPP
#define SYMVI_SRC_MODEL_PIPELINE_NETWORK_HPP

#include <symvi/model/pipeline.hpp>
#include <symvi/train/columns.hpp>

namespace symvi {

class PipelineNetwork
{
 public:
  virtual ~PipelineNetwork() = default;

  /**
   * The network of a specification.
   *
   * @param noise Fixed noise, or where learned noise starts.
   * @param parameters Its parameters; if empty, Fit() makes them up.
   */
  static std::unique_ptr<PipelineNetwork> Create(const NetworkSpec& spec,
      double noise, const std::vector<double>& parameters);

  virtual std::unique_ptr<PipelineNetwork> Clone() const = 0;

  //! [means, rhos] of every layer, then learned noise.
  virtual const arma::mat& Parameters() const = 0;

  virtual FitReport Fit(DataSplit<arma::mat>& data, const BoundOptions& bound,
      const FitOptions& options, double logJacobian,
      const std::string& description) = 0;

  virtual ClassificationPrediction<arma::mat> Classify(const arma::mat& points,
      const PredictOptions& options) const = 0;
  virtual RegressionPrediction<arma::mat> Regress(const arma::mat& points,
      const PredictOptions& options) const = 0;
  virtual arma::rowvec LogDensity(const arma::mat& points,
      const arma::mat& targets, const PredictOptions& options) const = 0;
  virtual arma::cube Draws(const arma::mat& points,
      const PredictOptions& options) const = 0;
  //! Mean and standard deviation of a regression under every draw.
  virtual void Components(const arma::mat& points,
      const PredictOptions& options, arma::cube& means,
      arma::cube& stddevs) const = 0;
  virtual ElboReport Elbo(const arma::mat& points, const arma::mat& targets,
      const EvaluateOptions& options) const = 0;

  virtual std::vector<LayerPosterior> Posterior() const = 0;
  virtual std::vector<LayerPrior> Priors() const = 0;
  virtual void SetPriors(const std::vector<LayerPrior>& priors) = 0;
  virtual void SetPosterior(const std::vector<LayerPosterior>& layers,
      const arma::vec& noise) = 0;
  virtual std::vector<arma::cube> Weights(
      const PredictOptions& options) const = 0;
  virtual arma::vec LearnedNoise() const = 0;

  virtual arma::vec WeightSignalToNoise() const = 0;
  virtual std::vector<arma::vec> UnitSignalToNoise() const = 0;
  virtual arma::mat UnitDistances(size_t hiddenLayer) const = 0;
  virtual std::vector<EquivalentMode> NearestModes(size_t count) const = 0;
  virtual PruneReport PruneWeights(double fraction) = 0;
  virtual PruneReport PruneUnits(double fraction) = 0;
};

//! Compiled in files of their own, for the sake of compile time.
std::unique_ptr<PipelineNetwork> MakeGaussian(const NetworkSpec& spec,
    double noise, const std::vector<double>& parameters);
std::unique_ptr<PipelineNetwork> MakeHeteroscedastic(const NetworkSpec& spec,
    double noise, const std::vector<double>& parameters);

} // namespace symvi

#endif
