/**
 * @file symvi/prereqs.hpp
 *
 * The one place that knows how versions of mlpack, ensmallen and Armadillo
 * differ.  Everything else includes mlpack through this header.
 *
 * Up to mlpack 4.6 a layer class is called XType<MatType>, and X is a typedef
 * for arma::mat; from 4.7 on X<MatType> is the class template itself.  Inside
 * symvi both are `compat::X<MatType>`; symvi's own layers follow the installed
 * version, so that `Add<symvi::BayesianLinear>(30)` compiles with either.
 */
#ifndef SYMVI_PREREQS_HPP
#define SYMVI_PREREQS_HPP

// mlpack refuses to serialize a network unless all of its layers are
// registered with cereal, which takes minutes to compile.  symvi saves layers
// by itself (see layer_traits.hpp), so that refusal is switched off here.
#ifndef MLPACK_ANN_IGNORE_SERIALIZATION_WARNING
  #define MLPACK_ANN_IGNORE_SERIALIZATION_WARNING
#endif

// mlpack reads images with a header that forbids fused multiply-adds in all
// code after it, symvi's kernels included, unless told not to.
#ifndef STBIR_DONT_CHANGE_FP_CONTRACT
  #define STBIR_DONT_CHANGE_FP_CONTRACT
#endif

#include <mlpack/core.hpp>
#include <mlpack/methods/ann/ann.hpp>

// mlpack::data::Save() and Load(), which mlpack.hpp has too.
#if __has_include(<mlpack/namespace_compat.hpp>)
  #include <mlpack/namespace_compat.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if MLPACK_VERSION_MAJOR != 4 || MLPACK_VERSION_MINOR < 6
  #error "symvi needs mlpack 4.6 or a later 4.x."
#endif

//! Whether layers are class templates without "Type" in their names.
#if MLPACK_VERSION_MINOR >= 7
  #define SYMVI_MLPACK_LAYER_TEMPLATES 1
#else
  #define SYMVI_MLPACK_LAYER_TEMPLATES 0
#endif

//! Whether ensmallen's SGD-like optimizers divide the step size by the number
//! of points in the batch.
#if (ENS_VERSION_MAJOR > 3 || \
    (ENS_VERSION_MAJOR == 3 && ENS_VERSION_MINOR >= 10)) && \
    !defined(ENS_OLD_SEPARABLE_STEP_BEHAVIOR)
  #define SYMVI_ENS_STEP_PER_POINT 1
#else
  #define SYMVI_ENS_STEP_PER_POINT 0
#endif

/**
 * The public name of a layer of symvi whose class template is NAMEType: as
 * mlpack has it, a typedef for arma::mat or a template.
 */
#if SYMVI_MLPACK_LAYER_TEMPLATES
  #define SYMVI_LAYER_NAME(NAME) \
    template<typename MatType = arma::mat> \
    using NAME = NAME##Type<MatType>
#else
  #define SYMVI_LAYER_NAME(NAME) using NAME = NAME##Type<arma::mat>
#endif

