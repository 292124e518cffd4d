/**
 * @file likelihood/gaussian.hpp
 *
 * Gaussian likelihood with fixed noise, for regression.
 */
#ifndef SYMVI_LIKELIHOOD_GAUSSIAN_HPP
#define SYMVI_LIKELIHOOD_GAUSSIAN_HPP

#include "check.hpp"

#include <cereal/cereal.hpp>

#include <cstdint>

namespace symvi {

/**
 * -log p(Y_B | X_B, w) for t ~ N(f, s^2), *summed* over targets and batch, with
 * the normalising constant (an ELBO needs it):
 *
 *   Forward  = sum ( (t - f)^2 / (2 s^2) + log s + 1/2 log 2 pi )
 *   Backward = (f - t) / s^2
 */
template<typename MatType = arma::mat>
class GaussianLikelihoodType
{
 public:
  using ElemType = typename MatType::elem_type;

  //! @param noiseStddev The known noise standard deviation s.
  explicit GaussianLikelihoodType(const double noiseStddev = 1.0) :
      noiseStddev(noiseStddev)
  {
    if (!(noiseStddev > 0.0) || !std::isfinite(noiseStddev))
    {
      throw std::invalid_argument("GaussianLikelihood(): noiseStddev must be "
          "positive and finite, but is " + std::to_string(noiseStddev) + ".");
    }
  }

  //! Negative log-likelihood, summed over the batch.
  ElemType Forward(const MatType& outputs, const MatType& targets) const
  {
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

  //! E[t]: the outputs themselves.
  void Mean(const MatType& outputs, MatType& mean) const { mean = outputs; }

  //! Var[t], the same for every target.
  void Variance(const MatType& outputs, MatType& variance) const
  {
    variance.set_size(outputs.n_rows, outputs.n_cols);
    variance.fill(ElemType(noiseStddev * noiseStddev));
  }

  double NoiseStddev() const { return noiseStddev; }

  static void CheckTargets(const MatType& targets,
                           const size_t outputs,
                           const size_t numPoints)
  {
    likelihood::CheckShape("GaussianLikelihood", targets, outputs, numPoints);
    likelihood::CheckFinite("GaussianLikelihood", targets);
  }

  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */)
  {
    ar(CEREAL_NVP(noiseStddev));
  }

 private:
  double noiseStddev;
};

using GaussianLikelihood = GaussianLikelihoodType<arma::mat>;

} // namespace symvi

#endif
