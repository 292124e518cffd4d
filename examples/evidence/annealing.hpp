/**
 * @file examples/evidence/annealing.hpp
 *
 * log p(Y | X) between two bounds by annealed importance sampling.
 */
#ifndef SYMVI_EXAMPLES_EVIDENCE_ANNEALING_HPP
#define SYMVI_EXAMPLES_EVIDENCE_ANNEALING_HPP

#include "hamiltonian.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace examples {

//! Two stochastic bounds of log p(Y | X).
struct Bracket
{
  double lower = 0, upper = 0;
  size_t temperatures = 0;

  double Truth() const { return 0.5 * (lower + upper); }
  double Width() const { return std::abs(upper - lower); }
};

/**
 * Annealed importance sampling [Neal 2001] from the prior (beta = 0) to the
 * posterior (beta = 1) along p(w) p(Y | X, w)^beta, moved by Hamiltonian Monte
 * Carlo.  With the weights a_s of chains that go forward,
 *
 *   E log mean a_s <= log p(Y | X),
 *
 * and with those of chains that go back from draws of the posterior,
 *
 *   E -log mean 1 / a_s >= log p(Y | X)
 *
 * (bidirectional Monte Carlo, Grosse, Ghahramani and Adams 2015).  The draws to
 * start from are ends of forward chains, resampled by their weights and moved
 * on; they are draws of the posterior only as far as the chains have converged,
 * and so is the upper value a bound.
 */
class Annealing
{
 public:
  Annealing(const SmallNetwork& network, uint64_t seed) :
      stream(seed),
      sampler(network, stream)
  {
    Pilot();
  }

  Bracket Run(size_t temperatures, size_t forward, size_t backward)
  {
    Schedule(temperatures);
    std::vector<State> states(forward);
    arma::vec logs(forward);
    for (size_t s = 0; s < forward; ++s)
    {
      states[s] = sampler.Prior();
      logs[s] = 0;
      for (size_t t = 1; t <= temperatures; ++t)
      {
        logs[s] += (beta[t] - beta[t - 1]) * states[s].log;
        sampler.Move(states[s], beta[t], step[t]);
      }
    }
    Bracket bracket;
    bracket.temperatures = temperatures;
    bracket.lower = LogMean(logs);

    const arma::vec shares = arma::cumsum(arma::exp(logs - logs.max()));
    arma::vec back(backward);
    for (size_t s = 0; s < backward; ++s)
    {
      const double u = stream.NextUniform() * shares.back();
      State state = states[size_t(
          std::min<double>(double(forward - 1), arma::accu(shares < u)))];
      for (size_t i = 0; i < 200; ++i)
        sampler.Move(state, 1.0, step[temperatures]);
      back[s] = 0;
      for (size_t t = temperatures; t > 0; --t)
      {
        sampler.Move(state, beta[t], step[t]);
        back[s] -= (beta[t] - beta[t - 1]) * state.log;
      }
    }
    bracket.upper = -LogMean(back);
    return bracket;
  }

 private:
  using State = Hamiltonian::State;

  static double LogMean(const arma::vec& logs)
  {
    return logs.max() + std::log(arma::mean(arma::exp(logs - logs.max())));
  }

  //! Step sizes that accept about three of four trajectories, and the standard
  //! deviation of log p(Y | X, w), along beta.
  void Pilot()
  {
    const size_t rounds = 300;
    std::vector<State> states(24);
    for (State& state : states)
      state = sampler.Prior();
    double size = 0.3;
    for (size_t t = 0; t <= rounds; ++t)
    {
      const double b = std::pow(double(t) / double(rounds), 5.0);
      double accepted = 0;
      arma::vec logs(states.size());
      for (size_t s = 0; s < states.size(); ++s)
      {
        accepted += sampler.Move(states[s], b, size);
        logs[s] = states[s].log;
      }
      pilotBeta.push_back(b);
      pilotStep.push_back(size);
      // Outliers among the first draws of the prior are no measure.
      logs = arma::sort(logs);
      pilotSpread.push_back((logs[18] - logs[5]) / 1.35 + 0.1);
      size *= (accepted > 0.75 * double(states.size())) ? 1.06 : 0.94;
      size = std::min(size, 0.5);
    }
  }

  //! Temperatures at equal distances of the integral of the spread, which makes
  //! the variance of the weights least [Gelman and Meng 1998].
  void Schedule(size_t temperatures)
  {
    std::vector<double> length(1, 0.0);
    for (size_t i = 1; i < pilotBeta.size(); ++i)
      length.push_back(length.back() +
          0.5 * (pilotSpread[i] + pilotSpread[i - 1]) *
              (pilotBeta[i] - pilotBeta[i - 1]));
    beta.assign(temperatures + 1, 0.0);
    step.assign(temperatures + 1, pilotStep[0]);
    for (size_t t = 1, i = 1; t <= temperatures; ++t)
    {
      const double at = length.back() * double(t) / double(temperatures);
      while (i + 1 < length.size() && length[i] < at)
        ++i;
      const double u = std::min(1.0,
          (at - length[i - 1]) / (length[i] - length[i - 1]));
      beta[t] = pilotBeta[i - 1] + u * (pilotBeta[i] - pilotBeta[i - 1]);
      step[t] = pilotStep[i - 1] + u * (pilotStep[i] - pilotStep[i - 1]);
    }
    beta.back() = 1.0;
  }

  symvi::RandomStream stream;
  Hamiltonian sampler;
  std::vector<double> pilotBeta, pilotStep, pilotSpread, beta, step;
};

/**
 * The truth: more temperatures until both bounds are within `target` nats, at
 * most `most` of them.
 */
inline Bracket Anneal(const SmallNetwork& network, uint64_t seed, size_t first,
    size_t most, double target)
{
  Annealing annealing(network, seed);
  Bracket bracket = annealing.Run(first, 48, 16);
  while (bracket.Width() > target && 4 * bracket.temperatures <= most)
    bracket = annealing.Run(4 * bracket.temperatures, 48, 16);
  return bracket;
}

} // namespace examples

#endif
