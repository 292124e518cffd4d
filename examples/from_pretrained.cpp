/**
 * @file examples/from_pretrained.cpp
 *
 * A trained mlpack network becomes Bayesian, is trained a little further, and
 * becomes a plain network again.
 */
#include <symvi.hpp>
#include <symvi/model/convert.hpp>

#include "common/options.hpp"
#include "common/problems.hpp"
#include "common/runs.hpp"

using namespace examples;

int main(int argc, char** argv)
{
  const Options options(argc, argv, "from_pretrained",
      "a trained FFN becomes Bayesian and plain again");
  const Problem data = Digits(SYMVI_SOURCE_DIR "/examples/data/digits.csv", 600,
      1);
  mlpack::RandomSeed(1);

  // 1. A plain network, as any mlpack program has it.
  mlpack::FFN<mlpack::NegativeLogLikelihood, mlpack::GlorotInitialization> plain;
  plain.Add<mlpack::Linear>(20);
  plain.Add<mlpack::ReLU>();
  plain.Add<mlpack::Linear>(10);
  plain.Add<mlpack::LogSoftMax>();
  ens::Adam adam(5e-3, 50);
  adam.MaxIterations() = 60 * data.X.n_cols;
  adam.Tolerance() = -1;
  plain.Train(data.X, data.y, adam);
  arma::mat logProbabilities;
  plain.Predict(data.testX, logProbabilities);
  arma::mat before = arma::exp(logProbabilities);
  before.each_row() /= arma::sum(before, 0); // LogSoftMax is approximate.

  // 2. Its weights as the means of a posterior, trained further.
  symvi::ConvertOptions convert;
  convert.minSigma = 0.02;
  auto model = symvi::ToBayesian<symvi::CategoricalLikelihood>(plain, {},
      convert);
  adam.StepSize() = 1e-3;
  adam.MaxIterations() = (options.quick ? 100 : 500) * data.X.n_cols;
  model.Train(data.X, data.y, adam);
  arma::mat bayesian;
  model.Predict(data.testX, bayesian);

  // 3. The posterior means as a plain network again.
  auto means = symvi::ToDeterministic(model);
  arma::mat logits;
  means.Predict(data.testX, logits);
  logits.each_row() -= arma::max(logits, 0);
  arma::mat after = arma::exp(logits);
  after.each_row() /= arma::sum(after, 0);

  Claims claims;
  std::printf("                     accuracy   NLL      ECE\n");
  for (const auto& [name, p] : { std::make_pair("plain network", &before),
      std::make_pair("posterior", &bayesian),
      std::make_pair("its means, plain", &after) })
  {
    std::printf("%-18s   %.4f     %.4f   %.4f\n", name, symvi::Accuracy(*p,
        data.testY), symvi::NegativeLogLikelihood(*p, data.testY),
        symvi::ExpectedCalibrationError(*p, data.testY));
    claims.Check(symvi::Accuracy(*p, data.testY) > 0.85, std::string(name) +
        ": more than 85 % right");
  }
  return claims.ExitCode();
}
