/**
 * @file symvi/model/pipeline.hpp
 *
 * A model with everything between the user's data and the network.
 */
#ifndef SYMVI_MODEL_PIPELINE_HPP
#define SYMVI_MODEL_PIPELINE_HPP

#include <symvi/io/dataset.hpp>
#include <symvi/model/reports.hpp>
#include <symvi/symmetry/alignment.hpp>
#include <symvi/symmetry/permutation_group.hpp>
#include <symvi/train/fit_options.hpp>

#include <armadillo>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace symvi {

/**
 * Architecture, prior, likelihood and scaling of a fully connected network.
 * Inputs and outputs are known once it was fitted to data.
 */
struct NetworkSpec
{
  //! "classification" or "regression".
  std::string task = "classification";
  //! Units of the hidden layers; none for a linear model.
  std::vector<uint64_t> hidden = { 30 };
  //! One of Activations().
  std::string activation = "relu";
  //! Standard deviation of the Gaussian prior of every weight.  0 means 1 for a
  //! regression; for a classification 2 / sqrt(n) in the hidden layers and
  //! 4 / sqrt(n) in the last one, n the number of inputs of the layer, and 1 for
  //! biases.
  double priorStddev = 0.0;
  //! Initial standard deviation of the posterior of every weight.
  double initialSigma = 0.03;
  //! Noise of a regression: "heteroscedastic" (a function of the input),
  //! "learned" (one level per response) or "fixed".
  std::string noise = "heteroscedastic";
  //! Standard deviation of fixed noise, in the units of the responses.
  double noiseStddev = 1.0;
  //! Whether inputs and responses are brought to mean 0 and standard
  //! deviation 1.
  bool standardizeInputs = true;
  bool standardizeTargets = true;

  //! Number of inputs, and of classes or responses.
  uint64_t inputs = 0;
  uint64_t outputs = 0;

  bool IsClassification() const { return task == "classification"; }
  bool IsHeteroscedastic() const
  {
    return !IsClassification() && noise == "heteroscedastic";
  }
  bool HasLearnedNoise() const
  {
    return !IsClassification() && noise == "learned";
  }

  //! Widths of all layers, from the inputs to the last Bayesian layer.
  std::vector<uint64_t> Widths() const;

  //! The prior of every layer before training; the inputs must be known.
  std::vector<LayerPrior> Priors() const;

  //! Weight of the KL divergence where FitOptions::KLWeight() leaves it open:
  //! 0.1 for a classification, 1 for a regression.
  double KLWeight() const { return IsClassification() ? 0.1 : 1.0; }

  //! Number of weights and biases with a posterior.
  uint64_t PosteriorSize() const;

  //! Number of trained parameters: two per weight, and learned noise levels.
  uint64_t ParameterSize() const;

  //! Limit of the standard deviation of heteroscedastic noise: that of the
  //! responses, if they are standardised.
  double NoiseLimit() const
  {
    return standardizeTargets ? 1.0 : std::numeric_limits<double>::infinity();
  }

  //! Threads that training with such batches is likely to profit from.
  size_t RecommendedThreads(size_t batchSize) const;

  //! "4 - 30 - 3, relu"
  std::string Describe() const;

  //! Throws std::invalid_argument if a field makes no sense; inputs and
  //! outputs are checked if `complete`.
  void Check(bool complete) const;
};

//! Names of the activation functions.
const std::vector<std::string>& Activations();

//! Which bound is trained.
struct BoundOptions
{
  //! Whether to maximise L^G = L + I(g; w) or L.
  bool symmetrize = true;
  //! Name of the estimator of I(g; w).
  std::string estimator = "auto";
  //! Number K of permutations, where the estimator uses any.
  size_t permutations = 20;
  //! Number S of weight samples per step.
  size_t samples = 1;
};

//! Means and standard deviations of one layer, [W, b] with the bias last.
struct LayerPosterior
{
  arma::mat mean;  //!< outSize x (inSize + 1).
  arma::mat sigma; //!< The same shape.
};

class PipelineNetwork;
struct PointSplit;

