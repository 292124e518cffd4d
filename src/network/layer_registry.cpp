/**
 * @file src/network/layer_registry.cpp
 *
 * The registry of layer classes, and what is asked of it.
 */
#include "network/known_layers.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <shared_mutex>
#include <typeindex>
#include <unordered_map>

#if defined(__GNUC__)
  #include <cxxabi.h>
#endif

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

//! The registry with the known classes in it.
template<typename MatType>
Registry<MatType>& Filled()
{
  static std::once_flag once;
  std::call_once(once, RegisterKnown<MatType>);
  return Registry<MatType>::Get();
}

//! What is known about a class; nullptr if it was not registered.
template<typename MatType>
const LayerInfo<MatType>* Find(const std::type_info& type)
{
  Registry<MatType>& registry = Filled<MatType>();
  const std::shared_lock<std::shared_mutex> lock(registry.mutex);
  const auto found = registry.byType.find(std::type_index(type));
  return (found == registry.byType.end()) ? nullptr : &found->second;
}

//! What is known about the class of this tag; nullptr if there is none.
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

//! What is known about a layer that is to be saved.
template<typename MatType>
const LayerInfo<MatType>& SavableLayer(const mlpack::Layer<MatType>& layer)
{
  const LayerInfo<MatType>* info = Find<MatType>(typeid(layer));
  if (!info || !info->tag)
  {
    throw cereal::Exception("BayesianFFN: a layer of type " + LayerName(layer) +
        " cannot be saved; give it a tag in a specialisation of "
        "symvi::LayerTraits.");
  }
  return *info;
}

} // namespace

template<typename MatType>
void Register(const std::type_info& type, const LayerInfo<MatType>& info)
{
  Registry<MatType>& registry = Registry<MatType>::Get();
  const std::unique_lock<std::shared_mutex> lock(registry.mutex);
  registry.byType.emplace(std::type_index(type), info);
}

template void Register(const std::type_info&, const LayerInfo<arma::mat>&);
template void Register(const std::type_info&, const LayerInfo<arma::fmat>&);

} // namespace network

std::string TypeName(const std::type_info& type)
{
#if defined(__GNUC__)
  int status = 0;
  char* text = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  const std::string name = (status == 0) ? text : type.name();
  std::free(text);
  return name;
#else
  return type.name();
#endif
}

template<typename MatType>
void RequireSavable(const mlpack::Layer<MatType>& layer)
{
  network::SavableLayer(layer);
  const auto* container = dynamic_cast<const mlpack::MultiLayer<MatType>*>(
      &layer);
  if (!container)
    return;
  for (const mlpack::Layer<MatType>* child : container->Network())
    RequireSavable(*child);
}

template<typename MatType>
void SaveLayer(cereal::BinaryOutputArchive& ar, mlpack::Layer<MatType>& layer)
{
  const LayerInfo<MatType>& info = network::SavableLayer(layer);
  std::string type = info.tag;
  ar(CEREAL_NVP(type));
  info.write(ar, layer);
}

template<typename MatType>
std::unique_ptr<mlpack::Layer<MatType>> LoadLayer(
    cereal::BinaryInputArchive& ar)
{
  std::string type;
  ar(CEREAL_NVP(type));
  const LayerInfo<MatType>* info = network::Find<MatType>(type);
  if (!info)
  {
    throw cereal::Exception("BayesianFFN: the file holds a layer of unknown "
                            "type '" +
        type.substr(0, 40) +
        "'; symvi::RegisterLayer() makes a layer class known.");
  }
  return info->read(ar);
}

template<typename MatType>
LayerRole RoleOf(const mlpack::Layer<MatType>& layer)
{
  const LayerInfo<MatType>* info = network::Find<MatType>(typeid(layer));
  return info ? info->role : LayerRole::Other;
}

template<typename MatType>
bool KeepsUnits(const mlpack::Layer<MatType>& layer, const bool areMaps)
{
  switch (RoleOf(layer))
  {
  case LayerRole::Pointwise:
  case LayerRole::Softmax:
  case LayerRole::LogSoftmax:
  case LayerRole::Dropout: return true;
  case LayerRole::Maps: return areMaps;
  case LayerRole::Sum:
  {
    const auto& layers =
        dynamic_cast<const mlpack::MultiLayer<MatType>&>(layer).Network();
    return std::all_of(layers.begin(), layers.end(),
        [areMaps](const auto* child) { return KeepsUnits(*child, areMaps); });
  }
  default: return false;
  }
}

template<typename MatType>
size_t ColumnsPerUnit(const BayesianLinearType<MatType>& first,
    const BayesianLinearType<MatType>& second)
{
  using Convolution = BayesianConvolutionType<MatType>;
  const auto* maps = dynamic_cast<const Convolution*>(&first);
  const auto* reader = dynamic_cast<const Convolution*>(&second);
  // A convolution sees neighbouring units together; several images with the
  // same maps lie one behind the other.
  if (!maps && (reader || second.InSize() != first.OutSize()))
    return 0;
  if (maps && !reader && maps->Images() > 1)
    return 0;
  return (second.InSize() % first.OutSize() == 0) ?
      second.InSize() / first.OutSize() :
      0;
}

template<typename MatType>
PointwiseFunction FunctionOf(const mlpack::Layer<MatType>& layer)
{
  const LayerInfo<MatType>* info = network::Find<MatType>(typeid(layer));
  return info ? info->function(layer) : PointwiseFunction();
}

#define SYMVI_LAYER_QUESTIONS(MatType) \
  template void RequireSavable(const mlpack::Layer<MatType>&); \
  template void SaveLayer(cereal::BinaryOutputArchive&, \
      mlpack::Layer<MatType>&); \
  template std::unique_ptr<mlpack::Layer<MatType>> LoadLayer( \
      cereal::BinaryInputArchive&); \
  template LayerRole RoleOf(const mlpack::Layer<MatType>&); \
  template bool KeepsUnits(const mlpack::Layer<MatType>&, const bool); \
  template size_t ColumnsPerUnit(const BayesianLinearType<MatType>&, \
      const BayesianLinearType<MatType>&); \
  template PointwiseFunction FunctionOf(const mlpack::Layer<MatType>&);
SYMVI_LAYER_QUESTIONS(arma::mat)
SYMVI_LAYER_QUESTIONS(arma::fmat)

} // namespace symvi
