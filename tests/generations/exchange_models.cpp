/**
 * @file exchange_models.cpp
 *
 * Writes a model with its predictions, or reads what another build has written
 * and compares the predictions.
 *
 *   usage: exchange_models version
 *          exchange_models save|load FOLDER
 */
#include <symvi.hpp>

#include <cereal/archives/binary.hpp>
#include <cereal/archives/json.hpp>

#include <cstdio>
#include <cstring>
#include <fstream>

namespace {

using Model = symvi::BayesianFFN<symvi::HeteroscedasticGaussianLikelihood>;

//! Points that need no random numbers: those of mlpack may change.
arma::mat Points()
{
  arma::mat points(3, 20);
  for (size_t i = 0; i < points.n_elem; ++i)
    points(i) = std::sin(1.0 + i);
  return points;
}

//! A regression network with layers of mlpack and of symvi.
Model MakeModel()
{
  Model model;
  model.Add<mlpack::Linear>(4);
  model.Add<mlpack::LeakyReLU>(0.1);
  model.Add<symvi::BayesianLinear>(5);
  model.Add<mlpack::TanH>();
  model.Add<symvi::BayesianLinearNoBias>(3);
  model.Add<mlpack::GELU>();
  model.Add<symvi::BayesianLinear>(1);
  model.Add<symvi::LearnedNoise>(0.5);
  model.Reset(3);
  return model;
}

template<typename Archive>
void Write(const std::string& file, Model& model)
{
  std::ofstream stream(file, std::ios::binary);
  Archive archive(stream);
  archive(cereal::make_nvp("model", model));
}

template<typename Archive>
arma::mat ReadAndPredict(const std::string& file)
{
  Model model;
  std::ifstream stream(file, std::ios::binary);
  Archive archive(stream);
  archive(cereal::make_nvp("model", model));
  arma::mat predictions;
  model.Predict(Points(), predictions);
  return predictions;
}

void Save(const std::string& folder)
{
  Model model = MakeModel();
  arma::mat predictions;
  model.Predict(Points(), predictions);
  Write<cereal::BinaryOutputArchive>(folder + "/model.bin", model);
  Write<cereal::JSONOutputArchive>(folder + "/model.json", model);
  predictions.save(folder + "/predictions.txt", arma::arma_ascii);
}

//! Whether all that is in the folder predicts as it did where it was written.
bool Load(const std::string& folder)
{
  arma::mat expected;
  if (!expected.load(folder + "/predictions.txt", arma::arma_ascii))
    return false;
  bool equal = true;
  for (const arma::mat& predictions :
      { ReadAndPredict<cereal::BinaryInputArchive>(folder + "/model.bin"),
          ReadAndPredict<cereal::JSONInputArchive>(folder + "/model.json") })
  {
    // The order of sums depends on the compiler's options.
    const double difference = arma::abs(predictions - expected).max();
    std::printf("predictions differ by at most %.1e\n", difference);
    equal = equal && difference < 1e-10;
  }
  return equal;
}

} // namespace

int main(int argc, char** argv)
{
  if (argc == 2 && std::strcmp(argv[1], "version") == 0)
    std::printf("%d.%d\n", MLPACK_VERSION_MAJOR, MLPACK_VERSION_MINOR);
  else if (argc == 3 && std::strcmp(argv[1], "save") == 0)
    Save(argv[2]);
  else if (argc == 3 && std::strcmp(argv[1], "load") == 0)
    return Load(argv[2]) ? 0 : 1;
  else
    return 2;
}
