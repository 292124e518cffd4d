/**
 * What is exported is imported again, bit for bit.
 */
#include "catch.hpp"

#include "make_mlp.hpp"

#include <symvi/onnx/file.hpp>

using namespace symvi;

namespace {

bool Same(const arma::mat& a, const arma::mat& b)
{
  return arma::size(a) == arma::size(b) &&
      std::equal(a.begin(), a.end(), b.begin());
}

void RequireSame(const MlpDescription& a, const MlpDescription& b,
    const bool sigmas)
{
  REQUIRE(a.layers.size() == b.layers.size());
  for (size_t l = 0; l < a.layers.size(); ++l)
  {
    REQUIRE(Same(a.layers[l].weight, b.layers[l].weight));
    REQUIRE(Same(a.layers[l].bias, b.layers[l].bias));
    REQUIRE(a.layers[l].activation == b.layers[l].activation);
    REQUIRE(a.layers[l].alpha == Approx(b.layers[l].alpha).epsilon(1e-15));
    REQUIRE(b.layers[l].IsBayesian() == sigmas);
    if (sigmas)
    {
      REQUIRE(Same(a.layers[l].weightSigma, b.layers[l].weightSigma));
      REQUIRE(Same(a.layers[l].biasSigma, b.layers[l].biasSigma));
    }
  }
  REQUIRE(Same(a.inputMean, b.inputMean));
  REQUIRE(Same(a.inputScale, b.inputScale));
  REQUIRE(a.output == b.output);
  REQUIRE(a.noise == b.noise);
  REQUIRE(Same(a.targetMean, b.targetMean));
  REQUIRE(Same(a.targetScale, b.targetScale));
  REQUIRE(a.classNames == b.classNames);
  REQUIRE(a.metadata == b.metadata);
  REQUIRE(a.element == b.element);
}

MlpDescription RoundTrip(const MlpDescription& d, const onnx::ExportMode mode)
{
  onnx::ExportOptions options;
  options.mode = mode;
  return onnx::Parse(onnx::Serialize(d, options));
}

} // namespace

TEST_CASE("Every activation, mode and element type survives a round trip",
    "[onnx]")
{
  const MlpElement element = GENERATE(MlpElement::Float, MlpElement::Double);
  const int activation = GENERATE(range(0, 8));
  const onnx::ExportMode mode = GENERATE(onnx::ExportMode::Mean,
      onnx::ExportMode::Sampling, onnx::ExportMode::Noise);
  MlpDescription d = test::MakeMlp({ 4, 5, 3, 2 }, Activation(activation),
      element, 7);
  d.output = MlpOutput::Softmax;
  d.classNames = { "a \"quoted\" name", "zwölf\n" };
  d.metadata = { { "symvi.prior_stddev", "1" }, { "author", "me" } };
  test::Standardise(d, 8);
  RequireSame(d, RoundTrip(d, mode), mode != onnx::ExportMode::Mean);
}

TEST_CASE("Every output kind survives a round trip", "[onnx]")
{
  const onnx::ExportMode mode = GENERATE(onnx::ExportMode::Mean,
      onnx::ExportMode::Noise);
  const MlpOutput output = GENERATE(MlpOutput::Raw, MlpOutput::Softmax,
      MlpOutput::LogSoftmax, MlpOutput::Bernoulli);
  MlpDescription d = test::MakeMlp({ 4, 5, 2 }, Activation::TanH,
      MlpElement::Double, 3);
  d.output = output;
  RequireSame(d, RoundTrip(d, mode), mode != onnx::ExportMode::Mean);
}

TEST_CASE("Regression with every noise survives a round trip", "[onnx]")
{
  const onnx::ExportMode mode = GENERATE(onnx::ExportMode::Mean,
      onnx::ExportMode::Sampling);
  const MlpNoise noise = GENERATE(MlpNoise::None, MlpNoise::Fixed,
      MlpNoise::Homoscedastic, MlpNoise::Heteroscedastic);
  const bool scaled = GENERATE(false, true);
  MlpDescription d = test::MakeMlp({ 3, 6, 4 }, Activation::ReLU,
      MlpElement::Float, 5);
  d.output = MlpOutput::Gaussian;
  d.noise = noise;
  if (noise == MlpNoise::Fixed || noise == MlpNoise::Homoscedastic)
    d.noiseStddev = { 0.5, 0.25, 2.0, 1.0 };
  if (scaled)
  {
    d.targetMean.ones(d.TargetSize());
    d.targetScale = 2.0 * d.targetMean;
  }
  const MlpDescription back = RoundTrip(d, mode);
  RequireSame(d, back, mode != onnx::ExportMode::Mean);
  REQUIRE(Same(back.noiseStddev, d.noiseStddev));
}

TEST_CASE("Layers of points and layers without bias survive", "[onnx]")
{
  MlpDescription d = test::MakeMlp({ 3, 4, 4, 2 }, Activation::ReLU,
      MlpElement::Double, 9);
  d.layers[0].weightSigma.reset();
  d.layers[0].biasSigma.reset();
  d.layers[1].bias.reset();
  d.layers[1].biasSigma.reset();
  const MlpDescription back = RoundTrip(d, onnx::ExportMode::Noise);
  REQUIRE_FALSE(back.layers[0].IsBayesian());
  REQUIRE(back.layers[1].IsBayesian());
  REQUIRE(back.layers[1].bias.is_empty());
  REQUIRE(Same(back.layers[1].weightSigma, d.layers[1].weightSigma));
  REQUIRE(Same(back.layers[0].weight, d.layers[0].weight));
}

TEST_CASE("A folded input gives the same function", "[onnx]")
{
  MlpDescription d = test::MakeMlp({ 4, 5, 2 }, Activation::TanH,
      MlpElement::Double, 11);
  test::Standardise(d, 12);
  onnx::ExportOptions options;
  options.foldInput = true;
  const MlpDescription back = onnx::Parse(onnx::Serialize(d, options));
  REQUIRE(back.inputMean.is_empty());
  arma::mat X(4, 6);
  RandomStream(13).FillNormal(X.memptr(), X.n_elem);
  REQUIRE(arma::approx_equal(test::Forward(d, X), test::Forward(back, X),
      "absdiff", 1e-12));
}
