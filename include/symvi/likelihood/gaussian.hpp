/**
 * @file symvi/likelihood/gaussian.hpp
 *
 * Gaussian likelihoods for regression: noise that is an output of the network,
 * or one noise level, given or learned.
 */
#ifndef SYMVI_LIKELIHOOD_GAUSSIAN_HPP
#define SYMVI_LIKELIHOOD_GAUSSIAN_HPP

#include <symvi/likelihood/traits.hpp>

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
   *     cannot give up on the mean and explain everything as noise.
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
