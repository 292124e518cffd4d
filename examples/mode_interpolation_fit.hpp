/**
 * @file examples/mode_interpolation_fit.hpp
 *
 * Reverse-KL fits of a Gaussian to a mixture of two: by quadrature in one
 * dimension, and by reparametrized samples and Adam in any.
 */
#ifndef SYMVI_EXAMPLES_MODE_INTERPOLATION_FIT_HPP
#define SYMVI_EXAMPLES_MODE_INTERPOLATION_FIT_HPP

#include <symvi/kernel/random_stream.hpp>

#include <ensmallen.hpp>

namespace examples {

struct Gaussian1d
{
  double mean, variance;
};

//! p = 1/2 N(0, 1) + 1/2 N(alpha, 1); expectations by the trapezoidal rule,
//! which is accurate to rounding for Gaussian weights.
struct Mixture1d
{
  double alpha;

  //! Responsibility of the mode at alpha: 1 / (1 + p_0(z) / p_alpha(z)).
  double Responsibility(double z) const
  {
    return 1.0 / (1.0 + std::exp(0.5 * alpha * alpha - alpha * z));
  }

  //! KL(q || p) = -1/2 - 1/2 log v + E[z^2] / 2 + log 2 - E log(1 + ratio).
  double KL(const Gaussian1d& q) const
  {
    return -0.5 - 0.5 * std::log(q.variance) +
        0.5 * (q.variance + q.mean * q.mean) + std::log(2.0) -
        Expectation(q,
            [&](double z, double)
            {
      const double t = alpha * z - 0.5 * alpha * alpha;
      return t > 0 ? t + std::log1p(std::exp(-t)) : std::log1p(std::exp(t));
        });
  }

  //! Gradient descent on the KL in (mean, log variance) from (mean, 1).
  Gaussian1d Descend(double mean) const
  {
    double logVariance = 0.0;
    for (size_t i = 0; i < 20000; ++i)
    {
      const Gaussian1d q{ mean, std::exp(logVariance) };
      const double dMean = q.mean -
          alpha *
              Expectation(q,
                  [&](double z, double) { return Responsibility(z); });
      const double dLog = -0.5 + 0.5 * q.variance -
          0.5 * alpha *
              Expectation(q,
                  [&](double z, double x)
                  { return Responsibility(z) * std::sqrt(q.variance) * x; });
      mean -= 0.2 * dMean;
      logVariance -= 0.2 * dLog;
      if (std::abs(dMean) + std::abs(dLog) < 1e-11)
        break;
    }
    return { mean, std::exp(logVariance) };
  }

 private:
  //! E f(z, x) for z = mean + sqrt(variance) x, x ~ N(0, 1).
  template<typename F>
  static double Expectation(const Gaussian1d& q, F f)
  {
    const double h = 0.1;
    double sum = 0;
    for (int i = -85; i <= 85; ++i)
    {
      const double x = h * i;
      sum += std::exp(-0.5 * x * x) * f(q.mean + std::sqrt(q.variance) * x, x);
    }
    return sum * h / std::sqrt(2.0 * M_PI);
  }
};

/**
 * q = N(m, diag(exp(l))) fitted to 1/2 N(0, s^2 I) + 1/2 N(alpha e_1, s^2 I) by
 * 3000 steps of Adam at 1e-2 on the reparametrized KL.  The direction u = e_1
 * loses nothing: the problem is invariant to rotations.
 */
class StochasticFit
{
 public:
  StochasticFit(size_t d, double alpha, double s, size_t samples,
      double startSigma, uint64_t seed) :
      alpha(alpha),
      s(s),
      stream(seed),
      noise(d, samples)
  {
    parameters.zeros(2 * d, 1);
    parameters.tail_rows(d).fill(2.0 * std::log(startSigma));
    ens::Adam adam(1e-2, 1, 0.9, 0.999, 1e-8, 3000, -1.0, false);
    adam.Optimize(*this, parameters);
  }

  //! ||m||, and the log-determinant of the covariance.
  double Mean() const { return arma::norm(parameters.head_rows(noise.n_rows)); }
  double LogDet() const
  {
    return arma::accu(parameters.tail_rows(noise.n_rows));
  }

  //! Exact: the mixture factorises into e_1 and the rest.
  double KL() const
  {
    const size_t d = noise.n_rows;
    double kl = Mixture1d{ alpha / s }.KL(
        { parameters[0] / s, std::exp(parameters[d]) / (s * s) });
    for (size_t i = 1; i < d; ++i)
    {
      const double ratio = std::exp(parameters[d + i]) / (s * s);
      kl += 0.5 *
          (ratio + parameters[i] * parameters[i] / (s * s) - 1.0 -
              std::log(ratio));
    }
    return kl;
  }

  // What ensmallen asks of a separable differentiable function.
  size_t NumFunctions() const { return 1; }
  void Shuffle() { }
  double Evaluate(const arma::mat&, size_t, size_t) { return 0.0; }
  double EvaluateWithGradient(const arma::mat& x, size_t, arma::mat& gradient,
      size_t)
  {
    const size_t d = noise.n_rows, n = noise.n_cols;
    stream.FillNormal(noise.memptr(), noise.n_elem);
    const arma::vec sigma = arma::exp(0.5 * x.tail_rows(d));
    gradient.zeros(2 * d, 1);
    for (size_t j = 0; j < n; ++j)
    {
      const double* eps = noise.colptr(j);
      const double z = x[0] + sigma[0] * eps[0];
      const double pull = alpha /
          (1.0 + std::exp((0.5 * alpha * alpha - alpha * z) / (s * s)));
      for (size_t i = 0; i < d; ++i)
      {
        // minus the score of the mixture at the sample
        const double g = (x[i] + sigma[i] * eps[i] - (i == 0 ? pull : 0.0)) /
            (s * s * double(n));
        gradient[i] += g;
        gradient[d + i] += 0.5 * g * sigma[i] * eps[i];
      }
    }
    gradient.tail_rows(d) -= 0.5;
    return 0.0;
  }
  void Gradient(const arma::mat& x, size_t i, arma::mat& gradient, size_t n)
  {
    EvaluateWithGradient(x, i, gradient, n);
  }

 private:
  double alpha, s;
  symvi::RandomStream stream;
  arma::mat noise, parameters;
};

} // namespace examples

#endif
