/**
 * @file version.cpp
 *
 * Uses a header of the core that needs Armadillo and BLAS.
 */
#include <symvi/predict/metrics.hpp>
#include <symvi/version.hpp>

#include <iostream>

int main()
{
  const arma::mat probabilities = { { 0.9, 0.2 }, { 0.1, 0.8 } };
  const arma::rowvec labels = { 0, 1 };
  const arma::mat gram = probabilities * probabilities.t();
  std::cout << "symvi " << SYMVI_VERSION << ", trace " << arma::trace(gram)
            << '\n';
  return symvi::Accuracy(probabilities, labels) == 1.0 ? 0 : 1;
}
