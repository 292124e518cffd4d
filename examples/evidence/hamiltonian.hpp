/**
 * @file examples/evidence/hamiltonian.hpp
 *
 * Hamiltonian Monte Carlo for the weights of a small network.
 */
#ifndef SYMVI_EXAMPLES_EVIDENCE_HAMILTONIAN_HPP
#define SYMVI_EXAMPLES_EVIDENCE_HAMILTONIAN_HPP

#include <symvi/kernel/random_stream.hpp>

#include "small_network.hpp"

#include <cmath>
#include <utility>

namespace examples {

//! Moves weights along p(w) p(Y | X, w)^b.
class Hamiltonian
{
 public:
  struct State
  {
    arma::vec w, gradient;
    double log = 0; // log p(Y | X, w), and its gradient.
  };

  Hamiltonian(const SmallNetwork& network, symvi::RandomStream& stream) :
      network(network),
      stream(stream)
  { }

  //! A draw of the prior.
  State Prior()
  {
    State state;
    state.w.set_size(network.Size());
    stream.FillNormal(state.w.memptr(), state.w.n_elem);
    state.log = network.LogLikelihood(state.w, &state.gradient);
    return state;
  }

  //! One trajectory at inverse temperature b; whether it was accepted.
  bool Move(State& state, double b, double size, size_t leaps = 8)
  {
    arma::vec& p = momentum;
    p.set_size(state.w.n_elem);
    stream.FillNormal(p.memptr(), p.n_elem);
    // Steps of random size do not go round in circles.
    const double e = size * (0.6 + 0.8 * stream.NextUniform());
    const auto energy = [&](const State& s)
    { return 0.5 * arma::dot(p, p) + 0.5 * arma::dot(s.w, s.w) - b * s.log; };
    const double before = energy(state);
    next = state;
    for (size_t i = 0; i < leaps; ++i)
    {
      p += 0.5 * e * (b * next.gradient - next.w);
      next.w += e * p;
      next.log = network.LogLikelihood(next.w, &next.gradient);
      p += 0.5 * e * (b * next.gradient - next.w);
    }
    const double change = before - energy(next);
    if (!(std::log(stream.NextUniform()) < change))
      return false;
    std::swap(state, next);
    return true;
  }

 private:
  const SmallNetwork& network;
  symvi::RandomStream& stream;
  arma::vec momentum;
  State next;
};

} // namespace examples

#endif
