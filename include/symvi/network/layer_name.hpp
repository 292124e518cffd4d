/**
 * @file network/layer_name.hpp
 *
 * What a layer is called, and whether it acts unit by unit.
 */
#ifndef SYMVI_NETWORK_LAYER_NAME_HPP
#define SYMVI_NETWORK_LAYER_NAME_HPP

#include <symvi/prereqs.hpp>

#include <cstdlib>
#include <set>
#include <typeinfo>

#if defined(__GNUC__)
  #include <cxxabi.h>
#endif

namespace symvi {

//! Readable name of a type, such as "mlpack::LeakyReLUType<arma::Mat<double>>".
inline std::string TypeName(const std::type_info& type)
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

//! Readable name of a layer's class.
template<typename MatType>
inline std::string LayerName(const mlpack::Layer<MatType>& layer)
{
  return TypeName(typeid(layer));
}

//! The class template of a layer: its name up to the first '<', without any
//! namespace, such as "LeakyReLUType".
template<typename MatType>
inline std::string LayerTemplateName(const mlpack::Layer<MatType>& layer)
{
  const std::string name = LayerName(layer);
  const std::string head = name.substr(0, name.find('<'));
  const size_t colon = head.rfind("::");
  return (colon == std::string::npos) ? head : head.substr(colon + 2);
}

//! Class templates of point-wise layers; a user's own layer can be added with
//! PointwiseLayers().insert("MyLayerType").
inline std::set<std::string>& PointwiseLayers()
{
  static std::set<std::string> names = { "BaseLayer", "CELUType", "ELUType",
      "FlexibleReLUType", "FTSwishType", "HardTanHType", "IdentityType",
      "LeakyReLUType", "PReLUType", "ReLU6Type" };
  return names;
}

/**
 * Whether the layer applies one function to every unit alike, f(P x) = P f(x)
 * for every permutation P: the condition for hidden units to be exchangeable.
 *
 * mlpack's activations are all instances of BaseLayer; the others are listed by
 * name, so that no layer class is instantiated only to be compared with.
 */
template<typename MatType>
inline bool IsPointwise(const mlpack::Layer<MatType>& layer)
{
  return PointwiseLayers().count(LayerTemplateName(layer)) != 0;
}

} // namespace symvi

#endif
