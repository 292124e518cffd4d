/**
 * @file symvi/predict/predictive.hpp
 *
 * The posterior predictive of a network with Bayesian layers.
 */
#ifndef SYMVI_PREDICT_PREDICTIVE_HPP
#define SYMVI_PREDICT_PREDICTIVE_HPP

#include <symvi/kernel/random_stream.hpp>
#include <symvi/likelihood/categorical.hpp>
#include <symvi/network/network.hpp>
#include <symvi/predict/prediction.hpp>
#include <symvi/prereqs.hpp>

#include <functional>

namespace symvi {

/**
 * Collects the outputs of a network under many draws; derive from it to compute
 * a statistic of your own by Predictive::Run().
 */
template<typename MatType = arma::mat>
class PredictiveSink
{
 public:
  using ElemType = typename MatType::elem_type;

  virtual ~PredictiveSink() = default;

  //! Start again, for this many points with this many network outputs each.
  virtual void Reset(const size_t outputs, const size_t points) = 0;

  //! Points that may be processed together (default: any number).
  virtual size_t ChunkLimit(const PredictOptions& /* options */,
      const size_t /* outputs */) const
  {
    return size_t(-1);
  }

  //! All draws of these points come next; by default nothing is done.
  virtual void BeginChunk(const size_t /* outputs */, const size_t /* point */,
      const size_t /* count */, const size_t /* samples */)
  { }

  /**
   * Add draws of the outputs of some points of the chunk.
   *
   * @param outputs Rows x (draws * count), the draws of a point side by side;
   *     may be overwritten.
   * @param firstDraw Number of the first draw.
   * @param draws How many draws.
   * @param point First point.
   * @param count How many points.
   */
  virtual void Add(ElemType* outputs, const size_t firstDraw,
      const size_t draws, const size_t point, const size_t count) = 0;

  //! All draws of the chunk were added; by default nothing is done.
  virtual void EndChunk() { }
};

namespace predict {

//! Mean and variance of the targets given outputs of the network, by any
//! likelihood with Mean() and Variance(), which must outlive this object.
template<typename MatType>
class TargetMoments
{
 public:
  template<typename LikelihoodType>
  explicit TargetMoments(const LikelihoodType& likelihood) :
      mean([&likelihood](const MatType& outputs, MatType& result)
          { likelihood.Mean(outputs, result); }),
      variance([&likelihood](const MatType& outputs, MatType& result)
          { likelihood.Variance(outputs, result); })
  { }

  void Mean(const MatType& outputs, MatType& result) const
  {
    mean(outputs, result);
  }
  void Variance(const MatType& outputs, MatType& result) const
  {
    variance(outputs, result);
  }

 private:
  std::function<void(const MatType&, MatType&)> mean, variance;
};

//! log p(target | outputs) by any likelihood with LogDensity(), and the check
//! of its targets; likelihood and targets must outlive this object.
template<typename MatType>
struct TargetDensity
{
  template<typename LikelihoodType>
  TargetDensity(const LikelihoodType& likelihood, const MatType& targets) :
      check([&targets](const size_t outputs, const size_t points)
          { LikelihoodType::CheckTargets(targets, outputs, points); }),
      logDensity([&likelihood](const MatType& outputs, const MatType& repeated,
                     const size_t i)
          { return likelihood.LogDensity(outputs, repeated, i); }),
      targets(targets)
  { }

  std::function<void(size_t, size_t)> check;
  std::function<double(const MatType&, const MatType&, size_t)> logDensity;
  const MatType& targets;
};

} // namespace predict

/**
 * Averages over draws from the posterior,
 *
 *   p(y | x, D) = (1/S) sum_s p(y | x, w_s),   w_s ~ q  (or q^G).
 *
 * The object refers to the layers and parameters of a network and changes
 * neither.  Both must outlive it.  S draws of n points cost the matrix products
 * of S forward passes and little more; memory does not grow with S.
 *
 * Every function takes PredictOptions; equal options give equal results bit
 * for bit (on one machine, with the same number of threads of the BLAS).
 */
template<typename MatType = arma::mat>
class Predictive
{
 public:
  using ElemType = typename MatType::elem_type;
  using CubeType = arma::Cube<ElemType>;

  /**
   * @param layers Layers of a network that has been trained or reset.
   * @param parameters Its parameters.
   */
  Predictive(const std::vector<mlpack::Layer<MatType>*>& layers,
      const MatType& parameters);

  //! From an mlpack::FFN, or anything with Network() and Parameters().
  template<typename NetworkType>
  explicit Predictive(const NetworkType& network) :
      Predictive(network.Network(), network.Parameters())
  { }

  //! Class probabilities and their uncertainty.
  ClassificationPrediction<MatType> Predict(const MatType& points,
      const CategoricalLikelihoodType<MatType>& likelihood,
      const PredictOptions& options = PredictOptions()) const;

  //! Probabilities of independent events and their uncertainty.
  ClassificationPrediction<MatType> Predict(const MatType& points,
      const BernoulliLikelihoodType<MatType>& likelihood,
      const PredictOptions& options = PredictOptions()) const;

