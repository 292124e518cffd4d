/**
 * @file examples/demo.cpp
 *
 * The same small Bayesian network trained twice on handwritten digits: by plain
 * mean-field variational inference (maximising L), and by symmetrized
 * variational inference (maximising L^G = L + I(g; w)).
 *
 *   usage: demo [--quick] [PICTURE.svg]
 */
#include <symvi.hpp>
#include <symvi/kernel/threads.hpp>

#include <chrono>
#include <cstdio>
#include <cstring>

#include "demo/digits.hpp"
#include "demo/picture.hpp"
#include "demo/progress.hpp"

//! One trained model in numbers.
struct Result
{
  std::vector<double> history;
  symvi::ElboReport elbo;
  double accuracy, nll;
  symvi::ReliabilityDiagram reliability;
  double seconds;
};

static Result Run(const demo::Digits& data, const bool symmetrize,
                  const size_t epochs, const char* title)
{
  const auto start = std::chrono::steady_clock::now();
  mlpack::RandomSeed(1);
  symvi::BayesianFFN<symvi::CategoricalLikelihood> model;
  model.Add<symvi::BayesianLinear>(32);
  model.Add<mlpack::ReLU>();
  model.Add<symvi::BayesianLinear>(10);
  model.Symmetrize() = symmetrize;
  model.ElboSamples() = 1000;

  Result result;
  const size_t numPoints = data.trainImages.n_cols;
  ens::Adam adam(symvi::StepSize(0.005, 50), 50);
  adam.MaxIterations() = epochs * numPoints;
  adam.Tolerance() = -1;
  model.Train(data.trainImages, data.trainLabels, adam,
      demo::Progress(title, epochs, result.history));

  arma::mat probabilities;
  model.Predict(data.testImages, probabilities);
  result.accuracy = symvi::Accuracy(probabilities, data.testLabels);
  result.nll = symvi::NegativeLogLikelihood(probabilities, data.testLabels);
  result.reliability = symvi::Reliability(probabilities, data.testLabels, 10);
  result.elbo = model.Elbo(data.trainImages, data.trainLabels);
  result.seconds = std::chrono::duration<double>(
      std::chrono::steady_clock::now() - start).count();
  return result;
}

static void PrintRow(const char* name, const Result& r)
{
  std::printf("%-15s %8.2f%% %7.4f %11.4f %8.1f +- %.1f %8.1f +- %.1f %7.0f\n",
      name, 100 * r.accuracy, r.nll, r.reliability.expectedError, r.elbo.elbo,
      r.elbo.elboStandardError, r.elbo.symmetrizedElbo,
      r.elbo.symmetrizedElboStandardError, r.seconds);
}

int main(int argc, char** argv)
{
  const bool quick = (argc > 1 && std::strcmp(argv[1], "--quick") == 0);
  const std::string picture = (argc > 1 + quick) ? argv[1 + quick] : "demo.svg";
  const size_t epochs = quick ? 5 : 1500;
  // Matrices this small are slower with more threads.
  symvi::SetThreads(1);

  mlpack::RandomSeed(42);
  const demo::Digits data = demo::LoadDigits(
      SYMVI_SOURCE_DIR "/examples/data/digits.csv", 500);
  std::printf("mlpack %d.%d.%d, ensmallen %d.%d.%d, Armadillo %d.%d.%d\n",
      MLPACK_VERSION_MAJOR, MLPACK_VERSION_MINOR, MLPACK_VERSION_PATCH,
      ENS_VERSION_MAJOR, ENS_VERSION_MINOR, ENS_VERSION_PATCH,
      ARMA_VERSION_MAJOR, ARMA_VERSION_MINOR, ARMA_VERSION_PATCH);
  std::printf("digits: %zu images to train on, %zu to test on; 64-32-10 "
      "network, %zu epochs\n", size_t(data.trainImages.n_cols),
      size_t(data.testImages.n_cols), epochs);
  std::fflush(stdout);

  const Result plain = Run(data, false, epochs, "mean-field VI");
  const Result symmetrized = Run(data, true, epochs, "symmetrized VI");

  std::printf("\n%-15s %9s %7s %11s %15s %15s %7s\n", "", "accuracy", "NLL",
      "calibration", "L", "L^G", "seconds");
  PrintRow("mean-field VI", plain);
  PrintRow("symmetrized VI", symmetrized);
  std::printf("\naccuracy, NLL (nats) and expected calibration error on the "
      "test images;\nL and L^G in nats on the training images; I(g; w) <= "
      "log|G| = %.1f.\n", plain.elbo.logGroupOrder);

  demo::WritePicture(picture,
      { "mean-field VI", "#c0562f", plain.history, plain.reliability },
      { "symmetrized VI", "#2f6fc0", symmetrized.history,
        symmetrized.reliability });
  std::printf("picture: %s\n", picture.c_str());
}
