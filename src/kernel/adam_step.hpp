/**
 * @file src/kernel/adam_step.hpp
 *
 * One step of Adam in one pass over memory.
 */
#ifndef SYMVI_SRC_KERNEL_ADAM_STEP_HPP
#define SYMVI_SRC_KERNEL_ADAM_STEP_HPP

#include <cmath>
#include <cstddef>

namespace symvi {
namespace kernel {

//! The numbers of one Adam step, in the type of the parameters.
template<typename eT>
struct AdamCoefficients
{
  eT beta1, oneMinusBeta1, beta2, oneMinusBeta2;
  //! Step size with both bias corrections in it.
  eT step;
  eT epsilon;
};

/**
 * The coefficients of step t, counted from 1, with the bias corrections
 * sqrt(1 - beta2^t) / (1 - beta1^t) [Kingma and Ba, 2015, Sec. 2].
 *
 * @tparam Real Type in which they are computed.
 */
template<typename eT, typename Real = double>
AdamCoefficients<eT> MakeAdamCoefficients(const size_t t, const double stepSize,
    const double decay1 = 0.9, const double decay2 = 0.999,
    const double epsilon = 1e-8)
{
  const Real beta1 = Real(decay1), beta2 = Real(decay2);
  const Real correction1 = 1 - std::pow(beta1, Real(t));
  const Real correction2 = 1 - std::pow(beta2, Real(t));
  return { eT(beta1), eT(1 - beta1), eT(beta2), eT(1 - beta2),
    eT(Real(stepSize) * std::sqrt(correction2) / correction1), eT(epsilon) };
}

/**
 * For every parameter x with gradient g, in the order of operations (and so
 * with the roundings) of ensmallen's AdamUpdate,
 *
 *   m <- beta1 m + (1 - beta1) g,   v <- beta2 v + (1 - beta2) g^2,
 *   x <- x - step m / (sqrt(v) + epsilon).
 *
 * @param c The coefficients.
 * @param n Length of all arrays.
 * @param g Gradient.
 * @param m, v Moments.
 * @param x Parameters.
 */
template<typename eT>
void AdamStep(const AdamCoefficients<eT>& c, const size_t n, const eT* g, eT* m,
    eT* v, eT* x);

} // namespace kernel
} // namespace symvi

#endif
