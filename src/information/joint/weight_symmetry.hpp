/**
 * @file src/information/joint/weight_symmetry.hpp
 *
 * How a network's group moves a vector of all its weights.
 */
#ifndef SYMVI_INFORMATION_WEIGHT_SYMMETRY_HPP
#define SYMVI_INFORMATION_WEIGHT_SYMMETRY_HPP

#include <symvi/symmetry/permutation_group.hpp>

#include <armadillo>

#include <cstdint>
#include <vector>

namespace symvi {
namespace information {

//! Where the weights of g^-1 w come from: (g^-1 w)_i = w_k, or -w_k where the
//! number is ~k.
using WeightSources = std::vector<uint32_t>;

/**
 * The layers of a network whose units may be permuted, as one chain (without
 * memory), and the position of each of their weights in the vector of all.
 * Other weights stay where they are.
 */
struct WeightSymmetry
{
  //! Number of all weights.
  size_t weights = 0;
  SymmetricChain<double> chain;
  //! Of every layer of the chain, in the layout of PosteriorView.
  std::vector<arma::uvec> positions;

  //! Find the sources of g^-1 w.
  void Sources(const Permutation& g, WeightSources& sources) const;

  //! The position of W[row, column] of a layer after g^-1, with its sign; a
  //! column behind the last one is the bias.
  uint32_t Source(const Permutation& g, size_t layer, size_t row,
      size_t column) const;
};

//! (g^-1 w)_i.
inline double Moved(const double* w, const uint32_t source)
{
  return (source >> 31) ? -w[~source] : w[source];
}

} // namespace information
} // namespace symvi

#endif
