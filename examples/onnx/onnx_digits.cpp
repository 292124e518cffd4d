/**
 * @file examples/onnx/onnx_digits.cpp
 *
 * Trains a Bayesian network on handwritten digits and writes its posterior, as
 * an ensemble of 64 networks in one graph, to FOLDER/digits.onnx, and what the
 * library itself predicts for 20 pictures to FOLDER/digits.json.
 *
 *   usage: onnx_digits [--quick] [FOLDER]
 */
#include <symvi.hpp>
#include <symvi/onnx/convert.hpp>
#include <symvi/onnx/file.hpp>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "../common/problems.hpp"

using Likelihood = symvi::CategoricalLikelihoodType<arma::fmat>;
using Model =
    symvi::BayesianFFN<Likelihood, mlpack::RandomInitialization, arma::fmat>;

static void WriteMatrix(std::ostream& out, const char* name,
    const arma::fmat& m)
{
  out << "\"" << name << "\": [";
  for (size_t i = 0; i < m.n_elem; ++i)
    out << (i > 0 ? "," : "") << m[i];
  out << "]";
}

int main(int argc, char** argv)
{
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  const std::string folder = argc > 1 + quick ? argv[1 + quick] : ".";
  std::filesystem::create_directories(folder);

  arma::arma_rng::set_seed(1);
  mlpack::RandomSeed(1);
  const examples::Problem data = examples::Digits(
      SYMVI_SOURCE_DIR "/examples/data/digits.csv", 1500, 1);
  const arma::fmat X = arma::conv_to<arma::fmat>::from(data.X);
  const arma::fmat y = arma::conv_to<arma::fmat>::from(data.y);
  const arma::fmat Xtest = arma::conv_to<arma::fmat>::from(data.testX);
  const arma::fmat ytest = arma::conv_to<arma::fmat>::from(data.testY);

  Model model;
  model.Add<symvi::BayesianLinearType<arma::fmat>>(32);
  model.Add<symvi::compat::ReLU<arma::fmat>>();
  model.Add<symvi::BayesianLinearType<arma::fmat>>(10);
  ens::Adam adam(symvi::StepSize(0.005, 50), 50);
  adam.MaxIterations() = (quick ? 60 : 200) * X.n_cols;
  adam.Tolerance() = -1;
  model.Train(X, y, adam);

  // The graph takes pixels in 0..16, as the data have them.
  symvi::NetworkDescription description = symvi::onnx::Describe(model,
      model.Elbo(X, y));
  description.inputMean.zeros(64);
  description.inputScale = arma::vec(64, arma::fill::value(16.0));
  for (int digit = 0; digit < 10; ++digit)
    description.classNames.push_back(std::to_string(digit));
  symvi::onnx::ExportOptions options;
  options.mode = symvi::onnx::ExportMode::Ensemble;
  options.samples = 64;
  options.members = true;
  symvi::onnx::Export(description, folder + "/digits.onnx", options);

  const auto prediction = model.Predict(Xtest,
      symvi::PredictOptions(options.samples));
  std::ofstream out(folder + "/digits.json");
  out.precision(9);
  out << "{";
  WriteMatrix(out, "pixels", Xtest.head_cols(20) * 16.0f);
  out << ",\n";
  WriteMatrix(out, "labels", ytest.head_cols(20));
  out << ",\n";
  WriteMatrix(out, "probabilities", prediction.probabilities.head_cols(20));
  out << "}\n";
  std::cout << "test accuracy "
            << symvi::Accuracy(prediction.probabilities, ytest)
            << "; wrote digits.onnx and digits.json to " << folder << "\n";
  return out ? 0 : 1;
}