  //! Regression, for a likelihood with Mean() and Variance() that is Gaussian
  //! given the outputs of the network.
  template<typename LikelihoodType>
  RegressionPrediction<MatType> Predict(const MatType& points,
      const LikelihoodType& likelihood,
      const PredictOptions& options = PredictOptions()) const
  {
    return PredictTargets(points, predict::TargetMoments<MatType>(likelihood),
        options);
  }

  /**
   * log p(y_i | x_i, D) in nats for every point, by a running log-sum-exp over
   * the draws.  For several targets a draw is shared by all targets of a
   * point.
   *
   * @param points One column per point.
   * @param targets Labels or targets, as for training.
   * @param likelihood Has LogDensity(outputs, targets, column).
   */
  template<typename LikelihoodType>
  arma::rowvec LogDensity(const MatType& points, const MatType& targets,
      const LikelihoodType& likelihood,
      const PredictOptions& options = PredictOptions()) const
  {
    return TargetLogDensity(points,
        predict::TargetDensity<MatType>(likelihood, targets), options);
  }

  //! All outputs of the network: outputs x points x draws.
  CubeType Draws(const MatType& points,
      const PredictOptions& options = PredictOptions()) const;

  //! All weights: one column per draw, [W; b] of every Bayesian layer in order.
  MatType Weights(const PredictOptions& options = PredictOptions()) const;

  //! Run all draws and hand the outputs to a sink.
  void Run(const char* where, const MatType& points,
      const PredictOptions& options, PredictiveSink<MatType>& sink) const;

 private:
  RegressionPrediction<MatType> PredictTargets(const MatType& points,
      const predict::TargetMoments<MatType>& likelihood,
      const PredictOptions& options) const;
  arma::rowvec TargetLogDensity(const MatType& points,
      const predict::TargetDensity<MatType>& density,
      const PredictOptions& options) const;

  std::vector<mlpack::Layer<MatType>*> layers;
  const MatType& parameters;
};

/**
 * The posterior predictive in one call: ClassificationPrediction for
 * Categorical and Bernoulli likelihoods, RegressionPrediction for Gaussian
 * ones.
 */
template<typename MatType, typename LikelihoodType>
auto PredictPosterior(const std::vector<mlpack::Layer<MatType>*>& layers,
    const MatType& parameters, const MatType& points,
    const LikelihoodType& likelihood,
    const PredictOptions& options = PredictOptions())
{
  return Predictive<MatType>(layers, parameters)
      .Predict(points, likelihood, options);
}

//! The same for an mlpack::FFN.
template<typename NetworkType, typename MatType, typename LikelihoodType>
auto PredictPosterior(const NetworkType& network, const MatType& points,
    const LikelihoodType& likelihood,
    const PredictOptions& options = PredictOptions())
{
  return Predictive<MatType>(network.Network(), network.Parameters())
      .Predict(points, likelihood, options);
}

extern template class Predictive<arma::mat>;
extern template class Predictive<arma::fmat>;

} // namespace symvi

#if SYMVI_MLPACK_LAYER_TEMPLATES

namespace symvi {
namespace predict {

//! The outputs of a graph for all points under new draws of its layers.
template<typename MatType>
using GraphOutputs = std::function<void(MatType& outputs)>;

//! Averages draws of a graph with these Bayesian layers.
template<typename MatType>
ClassificationPrediction<MatType> AverageGraph(
    const std::vector<BayesianLinearType<MatType>*>& layers,
    const GraphOutputs<MatType>& outputs, const ClassLink link,
    const PredictOptions& options);
template<typename MatType>
RegressionPrediction<MatType> AverageGraph(
    const std::vector<BayesianLinearType<MatType>*>& layers,
    const GraphOutputs<MatType>& outputs,
    const TargetMoments<MatType>& likelihood, const PredictOptions& options);

} // namespace predict

/**
 * p(y | x, D) = (1/S) sum_s p(y | x, w_s) for a network that is a graph: one
 * forward pass per draw, as the products of different draws cannot be joined
 * without knowing the edges.  The results are those of Predictive.
 *
 * @param network A trained network.
 * @param points One point per column.
 * @param likelihood The likelihood that it was trained with.
 * @param options Number and seed of the draws.
 */
template<typename LikelihoodType, typename InitType, typename MatType>
auto PredictPosterior(
    mlpack::DAGNetwork<LikelihoodType, InitType, MatType>& network,
    const MatType& points, const LikelihoodType& likelihood,
    const PredictOptions& options = PredictOptions())
{
  const auto layers = FindBayesianLayers<MatType>(
      std::as_const(network).Network());
  // One batch: a network draws anew in every forward pass.
  const predict::GraphOutputs<MatType> outputs = [&](MatType& result)
  { network.Predict(points, result, points.n_cols); };
  constexpr ClassLink link = likelihood::linkOf<LikelihoodType>;
  if constexpr (link != ClassLink::None)
    return predict::AverageGraph(layers, outputs, link, options);
  else
    return predict::AverageGraph(layers, outputs,
        predict::TargetMoments<MatType>(likelihood), options);
}

} // namespace symvi

#endif

#endif
