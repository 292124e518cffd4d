/**
 * @file symvi/network/layer_traits.hpp
 *
 * What symvi knows about a layer class, and how to describe your own.
 */
#ifndef SYMVI_NETWORK_LAYER_TRAITS_HPP
#define SYMVI_NETWORK_LAYER_TRAITS_HPP

#include <symvi/layer/bayesian_convolution.hpp>
#include <symvi/layer/bayesian_linear.hpp>
#include <symvi/layer/fixed_linear.hpp>
#include <symvi/layer/learned_noise.hpp>
#include <symvi/network/activation.hpp>
#include <symvi/prereqs.hpp>

namespace symvi {

//! How symvi treats a layer.
enum class LayerRole
{
  Other,
  Pointwise,      //!< One function for every unit: f(P x) = P f(x).
  Linear,         //!< W x + b; ToBayesian() replaces it.
  LinearNoBias,   //!< W x; ToBayesian() replaces it.
  Convolution,    //!< mlpack's convolution; ToBayesian() replaces it.
  Maps,           //!< One function for every map of an image: pooling.
  Softmax,        //!< Ends a classifier.
  LogSoftmax,     //!< Ends a classifier.
  Dropout,        //!< Exchangeable noise; does nothing in evaluation mode.
  UnitParameters, //!< Trained parameters of each unit, which fix their order.
  BatchNorm,      //!< The same, and statistics of the batch.
  Sum             //!< The sum of the layers inside.
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
 *   // then use vector instructions, and ONNX export knows its operator.  For
 *   // an odd function of your own, f(-z) = -f(z), return { symvi::Activation::
 *   // Other, 0.0, true }: units may then change their signs (see IsOdd()).
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

//! Whether f(-z) = -f(z), for mlpack's functions that Activation lacks.
template<typename FunctionType>
constexpr bool isOddFunction =
    std::is_same_v<FunctionType, mlpack::ElliotFunction> ||
    std::is_same_v<FunctionType, mlpack::SoftsignFunction> ||
    std::is_same_v<FunctionType, mlpack::BipolarSigmoidFunction> ||
    std::is_same_v<FunctionType, mlpack::HyperSinhFunction>;

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
    return { Activation::Other, 0.0, isOddFunction<FunctionType> };
  }
};

