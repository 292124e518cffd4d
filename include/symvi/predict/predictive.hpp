/**
 * @file symvi/predict/predictive.hpp
 *
 * The posterior predictive of a network with Bayesian layers.
 */
#ifndef SYMVI_PREDICT_PREDICTIVE_HPP
#define SYMVI_PREDICT_PREDICTIVE_HPP

#include <symvi/likelihood/bernoulli.hpp>
#include <symvi/likelihood/categorical.hpp>
#include <symvi/likelihood/gaussian.hpp>
#include <symvi/likelihood/heteroscedastic_gaussian.hpp>

#include "classification_accumulator.hpp"
#include "options.hpp"
#include "posterior_sampler.hpp"
#include "prediction.hpp"
#include "regression_accumulator.hpp"
#include "stacked_network.hpp"

namespace symvi {

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
      Predictive(network.Network(), network.Parameters()) { }

  //! Class probabilities and their uncertainty.
  ClassificationPrediction<MatType> Predict(
      const MatType& points,
      const CategoricalLikelihoodType<MatType>& likelihood,
      const PredictOptions& options = PredictOptions()) const;

  //! Probabilities of independent events and their uncertainty.
  ClassificationPrediction<MatType> Predict(
      const MatType& points,
      const BernoulliLikelihoodType<MatType>& likelihood,
      const PredictOptions& options = PredictOptions()) const;

  //! Regression, for a likelihood with Mean() and Variance() that is Gaussian
  //! given the outputs of the network.
  template<typename LikelihoodType>
  RegressionPrediction<MatType> Predict(
      const MatType& points,
      const LikelihoodType& likelihood,
      const PredictOptions& options = PredictOptions()) const;

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
  arma::rowvec LogDensity(
      const MatType& points,
      const MatType& targets,
      const LikelihoodType& likelihood,
      const PredictOptions& options = PredictOptions()) const;

  //! All outputs of the network: outputs x points x draws.
  CubeType Draws(const MatType& points,
                 const PredictOptions& options = PredictOptions()) const;

  //! All weights: one column per draw, [W; b] of every Bayesian layer in order.
  MatType Weights(const PredictOptions& options = PredictOptions()) const;

  /**
   * Run all draws and hand the outputs to a sink, which has Reset(outputs,
   * points), ChunkLimit(options, outputs), BeginChunk(outputs, point, count,
   * samples), Add(outputs, firstDraw, draws, point, count) and EndChunk(); see
   * ClassificationAccumulator.
   */
  template<typename SinkType>
  void Run(const char* where,
           const MatType& points,
           const PredictOptions& options,
           SinkType& sink) const;

 private:
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
                      const MatType& parameters,
                      const MatType& points,
                      const LikelihoodType& likelihood,
                      const PredictOptions& options = PredictOptions())
{
  return Predictive<MatType>(layers, parameters).Predict(points, likelihood,
      options);
}

//! The same for an mlpack::FFN.
template<typename NetworkType, typename MatType, typename LikelihoodType>
auto PredictPosterior(const NetworkType& network,
                      const MatType& points,
                      const LikelihoodType& likelihood,
                      const PredictOptions& options = PredictOptions())
{
  return Predictive<MatType>(network.Network(), network.Parameters()).Predict(
      points, likelihood, options);
}

} // namespace symvi

#include "predictive_impl.hpp"

#endif
