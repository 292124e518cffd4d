/**
 * @file src/information/scores/touched.hpp
 *
 * Which layers a gradient was added to.
 */
#ifndef SYMVI_INFORMATION_TOUCHED_HPP
#define SYMVI_INFORMATION_TOUCHED_HPP

#include <symvi/information/estimator.hpp>

namespace symvi {
namespace information {

//! Permutations whose share in the sum is below this need no gradient.
constexpr double negligibleShare = 1e-16;

//! Set `touched` to false for every layer of the chain.
template<typename eT>
inline void ResetTouched(const SymmetricChain<eT>& chain,
    InformationGradient<eT>& gradient)
{
  gradient.touched.assign(chain.layers.size(), false);
}

//! Set `touched` to true for the layers around some hidden units.
template<typename eT>
inline void Touch(const HiddenUnits& hidden, InformationGradient<eT>& gradient)
{
  gradient.touched[hidden.incoming] = true;
  if (hidden.hasOutgoing)
    gradient.touched[hidden.incoming + 1] = true;
}

} // namespace information
} // namespace symvi

#endif
