/**
 * @file src/information/joint/joint_gaussian.cpp
 */
#include "information/joint/joint_gaussian.hpp"

#include "kernel/softplus.hpp"

#include <algorithm>
#include <cmath>

namespace symvi {
namespace information {

namespace {

//! L^-1 b or, transposed, L^-T b.
arma::mat SolveLower(const arma::mat& lower, const arma::mat& b,
    const bool transposed)
{
  arma::mat x;
  // The diagonal is positive, so that there is a solution.
  if (transposed)
    arma::solve(x, arma::trimatu(lower.t()), b, arma::solve_opts::fast);
  else
    arma::solve(x, arma::trimatl(lower), b, arma::solve_opts::fast);
  return x;
}

} // namespace

JointGaussian::JointGaussian(const size_t weights, const size_t rank) :
    weights(weights),
    rank(rank),
    mean(weights),
    sigma(weights),
    slope(weights),
    factor(weights, rank == 0 ? weights : rank)
{ }

template<typename eT>
void JointGaussian::Set(const eT* parameters)
{
  double half = 0.0;
  for (size_t i = 0; i < weights; ++i)
  {
    mean[i] = double(parameters[i]);
    sigma[i] = kernel::Softplus(double(parameters[weights + i]));
    // dsigma/drho.
    slope[i] = -std::expm1(-sigma[i]);
    half += std::log(sigma[i]);
  }
  const eT* next = parameters + 2 * weights;
  if (rank == 0)
  {
    for (size_t j = 0; j < weights; ++j)
    {
      double* column = factor.colptr(j);
      std::fill_n(column, j, 0.0);
      column[j] = sigma[j];
      for (size_t i = j + 1; i < weights; ++i)
        column[i] = double(*next++);
    }
  }
  else
  {
    std::copy_n(next, factor.n_elem, factor.memptr());
    scaledFactor = factor.each_col() / sigma;
    capacitance = arma::trimatl(arma::chol(
        arma::eye(rank, rank) + scaledFactor.t() * scaledFactor, "lower"));
    half += arma::accu(arma::log(capacitance.diag()));
  }
  logDeterminant = 2.0 * half;
}

template void JointGaussian::Set(const float*);
template void JointGaussian::Set(const double*);

arma::vec JointGaussian::Draw(const arma::vec& noise) const
{
  if (rank == 0)
    return mean + factor * noise;
  return mean + factor * noise.head(rank) + sigma % noise.tail(weights);
}

arma::vec JointGaussian::Pull(const arma::vec& u) const
{
  const arma::vec first = factor.t() * u;
  return rank == 0 ? first : arma::vec(arma::join_cols(first, sigma % u));
}

arma::mat JointGaussian::Reduced(const arma::mat& scaled) const
{
  return SolveLower(capacitance, scaledFactor.t() * scaled, false);
}

arma::rowvec JointGaussian::LogShapes(const arma::mat& residuals) const
{
  if (rank == 0)
    return -0.5 *
        arma::sum(arma::square(SolveLower(factor, residuals, false)), 0);
  const arma::mat scaled = residuals.each_col() / sigma;
  return 0.5 *
      (arma::sum(arma::square(Reduced(scaled)), 0) -
          arma::sum(arma::square(scaled), 0));
}

double JointGaussian::LogConstant() const
{
  return -0.5 *
      (logDeterminant + double(weights) * std::log(2.0 * arma::datum::pi));
}

arma::mat JointGaussian::Solve(const arma::mat& residuals) const
{
  if (rank == 0)
    return SolveLower(factor, SolveLower(factor, residuals, false), true);
  arma::mat scaled = residuals.each_col() / sigma;
  scaled -= scaledFactor * SolveLower(capacitance, Reduced(scaled), true);
  return scaled.each_col() / sigma;
}

arma::mat JointGaussian::Covariance(const arma::uvec& which) const
{
  const arma::mat rows = factor.rows(which);
  arma::mat covariance = rows * rows.t();
  if (rank > 0)
    covariance.diag() += arma::square(sigma.elem(which));
  return covariance;
}

arma::vec JointGaussian::Deviations() const
{
  const arma::vec squares = arma::sum(arma::square(factor), 1);
  return arma::sqrt(rank == 0 ? squares : squares + arma::square(sigma));
}

double JointGaussian::KL(const arma::vec& prior, const double scale,
    arma::vec* gradient) const
{
  const arma::vec precision = 1.0 / arma::square(prior);
  const double value = 0.5 *
      (arma::dot(precision, arma::square(Deviations()) + arma::square(mean)) -
          double(weights) + 2.0 * arma::accu(arma::log(prior)) -
          logDeterminant);
  if (!gradient)
    return value;

  gradient->head(weights) += scale * (precision % mean);
  double* const rho = gradient->memptr() + weights;
  double* next = rho + weights;
  if (rank == 0)
  {
    for (size_t j = 0; j < weights; ++j)
    {
      const double* column = factor.colptr(j);
      rho[j] += scale * slope[j] * (precision[j] * sigma[j] - 1.0 / sigma[j]);
      for (size_t i = j + 1; i < weights; ++i)
        *next++ += scale * precision[i] * column[i];
    }
    return value;
  }
  // dlog det/dF = 2 Sigma^-1 F, dlog det/dsigma_i = 2 sigma_i (Sigma^-1)_ii.
  const arma::mat half = SolveLower(capacitance, scaledFactor.t(), false);
  const arma::vec inverse = (1.0 - arma::sum(arma::square(half), 0).t()) /
      arma::square(sigma);
  arma::mat slopes = factor.each_col() % precision;
  slopes -= Solve(factor);
  for (size_t i = 0; i < weights; ++i)
    rho[i] += scale * slope[i] * sigma[i] * (precision[i] - inverse[i]);
  for (size_t i = 0; i < slopes.n_elem; ++i)
    next[i] += scale * slopes[i];
  return value;
}

void JointGaussian::AddPath(const arma::vec& v, const arma::vec& noise,
    const double scale, arma::vec& gradient) const
{
  double* const g = gradient.memptr();
  const double* const own = noise.memptr() + rank;
  for (size_t i = 0; i < weights; ++i)
  {
    g[i] += scale * v[i];
    g[weights + i] += scale * v[i] * own[i] * slope[i];
  }
  double* next = g + 2 * weights;
  const size_t columns = (rank == 0) ? weights : rank;
  for (size_t j = 0; j < columns; ++j)
  {
    const double factorNoise = scale * noise[j];
    for (size_t i = (rank == 0) ? j + 1 : 0; i < weights; ++i)
      *next++ += factorNoise * v[i];
  }
}

} // namespace information
} // namespace symvi