/**
 * Scaling of inputs and responses, class names, a network that is chosen at run
 * time and its posterior, and how it was trained: what symvi_bnn trains, saves
 * and loads.  Points, responses and predictions are in the user's own units.
 *
 * @code
 * symvi::NetworkSpec spec;
 * spec.hidden = { 30, 20 };
 * symvi::Pipeline model(spec);
 * model.Fit(X, labels, symvi::FitOptions().Validation(0.1));
 * std::vector<std::string> predicted = model.Predict(Xtest);
 * model.Save("model.bin");
 * @endcode
 */
class Pipeline
{
 public:
  explicit Pipeline(const NetworkSpec& spec = NetworkSpec(),
      const BoundOptions& bound = BoundOptions());
  ~Pipeline();
  Pipeline(const Pipeline& other);
  Pipeline(Pipeline&&) noexcept;
  Pipeline& operator=(Pipeline other);

  /**
   * A model with the given posterior.
   *
   * @param spec Network; its inputs, outputs and hidden layers must fit.
   * @param layers Posterior of every layer, in order.
   * @param noise Learned noise levels, of the standardised responses.
   * @param labels Classes; empty for a regression.
   * @param inputs, targets Scaling.
   */
  static Pipeline FromPosterior(const NetworkSpec& spec,
      const std::vector<LayerPosterior>& layers, const arma::vec& noise,
      const io::LabelCodec& labels, const io::Standardizer& inputs,
      const io::Standardizer& targets);

  /**
   * Train.  The first time, classes, scaling and initial weights come from the
   * data; after that training goes on from the current posterior.
   *
   * @param data Points and targets; held-out points are not scaled by.  With
   *     FitOptions::Over() those of this process, and all agree in classes and
   *     scaling.
   * @param options See FitOptions.
   * @param ready Called when everything but the weights is known.
   * @throws std::invalid_argument if the data do not fit the task or the
   *     model, std::runtime_error if training diverges or needs more memory
   *     than there is; the model is then what it was before.
   */
  FitReport Fit(io::Dataset data, const FitOptions& options = FitOptions(),
      const std::function<void(const Pipeline&)>& ready = nullptr);
  //! Classification: one point per column, one label per point.
  FitReport Fit(arma::mat points, std::vector<std::string> labels,
      const FitOptions& options = FitOptions());
  //! Regression: one point per column, one column of responses per point.
  FitReport Fit(arma::mat points, arma::mat responses,
      const FitOptions& options = FitOptions());

  //! The most probable label of every point.
  std::vector<std::string> Predict(const arma::mat& points,
      const PredictOptions& options = PredictOptions()) const;

  //! Class probabilities and their uncertainty; rows as ClassNames().
  ClassificationPrediction<arma::mat> Classify(const arma::mat& points,
      const PredictOptions& options = PredictOptions()) const;

  //! Expected responses and their uncertainty.
  RegressionPrediction<arma::mat> Regress(const arma::mat& points,
      const PredictOptions& options = PredictOptions()) const;

  //! What every draw of the weights predicts: probabilities or means, outputs
  //! x points x draws.
  arma::cube Draws(const arma::mat& points,
      const PredictOptions& options = PredictOptions()) const;

  //! Regression: means and standard deviations of the Gaussians whose mixture
  //! Regress() describes, one per draw: outputs x points x draws.
  void Components(const arma::mat& points, const PredictOptions& options,
      arma::cube& means, arma::cube& stddevs) const;

  //! log p(y | x, D) of every point, in nats.
  arma::rowvec LogDensity(const io::Dataset& data,
      const PredictOptions& options = PredictOptions()) const;

  //! L, L^G and the importance-weighted bound on data, in nats.
  ElboReport Elbo(const io::Dataset& data,
      const EvaluateOptions& options = EvaluateOptions()) const;

  //! A bound on the evidence log p(Y | X) by importance sampling, with a
  //! diagnostic; see EvidenceReport.
  EvidenceReport Evidence(const io::Dataset& data, size_t samples = 1000,
      uint64_t seed = 0) const;

  //! Scores of the predictions, and the bounds.
  Evaluation Evaluate(const io::Dataset& data,
      const EvaluateOptions& options = EvaluateOptions()) const;

  //! Save, completely or not at all; std::runtime_error names the file.
  void Save(const std::string& path) const;
  //! The same to a stream.
  void Write(std::ostream& stream) const;
  //! Load what Save() or symvi_bnn wrote; std::invalid_argument names the file
  //! and what is wrong with it.
  static Pipeline Load(const std::string& path);
  //! The same from a stream, to its end; `source` names it in errors.
  static Pipeline Read(std::istream& stream,
      const std::string& source = "stream");

