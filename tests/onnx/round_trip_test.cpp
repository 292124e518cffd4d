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

void RequireSame(const NetworkDescription& a, const NetworkDescription& b,
    const bool sigmas)
{
  REQUIRE(a.layers.size() == b.layers.size());
  for (size_t l = 0; l < a.layers.size(); ++l)
  {
    const LayerDescription& x = a.layers[l];
    const LayerDescription& y = b.layers[l];
    REQUIRE(x.kind == y.kind);
    for (const auto size : { &Window::width, &Window::height,
             &Window::strideWidth, &Window::strideHeight, &Window::padLeft,
             &Window::padRight, &Window::padTop, &Window::padBottom })
      REQUIRE(x.window.*size == y.window.*size);
    REQUIRE(x.window.isPartial == y.window.isPartial);
    REQUIRE(Same(x.mean, y.mean));
    REQUIRE(Same(x.variance, y.variance));
    REQUIRE(x.epsilon == y.epsilon);
    REQUIRE(Same(a.layers[l].weight, b.layers[l].weight));
    REQUIRE(Same(a.layers[l].bias, b.layers[l].bias));
    REQUIRE(a.layers[l].activation == b.layers[l].activation);
    REQUIRE(a.layers[l].alpha == Approx(b.layers[l].alpha).epsilon(1e-15));
    REQUIRE(y.IsBayesian() == (sigmas && x.IsBayesian()));
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

NetworkDescription RoundTrip(const NetworkDescription& d,
    const onnx::ExportMode mode)
{
  onnx::ExportOptions options;
  options.mode = mode;
  return onnx::Parse(onnx::Serialize(d, options));
}

} // namespace

TEST_CASE("Every activation, mode and element type survives a round trip",
    "[onnx]")
{
  const ElementKind element = GENERATE(ElementKind::Float, ElementKind::Double);
  const int activation = GENERATE(range(0, 8));
  const onnx::ExportMode mode = GENERATE(onnx::ExportMode::Mean,
      onnx::ExportMode::Sampling, onnx::ExportMode::Noise);
  NetworkDescription d = test::MakeMlp({ 4, 5, 3, 2 }, Activation(activation),
      element, 7);
  d.output = OutputKind::Softmax;
  d.classNames = { "a \"quoted\" name", "zwölf\n" };
  d.metadata = { { "symvi.prior_stddev", "1" }, { "author", "me" } };
  test::Standardise(d, 8);
  RequireSame(d, RoundTrip(d, mode), mode != onnx::ExportMode::Mean);
}

TEST_CASE("Every output kind survives a round trip", "[onnx]")
{
  const onnx::ExportMode mode = GENERATE(onnx::ExportMode::Mean,
      onnx::ExportMode::Noise);
  const OutputKind output = GENERATE(OutputKind::Raw, OutputKind::Softmax,
      OutputKind::LogSoftmax, OutputKind::Bernoulli);
  NetworkDescription d = test::MakeMlp({ 4, 5, 2 }, Activation::TanH,
      ElementKind::Double, 3);
  d.output = output;
  RequireSame(d, RoundTrip(d, mode), mode != onnx::ExportMode::Mean);
}

TEST_CASE("Regression with every noise survives a round trip", "[onnx]")
{
  const onnx::ExportMode mode = GENERATE(onnx::ExportMode::Mean,
      onnx::ExportMode::Sampling);
  const NoiseKind noise = GENERATE(NoiseKind::None, NoiseKind::Fixed,
      NoiseKind::Homoscedastic, NoiseKind::Heteroscedastic);
  const bool scaled = GENERATE(false, true);
  NetworkDescription d = test::MakeMlp({ 3, 6, 4 }, Activation::ReLU,
      ElementKind::Float, 5);
  d.output = OutputKind::Gaussian;
  d.noise = noise;
  if (noise == NoiseKind::Fixed || noise == NoiseKind::Homoscedastic)
    d.noiseStddev = { 0.5, 0.25, 2.0, 1.0 };
  if (scaled)
  {
    d.targetMean.ones(d.TargetSize());
    d.targetScale = 2.0 * d.targetMean;
  }
  const NetworkDescription back = RoundTrip(d, mode);
  RequireSame(d, back, mode != onnx::ExportMode::Mean);
  REQUIRE(Same(back.noiseStddev, d.noiseStddev));
}

TEST_CASE("Layers of points and layers without bias survive", "[onnx]")
{
  NetworkDescription d = test::MakeMlp({ 3, 4, 4, 2 }, Activation::ReLU,
      ElementKind::Double, 9);
  d.layers[0].weightSigma.reset();
  d.layers[0].biasSigma.reset();
  d.layers[1].bias.reset();
  d.layers[1].biasSigma.reset();
  const NetworkDescription back = RoundTrip(d, onnx::ExportMode::Noise);
  REQUIRE_FALSE(back.layers[0].IsBayesian());
  REQUIRE(back.layers[1].IsBayesian());
  REQUIRE(back.layers[1].bias.is_empty());
  REQUIRE(Same(back.layers[1].weightSigma, d.layers[1].weightSigma));
  REQUIRE(Same(back.layers[0].weight, d.layers[0].weight));
}

TEST_CASE("A folded input gives the same function", "[onnx]")
{
  NetworkDescription d = test::MakeMlp({ 4, 5, 2 }, Activation::TanH,
      ElementKind::Double, 11);
  test::Standardise(d, 12);
  onnx::ExportOptions options;
  options.foldInput = true;
  const NetworkDescription back = onnx::Parse(onnx::Serialize(d, options));
  REQUIRE(back.inputMean.is_empty());
  arma::mat X(4, 6);
  RandomStream(13).FillNormal(X.memptr(), X.n_elem);
  REQUIRE(arma::approx_equal(test::Forward(d, X), test::Forward(back, X),
      "absdiff", 1e-12));
}

TEST_CASE("Every kind of layer survives a round trip", "[onnx]")
{
  // In float and mean mode as operators, otherwise as arithmetic.
  const ElementKind element = GENERATE(ElementKind::Float, ElementKind::Double);
  for (const onnx::ExportMode mode : { onnx::ExportMode::Mean,
           onnx::ExportMode::Sampling, onnx::ExportMode::Noise })
  {
    const bool isMean = mode == onnx::ExportMode::Mean;
    const bool norms = isMean && element == ElementKind::Float;
    const NetworkDescription d = test::MakeImageNetwork(element, 3, norms);
    const NetworkDescription back = RoundTrip(d, mode);
    RequireSame(d, back, !isMean);
    REQUIRE(back.input.width == 6);
    REQUIRE(back.input.height == 5);
    REQUIRE(back.input.maps == 2);
  }
}

TEST_CASE("Statistics of a batch become factors where weights are drawn",
    "[onnx]")
{
  const NetworkDescription d = test::MakeImageNetwork(ElementKind::Double, 3);
  const NetworkDescription back = RoundTrip(d, onnx::ExportMode::Noise);
  const LayerDescription& norm = d.layers[1];
  const LayerDescription& found = back.layers[1];
  REQUIRE(found.kind == LayerKind::BatchNorm);
  REQUIRE(found.weight.n_elem == 7 * 6 * 3);
  const double root = std::sqrt(norm.variance[1] + norm.epsilon);
  REQUIRE(found.weight[42] == Approx(norm.weight[1] / root).epsilon(1e-12));
  REQUIRE(found.bias[42] ==
      Approx(norm.bias[1] - norm.mean[1] * norm.weight[1] / root)
          .epsilon(1e-12));
}
