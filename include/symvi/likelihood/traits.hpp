/**
 * @file symvi/likelihood/traits.hpp
 *
 * What symvi knows about a likelihood at compile time.
 */
#ifndef SYMVI_LIKELIHOOD_TRAITS_HPP
#define SYMVI_LIKELIHOOD_TRAITS_HPP

#include <armadillo>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace symvi {

//! Link from the outputs of a network to probabilities.
enum class ClassLink
{
  None,    //!< Outputs are not logits.
  Softmax, //!< Rows are the classes of one label.
  Sigmoid  //!< Every row is a separate event.
};

namespace likelihood {

/**
 * Whether a network of matrices MatType can be trained with this output layer:
 * a likelihood of symvi (or one with the same functions) for these matrices,
 * and not a loss of mlpack, which is not a normalised density.
 */
template<typename LikelihoodType, typename MatType, typename = void>
struct IsLikelihood : std::false_type
{ };

template<typename LikelihoodType, typename MatType>
struct IsLikelihood<LikelihoodType, MatType,
    std::void_t<decltype(LikelihoodType::CheckTargets(
        std::declval<const MatType&>(), size_t(), size_t()))>> : std::true_type
{ };

//! The link that a likelihood applies to the outputs.
template<typename LikelihoodType>
inline constexpr ClassLink linkOf = ClassLink::None;

} // namespace likelihood
} // namespace symvi

#endif
