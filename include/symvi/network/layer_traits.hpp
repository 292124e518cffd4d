/**
 * @file symvi/network/layer_traits.hpp
 *
 * What symvi knows about a layer class, and how a user's own layer tells it.
 */
#ifndef SYMVI_NETWORK_LAYER_TRAITS_HPP
#define SYMVI_NETWORK_LAYER_TRAITS_HPP

#include <symvi/layer/bayesian_linear.hpp>
#include <symvi/layer/fixed_linear.hpp>
#include <symvi/layer/learned_noise.hpp>
#include <symvi/network/activation.hpp>
#include <symvi/network/mlpack_version.hpp>

namespace symvi {

//! What a layer is to symvi.
enum class LayerRole
{
  Other,
  Pointwise,    //!< f(P x) = P f(x) for every permutation P of the units.
  Linear,       //!< W x + b; ToBayesian() replaces it.
  LinearNoBias, //!< W x; ToBayesian() replaces it.
  Softmax,      //!< Ends a classifier.
  LogSoftmax,   //!< Ends a classifier.
  Dropout       //!< Does nothing in evaluation mode.
};

/**
 * What symvi knows about a layer class.  Specialise it for a layer of your own:
 *
 * @code
 * template<typename MatType>
 * struct symvi::LayerTraits<MyLayer<MatType>>
 * {
 *   // The layer's name in model files; nullptr if it cannot be saved.
 *   static constexpr const char* tag = "my_layer";
 *   // Pointwise keeps the permutation symmetry of the units in front of it.
 *   static constexpr symvi::LayerRole role = symvi::LayerRole::Pointwise;
 *   // The function that it computes, if that is one of Activation: predictions
 *   // then use vector instructions, and ONNX export knows its operator.
 *   static symvi::PointwiseFunction Function(const MyLayer<MatType>& layer)
 *   {
 *     return { symvi::Activation::LeakyReLU, layer.Slope() };
 *   }
 * };
 * @endcode
 *
 * BayesianFFN::Add() registers the class; a program that adds it to a plain
 * mlpack::FFN, or loads a file before it has added one, calls
 * RegisterLayer<MyLayer<arma::mat>>() first.
 */
template<typename LayerType>
struct LayerTraits
{
  static constexpr const char* tag = nullptr;
  static constexpr LayerRole role = LayerRole::Other;
  static PointwiseFunction Function(const LayerType& /* layer */)
  {
    return PointwiseFunction();
  }
};

//! Every BaseLayer is point-wise, whatever its function.
template<typename FunctionType, typename MatType, bool needsOutput>
struct LayerTraits<mlpack::BaseLayer<FunctionType, MatType, needsOutput>>
{
  static constexpr const char* tag = nullptr;
  static constexpr LayerRole role = LayerRole::Pointwise;
  static PointwiseFunction Function(
      const mlpack::BaseLayer<FunctionType, MatType, needsOutput>&
          /* layer */)
  {
    return PointwiseFunction();
  }
};

#define SYMVI_LAYER_TRAITS(LAYER, TAG, ROLE, ...) \
    template<typename MatType> \
    struct LayerTraits<LAYER<MatType>> \
    { \
      static constexpr const char* tag = TAG; \
      static constexpr LayerRole role = LayerRole::ROLE; \
      static PointwiseFunction Function( \
          [[maybe_unused]] const LAYER<MatType>& layer) \
      { \
        return { __VA_ARGS__ }; \
      } \
    }

SYMVI_LAYER_TRAITS(BayesianLinearType, "bayesian_linear", Other,
    Activation::Other);
SYMVI_LAYER_TRAITS(BayesianLinearNoBiasType, "bayesian_linear_no_bias", Other,
    Activation::Other);
SYMVI_LAYER_TRAITS(FixedLinearType, "fixed_linear", Other,
    Activation::Other);
SYMVI_LAYER_TRAITS(LearnedNoiseType, "learned_noise", Other,
    Activation::Other);

SYMVI_LAYER_TRAITS(compat::LinearNoBias, "linear_no_bias", LinearNoBias,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::Softmax, "softmax", Softmax,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::LogSoftMax, "log_softmax", LogSoftmax,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::Dropout, "dropout", Dropout,
    Activation::Other);

SYMVI_LAYER_TRAITS(compat::Identity, "identity", Pointwise,
    Activation::Identity);
SYMVI_LAYER_TRAITS(compat::ReLU, "relu", Pointwise, Activation::ReLU);
SYMVI_LAYER_TRAITS(compat::TanH, "tanh", Pointwise, Activation::TanH);
SYMVI_LAYER_TRAITS(compat::Sigmoid, "sigmoid", Pointwise, Activation::Sigmoid);
SYMVI_LAYER_TRAITS(compat::SoftPlus, "softplus", Pointwise,
    Activation::Softplus);
SYMVI_LAYER_TRAITS(compat::GELU, "gelu", Pointwise, Activation::GELU);
SYMVI_LAYER_TRAITS(compat::LeakyReLU, "leaky_relu", Pointwise,
    Activation::LeakyReLU, double(layer.Alpha()));
// With a factor lambda it is a SELU.
SYMVI_LAYER_TRAITS(compat::ELU, "elu", Pointwise,
    layer.Lambda() == 1.0 ? Activation::ELU : Activation::Other, layer.Alpha());

SYMVI_LAYER_TRAITS(compat::CELU, "celu", Pointwise,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::Elish, "elish", Pointwise,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::Elliot, "elliot", Pointwise,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::FTSwish, "ftswish", Pointwise,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::FlexibleReLU, "flexible_relu", Pointwise,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::Gaussian, "gaussian", Pointwise,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::HardSigmoid, "hard_sigmoid", Pointwise,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::HardTanH, "hard_tanh", Pointwise,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::Mish, "mish", Pointwise,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::PReLU, "prelu", Pointwise,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::ReLU6, "relu6", Pointwise,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::SILU, "silu", Pointwise,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::Swish, "swish", Pointwise,
    Activation::Other);
#if SYMVI_MLPACK_LAYER_TEMPLATES
  SYMVI_LAYER_TRAITS(mlpack::GELUExact, "gelu_exact", Pointwise,
    Activation::Other);
#endif
#undef SYMVI_LAYER_TRAITS

//! A regulariser is no part of a posterior and is not saved.
template<typename MatType, typename RegularizerType>
struct LayerTraits<compat::Linear<MatType, RegularizerType>>
{
  using LayerType = compat::Linear<MatType, RegularizerType>;

  static constexpr const char* tag =
      std::is_same_v<RegularizerType, mlpack::NoRegularizer> ? "linear" :
      nullptr;
  static constexpr LayerRole role = LayerRole::Linear;
  static PointwiseFunction Function(const LayerType& /* layer */)
  {
    return PointwiseFunction();
  }
};

} // namespace symvi

#endif
