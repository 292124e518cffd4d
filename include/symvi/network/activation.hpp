/**
 * @file symvi/network/activation.hpp
 *
 * The point-wise functions that symvi knows by their formulas.
 */
#ifndef SYMVI_NETWORK_ACTIVATION_HPP
#define SYMVI_NETWORK_ACTIVATION_HPP

namespace symvi {

//! A function that a layer applies to every unit alike.
enum class Activation
{
  Identity,
  ReLU, //!< max(z, 0)
  TanH,
  Sigmoid,   //!< 1 / (1 + exp(-z))
  LeakyReLU, //!< max(z, alpha z), 0 <= alpha <= 1
  ELU,       //!< z for z > 0, else alpha (exp(z) - 1), alpha > 0
  Softplus,  //!< log(1 + exp(z))
  GELU,      //!< z / 2 (1 + tanh(sqrt(2 / pi) (z + 0.044715 z^3)))
  Other      //!< Any other: only the layer itself can compute it.
};

//! An activation with its parameter.
struct PointwiseFunction
{
  Activation activation = Activation::Other;
  double alpha = 0.0; //!< Of LeakyReLU and ELU.
  //! Whether f(-z) = -f(z); need not be set for Identity and TanH.
  bool isOdd = false;
};

/**
 * Whether f(-z) = -f(z).  Units behind such a function may change their signs:
 * the group of a layer of d of them is B_d in place of S_d.
 */
inline bool IsOdd(const PointwiseFunction& f)
{
  return f.isOdd || f.activation == Activation::Identity ||
      f.activation == Activation::TanH ||
      (f.activation == Activation::LeakyReLU && f.alpha == 1.0);
}

} // namespace symvi

#endif
