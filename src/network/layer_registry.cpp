/**
 * @file src/network/layer_registry.cpp
 *
 * The registry of layer classes, with those of symvi and mlpack in it.
 */
#include <symvi/network/layer_registry.hpp>

#include <mutex>
#include <shared_mutex>
#include <typeindex>
#include <unordered_map>

namespace symvi {
namespace network {
namespace {

//! One registry per matrix type; entries are never removed or moved.
template<typename MatType>
struct Registry
{
  std::shared_mutex mutex;
  std::unordered_map<std::type_index, LayerInfo<MatType>> byType;

  static Registry& Get()
  {
    static Registry registry;
    return registry;
  }
};

template<template<typename> class... Layers, typename MatType>
void RegisterAll(MatType* /* type */)
{
  (RegisterLayer<Layers<MatType>>(), ...);
}

//! The classes that need no registration by the user.
template<typename MatType>
void RegisterKnown()
{
  MatType* type = nullptr;
  RegisterAll<BayesianLinearType, BayesianLinearNoBiasType, FixedLinearType,
      LearnedNoiseType>(type);
  RegisterAll<compat::LinearNoBias, compat::Softmax, compat::LogSoftMax,
      compat::Dropout>(type);
  RegisterAll<compat::Identity, compat::ReLU, compat::TanH, compat::Sigmoid,
      compat::SoftPlus, compat::GELU, compat::LeakyReLU, compat::ELU,
      compat::CELU, compat::Elish, compat::Elliot, compat::FTSwish,
      compat::FlexibleReLU, compat::Gaussian, compat::HardSigmoid,
      compat::HardTanH, compat::Mish, compat::PReLU, compat::ReLU6,
      compat::SILU, compat::Swish>(type);
  #if SYMVI_MLPACK_LAYER_TEMPLATES
    RegisterAll<mlpack::GELUExact>(type);
  #endif
  RegisterLayer<compat::Linear<MatType>>();
  RegisterLayer<compat::Linear<MatType, mlpack::L1Regularizer>>();
  RegisterLayer<compat::Linear<MatType, mlpack::L2Regularizer>>();
}

//! The registry with the known classes in it.
template<typename MatType>
Registry<MatType>& Filled()
{
  static std::once_flag once;
  std::call_once(once, RegisterKnown<MatType>);
  return Registry<MatType>::Get();
}

} // namespace

template<typename MatType>
void Register(const std::type_info& type, const LayerInfo<MatType>& info)
{
  Registry<MatType>& registry = Registry<MatType>::Get();
  const std::unique_lock<std::shared_mutex> lock(registry.mutex);
  registry.byType.emplace(std::type_index(type), info);
}

template<typename MatType>
const LayerInfo<MatType>* Find(const std::type_info& type)
{
  Registry<MatType>& registry = Filled<MatType>();
  const std::shared_lock<std::shared_mutex> lock(registry.mutex);
  const auto found = registry.byType.find(std::type_index(type));
  return (found == registry.byType.end()) ? nullptr : &found->second;
}

template<typename MatType>
const LayerInfo<MatType>* Find(const std::string& tag)
{
  Registry<MatType>& registry = Filled<MatType>();
  const std::shared_lock<std::shared_mutex> lock(registry.mutex);
  for (const auto& entry : registry.byType)
  {
    if (entry.second.tag && tag == entry.second.tag)
      return &entry.second;
  }
  return nullptr;
}

template void Register(const std::type_info&, const LayerInfo<arma::mat>&);
template void Register(const std::type_info&, const LayerInfo<arma::fmat>&);
template const LayerInfo<arma::mat>* Find(const std::type_info&);
template const LayerInfo<arma::fmat>* Find(const std::type_info&);
template const LayerInfo<arma::mat>* Find(const std::string&);
template const LayerInfo<arma::fmat>* Find(const std::string&);

} // namespace network
} // namespace symvi
