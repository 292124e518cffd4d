/**
 * @file fragment_context.hpp
 *
 * What a fragment of the documentation may use without declaring it.
 */
#ifndef SYMVI_TESTS_DOCS_FRAGMENT_CONTEXT_HPP
#define SYMVI_TESTS_DOCS_FRAGMENT_CONTEXT_HPP

#include <symvi.hpp>

// X: 4 x 20 inputs; y: 1 x 20 labels in {0, 1, 2}; Xtest: 4 x 5 inputs; ytest:
// 1 x 5 labels; targets: 1 x 20 real responses; model: a trained classifier.
#define SYMVI_FRAGMENT_ARGUMENTS \
  arma::mat &X, arma::mat &y, arma::mat &Xtest, arma::mat &ytest, \
      arma::mat &targets, \
      symvi::BayesianFFN<symvi::CategoricalLikelihood>&model

#endif
