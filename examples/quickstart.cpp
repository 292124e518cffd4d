/**
 * @file examples/quickstart.cpp
 *
 * The program of the README on real data: a classifier of handwritten digits.
 *
 * usage: quickstart [file]       (65 comma-separated numbers per line)
 */
#include <symvi.hpp>

int main(int argc, char** argv)
{
  const std::string file = argc > 1 ? argv[1] :
                                      SYMVI_SOURCE_DIR
      "/examples/data/digits.csv";
  arma::mat data;
  if (!mlpack::data::Load(file, data) || data.n_rows != 65)
  {
    std::cerr << "quickstart: " << file << " has no 65 numbers per line.\n";
    return 2;
  }
  const arma::mat X = data.head_rows(64) / 16.0, y = data.row(64);
  const size_t half = X.n_cols / 2; // The rest is for testing.

  mlpack::RandomSeed(1);
  symvi::BayesianFFN<symvi::CategoricalLikelihood> model;
  model.Add<symvi::BayesianLinear>(30);
  model.Add<mlpack::ReLU>();
  model.Add<symvi::BayesianLinear>(10);
  ens::Adam adam(symvi::StepSize(5e-3, 50), 50);
  adam.MaxIterations() = 60 * half;
  model.Train(X.head_cols(half), y.head_cols(half), adam);

  arma::mat probabilities;
  const arma::mat testX = X.tail_cols(X.n_cols - half);
  const arma::mat testY = y.tail_cols(X.n_cols - half);
  model.Predict(testX, probabilities);
  const double accuracy = symvi::Accuracy(probabilities, testY);
  std::cout << "accuracy " << accuracy << ", expected calibration error "
            << symvi::ExpectedCalibrationError(probabilities, testY) << "\n"
            << model.Elbo(X.head_cols(half), y.head_cols(half));
  return accuracy > 0.85 ? 0 : 1;
}