  //! Whether there is a posterior.
  bool IsFitted() const { return network != nullptr; }

  const NetworkSpec& Spec() const { return spec; }
  //! The bound that the next Fit() maximises.
  const BoundOptions& Bound() const { return bound; }
  BoundOptions& Bound() { return bound; }
  //! Names of the classes, in the order of the probabilities.
  const std::vector<std::string>& ClassNames() const { return labels.Names(); }
  //! Scaling of inputs and responses.
  const io::Standardizer& InputScaling() const { return inputs; }
  const io::Standardizer& TargetScaling() const { return targets; }
  //! Names of the input columns; may be empty.
  const std::vector<std::string>& Features() const { return features; }
  //! The column of the training file that held the target; may be empty.
  const std::string& TargetColumn() const { return targetColumn; }

  //! All epochs of all calls of Fit().
  const std::vector<EpochRecord>& History() const { return history; }
  //! The record of the weights that were kept; nullptr if their epoch was not
  //! completed.
  const EpochRecord* KeptEpoch() const;
  //! Points and seed of the last Fit().
  size_t TrainedPoints() const { return trainedPoints; }
  uint64_t Seed() const { return seed; }

  //! Posterior of every layer, and its prior, which may be a learned one.
  std::vector<LayerPosterior> Posterior() const;
  std::vector<LayerPrior> Priors() const;
  //! Weights and biases of every draw, for each layer: outSize x (inSize + 1)
  //! x draws, the bias last.  The same options give the draws of Predict().
  std::vector<arma::cube> Weights(
      const PredictOptions& options = PredictOptions()) const;
  //! Fixed or learned noise of the standardised responses; empty for others.
  arma::vec Noise() const;
  //! |mu| / sigma of all weights, biases left out.
  arma::vec WeightSignalToNoise() const;
  //! Signal-to-noise of the units of every hidden layer.
  std::vector<arma::vec> UnitSignalToNoise() const;
  //! Distances between the units of a hidden layer, in standard deviations.
  arma::mat UnitDistances(size_t hiddenLayer) const;
  //! The swaps of two hidden units that move the means least.
  std::vector<EquivalentMode> NearestModes(size_t count) const;
  /**
   * Renumber the hidden units, so that the posterior comes as close as possible
   * to that of another model (see Alignment).  Predictions stay what they are.
   *
   * @param other A fitted model of the same layers.
   * @return What was applied: unit a of hidden layer h became unit g(h, a).
   */
  Permutation AlignTo(const Pipeline& other);
  //! Set weights to zero, or take hidden units out; see model/prune.hpp.
  PruneReport PruneWeights(double fraction);
  PruneReport PruneUnits(double fraction);

 private:
  friend class Ensemble;

  const PipelineNetwork& Network(const char* where) const;
  void LearnFrom(const io::Dataset& data,
      const std::vector<std::string>& known);
  arma::mat Targets(const io::Dataset& data) const;
  void CheckPoints(const io::Dataset& data) const;
  void Scale(const io::Dataset& data, const arma::mat& responses,
      const PointSplit& split, Communicator& ranks);
  arma::mat ScaledPoints(const arma::mat& points) const;
  double FixedNoise() const;
  double TrainingBytes(const io::Dataset& data) const;
  void Check() const;
  static Pipeline FromContent(std::string content, const std::string& source);
  std::string Describe(double noise) const;

  NetworkSpec spec;
  BoundOptions bound;
  io::LabelCodec labels;
  io::Standardizer inputs, targets;
  std::vector<std::string> features;
  std::string targetColumn;
  std::unique_ptr<PipelineNetwork> network;

  std::vector<EpochRecord> history;
  uint64_t keptEpoch = 0;
  uint64_t trainedPoints = 0;
  uint64_t seed = 0;
};

/**
 * A self-contained HTML page with the metrics and diagrams of an evaluation.
 *
 * @param modelName, dataName What to call model and data.
 */
std::string HtmlReport(const Pipeline& model, const Evaluation& evaluation,
    const std::string& modelName, const std::string& dataName);

} // namespace symvi

#endif
