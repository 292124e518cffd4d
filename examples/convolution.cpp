/**
 * @file examples/convolution.cpp
 *
 * A network like LeNet on MNIST, plain and Bayesian side by side: accuracy,
 * log-likelihood, calibration, and what is told apart from digits by the
 * entropy of the prediction.
 *
 * scripts/get_mnist.sh fetches the data.  Without it, --quick uses the 8 x 8
 * digits of examples/data.
 */
#include <symvi.hpp>
#include <symvi/optimizer/adam.hpp>

#include "common/csv.hpp"
#include "common/idx.hpp"
#include "common/options.hpp"
#include "common/picture.hpp"
#include "common/problems.hpp"
#include "common/runs.hpp"

using namespace examples;
using M = arma::fmat;

struct Data
{
  M X, y, testX, testY;

  size_t Side() const { return size_t(std::sqrt(double(X.n_rows))); }
};

Data Load(const Options& options)
{
  if (!options.quick)
  {
    const std::string folder = options["data"];
    Data data = { ReadIdx<M>(folder, "train-images-idx3-ubyte", 255.0),
      ReadIdx<M>(folder, "train-labels-idx1-ubyte"),
      ReadIdx<M>(folder, "t10k-images-idx3-ubyte", 255.0),
      ReadIdx<M>(folder, "t10k-labels-idx1-ubyte") };
    for (const auto& [matrix, most] :
        { std::make_pair(&data.X, "points"), std::make_pair(&data.y, "points"),
            std::make_pair(&data.testX, "test_points"),
            std::make_pair(&data.testY, "test_points") })
      matrix->resize(matrix->n_rows,
          std::min(size_t(matrix->n_cols), options.Number(most)));
    return data;
  }
  const Problem p = Digits(SYMVI_SOURCE_DIR "/examples/data/digits.csv", 1297,
      1);
  const auto narrow = [](const arma::mat& m)
  { return arma::conv_to<M>::from(m); };
  return { narrow(p.X), narrow(p.y), narrow(p.testX), narrow(p.testY) };
}

//! LeNet with filters and maps that fit the size of the images.
template<typename Convolution, typename Linear, typename NetworkType>
void AddLayers(NetworkType& network, const size_t side)
{
  using Pooling = symvi::compat::MaxPooling<M>;
  const size_t first = (side > 20) ? 5 : 3, second = (side > 20) ? 5 : 2;
  network.template Add<Convolution>(6, first, first);
  network.template Add<symvi::compat::ReLU<M>>();
  network.template Add<Pooling>(2, 2, 2, 2);
  network.template Add<Convolution>(16, second, second);
  network.template Add<symvi::compat::ReLU<M>>();
  network.template Add<Pooling>(2, 2, side > 20 ? 2 : 1, side > 20 ? 2 : 1);
  network.template Add<Linear>(side > 20 ? 120 : 30);
  network.template Add<symvi::compat::ReLU<M>>();
  network.template Add<Linear>(10);
  network.InputDimensions() = { side, side, 1 };
}

//! Images that are no digits: transformed ones, and noise.
std::vector<std::pair<const char*, M>> Strangers(const Data& data)
{
  const size_t side = data.Side();
  M turned = data.testX, inverted = 1 - data.testX, shuffled = data.testX;
  for (size_t i = 0; i < turned.n_cols; ++i)
  {
    M image(turned.colptr(i), side, side, false, true);
    image = M(image.t());
  }
  shuffled.each_col([](arma::fvec& image) { image = arma::shuffle(image); });
  return { { "digits", data.testX }, { "transposed", turned },
    { "inverted", inverted }, { "pixels shuffled", shuffled },
    { "noise", M(arma::size(data.testX), arma::fill::randu) } };
}

arma::rowvec Entropy(const M& probabilities)
{
  return arma::conv_to<arma::rowvec>::from(-arma::sum(
      probabilities % arma::log(arma::clamp(probabilities, 1e-30f, 1.0f))));
}

