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

//! What a posterior says of one set of images.
struct Scores
{
  arma::mat entropy, information;
};

//! Digits, digits with shuffled pixels and noise, seen by one posterior.
std::vector<Scores> Run(const Problem& data, bool quick, uint32_t seed)
{
  mlpack::RandomSeed(seed);
  symvi::BayesianFFN<symvi::CategoricalLikelihood> model;
  model.Add<symvi::BayesianLinear>(30);
  model.Add<mlpack::ReLU>();
  model.Add<symvi::BayesianLinear>(10);
  ens::Adam adam(symvi::StepSize(5e-3, 50), 50);
  adam.MaxIterations() = (quick ? 40 : 200) * data.X.n_cols;
  adam.Tolerance() = -1;
  model.Train(data.X, data.y, adam);

  arma::mat shuffled = data.testX;
  shuffled.each_col([](arma::vec& image) { image = arma::shuffle(image); });
  const arma::mat noise(data.testX.n_rows, data.testX.n_cols,
      arma::fill::randu);
  std::vector<Scores> scores;
  for (const arma::mat* images :
      { &data.testX, &std::as_const(shuffled), &noise })
  {
    const auto p = model.Predict(*images,
        symvi::PredictOptions(quick ? 200 : 1000));
    scores.push_back({ p.entropy, p.mutualInformation });
    if (images == &data.testX)
      std::printf("seed %u: %.1f %% of the digits right\n", seed,
          100 * symvi::Accuracy(p.probabilities, data.testY));
  }
  return scores;
}

const char* names[] = { "digits", "pixels shuffled", "noise" };

//! Histograms of both scores, a colour for each set of images.
void Draw(const std::string& folder, const std::vector<Scores>& scores)
{
  const size_t bins = 30;
  const double largest[2] = { std::log(10.0), 2.0 };
  Picture picture(folder, "histograms", 1100, 450);
  picture << "set multiplot layout 1,2\nset style fill transparent solid 0.5\n"
             "set ylabel 'fraction of the images'\n";
  for (size_t k = 0; k < 2; ++k)
  {
    std::vector<double> axis;
    for (size_t i = 0; i < bins; ++i)
      axis.push_back((double(i) + 0.5) * largest[k] / double(bins));
    std::string plot;
    for (size_t i = 0; i < scores.size(); ++i)
    {
      const std::string block = "h" + std::to_string(2 * i + k);
      picture.Data(block, axis,
          Histogram(k ? scores[i].information : scores[i].entropy, largest[k],
              bins));
      plot += (i ? ", $" : "plot $") + block + " with boxes title '" +
          names[i] + "'";
    }
    picture << "set xlabel '"
            << (k ? "mutual information (epistemic)" : "entropy (total)")
            << ", nats'\nset xrange [0:" << largest[k] << "]\n"
            << plot << "\n";
  }
  picture.Write();
}

int Experiment(const Options& options)
{
  const Problem data = Digits(SYMVI_SOURCE_DIR "/examples/data/digits.csv",
      1297, 1);
  const size_t seeds = options.Seeds(1, 1, 10);
  CsvWriter csv(options.File("auroc.csv"),
      "seed,set,entropy,mutual_information");
  std::vector<Scores> first;
  std::vector<double> auroc[3][2];
  {
    Progress progress("trainings", seeds);
    for (size_t seed = 1; seed <= seeds; ++seed, progress.Step())
    {
      const std::vector<Scores> s = Run(data, options.quick, uint32_t(seed));
      for (size_t i = 1; i < 3; ++i)
      {
        auroc[i][0].push_back(AUROC(s[0].entropy, s[i].entropy));
        auroc[i][1].push_back(AUROC(s[0].information, s[i].information));
        csv.Row(seed, names[i], auroc[i][0].back(), auroc[i][1].back());
      }
      if (seed == 1)
        first = s;
    }
  }

  Claims claims;
  std::printf("area under the ROC curve against digits, mean +- standard "
              "deviation over %zu seeds\n",
      seeds);
  for (size_t i = 1; i < 3; ++i)
  {
    const Summary entropy(auroc[i][0]), information(auroc[i][1]);
    std::printf("%-15s  by entropy %s, by mutual information %s\n", names[i],
        PlusMinus(entropy.mean, entropy.stddev, 3).c_str(),
        PlusMinus(information.mean, information.stddev, 3).c_str());
    claims.Check(entropy.mean > 0.8 && information.mean > 0.8,
        std::string(names[i]) + ": told from digits");
  }
  Draw(options.output, first);
  return claims.ExitCode();
}

int main(int argc, char** argv)
{
  return RunExample(argc, argv, "ood_detection",
      "uncertainty on inputs unlike the training data", Experiment);
}
