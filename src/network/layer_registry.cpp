/**
 * @file src/network/layer_registry.cpp
 *
 * The registry of layer classes.
 */
#include "network/known_layers.hpp"

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
