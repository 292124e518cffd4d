/**
 * @file examples/ood_detection.cpp
 *
 * Inputs unlike the training data: entropy and mutual information of a digit
 * classifier on digits, on digits with their pixels shuffled, and on noise.
 */
#include <symvi.hpp>

#include "common/csv.hpp"
#include "common/options.hpp"
#include "common/picture.hpp"
#include "common/problems.hpp"
#include "common/runs.hpp"

using namespace examples;

//! Probability that a stranger scores higher than a digit (ties count half).
double AUROC(const arma::mat& digits, const arma::mat& strangers)
{
  double wins = 0;
  for (double a : digits)
    for (double b : strangers)
      wins += b > a ? 1.0 : b == a ? 0.5 : 0.0;
  return wins / double(digits.n_elem * strangers.n_elem);
}

//! Fractions of the values in bins of [0, largest].
std::vector<double> Histogram(const arma::mat& values, double largest,
                              size_t bins)
{
  std::vector<double> fractions(bins);
  for (double value : values)
    fractions[std::min(bins - 1, size_t(double(bins) * value / largest))] +=
        1.0 / double(values.n_elem);
  return fractions;
}

int main(int argc, char** argv)
{
  const Options options(argc, argv, "ood_detection",
      "uncertainty on inputs unlike the training data");
  const Problem data = Digits(SYMVI_SOURCE_DIR "/examples/data/digits.csv", 1297,
      1);
  mlpack::RandomSeed(1);
  symvi::BayesianFFN<symvi::CategoricalLikelihood> model;
  model.Add<symvi::BayesianLinear>(30);
  model.Add<mlpack::ReLU>();
  model.Add<symvi::BayesianLinear>(10);
  ens::Adam adam(5e-3, 50);
  adam.MaxIterations() = (options.quick ? 40 : 200) * data.X.n_cols;
  adam.Tolerance() = -1;
  model.Train(data.X, data.y, adam);

  arma::mat shuffled = data.testX;
  shuffled.each_col([](arma::vec& image) { image = arma::shuffle(image); });
  const arma::mat noise(data.testX.n_rows, data.testX.n_cols,
      arma::fill::randu);
  const symvi::PredictOptions predict(options.quick ? 200 : 1000);
  const auto digits = model.Predict(data.testX, predict);
  std::printf("digits: %.1f %% right, mean entropy %.3f, mean mutual "
      "information %.3f\n", 100 * symvi::Accuracy(digits.probabilities,
      data.testY), arma::mean(arma::vectorise(digits.entropy)),
      arma::mean(arma::vectorise(digits.mutualInformation)));

  Claims claims;
  const size_t bins = 30;
  std::vector<double> axis[2];
  Picture picture(options.output, "histograms", 1100, 450);
  CsvWriter csv(options.File("auroc.csv"), "set,entropy,mutual_information");
  const double largest[2] = { std::log(10.0), 2.0 };
  for (size_t i = 0; i < bins; ++i)
    for (size_t k = 0; k < 2; ++k)
      axis[k].push_back((double(i) + 0.5) * largest[k] / double(bins));
  picture.Data("digits", axis[0], Histogram(digits.entropy, largest[0], bins),
      axis[1], Histogram(digits.mutualInformation, largest[1], bins));
  for (const auto& [name, images] : { std::make_pair("shuffled", shuffled),
      std::make_pair("noise", noise) })
  {
    const auto p = model.Predict(images, predict);
    const double entropy = AUROC(digits.entropy, p.entropy);
    const double information = AUROC(digits.mutualInformation,
        p.mutualInformation);
    std::printf("%-9s AUROC by entropy %.3f, by mutual information %.3f\n",
        name, entropy, information);
    csv.Row(name, entropy, information);
    picture.Data(name, axis[0], Histogram(p.entropy, largest[0], bins), axis[1],
        Histogram(p.mutualInformation, largest[1], bins));
    claims.Check(entropy > 0.8 && information > 0.8, std::string(name) +
        " images are told from digits");
  }
  picture << "set multiplot layout 1,2\nset style fill transparent solid 0.5\n"
      "set ylabel 'fraction'\n";
  for (size_t k = 0; k < 2; ++k)
    picture << "set xlabel '" << (k ? "mutual information (epistemic)" :
        "entropy (total)") << ", nats'\nplot $digits using " << 2 * k + 1 << ":"
        << 2 * k + 2 << " with boxes title 'digits', $shuffled using "
        << 2 * k + 1 << ":" << 2 * k + 2 << " with boxes title 'pixels shuffled'"
        << ", $noise using " << 2 * k + 1 << ":" << 2 * k + 2
        << " with boxes title 'noise'\n";
  picture.Write();
  return claims.ExitCode();
}
