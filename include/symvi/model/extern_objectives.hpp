/**
 * @file model/extern_objectives.hpp
 *
 * Objectives of the usual networks that the compiled library holds, so that a
 * program which trains such a network does not compile them again.
 */
#ifndef SYMVI_MODEL_EXTERN_OBJECTIVES_HPP
#define SYMVI_MODEL_EXTERN_OBJECTIVES_HPP


#include <symvi/likelihood/bernoulli.hpp>
#include <symvi/likelihood/categorical.hpp>
#include <symvi/likelihood/gaussian.hpp>
#include <symvi/likelihood/heteroscedastic_gaussian.hpp>
#include <symvi/objective/symmetrized_elbo.hpp>

#define SYMVI_OBJECTIVE(prefix, LikelihoodType, MatType) \
  prefix template class SymmetrizedELBO<mlpack::FFN< \
      LikelihoodType<MatType>, mlpack::RandomInitialization, MatType>>;
#define SYMVI_OBJECTIVES(prefix, MatType) \
  SYMVI_OBJECTIVE(prefix, CategoricalLikelihoodType, MatType) \
  SYMVI_OBJECTIVE(prefix, BernoulliLikelihoodType, MatType) \
  SYMVI_OBJECTIVE(prefix, GaussianLikelihoodType, MatType) \
  SYMVI_OBJECTIVE(prefix, HeteroscedasticGaussianLikelihoodType, MatType)

namespace symvi {

SYMVI_OBJECTIVES(extern, arma::mat)
SYMVI_OBJECTIVES(extern, arma::fmat)

} // namespace symvi


#endif
