/**
 * @file consumer.cpp
 *
 * A program of somebody else's: the drop-in of README.md on data that it can
 * learn.  Exits with 1 if it has not learned it.
 */
#include <symvi.hpp>

#include <iostream>

int main()
{
  mlpack::RandomSeed(1);
  // Three classes, told apart by which of three coordinates is the greatest.
  const arma::mat X(3, 300, arma::fill::randn);
  const arma::mat y = arma::conv_to<arma::mat>::from(arma::index_max(X, 0));

  symvi::BayesianFFN<symvi::CategoricalLikelihood> model;
  model.Add<symvi::BayesianLinear>(8);
  model.Add<mlpack::ReLU>();
  model.Add<symvi::BayesianLinear>(3);
  ens::Adam adam(symvi::StepSize(0.02, 20), 20);
  adam.MaxIterations() = 60 * X.n_cols;
  model.Train(X, y, adam);

  arma::mat probabilities;
  model.Predict(X, probabilities);
  const double accuracy = symvi::Accuracy(probabilities, y);
  std::cout << "symvi " << SYMVI_VERSION << ", accuracy " << accuracy << '\n'
            << model.Elbo(X, y);
  return accuracy > 0.8 ? 0 : 1;
}
