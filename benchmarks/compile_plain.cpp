/**
 * @file compile_plain.cpp
 *
 * The first program of README.md as one writes it with mlpack alone, for
 * scripts/compile_time.sh.
 */
#ifdef ANN_HEADERS_ONLY
  #include <mlpack/core.hpp>
  #include <mlpack/methods/ann/ann.hpp>
#else
  #include <mlpack.hpp>
#endif

int main()
{
  arma::mat X(4, 500, arma::fill::randn);
  arma::mat y = arma::conv_to<arma::mat>::from(X.row(0) > 0);

  mlpack::FFN<mlpack::NegativeLogLikelihood> model;
  model.Add<mlpack::Linear>(30);
  model.Add<mlpack::ReLU>();
  model.Add<mlpack::Linear>(2);
  model.Add<mlpack::LogSoftMax>();
  ens::Adam adam(1e-3, 100);
  adam.MaxIterations() = 10 * X.n_cols;
  model.Train(X, y, adam, ens::ProgressBar());

  arma::mat p;
  model.Predict(X, p);
  std::cout << p.col(0);
}
