/**
 * @file likelihood/gaussian.hpp
 *
 * Gaussian likelihood with one noise level, for regression.
 */
#ifndef SYMVI_LIKELIHOOD_GAUSSIAN_HPP
#define SYMVI_LIKELIHOOD_GAUSSIAN_HPP

#include "check.hpp"
#include "heteroscedastic_gaussian.hpp"

#include <cereal/cereal.hpp>

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
  explicit GaussianLikelihoodType(const double noiseStddev) :
      noiseStddev(noiseStddev)
  {
    if (!(noiseStddev > 0.0) || !std::isfinite(noiseStddev))
    {
      throw std::invalid_argument("GaussianLikelihood(): noiseStddev must be "
          "positive and finite, but is " + std::to_string(noiseStddev) + ".");
    }
  }

  //! Whether the noise is learned.
  bool IsLearned() const { return noiseStddev == 0.0; }

  //! Negative log-likelihood, summed over the batch.
  ElemType Forward(const MatType& outputs, const MatType& targets) const
  {
    if (IsLearned())
    {
      RequireNoise(outputs, targets);
      return learned.Forward(outputs, targets);
    }
    likelihood::CheckShape("GaussianLikelihood", targets, outputs.n_rows,
        outputs.n_cols);
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
    if (IsLearned())
    {
      learned.Backward(outputs, targets, delta);
      return;
    }
    delta.set_size(outputs.n_rows, outputs.n_cols);
    const ElemType precision = ElemType(1.0 / (noiseStddev * noiseStddev));
    for (size_t j = 0; j < outputs.n_elem; ++j)
      delta[j] = (outputs[j] - targets[j]) * precision;
  }

  //! log p(t_i | outputs of column i), summed over the targets.
  double LogDensity(const MatType& outputs,
                    const MatType& targets,
                    const size_t i) const
  {
    if (IsLearned())
    {
      RequireNoise(outputs, targets);
      return learned.LogDensity(outputs, targets, i);
    }
    const double constant = std::log(noiseStddev) +
        0.5 * std::log(2 * arma::datum::pi);
    double sum = 0.0;
    for (size_t k = 0; k < outputs.n_rows; ++k)
    {
      const double t = double(targets(k, i));
      if (!std::isfinite(t))
      {
        likelihood::BadTarget("GaussianLikelihood", "targets must be finite",
            i, t);
      }
      const double z = (t - double(outputs(k, i))) / noiseStddev;
      sum -= 0.5 * z * z + constant;
    }
    return sum;
  }

  //! E[t]: the outputs themselves, without learned noise.
  void Mean(const MatType& outputs, MatType& mean) const
  {
    if (IsLearned())
      learned.Mean(outputs, mean);
    else
      mean = outputs;
  }

  //! Var[t], the same for every target.
  void Variance(const MatType& outputs, MatType& variance) const
  {
    if (IsLearned())
    {
      learned.Variance(outputs, variance);
      return;
    }
    variance.set_size(outputs.n_rows, outputs.n_cols);
    variance.fill(ElemType(noiseStddev * noiseStddev));
  }

  //! The noise standard deviation given; 0 if it is learned.
  double NoiseStddev() const { return noiseStddev; }

  //! Targets must be finite and have one row per output; or half as many, if
  //! the noise is learned.
  static void CheckTargets(const MatType& targets,
                           const size_t outputs,
                           const size_t numPoints)
  {
    const bool hasNoise = (2 * targets.n_rows == outputs);
    likelihood::CheckShape("GaussianLikelihood", targets,
        hasNoise ? outputs / 2 : outputs, numPoints);
    likelihood::CheckFinite("GaussianLikelihood", targets);
  }

  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */)
  {
    ar(CEREAL_NVP(noiseStddev));
  }

 private:
  static void RequireNoise(const MatType& outputs, const MatType& targets)
  {
    if (outputs.n_rows == 2 * targets.n_rows)
      return;
    throw std::invalid_argument("GaussianLikelihood(): no noise level was "
        "given; write GaussianLikelihood(noiseStddev), or end the network in a "
        "symvi::LearnedNoise layer.");
  }

  double noiseStddev;
  HeteroscedasticGaussianLikelihoodType<MatType> learned;
};

using GaussianLikelihood = GaussianLikelihoodType<arma::mat>;

} // namespace symvi

#endif
