/**
 * @file src/network/known_layers_impl.hpp
 *
 * Implementation of RegisterKnown().  Saving and loading every layer by every
 * archive takes a while to compile: one file per matrix type.
 */
#ifndef SYMVI_SRC_NETWORK_KNOWN_LAYERS_IMPL_HPP
#define SYMVI_SRC_NETWORK_KNOWN_LAYERS_IMPL_HPP

#include "network/known_layers.hpp"

namespace symvi {
namespace network {

template<template<typename> class... Layers, typename MatType>
void RegisterAll(MatType* /* type */)
{
  (RegisterLayer<Layers<MatType>>(), ...);
}

template<typename ValidRule, typename FullRule, typename MatType>
void RegisterConvolutions(MatType* /* type */)
{
  RegisterLayer<compat::Convolution<MatType, ValidRule, FullRule, ValidRule>>();
  RegisterLayer<
      compat::GroupedConvolution<MatType, ValidRule, FullRule, ValidRule>>();
}

template<typename MatType>
void RegisterKnown()
{
  MatType* type = nullptr;
  RegisterAll<BayesianLinearType, BayesianLinearNoBiasType,
      BayesianConvolutionType, FixedLinearType, LearnedNoiseType>(type);
  RegisterAll<compat::LinearNoBias, compat::Softmax, compat::LogSoftMax,
      compat::Dropout, compat::AlphaDropout, compat::BatchNorm,
      compat::LayerNorm, compat::Add, compat::AddMerge>(type);
  RegisterAll<compat::Identity, compat::ReLU, compat::TanH, compat::Sigmoid,
      compat::SoftPlus, compat::GELU, compat::LeakyReLU, compat::ELU,
      compat::CELU, compat::Elish, compat::Elliot, compat::FTSwish,
      compat::FlexibleReLU, compat::Gaussian, compat::HardSigmoid,
      compat::HardTanH, compat::LiSHT, compat::Mish, compat::PReLU,
      compat::ReLU6, compat::SILU, compat::Swish>(type);
  RegisterAll<mlpack::MultiLayer, compat::Concat, compat::Concatenate,
      compat::CReLU, compat::Softmin, compat::MaxPooling, compat::MeanPooling,
      compat::AdaptiveMaxPooling, compat::AdaptiveMeanPooling,
      compat::NoisyLinear, compat::Padding, compat::Repeat, compat::Linear3D,
      compat::MultiheadAttention>(type);
  RegisterConvolutions<mlpack::NaiveConvolution<mlpack::ValidConvolution>,
      mlpack::NaiveConvolution<mlpack::FullConvolution>>(type);
#if SYMVI_MLPACK_LAYER_TEMPLATES
  RegisterAll<mlpack::GELUExact, mlpack::Embedding, mlpack::SumReduce>(type);
  RegisterConvolutions<mlpack::Im2ColConvolution<mlpack::ValidConvolution>,
      mlpack::Im2ColConvolution<mlpack::FullConvolution>>(type);
#endif
  RegisterLayer<compat::Linear<MatType>>();
  RegisterLayer<compat::Linear<MatType, mlpack::L1Regularizer>>();
  RegisterLayer<compat::Linear<MatType, mlpack::L2Regularizer>>();
}

} // namespace network
} // namespace symvi

#endif
