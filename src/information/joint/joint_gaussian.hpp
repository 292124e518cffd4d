/**
 * @file src/information/joint/joint_gaussian.hpp
 *
 * A Gaussian over all weights at once.
 */
#ifndef SYMVI_INFORMATION_JOINT_GAUSSIAN_HPP
#define SYMVI_INFORMATION_JOINT_GAUSSIAN_HPP

#include <armadillo>

#include <cstddef>

namespace symvi {
namespace information {

/**
 * q(w) = N(mu, Sigma), Sigma = A A^T, over D weights:
 *
 *   w = mu + A e,   e ~ N(0, I),   sigma = softplus(rho),
 *   A = L,                 L lower triangular with the diagonal sigma, or
 *   A = [F, diag(sigma)],  F of D x r: low rank plus diagonal.
 *
 * The parameters are one vector, [mu; rho; L below its diagonal, column by
 * column] or [mu; rho; F].  Gradients come by the path: with v = df/dw at w =
 * mu + A e,
 *
 *   df/dmu = v,   df/dA = v e^T where A has parameters.
 */
class JointGaussian
{
 public:
  /**
   * @param weights D.
   * @param rank r; 0 for a full covariance.
   */
  JointGaussian(size_t weights, size_t rank);

  //! D.
  size_t Weights() const { return weights; }
  //! r; 0 for a full covariance.
  size_t Rank() const { return rank; }
  //! Length of e.
  size_t Noise() const { return weights + rank; }
  //! Length of the vector of parameters.
  size_t Parameters() const { return NumParameters(weights, rank); }

  static size_t NumParameters(const size_t weights, const size_t rank)
  {
    return 2 * weights +
        (rank == 0 ? weights * (weights - 1) / 2 : weights * rank);
  }

  //! Take the parameters, float or double.
  template<typename eT>
  void Set(const eT* parameters);

  const arma::vec& Mean() const { return mean; }

  //! w = mu + A e.
  arma::vec Draw(const arma::vec& noise) const;

  //! A^T u.
  arma::vec Pull(const arma::vec& u) const;

  //! log q of mu + r for every column r of the residuals, without the
  //! constant: -r^T Sigma^-1 r / 2.
  arma::rowvec LogShapes(const arma::mat& residuals) const;

  //! log q(mu + r) - LogShapes(r) = -(log det Sigma + D log 2 pi) / 2.
  double LogConstant() const;

  //! Sigma^-1 r for every column r.
  arma::mat Solve(const arma::mat& residuals) const;

  //! Covariance of some of the weights.
  arma::mat Covariance(const arma::uvec& which) const;

  //! Standard deviations of all weights.
  arma::vec Deviations() const;

  /**
   * KL(q || p) for p(w) = N(0, diag(s^2)),
   *
   *   sum_i [ (Sigma_ii + mu_i^2) / s_i^2 - 1 + 2 log s_i ] / 2
   *   - log det Sigma / 2,
   *
   * and `scale` times its gradient added to `gradient` unless that is null.
   */
  double KL(const arma::vec& prior, double scale, arma::vec* gradient) const;

  //! Add scale * [v; v e^T] to the gradient by the parameters.
  void AddPath(const arma::vec& v, const arma::vec& noise, double scale,
      arma::vec& gradient) const;

 private:
  //! C^-1 (F / sigma)^T r / sigma for every column r, C C^T = I + F^T F /
  //! sigma^2.
  arma::mat Reduced(const arma::mat& scaled) const;

  size_t weights, rank;
  arma::vec mean, sigma, slope;
  //! L or F; F / sigma and C.
  arma::mat factor, scaledFactor, capacitance;
  double logDeterminant = 0.0;
};

} // namespace information
} // namespace symvi

#endif
