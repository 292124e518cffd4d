/**
 * @file src/model/gaussian_family.hpp
 */
#ifndef SYMVI_SRC_MODEL_GAUSSIAN_FAMILY_HPP
#define SYMVI_SRC_MODEL_GAUSSIAN_FAMILY_HPP

#include <symvi/model/gaussian_posterior.hpp>

#include "information/joint/joint_gaussian.hpp"
#include "information/joint/joint_information.hpp"

#include <string>
#include <vector>

namespace symvi {
namespace model {

struct GaussianFamily
{
  //! The group, and how it moves the weights.
  information::WeightSymmetry symmetry;
  //! Random weights, which come first, and all parameters of the network.
  size_t weights = 0, networkSize = 0;
  //! r; 0 for a full covariance.
  size_t rank = 0;
  size_t enumerate = 0, permutations = 0;
  //! Deviations of the prior, and of the posterior at the start.
  arma::vec prior, sigma;
  //! What is said of units without permutations.
  std::vector<std::string> notes;

  //! Parameters of the Gaussian, without those of the noise.
  size_t GaussianSize() const
  {
    return information::JointGaussian::NumParameters(weights, rank);
  }
  size_t Fixed() const { return networkSize - weights; }
};

} // namespace model
} // namespace symvi

#endif
