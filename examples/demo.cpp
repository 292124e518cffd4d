/**
 * @file examples/demo.cpp
 *
 * What a posterior over the weights is for, beside a plain mlpack network: a
 * regression whose intervals open away from the data, and a classifier of
 * handwritten digits that is asked about digits it has never seen.
 *
 *   usage: demo [--quick] [PICTURE.svg]
 */
#include <symvi.hpp>
#include <symvi/kernel/threads.hpp>
#include <symvi/model/ensemble.hpp>

#include <chrono>
#include <cstdio>
#include <cstring>

#include "common/problems.hpp"
#include "common/rival.hpp"
#include "demo/picture.hpp"

namespace {

//! A classifier's predictions of known digits (0 to 7) and unknown ones.
struct Result
{
  arma::mat known, unknown;
  double seconds;
};

double Since(const std::chrono::steady_clock::time_point start)
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

arma::rowvec Entropy(arma::mat p)
{
  p.transform([](const double x) { return x > 0.0 ? -x * std::log(x) : 0.0; });
  return arma::sum(p, 0);
}

symvi::io::Chart Regression(const bool quick)
{
  const double noise = 0.1;
  const examples::Problem data = examples::Sine(150, 1, noise, 0.0, 3);
  const arma::mat grid = arma::linspace(-4.0, 4.0, 321).t();

  examples::RivalOptions options;
  options.steps = quick ? 200 : 30000;
  examples::Rival<symvi::GaussianLikelihood> rival(data.X, data.y, 1, options,
      1);
  demo::Band plain;
  plain.mean = arma::vectorise(rival.Outputs(grid).slice(0));
  plain.lower = plain.mean - 1.96 * std::sqrt(rival.HeldOutErrors()[0]);
  plain.upper = plain.mean + 1.96 * std::sqrt(rival.HeldOutErrors()[0]);

  symvi::NetworkSpec spec;
  spec.task = "regression";
  spec.hidden = { 50 };
  symvi::Pipeline model(spec);
  model.Fit(data.X, data.y, symvi::FitOptions().Seed(1).Epochs(quick ? 50 : 0));
  const symvi::RegressionPrediction<arma::mat> p = model.Regress(grid);
  return demo::DrawRegression(arma::vectorise(data.X), arma::vectorise(data.y),
      arma::vectorise(grid), plain,
      { arma::vectorise(p.mean), arma::vectorise(p.lower),
          arma::vectorise(p.upper) });
}

Result RunPlain(const examples::Problem& data, const arma::mat& unknown,
    const bool quick)
{
  const auto start = std::chrono::steady_clock::now();
  examples::RivalOptions options;
  options.steps = quick ? 200 : 30000;
  examples::Rival<symvi::CategoricalLikelihood> rival(data.X, data.y, 8,
      options, 1);
  const auto predict = [&](const arma::mat& points)
  {
    arma::mat p = rival.Outputs(points).slice(0);
    p.each_row() -= arma::max(p, 0);
    p = arma::exp(p);
    p.each_row() /= arma::sum(p, 0);
    return p;
  };
  return { predict(data.testX), predict(unknown), Since(start) };
}

Result RunBayesian(const examples::Problem& data, const arma::mat& unknown,
    const size_t members, const bool quick)
{
  const auto start = std::chrono::steady_clock::now();
  symvi::io::Dataset train;
  train.points = data.X;
  for (const double label : data.y)
    train.labels.push_back(std::to_string(int(label)));
  symvi::NetworkSpec spec;
  spec.hidden = { 50 };
  spec.standardizeInputs = false;
  symvi::Ensemble model(spec, symvi::BoundOptions(), members);
  model.Fit(train, symvi::FitOptions().Seed(1).Epochs(quick ? 3 : 0));
  return { model.Classify(data.testX).probabilities,
    model.Classify(unknown).probabilities, Since(start) };
}

void PrintRow(const char* name, const Result& r, const arma::mat& labels)
{
  const arma::rowvec confidence = arma::max(r.unknown, 0);
  std::printf("%-21s %8.2f%% %8.4f %12.4f %8.1f%% %8.4f %8.0f\n", name,
      100 * symvi::Accuracy(r.known, labels),
      symvi::NegativeLogLikelihood(r.known, labels),
      symvi::ExpectedCalibrationError(r.known, labels),
      100.0 * double(arma::accu(confidence > 0.9)) / double(confidence.n_elem),
      symvi::Auroc(Entropy(r.known), Entropy(r.unknown)), r.seconds);
}

} // namespace

int main(int argc, char** argv)
{
  const bool quick = (argc > 1 && std::strcmp(argv[1], "--quick") == 0);
  const std::string picture = (argc > 1 + quick) ? argv[1 + quick] : "demo.svg";
  // Matrices this small are slower with more threads.
  symvi::SetThreads(1);
  std::printf("mlpack %d.%d.%d, ensmallen %d.%d.%d, Armadillo %d.%d.%d\n",
      MLPACK_VERSION_MAJOR, MLPACK_VERSION_MINOR, MLPACK_VERSION_PATCH,
      ENS_VERSION_MAJOR, ENS_VERSION_MINOR, ENS_VERSION_PATCH,
      ARMA_VERSION_MAJOR, ARMA_VERSION_MINOR, ARMA_VERSION_PATCH);

  // 8 and 9 are kept out of training altogether.
  examples::Problem data = examples::Digits(
      SYMVI_SOURCE_DIR "/examples/data/digits.csv", 1000, 1);
  const auto keep = [](arma::mat& X, arma::mat& y, const arma::uvec& columns)
  {
    X = arma::mat(X.cols(columns));
    y = arma::mat(y.cols(columns));
  };
  const arma::mat unknown = data.testX.cols(arma::find(data.testY > 7));
  keep(data.testX, data.testY, arma::find(data.testY <= 7));
  keep(data.X, data.y, arma::find(data.y <= 7));
  std::printf("digits 0 to 7: %zu images to train on, %zu to test on, and %zu "
              "images of 8 and 9;\none hidden layer of 50 ReLU units\n\n",
      size_t(data.X.n_cols), size_t(data.testX.n_cols), size_t(unknown.n_cols));
  std::printf("%-21s %9s %8s %12s %9s %8s %8s\n", "", "accuracy", "NLL",
      "calibration", "fooled", "AUROC", "seconds");
  std::fflush(stdout);

  const Result plain = RunPlain(data, unknown, quick);
  PrintRow("plain mlpack network", plain, data.testY);
  std::fflush(stdout);
  const Result single = RunBayesian(data, unknown, 1, quick);
  PrintRow("symvi", single, data.testY);
  std::fflush(stdout);
  const Result five = RunBayesian(data, unknown, 5, quick);
  PrintRow("symvi, ensemble of 5", five, data.testY);
  std::printf(
      "\nNLL in nats per image; calibration: expected calibration error"
      "; fooled: images of 8\nand 9 that are answered with more than 90 %% "
      "confidence; AUROC: how well the\npredictive entropy tells them from the "
      "others (0.5 is chance).\n");

  const auto confidence = [](const Result& r)
  { return arma::vec(arma::max(r.unknown, 0).t()); };
  demo::WritePicture(picture,
      { Regression(quick),
          demo::DrawConfidence(
              { { "plain network", symvi::io::Tone::Orange, confidence(plain) },
                  { "symvi", symvi::io::Tone::Blue, confidence(single) },
                  { "symvi, ensemble of 5", symvi::io::Tone::Green,
                      confidence(five) } }) });
  std::printf("picture: %s\n", picture.c_str());
}
