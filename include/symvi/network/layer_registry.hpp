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
#include <vector>
#include <utility>

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

} // namespace network

//! Readable name of a type, such as "mlpack::LeakyReLU<arma::Mat<double>>".
std::string TypeName(const std::type_info& type);

//! Readable name of a layer's class, for messages.
template<typename MatType>
inline std::string LayerName(const mlpack::Layer<MatType>& layer)
{
  return TypeName(typeid(layer));
}

//! Throw cereal::Exception, which mlpack's Save() expects, if a layer or one
//! inside it has no tag.
template<typename MatType>
void RequireSavable(const mlpack::Layer<MatType>& layer);

//! Write one layer: its tag, then its own fields.
template<typename MatType>
void SaveLayer(cereal::BinaryOutputArchive& ar, mlpack::Layer<MatType>& layer);

//! Read one layer; throws cereal::Exception if its tag is not known.
template<typename MatType>
std::unique_ptr<mlpack::Layer<MatType>> LoadLayer(
    cereal::BinaryInputArchive& ar);

namespace network {

//! A container is its layers and what comes into it.
template<typename LayerType, typename MatType>
void Write(cereal::BinaryOutputArchive& ar, mlpack::Layer<MatType>& layer)
{
  if constexpr (std::is_base_of_v<mlpack::MultiLayer<MatType>, LayerType>)
  {
    auto& container = static_cast<LayerType&>(layer);
    size_t axis = 0, layers = std::as_const(container).Network().size();
    if constexpr (std::is_same_v<LayerType, compat::Concat<MatType>>)
      axis = container.Axis();
    std::vector<size_t> inputs = std::as_const(container).InputDimensions();
    ar(CEREAL_NVP(axis));
    ar(CEREAL_NVP(inputs));
    ar(CEREAL_NVP(layers));
    for (mlpack::Layer<MatType>* child : std::as_const(container).Network())
      SaveLayer(ar, *child);
  }
  else
  {
    ar(cereal::make_nvp("fields", static_cast<LayerType&>(layer)));
  }
}

template<typename LayerType, typename MatType>
std::unique_ptr<mlpack::Layer<MatType>> Read(cereal::BinaryInputArchive& ar)
{
  if constexpr (std::is_base_of_v<mlpack::MultiLayer<MatType>, LayerType>)
  {
    size_t axis = 0, layers = 0;
    std::vector<size_t> inputs;
    ar(CEREAL_NVP(axis));
    ar(CEREAL_NVP(inputs));
    ar(CEREAL_NVP(layers));
    std::unique_ptr<LayerType> container;
    if constexpr (std::is_same_v<LayerType, compat::Concat<MatType>>)
      container = std::make_unique<LayerType>(axis);
    else
      container = std::make_unique<LayerType>();
    for (size_t l = 0; l < layers; ++l)
      AddOwned(*container, LoadLayer<MatType>(ar).release());
    container->InputDimensions() = inputs;
    if (!inputs.empty())
      container->ComputeOutputDimensions();
    return container;
  }
  else
  {
    auto layer = std::make_unique<LayerType>();
    ar(cereal::make_nvp("fields", *layer));
    return layer;
  }
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
  { return Traits::Function(static_cast<const LayerType&>(layer)); };
  if constexpr (Traits::tag != nullptr)
  {
    info.write = &network::Write<LayerType, MatType>;
    info.read = &network::Read<LayerType, MatType>;
  }
  network::Register(typeid(LayerType), info);
}

//! The role of a layer; Other for a class that is not registered.
template<typename MatType>
LayerRole RoleOf(const mlpack::Layer<MatType>& layer);

//! Whether a layer applies one function to every unit alike, the condition for
//! the units in front of it to be exchangeable.
template<typename MatType>
inline bool IsPointwise(const mlpack::Layer<MatType>& layer)
{
  return RoleOf(layer) == LayerRole::Pointwise;
}

/**
 * Whether the units in front of a layer stay exchangeable behind it: it is
 * point-wise, a softmax or a sum of such layers, or adds noise of the same
 * distribution to all units.
 *
 * @param layer The layer.
 * @param areMaps Whether the units are the maps of an image, which pooling and
 *     padding layers treat alike as well.
 */
template<typename MatType>
bool KeepsUnits(const mlpack::Layer<MatType>& layer,
    const bool areMaps = false);

/**
 * How many columns of W of `second` read one unit of `first`, where all layers
 * between them keep those units.  That is 1 for dense layers.  The units of a
 * convolution are its maps, each of which is read by one column for every
 * position of a filter, or for every pixel of its output.  0 if the columns of
 * a unit do not lie side by side, or if a column reads several units.
 */
template<typename MatType>
size_t ColumnsPerUnit(const BayesianLinearType<MatType>& first,
    const BayesianLinearType<MatType>& second);

//! The function that a point-wise layer computes, if it is a known one.
template<typename MatType>
PointwiseFunction FunctionOf(const mlpack::Layer<MatType>& layer);

/**
 * Whether a change of sign of a unit in front of a layer is a change of sign
 * behind it: the layer is point-wise and odd, mean pooling or padding, a sum of
 * such layers, or multiplies by noise.
 */
template<typename MatType>
inline bool KeepsSigns(const mlpack::Layer<MatType>& layer)
{
  switch (RoleOf(layer))
  {
  case LayerRole::Pointwise:
  case LayerRole::Maps:
  case LayerRole::Dropout: return IsOdd(FunctionOf(layer));
  case LayerRole::Sum:
  {
    const auto& layers =
        dynamic_cast<const mlpack::MultiLayer<MatType>&>(layer).Network();
    return std::all_of(layers.begin(), layers.end(),
        [](const auto* child) { return KeepsSigns(*child); });
  }
  default: return false;
  }
}

} // namespace symvi

#endif
