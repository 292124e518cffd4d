/**
 * @file symvi/predict/options.hpp
 *
 * How a posterior predictive is computed.
 */
#ifndef SYMVI_PREDICT_OPTIONS_HPP
#define SYMVI_PREDICT_OPTIONS_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace symvi {

/**
 * Options of every function that averages over the posterior.  Draw s is a
 * function of (seed, s) alone: the same seed gives the same weights however
 * many draws or points are asked for, and the same options give the same
 * predictions bit for bit.
 */
struct PredictOptions
{
  PredictOptions() { }
  //! The two that are changed most often.
  explicit PredictOptions(const size_t samples, const uint64_t seed = 0) :
      samples(samples),
      seed(seed)
  { }

  //! Number S of weight draws.
  size_t samples = 1000;
  //! Random seed of the weight samples.
  uint64_t seed = 0;
  //! Draw from q^G (a draw of q, then a uniform group element) rather than
  //! from q.  The functions are the same up to rounding; the weights are not.
  bool fromSymmetrized = false;

  //! Regression: probability of the central interval; 0 for none.
  double interval = 0.95;
  //! Regression: levels of further quantiles, each in (0, 1).
  std::vector<double> quantiles;

  //! Points that share one set of draws; 0 chooses.  Draws are made again for
  //! every chunk, so that fewer points cost time and save memory.
  size_t pointsPerChunk = 0;
  //! Draws stacked into one matrix product; 0 chooses.
  size_t drawsPerBlock = 0;
  //! Points of one matrix product; 0 chooses.
  size_t pointsPerTile = 0;

  //! Throws std::invalid_argument if a value makes no sense.
  void Check(const char* where) const
  {
    const std::string start = std::string(where) + "(): ";
    if (samples == 0)
      throw std::invalid_argument(start +
          "samples must be positive, but is "
          "0.");
    if (!(interval >= 0 && interval < 1))
      throw std::invalid_argument(start +
          "interval must lie in [0, 1), but "
          "is " +
          std::to_string(interval) + ".");
    for (const double level : quantiles)
      if (!(level > 0 && level < 1))
        throw std::invalid_argument(start +
            "quantiles must lie in (0, 1), but "
            "is " +
            std::to_string(level) + ".");
  }
};

} // namespace symvi

#endif
