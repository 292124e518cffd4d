/**
 * @file weight_network.hpp
 *
 * A network written down once more, by its weights.
 */
#ifndef SYMVI_TESTS_MODEL_WEIGHT_NETWORK_HPP
#define SYMVI_TESTS_MODEL_WEIGHT_NETWORK_HPP

#include <symvi/model/pipeline.hpp>
#include <symvi/symmetry/permutation_group.hpp>

#include <armadillo>
#include <cmath>
#include <string>
#include <vector>

//! A regression with fixed noise, not standardised.
inline symvi::NetworkSpec Regression(const size_t inputs,
    const std::vector<uint64_t>& hidden, const size_t outputs,
    const std::string& activation)
{
  symvi::NetworkSpec spec;
  spec.task = "regression";
  spec.noise = "fixed";
  spec.standardizeInputs = spec.standardizeTargets = false;
  spec.inputs = inputs;
  spec.hidden = hidden;
  spec.outputs = outputs;
  spec.activation = activation;
  return spec;
}

//! Matrices and biases of all layers.
struct Weights
{
  std::vector<arma::mat> W;
  std::vector<arma::vec> b;

  //! With unit a of each hidden layer as unit g(a), times its sign.
  Weights Moved(const symvi::Permutation& g) const
  {
    Weights moved = *this;
    for (size_t h = 0; h < g.Layers(); ++h)
      for (size_t a = 0; a < g.Size(h); ++a)
      {
        const double sign = g.Sign(h, a);
        moved.b[h][g(h, a)] = sign * b[h][a];
        for (size_t c = 0; c < W[h].n_cols; ++c)
        {
          const bool moves = h > 0;
          moved.W[h](g(h, a), moves ? g(h - 1, c) : c) = sign *
              (moves ? g.Sign(h - 1, c) : 1) * W[h](a, c);
        }
      }
    const size_t last = g.Layers();
    for (size_t a = 0; a < W[last].n_cols; ++a)
      for (size_t r = 0; r < W[last].n_rows; ++r)
        moved.W[last](r, g(last - 1, a)) = g.Sign(last - 1, a) * W[last](r, a);
    return moved;
  }

  //! Of one point per column.
  arma::mat Outputs(arma::mat x, const symvi::NetworkSpec& spec) const
  {
    for (size_t l = 0; l < W.size(); ++l)
    {
      x = W[l] * x;
      x.each_col() += b[l];
      if (l + 1 == W.size())
        break;
      for (double& z : x)
        z = (spec.activation == "tanh") ? std::tanh(z) :
            (spec.activation == "relu") ? std::max(z, 0.0) :
                                          0.5 * z *
                (1 +
                    std::tanh(
                        std::sqrt(2 / M_PI) * (z + 0.044715 * z * z * z)));
    }
    return x;
  }
};

//! The order of symvi: W column by column, then b, layer by layer.
inline arma::vec Flatten(const Weights& w)
{
  arma::vec row;
  for (size_t l = 0; l < w.W.size(); ++l)
  {
    row = arma::join_cols(row, arma::vectorise(w.W[l]));
    row = arma::join_cols(row, w.b[l]);
  }
  return row;
}

inline Weights Unflatten(const arma::vec& row, const symvi::NetworkSpec& spec)
{
  const std::vector<uint64_t> widths = spec.Widths();
  Weights w;
  size_t at = 0;
  for (size_t l = 0; l + 1 < widths.size(); ++l)
  {
    const size_t in = widths[l], out = widths[l + 1];
    w.W.push_back(arma::reshape(row.subvec(at, at + in * out - 1), out, in));
    at += in * out;
    w.b.push_back(row.subvec(at, at + out - 1));
    at += out;
  }
  return w;
}

#endif
