/**
 * @file likelihood/heteroscedastic_gaussian.hpp
 *
 * Gaussian likelihood whose noise is an output of the network.
 */
#ifndef SYMVI_LIKELIHOOD_HETEROSCEDASTIC_GAUSSIAN_HPP
#define SYMVI_LIKELIHOOD_HETEROSCEDASTIC_GAUSSIAN_HPP

#include "check.hpp"

#include <symvi/prereqs.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace symvi {

/**
 * For k targets the network has 2k outputs, k means f and k raw noise levels a;
 * s = n(softplus(a) + 1e-6), where n(u) = u, or n(u) = u L / (u + L) < L for a
 * noise limit L.  *Summed* over targets and batch:
 *
 *   Forward      = sum ( (t - f)^2 / (2 s^2) + log s + 1/2 log 2 pi )
 *   Backward (f) = (f - t) / s^2
 *   Backward (a) = (1 / s - (t - f)^2 / s^3) n'(u) sigmoid(a)
 *
 * Behind a LearnedNoise layer a is the same for all points: homoscedastic
 * learned noise.  Behind a layer with 2k units the noise depends on the input.
 */
template<typename MatType = arma::mat>
class HeteroscedasticGaussianLikelihoodType
{
 public:
  using ElemType = typename MatType::elem_type;

  /**
   * @param limit Limit of the noise's standard deviation; infinite for none.
   *     With the standard deviation of the targets as the limit, the network
   *     cannot give up on the mean and call everything noise.
   */
  explicit HeteroscedasticGaussianLikelihoodType(
      const double limit = std::numeric_limits<double>::infinity()) :
      limit(limit)
  {
    if (!(limit > 0.0))
    {
      throw std::invalid_argument("HeteroscedasticGaussianLikelihood(): limit "
          "must be positive, but is " + std::to_string(limit) + ".");
    }
  }

  //! Limit of the noise's standard deviation.
  double Limit() const { return limit; }

  //! Negative log-likelihood, summed over the batch.
  ElemType Forward(const MatType& outputs, const MatType& targets) const
  {
    CheckOutputs(outputs.n_rows);
    likelihood::CheckShape("HeteroscedasticGaussianLikelihood", targets,
        outputs.n_rows / 2, outputs.n_cols);
    double sum = 0.0;
    for (size_t i = 0; i < outputs.n_cols; ++i)
      sum -= LogDensity(outputs, targets, i);
    return ElemType(sum);
  }

  //! Derivative of Forward() with respect to the outputs.
  void Backward(const MatType& outputs,
                const MatType& targets,
                MatType& delta) const
  {
    delta.set_size(outputs.n_rows, outputs.n_cols);
    const size_t k = outputs.n_rows / 2;
    for (size_t i = 0; i < outputs.n_cols; ++i)
    {
      for (size_t r = 0; r < k; ++r)
      {
        const double raw = double(outputs(k + r, i));
        const double u = Noise(raw), s = Limited(u);
        const double z = (double(outputs(r, i)) - double(targets(r, i))) / s;
        delta(r, i) = ElemType(z / s);
        // n'(u) = (s / u)^2 with a limit, and 1 = s / u without.
        delta(k + r, i) = ElemType((1.0 - z * z) / s * (s / u) * (s / u) *
            Sigmoid(raw));
      }
    }
  }

  //! log p(t_i | outputs of column i), summed over the targets.
  double LogDensity(const MatType& outputs,
                    const MatType& targets,
                    const size_t i) const
  {
    const size_t k = outputs.n_rows / 2;
    double sum = 0.0;
    for (size_t r = 0; r < k; ++r)
    {
      const double t = double(targets(r, i));
      if (!std::isfinite(t))
      {
        likelihood::BadTarget("HeteroscedasticGaussianLikelihood",
            "targets must be finite", i, t);
      }
      const double s = Limited(Noise(double(outputs(k + r, i))));
      const double z = (t - double(outputs(r, i))) / s;
      sum -= 0.5 * z * z + std::log(s) + 0.5 * std::log(2 * arma::datum::pi);
    }
    return sum;
  }

  //! E[t]: the first half of the outputs.
  void Mean(const MatType& outputs, MatType& mean) const
  {
    mean = outputs.head_rows(outputs.n_rows / 2);
  }

  //! Var[t] = s^2.
  void Variance(const MatType& outputs, MatType& variance) const
  {
    const size_t k = outputs.n_rows / 2;
    variance.set_size(k, outputs.n_cols);
    for (size_t i = 0; i < outputs.n_cols; ++i)
    {
      for (size_t r = 0; r < k; ++r)
      {
        const double s = Limited(Noise(double(outputs(k + r, i))));
        variance(r, i) = ElemType(s * s);
      }
    }
  }

  static void CheckTargets(const MatType& targets,
                           const size_t outputs,
                           const size_t numPoints)
  {
    CheckOutputs(outputs);
    likelihood::CheckShape("HeteroscedasticGaussianLikelihood", targets,
        outputs / 2, numPoints);
    likelihood::CheckFinite("HeteroscedasticGaussianLikelihood", targets);
  }

  //! Standard deviation of a raw noise level, without a limit; the floor of 1e-6 keeps the
  //! density finite when the network fits a point exactly.
  static double Noise(const double raw)
  {
    return std::max(raw, 0.0) + std::log1p(std::exp(-std::abs(raw))) + 1e-6;
  }

  //! The raw noise level of a standard deviation below the limit.
  double Raw(const double stddev) const
  {
    const double u = std::isinf(limit) ? stddev :
        stddev * limit / (limit - stddev);
    return u + std::log(-std::expm1(-u));
  }

  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */)
  {
    ar(CEREAL_NVP(limit));
  }

 private:
  double Limited(const double u) const
  {
    return std::isinf(limit) ? u : u * limit / (u + limit);
  }

  static double Sigmoid(const double a)
  {
    const double e = std::exp(-std::abs(a));
    return (a >= 0 ? 1.0 : e) / (1.0 + e);
  }

  static void CheckOutputs(const size_t outputs)
  {
    if (outputs == 0 || outputs % 2 != 0)
    {
      throw std::invalid_argument("HeteroscedasticGaussianLikelihood(): the "
          "network must have two outputs per target, but has " +
          std::to_string(outputs) + " outputs.");
    }
  }

  double limit;
};

using HeteroscedasticGaussianLikelihood =
    HeteroscedasticGaussianLikelihoodType<arma::mat>;

} // namespace symvi

#endif