namespace symvi {

//! mlpack's layers under one name for all versions.
namespace compat {

#if SYMVI_MLPACK_LAYER_TEMPLATES
  #define SYMVI_COMPAT_LAYER(NAME) \
    template<typename MatType> \
    using NAME = mlpack::NAME<MatType>
#else
  #define SYMVI_COMPAT_LAYER(NAME) \
    template<typename MatType> \
    using NAME = mlpack::NAME##Type<MatType>
#endif

SYMVI_COMPAT_LAYER(AdaptiveMaxPooling);
SYMVI_COMPAT_LAYER(AdaptiveMeanPooling);
SYMVI_COMPAT_LAYER(Add);
SYMVI_COMPAT_LAYER(AddMerge);
SYMVI_COMPAT_LAYER(AlphaDropout);
SYMVI_COMPAT_LAYER(BatchNorm);
SYMVI_COMPAT_LAYER(CELU);
SYMVI_COMPAT_LAYER(CReLU);
SYMVI_COMPAT_LAYER(Concat);
SYMVI_COMPAT_LAYER(Concatenate);
SYMVI_COMPAT_LAYER(Dropout);
SYMVI_COMPAT_LAYER(ELU);
SYMVI_COMPAT_LAYER(Elish);
SYMVI_COMPAT_LAYER(Elliot);
SYMVI_COMPAT_LAYER(FTSwish);
SYMVI_COMPAT_LAYER(FlexibleReLU);
SYMVI_COMPAT_LAYER(GELU);
SYMVI_COMPAT_LAYER(Gaussian);
SYMVI_COMPAT_LAYER(HardSigmoid);
SYMVI_COMPAT_LAYER(HardTanH);
SYMVI_COMPAT_LAYER(Identity);
SYMVI_COMPAT_LAYER(LayerNorm);
SYMVI_COMPAT_LAYER(LeakyReLU);
SYMVI_COMPAT_LAYER(LiSHT);
SYMVI_COMPAT_LAYER(Linear3D);
SYMVI_COMPAT_LAYER(LinearNoBias);
SYMVI_COMPAT_LAYER(LogSoftMax);
SYMVI_COMPAT_LAYER(MaxPooling);
SYMVI_COMPAT_LAYER(MeanPooling);
SYMVI_COMPAT_LAYER(Mish);
SYMVI_COMPAT_LAYER(MultiheadAttention);
SYMVI_COMPAT_LAYER(NoisyLinear);
SYMVI_COMPAT_LAYER(PReLU);
SYMVI_COMPAT_LAYER(Padding);
SYMVI_COMPAT_LAYER(ReLU);
SYMVI_COMPAT_LAYER(ReLU6);
SYMVI_COMPAT_LAYER(Repeat);
SYMVI_COMPAT_LAYER(SILU);
SYMVI_COMPAT_LAYER(Sigmoid);
SYMVI_COMPAT_LAYER(SoftPlus);
SYMVI_COMPAT_LAYER(Softmax);
SYMVI_COMPAT_LAYER(Softmin);
SYMVI_COMPAT_LAYER(Swish);
SYMVI_COMPAT_LAYER(TanH);
#undef SYMVI_COMPAT_LAYER

//! Linear has a second parameter, a regulariser of its weights.
#if SYMVI_MLPACK_LAYER_TEMPLATES
template<typename MatType, typename RegularizerType = mlpack::NoRegularizer>
using Linear = mlpack::Linear<MatType, RegularizerType>;
#else
template<typename MatType, typename RegularizerType = mlpack::NoRegularizer>
using Linear = mlpack::LinearType<MatType, RegularizerType>;
#endif

//! Convolutions have three rules, in a different place of the list.
#if SYMVI_MLPACK_LAYER_TEMPLATES
template<typename MatType, typename... Rules>
using Convolution = mlpack::Convolution<MatType, Rules...>;
template<typename MatType, typename... Rules>
using GroupedConvolution = mlpack::GroupedConvolution<MatType, Rules...>;
//! The convolution that Add<mlpack::Convolution>() adds.
template<typename MatType>
using DefaultConvolution = mlpack::Convolution<MatType>;
#else
template<typename MatType, typename... Rules>
using Convolution = mlpack::ConvolutionType<Rules..., MatType>;
template<typename MatType, typename... Rules>
using GroupedConvolution = mlpack::GroupedConvolutionType<Rules..., MatType>;
template<typename MatType>
using DefaultConvolution =
    mlpack::ConvolutionType<mlpack::NaiveConvolution<mlpack::ValidConvolution>,
        mlpack::NaiveConvolution<mlpack::FullConvolution>,
        mlpack::NaiveConvolution<mlpack::ValidConvolution>, MatType>;
#endif

// Losses have kept their names.
template<typename MatType>
using MeanSquaredError = mlpack::MeanSquaredErrorType<MatType>;
template<typename MatType>
using NegativeLogLikelihood = mlpack::NegativeLogLikelihoodType<MatType>;

} // namespace compat

/**
 * The layer class that a network of matrices MatType needs where LayerType was
 * written: `Add<mlpack::ReLU>()` names arma::mat in mlpack 4.6, even in a
 * network of arma::fmat.
 */
template<typename LayerType, typename MatType>
struct RebindLayer
{
  using Type = LayerType;
};

template<template<typename...> class LayerTemplate, typename... Args,
    typename MatType>
struct RebindLayer<LayerTemplate<Args...>, MatType>
{
  using Type = std::conditional_t<
      std::is_base_of_v<mlpack::Layer<MatType>, LayerTemplate<Args...>>,
      LayerTemplate<Args...>,
      LayerTemplate<std::conditional_t<std::is_same_v<Args, arma::mat>, MatType,
          Args>...>>;
};

//! Activations have a third parameter that is not a type.
template<typename FunctionType, typename LayerMatType, bool needsOutput,
    typename MatType>
struct RebindLayer<mlpack::BaseLayer<FunctionType, LayerMatType, needsOutput>,
    MatType>
{
  using Type = mlpack::BaseLayer<FunctionType, MatType, needsOutput>;
};

//! Give a layer to a network, which then owns it.
template<typename NetworkType, typename MatType>
inline void AddOwned(NetworkType& network, mlpack::Layer<MatType>* layer)
{
// The only way to add a layer whose type is known at run time; mlpack means
// to replace it in version 5.
#if defined(__GNUC__)
  #pragma GCC diagnostic push
  #pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
  network.Add(layer);
#if defined(__GNUC__)
  #pragma GCC diagnostic pop
#endif
}

//! A 64-bit key from mlpack's generator, so that mlpack::RandomSeed() fixes a
//! run bit for bit.
inline uint64_t RandomKey()
{
  const uint64_t high = mlpack::RandGen()();
  const uint64_t low = mlpack::RandGen()();
  return (high << 32) | (low & 0xffffffffu);
}

//! Seed mlpack's and Armadillo's generators of this thread.
//! mlpack::RandomSeed() adds a number that depends on the order in which
//! threads were started.
inline void SeedThisThread(const uint64_t seed)
{
  mlpack::RandGen().seed(uint32_t(seed));
  arma::arma_rng::set_seed(arma::arma_rng::seed_type(seed));
}

//! The versions that this program was compiled with.
inline std::string DependencyVersions()
{
  const auto text =
      [](const size_t major, const size_t minor, const size_t patch)
  {
    return std::to_string(major) + "." + std::to_string(minor) + "." +
        std::to_string(patch);
  };
  return "mlpack " +
      text(MLPACK_VERSION_MAJOR, MLPACK_VERSION_MINOR, MLPACK_VERSION_PATCH) +
      ", ensmallen " +
      text(ENS_VERSION_MAJOR, ENS_VERSION_MINOR, ENS_VERSION_PATCH) +
      ", Armadillo " +
      text(ARMA_VERSION_MAJOR, ARMA_VERSION_MINOR, ARMA_VERSION_PATCH);
}

} // namespace symvi

#endif
