/**
 * @file convert.hpp
 *
 * From networks of mlpack and symvi to descriptions, and back.
 */
#ifndef SYMVI_ONNX_CONVERT_HPP
#define SYMVI_ONNX_CONVERT_HPP

#include <symvi/layer/bayesian_options.hpp>
#include <symvi/model/bayesian_ffn.hpp>
#include <symvi/onnx/mlp_description.hpp>
#include <symvi/prereqs.hpp>

namespace symvi {
namespace onnx {

/**
 * The network of an mlpack::FFN that was trained or reset: Linear,
 * LinearNoBias, BayesianLinear, BayesianLinearNoBias and FixedLinear layers,
 * the activations of Activation, Identity and Dropout (both do nothing),
 * LearnedNoise, and a last Softmax, LogSoftMax or Sigmoid.  A likelihood of
 * symvi as output layer sets the output kind.
 *
 * @throws std::invalid_argument with the place and type of a layer that is none
 *     of these; std::logic_error where there are no parameters yet.
 */
template<typename OutputLayerType, typename InitType, typename MatType>
MlpDescription Describe(
    const mlpack::FFN<OutputLayerType, InitType, MatType>& network);

//! The same for a model, with prior and estimator as metadata.
template<typename LikelihoodType, typename InitType, typename MatType>
MlpDescription Describe(
    const BayesianFFN<LikelihoodType, InitType, MatType>& model);

//! The same, with the numbers of a report as metadata.
template<typename LikelihoodType, typename InitType, typename MatType>
MlpDescription Describe(
    const BayesianFFN<LikelihoodType, InitType, MatType>& model,
    const ElboReport& report);

//! How Build() makes a network.
struct BuildOptions
{
  //! Prior, and the standard deviations of layers that come without.
  BayesianOptions bayesian;
  //! The caller standardises inputs (StandardiseInput()) and takes targets in
  //! the standardised unit.  Otherwise Build() refuses a description that has a
  //! standardisation, which a network of mlpack cannot hold.
  bool standardised = false;
};

/**
 * A network with the parameters of the description, bit for bit.
 *
 *  - mlpack::FFN<...>: Linear layers at the means; a last Softmax, LogSoftMax
 *    or Sigmoid layer as the output kind says.
 *  - BayesianFFN<...>: BayesianLinear layers.  Where the description has
 *    standard deviations they are kept, and layers without are Linear; where it
 *    has none at all, every layer starts with BayesianOptions::InitialSigma().
 *    The likelihood must suit the output kind; raw outputs suit every one.
 *
 * @throws std::invalid_argument where the description cannot become that type.
 */
template<typename NetworkType>
NetworkType Build(const MlpDescription& description,
                  const BuildOptions& options = BuildOptions());

//! (x - inputMean) / inputScale for every column; x where there is none.
template<typename MatType>
MatType StandardiseInput(const MlpDescription& description, const MatType& x);

} // namespace onnx
} // namespace symvi

#include "build_impl.hpp"
#include "describe_impl.hpp"

#endif
