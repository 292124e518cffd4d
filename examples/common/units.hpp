/**
 * @file examples/common/units.hpp
 *
 * The hidden units of a network with one hidden layer, as columns.
 */
#ifndef SYMVI_EXAMPLES_COMMON_UNITS_HPP
#define SYMVI_EXAMPLES_COMMON_UNITS_HPP

#include <symvi/layer/bayesian_linear.hpp>

#include <vector>

namespace examples {

//! Posterior of the units: column a is unit a's block (incoming weights, bias,
//! outgoing weights).
struct UnitPosteriors
{
  arma::mat mu, sigma;

  template<typename MatType>
  explicit UnitPosteriors(
      const std::vector<symvi::BayesianLinearType<MatType>*>& layers)
  {
    auto blocks = [&](const MatType& in, const MatType& out)
    {
      const size_t d = layers[0]->OutSize();
      const arma::mat first = arma::conv_to<arma::mat>::from(in);
      const arma::mat second = arma::conv_to<arma::mat>::from(out);
      // [W_1 b_1] is d x (inputs + 1), W_2 is outputs x d.
      return arma::mat(
          arma::join_cols(arma::reshape(first, d, first.n_elem / d).t(),
              arma::reshape(second.head_rows(d * layers[1]->OutSize()),
                  layers[1]->OutSize(), d)));
    };
    mu = blocks(layers[0]->Means(), layers[1]->Means());
    sigma = blocks(layers[0]->Sigmas(), layers[1]->Sigmas());
  }

  //! KL of each unit's block from the prior N(0, stddev^2), in nats.
  arma::rowvec KL(double stddev) const
  {
    return arma::sum(std::log(stddev) - arma::log(sigma) +
            (arma::square(sigma) + arma::square(mu)) / (2 * stddev * stddev) -
            0.5,
        0);
  }

  /**
   * Distance between the modes w and g w for the exchange g of units a and b,
   * in units of the posterior's own spread:
   * ( 2 sum_i (mu_ai - mu_bi)^2 / s_i^2 )^1/2,
   * s_i^2 = (sigma_ai^2 + sigma_bi^2) / 2.
   */
  double Distance(size_t a, size_t b) const
  {
    return std::sqrt(4 *
        arma::accu(arma::square(mu.col(a) - mu.col(b)) /
            (arma::square(sigma.col(a)) + arma::square(sigma.col(b)))));
  }
};

} // namespace examples

#endif
