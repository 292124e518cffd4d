/**
 * @file model/layer_codec.hpp
 *
 * Saves and loads the layers of a network by a short tag and their own
 * serialize(), without cereal's polymorphic registration: only the types below
 * are compiled, and only in programs that save or load.
 */
#ifndef SYMVI_MODEL_LAYER_CODEC_HPP
#define SYMVI_MODEL_LAYER_CODEC_HPP

#include <symvi/layer/bayesian_linear.hpp>
#include <symvi/layer/fixed_linear.hpp>
#include <symvi/network/layer_name.hpp>
#include <symvi/layer/learned_noise.hpp>
#include <symvi/prereqs.hpp>

#include <memory>
#include <tuple>
#include <typeinfo>

namespace symvi {

//! A layer type and the tag it has in a file.
template<typename Type>
struct LayerTag
{
  using LayerType = Type;
  const char* name;
};

/**
 * Layer types of the user's own networks that can be saved, besides the usual
 * ones.  Specialise it for a matrix type:
 *
 *   template<> struct symvi::ExtraLayers<arma::mat>
 *   {
 *     static auto Tags()
 *     {
 *       return std::make_tuple(symvi::LayerTag<MyLayer>{ "my_layer" });
 *     }
 *   };
 */
template<typename MatType>
struct ExtraLayers
{
  static std::tuple<> Tags() { return std::tuple<>(); }
};

//! The layer types that can be saved, with their tags.
template<typename MatType>
inline auto LayerTags()
{
  return std::tuple_cat(std::make_tuple(
      LayerTag<BayesianLinearType<MatType>>{ "bayesian_linear" },
      LayerTag<BayesianLinearNoBiasType<MatType>>{ "bayesian_linear_no_bias" },
      LayerTag<FixedLinearType<MatType>>{ "fixed_linear" },
      LayerTag<LearnedNoiseType<MatType>>{ "learned_noise" },
      LayerTag<mlpack::LinearType<MatType>>{ "linear" },
      LayerTag<mlpack::LinearNoBiasType<MatType>>{ "linear_no_bias" },
      LayerTag<mlpack::IdentityType<MatType>>{ "identity" },
      LayerTag<mlpack::ReLUType<MatType>>{ "relu" },
      LayerTag<mlpack::LeakyReLUType<MatType>>{ "leaky_relu" },
      LayerTag<mlpack::ELUType<MatType>>{ "elu" },
      LayerTag<mlpack::TanHType<MatType>>{ "tanh" },
      LayerTag<mlpack::SigmoidType<MatType>>{ "sigmoid" },
      LayerTag<mlpack::SoftPlusType<MatType>>{ "softplus" },
      LayerTag<mlpack::GELUType<MatType>>{ "gelu" },
      LayerTag<mlpack::SILUType<MatType>>{ "silu" },
      LayerTag<mlpack::SwishType<MatType>>{ "swish" },
      LayerTag<mlpack::MishType<MatType>>{ "mish" },
      LayerTag<mlpack::HardTanHType<MatType>>{ "hard_tanh" }),
      ExtraLayers<MatType>::Tags());
}

//! Write one layer: its tag, then its own fields.
template<typename Archive, typename MatType>
inline void SaveLayer(Archive& ar, mlpack::Layer<MatType>& layer)
{
  bool saved = false;
  const auto save = [&](const auto& tag)
  {
    using Type = typename std::decay_t<decltype(tag)>::LayerType;
    if (saved || typeid(layer) != typeid(Type))
      return;
    std::string type = tag.name;
    ar(CEREAL_NVP(type));
    ar(cereal::make_nvp("fields", static_cast<Type&>(layer)));
    saved = true;
  };
  std::apply([&](const auto&... tags) { (save(tags), ...); },
      LayerTags<MatType>());
  if (!saved)
  {
    throw std::invalid_argument("BayesianFFN: a layer of type " +
        LayerName(layer) + " cannot be saved; name it in a specialisation of "
        "symvi::ExtraLayers.");
  }
}

//! Read one layer; throws cereal::Exception if its tag is not known.
template<typename MatType, typename Archive>
inline std::unique_ptr<mlpack::Layer<MatType>> LoadLayer(Archive& ar)
{
  std::string type;
  ar(CEREAL_NVP(type));
  std::unique_ptr<mlpack::Layer<MatType>> layer;
  const auto load = [&](const auto& tag)
  {
    using Type = typename std::decay_t<decltype(tag)>::LayerType;
    if (layer || type != tag.name)
      return;
    auto loaded = std::make_unique<Type>();
    ar(cereal::make_nvp("fields", *loaded));
    layer = std::move(loaded);
  };
  std::apply([&](const auto&... tags) { (load(tags), ...); },
      LayerTags<MatType>());
  if (!layer)
  {
    throw cereal::Exception("BayesianFFN: the file holds a layer of unknown "
        "type '" + type.substr(0, 40) + "'.");
  }
  return layer;
}

} // namespace symvi

#endif
