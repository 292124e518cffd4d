/**
 * @file examples/evidence/laplace.hpp
 *
 * Laplace's approximation of the evidence at the best mode that is found.
 */
#ifndef SYMVI_EXAMPLES_EVIDENCE_LAPLACE_HPP
#define SYMVI_EXAMPLES_EVIDENCE_LAPLACE_HPP

#include <ensmallen.hpp>
#include <symvi/kernel/random_stream.hpp>

#include "small_network.hpp"

#include <limits>

namespace examples {

//! -log p(Y, w | X) for ensmallen.
struct NegativeLogJoint
{
  const SmallNetwork& network;

  double Evaluate(const arma::mat& w)
  {
    return -network.LogLikelihood(w, nullptr) - network.LogPrior(w);
  }

  void Gradient(const arma::mat& w, arma::mat& gradient)
  {
    arma::vec slope;
    network.LogLikelihood(w, &slope);
    gradient = w - slope;
  }
};

/**
 * log p(Y, w* | X) + D/2 log 2 pi - 1/2 log det H at the best of `starts`
 * maxima w*, without the log|G| of its copies; NaN if H is not positive
 * definite there, as happens in a kink of ReLU.
 */
inline double Laplace(const SmallNetwork& network, size_t starts, uint64_t seed)
{
  symvi::RandomStream stream(seed);
  NegativeLogJoint function{ network };
  arma::mat best;
  double least = std::numeric_limits<double>::infinity();
  for (size_t s = 0; s < starts; ++s)
  {
    arma::mat w(network.Size(), 1);
    stream.FillNormal(w.memptr(), w.n_elem);
    ens::L_BFGS lbfgs(10, 2000);
    const double value = lbfgs.Optimize(function, w);
    if (value < least)
    {
      least = value;
      best = w;
    }
  }
  const size_t size = network.Size();
  arma::mat hessian(size, size), up, down;
  const double h = 1e-4;
  for (size_t i = 0; i < size; ++i)
  {
    arma::mat w = best;
    w[i] += h;
    function.Gradient(w, up);
    w[i] -= 2 * h;
    function.Gradient(w, down);
    hessian.col(i) = (up - down) / (2 * h);
  }
  arma::mat factor;
  if (!arma::chol(factor, 0.5 * (hessian + hessian.t())))
    return std::numeric_limits<double>::quiet_NaN();
  return -least + 0.5 * double(size) * std::log(2 * M_PI) -
      arma::accu(arma::log(factor.diag()));
}

} // namespace examples

#endif
