/**
 * What the writer refuses, what it writes where, and the ensemble's draws.
 */
#include "catch.hpp"

#include "make_mlp.hpp"

#include <symvi/model/ensemble.hpp>
#include <symvi/onnx/file.hpp>

#include <filesystem>
#include <fstream>

using namespace symvi;
using Catch::Matchers::ContainsSubstring;

namespace {

NetworkDescription Small(const ElementKind element = ElementKind::Double)
{
  NetworkDescription d = test::MakeMlp({ 3, 4, 2 }, Activation::ReLU, element,
      1);
  d.output = OutputKind::Softmax;
  return d;
}

std::string Message(const NetworkDescription& d)
{
  try
  {
    onnx::Serialize(d);
  }
  catch (const std::invalid_argument& e)
  {
    return e.what();
  }
  return "";
}

} // namespace

TEST_CASE("Modes have names", "[onnx]")
{
  for (const char* name : { "mean", "ensemble", "sampling", "noise" })
    REQUIRE(std::string(onnx::Name(onnx::ParseExportMode(name))) == name);
  REQUIRE_THROWS_AS(onnx::ParseExportMode("Mean"), std::invalid_argument);
}

TEST_CASE("A description that contradicts itself is refused", "[onnx]")
{
  NetworkDescription d = Small();
  SECTION("no layers")
  {
    d.layers.clear();
    REQUIRE_THAT(Message(d), ContainsSubstring("no layers"));
  }
  SECTION("sizes")
  {
    d.layers[1].weight.ones(2, 5);
    REQUIRE_THAT(Message(d), ContainsSubstring("layer 1"));
  }
  SECTION("bias")
  {
    d.layers[0].bias.ones(3);
    REQUIRE_THAT(Message(d), ContainsSubstring("4 biases, but has 3"));
  }
  SECTION("not finite")
  {
    d.layers[0].weight(1, 1) = arma::datum::nan;
    REQUIRE_THAT(Message(d), ContainsSubstring("finite"));
  }
  SECTION("negative sigma")
  {
    d.layers[0].weightSigma(0, 0) = -1.0;
    REQUIRE_THAT(Message(d), ContainsSubstring("not negative"));
  }
  SECTION("class names")
  {
    d.classNames = { "one" };
    REQUIRE_THAT(Message(d), ContainsSubstring("2 class names"));
  }
  SECTION("alpha")
  {
    d.layers[0].activation = Activation::LeakyReLU;
    d.layers[0].alpha = 1.5;
    REQUIRE_THAT(Message(d), ContainsSubstring("alpha in [0, 1]"));
  }
  SECTION("noise")
  {
    d.output = OutputKind::Gaussian;
    d.noise = NoiseKind::Fixed;
    REQUIRE_THAT(Message(d), ContainsSubstring("noiseStddev"));
  }
  SECTION("input")
  {
    d.inputMean.zeros(3);
    d.inputScale.zeros(3);
    REQUIRE_THAT(Message(d), ContainsSubstring("positive scales"));
  }
}

TEST_CASE("Modes that need a posterior say so", "[onnx]")
{
  NetworkDescription d = Small();
  for (LayerDescription& layer : d.layers)
  {
    layer.weightSigma.reset();
    layer.biasSigma.reset();
  }
  REQUIRE_NOTHROW(onnx::Serialize(d));
  onnx::ExportOptions options;
  options.mode = GENERATE(onnx::ExportMode::Ensemble,
      onnx::ExportMode::Sampling, onnx::ExportMode::Noise);
  REQUIRE_THROWS_AS(onnx::Serialize(d, options), std::invalid_argument);
}

TEST_CASE("A model beyond protobuf's limit is refused early", "[onnx]")
{
  onnx::ExportOptions options;
  options.mode = onnx::ExportMode::Ensemble;
  options.samples = size_t(1) << 40;
  REQUIRE_THROWS_AS(onnx::Serialize(Small(), options), std::invalid_argument);
}

TEST_CASE("Ensemble draws have the posterior's moments", "[onnx]")
{
  const NetworkDescription d = Small();
  const size_t n = 4000;
  const std::vector<NetworkDescription> members = onnx::DrawMembers(d, n, 5);
  for (size_t l = 0; l < d.layers.size(); ++l)
  {
    const arma::mat& mu = d.layers[l].weight;
    const arma::mat& sigma = d.layers[l].weightSigma;
    arma::mat sum(arma::size(mu), arma::fill::zeros), squares = sum;
    for (const NetworkDescription& member : members)
    {
      const arma::mat z = (member.layers[l].weight - mu) / sigma;
      sum += z;
      squares += z % z;
    }
    // 5 standard errors of a mean and of a variance of standard normals.
    REQUIRE(arma::abs(sum / n).max() <= 5.0 / std::sqrt(double(n)));
    REQUIRE(
        arma::abs(squares / n - 1.0).max() <= 5.0 * std::sqrt(2.0 / double(n)));
    REQUIRE_FALSE(members[0].layers[l].IsBayesian());
  }
}

TEST_CASE("One seed, one file; another seed, another", "[onnx]")
{
  onnx::ExportOptions options;
  options.mode = onnx::ExportMode::Ensemble;
  options.samples = 3;
  const std::string first = onnx::Serialize(Small(), options);
  REQUIRE(onnx::Serialize(Small(), options) == first);
  options.seed = 1;
  REQUIRE(onnx::Serialize(Small(), options) != first);
}

TEST_CASE("One graph holds draws of all members", "[onnx]")
{
  std::vector<NetworkDescription> members = { Small(), Small() };
  members[1].layers[0].weight += 1.0;
  onnx::ExportOptions options;
  options.mode = onnx::ExportMode::Ensemble;
  options.samples = 3; // Rounded up to two of each.
  options.seed = 7;
  const std::string bytes = onnx::Serialize(members, options);
  for (size_t m = 0; m < 2; ++m)
    for (const NetworkDescription& draw :
        onnx::DrawMembers(members[m], 2, Ensemble::MemberSeed(7, m)))
      for (const LayerDescription& layer : draw.layers)
        REQUIRE(bytes.find(std::string(
                    reinterpret_cast<const char*>(layer.weight.memptr()),
                    8 * layer.weight.n_elem)) != std::string::npos);

  members[1].classNames = { "a", "b" };
  REQUIRE_THROWS_WITH(onnx::Serialize(members, options),
      ContainsSubstring("member 2 differs"));
  options.mode = onnx::ExportMode::Mean;
  members[1].classNames.clear();
  REQUIRE_THROWS_WITH(onnx::Serialize(members, options),
      ContainsSubstring("need the mode 'ensemble'"));
}

TEST_CASE("Files appear complete or not at all", "[onnx]")
{
  const std::filesystem::path folder = std::filesystem::temp_directory_path() /
      "symvi_onnx_export_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const std::string path = (folder / "model.onnx").string();

  onnx::Export(Small(), path);
  REQUIRE(onnx::Import(path).layers.size() == 2);
  const auto written = std::filesystem::file_size(path);

  NetworkDescription broken = Small();
  broken.layers[0].bias.ones(3);
  REQUIRE_THROWS(onnx::Export(broken, path));
  REQUIRE(std::filesystem::file_size(path) == written);
  REQUIRE_THROWS_AS(onnx::Export(Small(), (folder / "no" / "m").string()),
      std::runtime_error);

  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files += entry.is_regular_file();
  REQUIRE(files == 1);
  std::filesystem::remove_all(folder);
}
