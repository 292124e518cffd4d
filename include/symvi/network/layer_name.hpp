/**
 * @file symvi/network/layer_name.hpp
 *
 * What a layer is called in messages.
 */
#ifndef SYMVI_NETWORK_LAYER_NAME_HPP
#define SYMVI_NETWORK_LAYER_NAME_HPP

#include <symvi/prereqs.hpp>

#include <cstdlib>
#include <typeinfo>

#if defined(__GNUC__)
  #include <cxxabi.h>
#endif

namespace symvi {

//! Readable name of a type, such as "mlpack::LeakyReLU<arma::Mat<double>>".
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

} // namespace symvi

#endif
