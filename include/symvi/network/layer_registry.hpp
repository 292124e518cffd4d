/**
 * @file symvi/network/layer_registry.hpp
 *
 * LayerTraits of layers whose class is known at run time only.
 */
#ifndef SYMVI_NETWORK_LAYER_REGISTRY_HPP
#define SYMVI_NETWORK_LAYER_REGISTRY_HPP

#include <symvi/network/layer_traits.hpp>

#include <memory>
#include <string>
#include <typeinfo>

namespace symvi {

//! LayerTraits of one class, with what saves and loads its layers.
template<typename MatType>
struct LayerInfo
{
  using LayerType = mlpack::Layer<MatType>;

  const char* tag = nullptr;
  LayerRole role = LayerRole::Other;
  PointwiseFunction (*function)(const LayerType&) = nullptr;
  //! Write the fields of a layer, and read them back.
  void (*write)(cereal::BinaryOutputArchive&, LayerType&) = nullptr;
  std::unique_ptr<LayerType> (*read)(cereal::BinaryInputArchive&) = nullptr;
};

namespace network {

//! Remember a class; the first registration of a class stays.
template<typename MatType>
void Register(const std::type_info& type, const LayerInfo<MatType>& info);

//! What is known about a class; nullptr if it was not registered.
template<typename MatType>
const LayerInfo<MatType>* Find(const std::type_info& type);

//! What is known about the class of this tag; nullptr if there is none.
template<typename MatType>
const LayerInfo<MatType>* Find(const std::string& tag);

template<typename LayerType, typename MatType>
void Write(cereal::BinaryOutputArchive& ar, mlpack::Layer<MatType>& layer)
{
  ar(cereal::make_nvp("fields", static_cast<LayerType&>(layer)));
}

template<typename LayerType, typename MatType>
std::unique_ptr<mlpack::Layer<MatType>> Read(cereal::BinaryInputArchive& ar)
{
  auto layer = std::make_unique<LayerType>();
  ar(cereal::make_nvp("fields", *layer));
  return layer;
}

//! The matrix type of a layer class.
template<typename MatType>
MatType MatrixOf(const mlpack::Layer<MatType>*);

} // namespace network

/**
 * Make the LayerTraits of a class known at run time.  Needed for a user's own
 * layer in a plain mlpack::FFN, or before a file with one is loaded;
 * BayesianFFN::Add() does it by itself.
 */
template<typename LayerType>
void RegisterLayer()
{
  using MatType = decltype(network::MatrixOf(
      static_cast<const LayerType*>(nullptr)));
  using Traits = LayerTraits<LayerType>;
  using Base = mlpack::Layer<MatType>;

  LayerInfo<MatType> info;
  info.tag = Traits::tag;
  info.role = Traits::role;
  info.function = [](const Base& layer)
  {
    return Traits::Function(static_cast<const LayerType&>(layer));
  };
  if constexpr (Traits::tag != nullptr)
  {
    info.write = &network::Write<LayerType, MatType>;
    info.read = &network::Read<LayerType, MatType>;
  }
  network::Register(typeid(LayerType), info);
}

//! What a layer is to symvi; Other for a class that is not registered.
template<typename MatType>
inline LayerRole RoleOf(const mlpack::Layer<MatType>& layer)
{
  const LayerInfo<MatType>* info = network::Find<MatType>(typeid(layer));
  return info ? info->role : LayerRole::Other;
}

//! Whether a layer applies one function to every unit alike, the condition for
//! the units in front of it to be exchangeable.
template<typename MatType>
inline bool IsPointwise(const mlpack::Layer<MatType>& layer)
{
  return RoleOf(layer) == LayerRole::Pointwise;
}

//! The function that a point-wise layer computes, if it is a known one.
template<typename MatType>
inline PointwiseFunction FunctionOf(const mlpack::Layer<MatType>& layer)
{
  const LayerInfo<MatType>* info = network::Find<MatType>(typeid(layer));
  return info ? info->function(layer) : PointwiseFunction();
}

} // namespace symvi

#endif