#define SYMVI_LAYER_TRAITS(LAYER, TAG, ROLE, ...) \
  template<typename MatType> \
  struct LayerTraits<LAYER<MatType>> \
  { \
    static constexpr bool isKnown = true; \
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
SYMVI_LAYER_TRAITS(BayesianConvolutionType, "bayesian_convolution", Other,
    Activation::Other);
SYMVI_LAYER_TRAITS(FixedLinearType, "fixed_linear", Other, Activation::Other);
SYMVI_LAYER_TRAITS(LearnedNoiseType, "learned_noise", Other, Activation::Other);

SYMVI_LAYER_TRAITS(compat::LinearNoBias, "linear_no_bias", LinearNoBias,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::Softmax, "softmax", Softmax, Activation::Other);
SYMVI_LAYER_TRAITS(compat::LogSoftMax, "log_softmax", LogSoftmax,
    Activation::Other);
// Its noise is a factor, which keeps signs; AlphaDropout also adds a constant.
SYMVI_LAYER_TRAITS(compat::Dropout, "dropout", Dropout, Activation::Other, 0.0,
    true);
SYMVI_LAYER_TRAITS(compat::AlphaDropout, "alpha_dropout", Dropout,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::BatchNorm, "batch_norm", BatchNorm,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::LayerNorm, "layer_norm", UnitParameters,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::Add, "add", UnitParameters, Activation::Other);
SYMVI_LAYER_TRAITS(compat::AddMerge, "add_merge", Sum, Activation::Other);

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

SYMVI_LAYER_TRAITS(compat::CELU, "celu", Pointwise, Activation::Other);
SYMVI_LAYER_TRAITS(compat::Elish, "elish", Pointwise, Activation::Other);
SYMVI_LAYER_TRAITS(compat::Elliot, "elliot", Pointwise, Activation::Other, 0.0,
    true);
SYMVI_LAYER_TRAITS(compat::FTSwish, "ftswish", Pointwise, Activation::Other);
SYMVI_LAYER_TRAITS(compat::FlexibleReLU, "flexible_relu", Pointwise,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::Gaussian, "gaussian", Pointwise, Activation::Other);
SYMVI_LAYER_TRAITS(compat::HardSigmoid, "hard_sigmoid", Pointwise,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::HardTanH, "hard_tanh", Pointwise, Activation::Other,
    0.0, layer.MaxValue() == -layer.MinValue());
SYMVI_LAYER_TRAITS(compat::LiSHT, "lisht", Pointwise, Activation::Other);
SYMVI_LAYER_TRAITS(compat::Mish, "mish", Pointwise, Activation::Other);
SYMVI_LAYER_TRAITS(compat::PReLU, "prelu", Pointwise, Activation::Other);
SYMVI_LAYER_TRAITS(compat::ReLU6, "relu6", Pointwise, Activation::Other);
SYMVI_LAYER_TRAITS(compat::SILU, "silu", Pointwise, Activation::Other);
SYMVI_LAYER_TRAITS(compat::Swish, "swish", Pointwise, Activation::Other);
#if SYMVI_MLPACK_LAYER_TEMPLATES
SYMVI_LAYER_TRAITS(mlpack::GELUExact, "gelu_exact", Pointwise,
    Activation::Other);
#endif

// Means and padding with zeros are odd functions.
SYMVI_LAYER_TRAITS(compat::MaxPooling, "max_pooling", Maps, Activation::Other);
SYMVI_LAYER_TRAITS(compat::AdaptiveMaxPooling, "adaptive_max_pooling", Maps,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::MeanPooling, "mean_pooling", Maps, Activation::Other,
    0.0, true);
SYMVI_LAYER_TRAITS(compat::AdaptiveMeanPooling, "adaptive_mean_pooling", Maps,
    Activation::Other, 0.0, true);
SYMVI_LAYER_TRAITS(compat::Padding, "padding", Maps, Activation::Other, 0.0,
    true);

// What symvi only saves and loads.
SYMVI_LAYER_TRAITS(mlpack::MultiLayer, "multi_layer", Other, Activation::Other);
SYMVI_LAYER_TRAITS(compat::Concat, "concat", Other, Activation::Other);
SYMVI_LAYER_TRAITS(compat::Concatenate, "concatenate", Other,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::CReLU, "crelu", Other, Activation::Other);
SYMVI_LAYER_TRAITS(compat::Softmin, "softmin", Other, Activation::Other);
SYMVI_LAYER_TRAITS(compat::NoisyLinear, "noisy_linear", Other,
    Activation::Other);
SYMVI_LAYER_TRAITS(compat::Repeat, "repeat", Other, Activation::Other);
SYMVI_LAYER_TRAITS(compat::Linear3D, "linear3d", Other, Activation::Other);
SYMVI_LAYER_TRAITS(compat::MultiheadAttention, "multihead_attention", Other,
    Activation::Other);
#if SYMVI_MLPACK_LAYER_TEMPLATES
SYMVI_LAYER_TRAITS(mlpack::Embedding, "embedding", Other, Activation::Other);
SYMVI_LAYER_TRAITS(mlpack::SumReduce, "sum_reduce", Other, Activation::Other);
#endif
#undef SYMVI_LAYER_TRAITS

//! Convolutions by their rules; the default ones of every version of mlpack
//! have the same tags.
#define SYMVI_CONVOLUTION_TRAITS(CONVOLUTION, RULE, TAG, ROLE) \
  template<typename MatType> \
  struct LayerTraits< \
      compat::CONVOLUTION<MatType, mlpack::RULE<mlpack::ValidConvolution>, \
          mlpack::RULE<mlpack::FullConvolution>, \
          mlpack::RULE<mlpack::ValidConvolution>>> \
  { \
    static constexpr bool isKnown = true; \
    static constexpr const char* tag = TAG; \
    static constexpr LayerRole role = LayerRole::ROLE; \
    template<typename LayerType> \
    static PointwiseFunction Function(const LayerType& /* layer */) \
    { \
      return PointwiseFunction(); \
    } \
  }
#if SYMVI_MLPACK_LAYER_TEMPLATES
SYMVI_CONVOLUTION_TRAITS(Convolution, Im2ColConvolution, "convolution",
    Convolution);
SYMVI_CONVOLUTION_TRAITS(GroupedConvolution, Im2ColConvolution,
    "grouped_convolution", Other);
SYMVI_CONVOLUTION_TRAITS(Convolution, NaiveConvolution, "naive_convolution",
    Convolution);
SYMVI_CONVOLUTION_TRAITS(GroupedConvolution, NaiveConvolution,
    "naive_grouped_convolution", Other);
#else
SYMVI_CONVOLUTION_TRAITS(Convolution, NaiveConvolution, "convolution",
    Convolution);
SYMVI_CONVOLUTION_TRAITS(GroupedConvolution, NaiveConvolution,
    "grouped_convolution", Other);
#endif
#undef SYMVI_CONVOLUTION_TRAITS

//! A regulariser is not part of a posterior and is not saved.
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

//! Whether libsymvi registers a class by itself; registering it once more would
//! only cost the user's program time to compile.
template<typename LayerType, typename = void>
struct IsKnownLayer : std::false_type
{ };

template<typename LayerType>
struct IsKnownLayer<LayerType,
    std::void_t<decltype(LayerTraits<LayerType>::isKnown)>> : std::true_type
{ };

} // namespace symvi

#endif
