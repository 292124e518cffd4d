/**
 * @file examples/evidence/small_network.hpp
 *
 * The posterior of a small network, written down once more without symvi.
 */
#ifndef SYMVI_EXAMPLES_EVIDENCE_SMALL_NETWORK_HPP
#define SYMVI_EXAMPLES_EVIDENCE_SMALL_NETWORK_HPP

#include <armadillo>

#include <cmath>

namespace examples {

/**
 * One hidden layer and one output,
 *
 *   f(x) = c + sum_a v_a phi(b_a + sum_i W_ai x_i),   prior N(0, 1),
 *
 * or, with two weights only, f(x) = relu(w_1 x) + relu(w_2 x).  Targets are
 * f(x) + N(0, noise^2), or 1 with probability sigmoid(f(x)).  Weights are one
 * vector [W; b; v; c], W column-major: the order of symvi.
 */
class SmallNetwork
{
 public:
  bool tanh = false, classes = false, twoWeights = false;
  size_t units = 2;
  double noise = 0.2;
  arma::mat X, y;

  //! Number of weights.
  size_t Size() const { return twoWeights ? 2 : units * (X.n_rows + 2) + 1; }

  //! log|G|: permutations, and sign flips if phi is odd.
  double LogGroupOrder() const
  {
    return std::lgamma(double(units) + 1) +
        (tanh ? double(units) : 0.0) * std::log(2.0);
  }

  double LogPrior(const arma::vec& w) const
  {
    return -0.5 * arma::dot(w, w) - 0.5 * double(w.n_elem) * std::log(2 * M_PI);
  }

  //! log p(Y | X, w), and its gradient unless that is null.
  double LogLikelihood(const arma::vec& w, arma::vec* gradient) const
  {
    const size_t inputs = X.n_rows, d = units;
    const double* W = w.memptr();
    const double* b = W + d * inputs;
    const double* v = b + d;
    if (gradient)
      gradient->zeros(w.n_elem);
    double sum = classes ?
        0.0 :
        -double(y.n_elem) * (std::log(noise) + 0.5 * std::log(2 * M_PI));
    double h[64];
    for (size_t n = 0; n < X.n_cols; ++n)
    {
      const double* x = X.colptr(n);
      double f = twoWeights ? 0.0 : v[d];
      for (size_t a = 0; a < d; ++a)
      {
        double z = twoWeights ? 0.0 : b[a];
        for (size_t i = 0; i < inputs; ++i)
          z += W[i * d + a] * x[i];
        h[a] = tanh ? Tanh(z) : std::max(0.0, z);
        f += (twoWeights ? 1.0 : v[a]) * h[a];
      }
      double slope; // dlog p / df.
      if (classes)
      {
        const double e = std::exp(-std::abs(f));
        sum += (y[n] - (f > 0 ? 1.0 : 0.0)) * f - std::log1p(e);
        slope = y[n] - (f > 0 ? 1.0 : e) / (1.0 + e);
      }
      else
      {
        slope = (y[n] - f) / (noise * noise);
        sum -= 0.5 * slope * (y[n] - f);
      }
      if (gradient)
        AddGradient(x, v, h, slope, gradient->memptr());
    }
    return sum;
  }

 private:
  static double Tanh(double z)
  {
    const double e = std::exp(-2.0 * std::abs(z));
    return std::copysign((1.0 - e) / (1.0 + e), z);
  }

  void AddGradient(const double* x, const double* v, const double* h,
      double slope, double* g) const
  {
    const size_t inputs = X.n_rows, d = units;
    for (size_t a = 0; a < d; ++a)
    {
      const double inner = slope * (twoWeights ? 1.0 : v[a]) *
          (tanh            ? 1.0 - h[a] * h[a] :
                  h[a] > 0 ? 1.0 :
                             0.0);
      for (size_t i = 0; i < inputs; ++i)
        g[i * d + a] += inner * x[i];
      if (twoWeights)
        continue;
      g[d * inputs + a] += inner;
      g[d * (inputs + 1) + a] += slope * h[a];
    }
    if (!twoWeights)
      g[d * (inputs + 2)] += slope;
  }
};

//! log p(Y | X) of a network of two weights, by the trapezoidal rule.
inline double Quadrature(const SmallNetwork& network)
{
  const int half = 800;
  const double h = 8.0 / half;
  arma::mat logs(2 * half + 1, 2 * half + 1);
  for (int i = -half; i <= half; ++i)
    for (int j = -half; j <= half; ++j)
    {
      const arma::vec w{ i * h, j * h };
      logs(size_t(i + half), size_t(j + half)) = network.LogPrior(w) +
          network.LogLikelihood(w, nullptr);
    }
  const double most = logs.max();
  return most + std::log(h * h * arma::accu(arma::exp(logs - most)));
}

} // namespace examples

#endif
