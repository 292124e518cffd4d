/**
 * @file symvi/model/layer_codec.hpp
 *
 * Saves and loads the layers of a network by the tag of their LayerTraits and
 * their own serialize(), without cereal's polymorphic registration.
 */
#ifndef SYMVI_MODEL_LAYER_CODEC_HPP
#define SYMVI_MODEL_LAYER_CODEC_HPP

#include <symvi/network/layer_name.hpp>
#include <symvi/network/layer_registry.hpp>

namespace symvi {

//! Write one layer: its tag, then its own fields.
template<typename MatType>
inline void SaveLayer(cereal::BinaryOutputArchive& ar,
                      mlpack::Layer<MatType>& layer)
{
  const LayerInfo<MatType>* info = network::Find<MatType>(typeid(layer));
  if (!info || !info->tag)
  {
    throw std::invalid_argument("BayesianFFN: a layer of type " +
        LayerName(layer) + " cannot be saved; give it a tag in a "
        "specialisation of symvi::LayerTraits.");
  }
  std::string type = info->tag;
  ar(CEREAL_NVP(type));
  info->write(ar, layer);
}

//! Read one layer; throws cereal::Exception if its tag is not known.
template<typename MatType>
inline std::unique_ptr<mlpack::Layer<MatType>> LoadLayer(
    cereal::BinaryInputArchive& ar)
{
  std::string type;
  ar(CEREAL_NVP(type));
  const LayerInfo<MatType>* info = network::Find<MatType>(type);
  if (!info)
  {
    throw cereal::Exception("BayesianFFN: the file holds a layer of unknown "
        "type '" + type.substr(0, 40) + "'; symvi::RegisterLayer() makes a "
        "layer class known.");
  }
  return info->read(ar);
}

} // namespace symvi

#endif
