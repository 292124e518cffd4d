/**
 * @file symvi/model/network_spec.hpp
 *
 * A network that is chosen at run time.
 */
#ifndef SYMVI_MODEL_NETWORK_SPEC_HPP
#define SYMVI_MODEL_NETWORK_SPEC_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
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
  //! Standard deviation of the Gaussian prior of every weight.
  double priorStddev = 1.0;
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

} // namespace symvi

#endif
