/**
 * @file symvi/information/estimator.hpp
 *
 * What an estimator of I(g; w) is: the contract of the policy.
 */
#ifndef SYMVI_INFORMATION_ESTIMATOR_HPP
#define SYMVI_INFORMATION_ESTIMATOR_HPP

#include <symvi/kernel/random_stream.hpp>
#include <symvi/symmetry/symmetric_chain.hpp>

#include <vector>

namespace symvi {

/**
 * An estimate, from one draw w of q, of
 *
 *   I(g; w) = H(q^G) - H(q) = E_q [ log q(w) - log q^G(w) ],
 *   q^G(w) = 1/|G| sum_g q(g^-1 w)                      [Gelberg2024, Sec. 3]
 *
 * in nats.  E_q of `value` estimates (or bounds, see the estimator) I(g; w).
 */
struct InformationEstimate
{
  //! The number that training and reports use.
  double value = 0.0;
  //! A number whose expectation is at most I(g; w); -infinity if unknown.
  double lower = 0.0;
  //! A number whose expectation is at least I(g; w); infinity if unknown.
  double upper = 0.0;
  //! Whether value is log q(w) - log q^G(w) itself, up to rounding.
  bool exact = true;
};

/**
 * Where the gradient of an estimate goes: one array per layer of the chain, in
 * the layout of PosteriorView.  Arrays are added to; the caller zeroes them.
 *
 *   path  += scale * dI/dw     at fixed mu and sigma,
 *   mu    += scale * dI/dmu    at fixed w and sigma,
 *   sigma += scale * dI/dsigma at fixed w and mu.
 *
 * With w = mu + sigma % eps the derivative by mu is path + mu, and that by
 * sigma is path % eps + sigma.  E_q of the terms `mu` and `sigma` is zero (they
 * are a score), and leaving them out makes the gradient less noisy: empty
 * vectors mean just that, the path-only gradient.
 */
template<typename eT>
struct InformationGradient
{
  std::vector<eT*> path;
  std::vector<eT*> mu;
  std::vector<eT*> sigma;
  //! Set by the estimator, one entry per layer: false where it added nothing.
  std::vector<bool> touched;
};

/**
 * The contract of an estimator policy:
 *
 * @code
 * class XEstimator
 * {
 *   size_t& Permutations();    // K, where it means something
 *   const char* Name() const;
 *
 *   template<typename eT>
 *   InformationEstimate Evaluate(const SymmetricChain<eT>& chain,
 *                                RandomStream& stream);
 *
 *   template<typename eT>
 *   InformationEstimate EvaluateWithGradient(const SymmetricChain<eT>& chain,
 *                                            RandomStream& stream,
 *                                            const eT scale,
 *                                            InformationGradient<eT>& grad);
 * };
 * @endcode
 *
 *  - Both members give the same estimate for the same state of the stream, and
 *    leave the stream in the same state.
 *  - An estimator may hold working memory, so it is not const; it is copyable,
 *    and calls for a shape it has seen before allocate nothing.
 *  - Log-densities are accumulated in double whatever eT is.
 *  - A chain whose sizes do not fit, or a hidden layer without units, is a
 *    std::invalid_argument.
 *
 * UniformEstimator is the reference implementation.
 */
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
