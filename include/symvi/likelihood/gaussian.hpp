/**
 * @file likelihood/gaussian.hpp
 *
 * Gaussian likelihood with one noise level, for regression.
 */
#ifndef SYMVI_LIKELIHOOD_GAUSSIAN_HPP
#define SYMVI_LIKELIHOOD_GAUSSIAN_HPP

#include "heteroscedastic_gaussian.hpp"

#include <cstdint>

namespace symvi {

/**
 * -log p(Y_B | X_B, w) for t ~ N(f, s^2), *summed* over targets and batch, with
 * the normalising constant (an ELBO needs it):
 *
 *   Forward  = sum ( (t - f)^2 / (2 s^2) + log s + 1/2 log 2 pi )
 *   Backward = (f - t) / s^2
 *
 * s is given, or learned: a likelihood without a noise level reads it from the
 * outputs of a LearnedNoise layer.  BayesianFFN adds that layer by itself; in a
 * plain mlpack::FFN the user does.
 */
template<typename MatType = arma::mat>
class GaussianLikelihoodType
{
 public:
  using ElemType = typename MatType::elem_type;

  //! The noise is learned.
  GaussianLikelihoodType() : noiseStddev(0.0) { }

  //! @param noiseStddev The known noise standard deviation s.
  explicit GaussianLikelihoodType(const double noiseStddev);

  //! Whether the noise is learned.
  bool IsLearned() const { return noiseStddev == 0.0; }

  //! Negative log-likelihood, summed over the batch.
  ElemType Forward(const MatType& outputs, const MatType& targets) const;

  //! Derivative of Forward() with respect to the outputs.
  void Backward(const MatType& outputs, const MatType& targets,
      MatType& delta) const;

  //! log p(t_i | outputs of column i), summed over the targets.
  double LogDensity(const MatType& outputs, const MatType& targets,
      const size_t i) const;

  //! E[t]: the outputs themselves, without learned noise.
  void Mean(const MatType& outputs, MatType& mean) const;

  //! Var[t], the same for every target.
  void Variance(const MatType& outputs, MatType& variance) const;

  //! The noise standard deviation given; 0 if it is learned.
  double NoiseStddev() const { return noiseStddev; }

  //! Targets must be finite and have one row per output; or half as many, if
  //! the noise is learned.
  static void CheckTargets(const MatType& targets, const size_t outputs,
      const size_t numPoints);

  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */)
  {
    ar(CEREAL_NVP(noiseStddev));
  }

 private:
  static void RequireNoise(const MatType& outputs, const MatType& targets);

  double noiseStddev;
  HeteroscedasticGaussianLikelihoodType<MatType> learned;
};

using GaussianLikelihood = GaussianLikelihoodType<arma::mat>;

extern template class GaussianLikelihoodType<arma::mat>;
extern template class GaussianLikelihoodType<arma::fmat>;

} // namespace symvi

#endif
