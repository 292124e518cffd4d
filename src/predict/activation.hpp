/**
 * @file src/predict/activation.hpp
 *
 * The usual activations in place and in vector instructions.  mlpack's own
 * tanh and logistic functions take one element at a time and would cost more
 * than the matrix products around them.
 */
#ifndef SYMVI_SRC_PREDICT_ACTIVATION_HPP
#define SYMVI_SRC_PREDICT_ACTIVATION_HPP

#include "kernel/vector_math.hpp"
#include <symvi/network/activation.hpp>

#include <cmath>

namespace symvi {
namespace predict {

//! Whether an activation is done in place.
inline bool HasKernel(const Activation activation)
{
  return activation == Activation::ReLU || activation == Activation::TanH ||
      activation == Activation::Sigmoid;
}

//! max(x, 0).
template<typename eT>
SYMVI_MULTIVERSION
void Rectify(eT* x, const size_t n)
{
  for (size_t i = 0; i < n; ++i)
    x[i] = x[i] < eT(0) ? eT(0) : x[i];
}

//! tanh x = sign(x) (1 - e) / (1 + e), e = exp(-2 |x|); absolute error of a
//! few units in the last place of 1.
template<typename eT>
SYMVI_MULTIVERSION
void HyperbolicTangent(eT* x, const size_t n)
{
  for (size_t i = 0; i < n; ++i)
  {
    const eT e = kernel::ExpMinusAbs(x[i] + x[i]);
    x[i] = std::copysign((eT(1) - e) / (eT(1) + e), x[i]);
  }
}

//! 1 / (1 + exp(-x)) = (1 + sign(x) (1 - e) / (1 + e)) / 2, e = exp(-|x|).
template<typename eT>
SYMVI_MULTIVERSION
void Logistic(eT* x, const size_t n)
{
  for (size_t i = 0; i < n; ++i)
  {
    const eT e = kernel::ExpMinusAbs(x[i]);
    const eT t = std::copysign((eT(1) - e) / (eT(1) + e), x[i]);
    x[i] = eT(0.5) + eT(0.5) * t;
  }
}

//! Apply an activation that HasKernel() to an array.
template<typename eT>
inline void Activate(const Activation activation, eT* x, const size_t n)
{
  if (activation == Activation::ReLU)
    Rectify(x, n);
  else if (activation == Activation::TanH)
    HyperbolicTangent(x, n);
  else if (activation == Activation::Sigmoid)
    Logistic(x, n);
}

} // namespace predict
} // namespace symvi

#endif