//! Accuracy in percent, NLL, ECE, and the AUROC of each set of strangers.
std::vector<double> Scores(const std::vector<M>& probabilities, const M& labels)
{
  std::vector<double> scores = { 100 *
        symvi::Accuracy(probabilities[0], labels),
    symvi::NegativeLogLikelihood(probabilities[0], labels),
    symvi::ExpectedCalibrationError(probabilities[0], labels) };
  for (size_t i = 1; i < probabilities.size(); ++i)
    scores.push_back(
        symvi::Auroc(Entropy(probabilities[0]), Entropy(probabilities[i])));
  return scores;
}

int Experiment(const Options& options)
{
  const Data data = Load(options);
  const size_t epochs = options.quick ? 30 : options.Number("epochs");
  const size_t batch = options.quick ? 20 : 64;
  const auto sets = Strangers(data);
  std::vector<std::vector<double>> results;
  const char* names[] = { "plain", "mean-field", "symmetrized" };
  for (const char* name : names)
  {
    mlpack::RandomSeed(1);
    std::vector<M> probabilities(sets.size());
    symvi::Adam adam(symvi::StepSize(options.quick ? 5e-3 : 1e-3, batch), batch,
        0.9, 0.999, 1e-8, epochs * data.X.n_cols, -1.0);
    if (name == names[0])
    {
      mlpack::FFN<symvi::CategoricalLikelihoodType<M>,
          mlpack::GlorotInitialization, M>
          network;
      AddLayers<symvi::compat::DefaultConvolution<M>, symvi::compat::Linear<M>>(
          network, data.Side());
      network.Train(data.X, data.y, adam);
      for (size_t i = 0; i < sets.size(); ++i)
      {
        network.Predict(sets[i].second, probabilities[i]);
        probabilities[i].each_row() -= arma::max(probabilities[i]);
        probabilities[i] = arma::normalise(arma::exp(probabilities[i]), 1);
      }
    }
    else
    {
      symvi::BayesianFFN<symvi::CategoricalLikelihoodType<M>,
          mlpack::RandomInitialization, M>
          model;
      AddLayers<symvi::BayesianConvolutionType<M>,
          symvi::BayesianLinearType<M>>(model, data.Side());
      model.Symmetrize() = (name == names[2]);
      model.WarmUpEpochs() = epochs / 2;
      model.Train(data.X, data.y, adam);
      for (size_t i = 0; i < sets.size(); ++i)
        model.Predict(sets[i].second, probabilities[i]);
      if (model.Symmetrize())
        std::cout << model.Elbo(data.X, data.y, 20);
    }
    results.push_back(Scores(probabilities, data.testY));
  }

  CsvWriter csv(options.File("scores.csv"), "network,score,value");
  std::vector<std::string> columns = { "accuracy %", "NLL", "ECE" };
  for (size_t i = 1; i < sets.size(); ++i)
    columns.push_back(std::string("AUROC, ") + sets[i].first);
  std::printf("%-24s %10s %10s %11s\n", "", names[0], names[1], names[2]);
  for (size_t c = 0; c < columns.size(); ++c)
  {
    std::printf("%-24s %10.4f %10.4f %11.4f\n", columns[c].c_str(),
        results[0][c], results[1][c], results[2][c]);
    for (size_t n = 0; n < 3; ++n)
      csv.Row(names[n], columns[c], results[n][c]);
  }

  Claims claims;
  for (size_t n = 0; n < 3; ++n)
    claims.Check(results[n][0] > 90,
        std::string(names[n]) + ": more than 90 % right");
  claims.Check(results[2][6] > 0.8, "noise is told apart from digits");
  return claims.ExitCode();
}

int main(int argc, char** argv)
{
  return RunExample(argc, argv, "convolution",
      "A network like LeNet on MNIST, plain and Bayesian.", Experiment,
      { { "data", "data/mnist" }, { "epochs", "10" }, { "points", "60000" },
          { "test_points", "10000" } });
}
