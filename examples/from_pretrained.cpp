/**
 * @file examples/from_pretrained.cpp
 *
 * A trained mlpack network becomes Bayesian, is trained a little further, and
 * becomes a plain network again.
 */
#include <symvi.hpp>
#include <symvi/model/convert.hpp>

#include "common/csv.hpp"
#include "common/options.hpp"
#include "common/picture.hpp"
#include "common/problems.hpp"
#include "common/runs.hpp"

using namespace examples;

//! Probabilities on the test digits by the three networks.
std::vector<arma::mat> Run(const Problem& data, bool quick, uint32_t seed)
{
  mlpack::RandomSeed(seed);

  // 1. A plain network, as any mlpack program has it.
  mlpack::FFN<mlpack::NegativeLogLikelihood, mlpack::GlorotInitialization>
      plain;
  plain.Add<mlpack::Linear>(20);
  plain.Add<mlpack::ReLU>();
  plain.Add<mlpack::Linear>(10);
  plain.Add<mlpack::LogSoftMax>();
  ens::Adam adam(symvi::StepSize(5e-3, 50), 50);
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
  adam.MaxIterations() = (quick ? 100 : 500) * data.X.n_cols;
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
  return { before, bayesian, after };
}

int Experiment(const Options& options)
{
  const Problem data = Digits(SYMVI_SOURCE_DIR "/examples/data/digits.csv", 600,
      1);
  const size_t seeds = options.Seeds(1, 1, 10);
  const char* names[] = { "plain network", "posterior", "its means, plain" };
  std::vector<double> scores[3][3];
  {
    Progress progress("trainings", seeds);
    for (size_t seed = 1; seed <= seeds; ++seed, progress.Step())
    {
      const std::vector<arma::mat> p = Run(data, options.quick, uint32_t(seed));
      for (size_t i = 0; i < 3; ++i)
      {
        scores[i][0].push_back(symvi::Accuracy(p[i], data.testY));
        scores[i][1].push_back(symvi::NegativeLogLikelihood(p[i], data.testY));
        scores[i][2].push_back(
            symvi::ExpectedCalibrationError(p[i], data.testY));
      }
    }
  }

  Claims claims;
  CsvWriter csv(options.File("scores.csv"), "network,accuracy,nll,ece");
  Picture picture(options.output, "scores", 800, 450);
  std::vector<std::string> labels;
  std::vector<double> nll, ece;
  std::printf("means over %zu seeds   accuracy   NLL      ECE\n", seeds);
  for (size_t i = 0; i < 3; ++i)
  {
    const Summary s[] = { Summary(scores[i][0]), Summary(scores[i][1]),
      Summary(scores[i][2]) };
    std::printf("%-20s   %.4f     %.4f   %.4f\n", names[i], s[0].mean,
        s[1].mean, s[2].mean);
    csv.Row("\"" + std::string(names[i]) + "\"", s[0].mean, s[1].mean,
        s[2].mean);
    labels.push_back("\"" + std::string(names[i]) + "\"");
    nll.push_back(s[1].mean);
    ece.push_back(s[2].mean);
    claims.Check(s[0].mean > 0.85,
        std::string(names[i]) + ": more than 85 % right");
  }
  picture.Data("scores", labels, nll, ece);
  picture
      << "set style data histograms\nset style fill solid 0.8\n"
         "set ylabel 'NLL (nats per point), ECE'\nset yrange [0:*]\n"
         "set key outside top horizontal\n"
         "plot $scores using 2:xtic(1) title 'NLL', '' using 3 title 'ECE'\n";
  picture.Write();
  return claims.ExitCode();
}

int main(int argc, char** argv)
{
  return RunExample(argc, argv, "from_pretrained",
      "a trained FFN becomes Bayesian and plain again", Experiment);
}
