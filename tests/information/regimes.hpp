/**
 * @file regimes.hpp
 *
 * The posteriors of the table of estimators.
 */
#ifndef SYMVI_TESTS_INFORMATION_REGIMES_HPP
#define SYMVI_TESTS_INFORMATION_REGIMES_HPP

#include "random_chain.hpp"

#include <string>

namespace symvi_tests {

//! One column of the table.
struct Regime
{
  std::string name;
  //! Number of inputs.
  size_t inputs;
  //! Standard deviation of every weight.
  double sigma;
  //! Share of units at the prior N(0, 1), their means jittered by 0.03.
  double pruned;
};

/**
 * Separated, at the border, in between, overlapping, and pruned.  Means are
 * normal with variance 1 / inputs, and 1 / d for outgoing weights; ten outputs,
 * so that 784 inputs make 795 weights a unit.
 */
inline std::vector<Regime> Regimes()
{
  return { { "separated", 784, 0.1, 0.0 }, { "border", 2, 0.3, 0.0 },
    { "mid6", 20, 0.6, 0.0 }, { "mid", 20, 1.0, 0.0 },
    { "overlap", 20, 3.0, 0.0 }, { "pruned", 784, 0.1, 0.8 } };
}

//! A posterior of d hidden units in the given regime.
struct RegimeChain : RandomChain<double>
{
  RegimeChain(const Regime& regime, const size_t d, const uint64_t seed) :
      RandomChain<double>({ regime.inputs, d, 10 }, 1.0, regime.sigma, seed)
  {
    const size_t pruned = size_t(regime.pruned * double(d) + 0.5);
    for (size_t l = 0; l < 2; ++l)
      for (size_t i = 0; i < means[l].size(); ++i)
      {
        const size_t unit = (l == 0) ? i % d : i / 10;
        const bool off = unit < pruned;
        means[l][i] *= off ?
            0.03 :
            1.0 / std::sqrt(double(l == 0 ? regime.inputs : d));
        sigmas[l][i] = off ? 1.0 : regime.sigma;
      }
    Draw();
  }
};

} // namespace symvi_tests

#endif
