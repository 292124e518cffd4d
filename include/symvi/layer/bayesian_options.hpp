/**
 * @file symvi/layer/bayesian_options.hpp
 *
 * How a Bayesian layer starts and which prior it has.
 */
#ifndef SYMVI_LAYER_BAYESIAN_OPTIONS_HPP
#define SYMVI_LAYER_BAYESIAN_OPTIONS_HPP

#include <symvi/require.hpp>

#include <armadillo>

#include <cstdint>
#include <utility>

namespace symvi {

//! Rules for the initial posterior means of a weight matrix.
enum class MeanInit : uint32_t
{
  He,     //!< N(0, 2 / fanIn) weights, zero bias.
  Glorot, //!< U(-a, a) with a^2 = 6 / (fanIn + fanOut), zero bias.
  FanIn,  //!< U(-a, a) with a^2 = 1 / fanIn, weights and bias.
  Given   //!< The matrices passed to BayesianOptions::Means().
};

//! Which weights a Bayesian layer uses outside of training.
enum class EvaluationMode : uint32_t
{
  Mean, //!< The posterior means.
  Draw, //!< A fresh draw for every forward pass.
  Held  //!< The current draw, made by Draw() or by a training pass.
};

//! How a Bayesian layer samples in training.
enum class Sampling : uint32_t
{
  //! One draw of the weights for all points of a batch.
  Weights,
  //! Outputs drawn separately for every point, from their exact distribution
  //! given the input (local reparametrization, Kingma et al. 2015): the same
  //! expected gradient with less noise, for twice the products.
  Local
};

/**
 * Prior, initialisation and evaluation mode of one Bayesian layer.  Setters
 * return the object, so that options can be written where a layer is added:
 *
 *   model.Add<BayesianLinear>(30, BayesianOptions().PriorStddev(0.5));
 */
class BayesianOptions
{
 public:
  //! The prior is N(0, stddev^2 I).
  BayesianOptions& PriorStddev(const double stddev)
  {
    RequirePositive("BayesianOptions", "PriorStddev", stddev);
    priorStddev = stddev;
    return *this;
  }
  double PriorStddev() const { return priorStddev; }

  //! Every posterior standard deviation starts here.
  BayesianOptions& InitialSigma(const double sigma)
  {
    RequirePositive("BayesianOptions", "InitialSigma", sigma);
    initialSigma = sigma;
    return *this;
  }
  double InitialSigma() const { return initialSigma; }

  //! Rule for the initial means.
  BayesianOptions& Init(const MeanInit rule)
  {
    init = rule;
    return *this;
  }
  MeanInit Init() const { return init; }

  //! Initial means: weight is outSize x inSize, bias is outSize x 1 (empty for
  //! a zero bias or a layer without one).
  BayesianOptions& Means(arma::mat weight, arma::vec bias = arma::vec())
  {
    meanWeight = std::move(weight);
    meanBias = std::move(bias);
    init = MeanInit::Given;
    return *this;
  }
  const arma::mat& MeanWeight() const { return meanWeight; }
  const arma::vec& MeanBias() const { return meanBias; }

  //! Weights to use outside of training.
  BayesianOptions& Evaluation(const EvaluationMode mode)
  {
    evaluation = mode;
    return *this;
  }
  EvaluationMode Evaluation() const { return evaluation; }

  //! How training samples.
  BayesianOptions& Sample(const Sampling how)
  {
    sampling = how;
    return *this;
  }
  Sampling Sample() const { return sampling; }

 private:
  double priorStddev = 1.0;
  double initialSigma = 0.05;
  MeanInit init = MeanInit::He;
  EvaluationMode evaluation = EvaluationMode::Mean;
  Sampling sampling = Sampling::Weights;
  arma::mat meanWeight;
  arma::vec meanBias;
};

} // namespace symvi

#endif
