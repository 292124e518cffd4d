/**
 * @file likelihood/heteroscedastic_gaussian.hpp
 *
 * Gaussian likelihood whose noise is an output of the network.
 */
#ifndef SYMVI_LIKELIHOOD_HETEROSCEDASTIC_GAUSSIAN_HPP
#define SYMVI_LIKELIHOOD_HETEROSCEDASTIC_GAUSSIAN_HPP

#include "traits.hpp"

#include <cereal/cereal.hpp>

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
      const double limit = std::numeric_limits<double>::infinity());

  //! Limit of the noise's standard deviation.
  double Limit() const { return limit; }

  //! Negative log-likelihood, summed over the batch.
  ElemType Forward(const MatType& outputs, const MatType& targets) const;

  //! Derivative of Forward() with respect to the outputs.
  void Backward(const MatType& outputs, const MatType& targets,
      MatType& delta) const;

  //! log p(t_i | outputs of column i), summed over the targets.
  double LogDensity(const MatType& outputs, const MatType& targets,
      const size_t i) const;

  //! E[t]: the first half of the outputs.
  void Mean(const MatType& outputs, MatType& mean) const;

  //! Var[t] = s^2.
  void Variance(const MatType& outputs, MatType& variance) const;

  static void CheckTargets(const MatType& targets, const size_t outputs,
      const size_t numPoints);

  //! Standard deviation of a raw noise level, without a limit; the floor of
  //! 1e-6 keeps the density finite when the network fits a point exactly.
  static double Noise(const double raw);

  //! The raw noise level of a standard deviation below the limit.
  double Raw(const double stddev) const;

  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */)
  {
    ar(CEREAL_NVP(limit));
  }

 private:
  double Limited(const double u) const;

  static double Sigmoid(const double a);

  static void CheckOutputs(const size_t outputs);

  double limit;
};

using HeteroscedasticGaussianLikelihood =
    HeteroscedasticGaussianLikelihoodType<arma::mat>;

extern template class HeteroscedasticGaussianLikelihoodType<arma::mat>;
extern template class HeteroscedasticGaussianLikelihoodType<arma::fmat>;

} // namespace symvi

#endif
