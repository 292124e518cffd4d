/**
 * @file bayesian_convolution_test.cpp
 *
 * BayesianConvolution alone, against mlpack's Convolution and in a plain
 * mlpack::FFN.
 */
#include "catch.hpp"
#include "fixture.hpp"

#include <symvi/kernel/threads.hpp>
#include <symvi/layer/bayesian_convolution.hpp>
#include <symvi/likelihood/gaussian.hpp>
#include <symvi/prereqs.hpp>

using namespace symvi;
using namespace symvi_tests;
using Catch::Matchers::ContainsSubstring;

namespace {

//! Sizes of an input and how a convolution runs over it.
struct Case
{
  std::vector<size_t> input;
  size_t kernelWidth, kernelHeight, strideWidth, strideHeight, padW, padH;
  std::string padding;
  bool useBias;
};

std::vector<Case> Cases()
{
  return { { { 6, 5, 2 }, 3, 2, 1, 1, 0, 0, "none", true },
    { { 7, 6, 3 }, 3, 3, 2, 2, 1, 2, "none", true },
    { { 8, 5, 2 }, 2, 3, 3, 1, 0, 1, "none", false },
    { { 5, 6, 2 }, 3, 3, 1, 1, 0, 0, "same", true },
    { { 4, 5, 1 }, 4, 5, 1, 1, 3, 3, "Valid", true },
    { { 6, 1 }, 3, 1, 1, 1, 4, 0, "none", true },
    { { 5, 4, 2, 3 }, 2, 2, 1, 2, 0, 0, "none", true } };
}

template<typename LayerType>
LayerType Make(const Case& c, const size_t maps)
{
  return LayerType(maps, c.kernelWidth, c.kernelHeight, c.strideWidth,
      c.strideHeight, c.padW, c.padH, c.padding, c.useBias);
}

size_t Product(const std::vector<size_t>& sizes)
{
  size_t product = 1;
  for (const size_t size : sizes)
    product *= size;
  return product;
}

//! Whether W and b, transposed to mlpack's order, make the same output there.
template<typename MatType>
double DistanceToMlpack(const Case& c)
{
  using Naive = mlpack::NaiveConvolution<mlpack::ValidConvolution>;
  using Reference = compat::Convolution<MatType, Naive,
      mlpack::NaiveConvolution<mlpack::FullConvolution>, Naive>;
  const size_t maps = 4;
  Fixture<MatType, BayesianConvolutionType<MatType>> fixture(c.input,
      Make<BayesianConvolutionType<MatType>>(c, maps));
  auto& layer = fixture.layer;
  Reference reference = Make<Reference>(c, maps);
  reference.InputDimensions() = c.input;
  reference.ComputeOutputDimensions();
  REQUIRE(reference.OutputDimensions() == layer.OutputDimensions());
  REQUIRE(reference.WeightSize() == layer.PosteriorSize());

  const MatType x(Product(c.input), 3, arma::fill::randn);
  MatType mine, theirs(Product(layer.OutputDimensions()), 3);
  layer.Forward(x, mine);
  const size_t n = layer.OutSize() * layer.InSize();
  MatType weights = layer.Weights();
  weights.head_rows(n) = arma::vectorise(
      arma::reshape(layer.Weights().head_rows(n), maps, layer.InSize()).t());
  reference.SetWeights(weights);
  reference.Forward(x, theirs);
  REQUIRE(mine.n_rows == theirs.n_rows);
  return arma::abs(mine - theirs).max();
}

} // namespace

TEST_CASE("BayesianConvolutionIsMlpacks", "[layer]")
{
  mlpack::RandomSeed(21);
  for (const Case& c : Cases())
  {
    // mlpack 4.6 exchanges the strides of its own Convolution.
    if (!SYMVI_MLPACK_LAYER_TEMPLATES && c.strideWidth != c.strideHeight)
      continue;
    CAPTURE(c.input, c.kernelWidth, c.padding);
    REQUIRE(DistanceToMlpack<arma::mat>(c) < 1e-12);
    REQUIRE(DistanceToMlpack<arma::fmat>(c) < 1e-4);
  }
}

TEST_CASE("BayesianConvolutionGradient", "[layer]")
{
  mlpack::RandomSeed(22);
  for (const Case& c : Cases())
  {
    CAPTURE(c.input, c.kernelWidth, c.padding);
    using Layer = BayesianConvolutionType<arma::mat>;
    Fixture<arma::mat, Layer> fixture(c.input,
        Layer(3, c.kernelWidth, c.kernelHeight, c.strideWidth, c.strideHeight,
            c.padW, c.padH, c.padding, c.useBias,
            BayesianOptions().PriorStddev(0.7).InitialSigma(0.4)));
    Layer& layer = fixture.layer;
    fixture.parameters.col(0) += 0.3 *
        arma::vec(layer.WeightSize(), arma::fill::randn);
    layer.KLWeight() = 0.37; // A weight that no other term has.
    layer.SetPriorMean(
        0.1 * arma::mat(layer.PosteriorSize(), 1, arma::fill::randn));

    arma::mat x(Product(c.input), 4, arma::fill::randn);
    const arma::mat error(Product(layer.OutputDimensions()), 4,
        arma::fill::randn);
    layer.Draw();
    layer.FreezeNoise() = true;
    Objective(fixture, x, error);
    arma::mat gradient(layer.WeightSize(), 1), delta;
    layer.Gradient(x, error, gradient);
    layer.Backward(x, error, error, delta);

    const double h = 1e-6;
    const auto difference = [&](double& value)
    {
      const double old = value;
      value = old + h;
      const double up = Objective(fixture, x, error);
      value = old - h;
      const double down = Objective(fixture, x, error);
      value = old;
      return (up - down) / (2 * h);
    };
    arma::mat numeric(arma::size(gradient)), numericDelta(arma::size(x));
    for (size_t j = 0; j < gradient.n_elem; ++j)
      numeric[j] = difference(fixture.parameters[j]);
    for (size_t j = 0; j < x.n_elem; ++j)
      numericDelta[j] = difference(x[j]);
    REQUIRE(arma::norm(gradient - numeric) / arma::norm(numeric) < 1e-7);
    REQUIRE(arma::norm(delta - numericDelta) / arma::norm(numericDelta) < 1e-7);
  }
}

TEST_CASE("BayesianConvolutionInSinglePrecisionAndByThreads", "[layer]")
{
  mlpack::RandomSeed(23);
  const Case c = Cases()[1];
  Fixture<arma::mat, BayesianConvolutionType<arma::mat>> wide(c.input,
      Make<BayesianConvolutionType<arma::mat>>(c, 3));
  Fixture<arma::fmat, BayesianConvolutionType<arma::fmat>> narrow(c.input,
      Make<BayesianConvolutionType<arma::fmat>>(c, 3));
  wide.parameters.col(0) += 0.3 *
      arma::vec(wide.parameters.n_elem, arma::fill::randn);
  narrow.parameters.col(0) = arma::conv_to<arma::fvec>::from(
      wide.parameters.col(0));
  const arma::mat noise(wide.layer.PosteriorSize(), 1, arma::fill::randn);
  const arma::mat x(Product(c.input), 9, arma::fill::randn);
  const arma::mat error(Product(wide.layer.OutputDimensions()), 9,
      arma::fill::randn);

  const auto run = [&](auto& fixture)
  {
    auto& layer = fixture.layer;
    using MatType = std::decay_t<decltype(fixture.parameters)>;
    layer.DrawWith(arma::conv_to<MatType>::from(noise));
    layer.FreezeNoise() = true;
    const MatType input = arma::conv_to<MatType>::from(x);
    const MatType gy = arma::conv_to<MatType>::from(error);
    MatType output, delta, gradient(layer.WeightSize(), 1);
    layer.Forward(input, output);
    layer.Backward(input, output, gy, delta);
    layer.Gradient(input, gy, gradient);
    return arma::conv_to<arma::vec>::from(
        arma::join_cols(arma::vectorise(output), arma::vectorise(delta),
            arma::vectorise(gradient)));
  };
  const arma::vec expected = run(wide);
  REQUIRE(arma::norm(run(narrow) - expected) < 1e-5 * arma::norm(expected));
  SetThreads(3);
  const arma::vec shared = run(wide);
  SetThreads(1);
  REQUIRE(arma::norm(shared - expected) < 1e-13 * arma::norm(expected));
}

TEST_CASE("BayesianConvolutionInAPlainNetwork", "[layer]")
{
  // The mean of an image's left half less that of its right half.
  mlpack::RandomSeed(24);
  const size_t n = 200;
  const arma::mat x(36, n, arma::fill::randn);
  arma::mat y(1, n);
  for (size_t i = 0; i < n; ++i)
  {
    const arma::mat image(x.colptr(i), 6, 6);
    y[i] = 3 * arma::mean(arma::mean(image.head_rows(3))) -
        3 * arma::mean(arma::mean(image.tail_rows(3)));
  }
  mlpack::FFN<GaussianLikelihood> network(GaussianLikelihood(0.3));
  network.Add<BayesianConvolution>(3, 3, 3);
  network.Add<mlpack::TanH>();
  network.Add<BayesianLinear>(1);
  network.InputDimensions() = { 6, 6, 1 };
  network.Reset();
  for (auto* layer : std::as_const(network).Network())
    if (auto* bayesian = dynamic_cast<BayesianLinearType<arma::mat>*>(layer))
      bayesian->KLWeight() = 1.0 / 4;
#if SYMVI_ENS_STEP_PER_POINT
  ens::Adam adam(0.01 * 50, 50);
#else
  ens::Adam adam(0.01, 50);
#endif
  adam.MaxIterations() = 150 * n;
  adam.Tolerance() = -1;
  network.Train(x, y, adam);
  arma::mat predicted;
  network.Predict(x, predicted);
  REQUIRE(arma::accu(arma::square(predicted - y)) <
      0.1 * arma::accu(arma::square(y - arma::mean(arma::vectorise(y)))));
}

TEST_CASE("BayesianConvolutionRefusesInOneSentence", "[layer]")
{
  using Layer = BayesianConvolutionType<arma::mat>;
  const auto dimensions = [](Layer layer, const std::vector<size_t>& sizes)
  {
    layer.InputDimensions() = sizes;
    layer.ComputeOutputDimensions();
  };
  REQUIRE_THROWS_WITH(dimensions(Layer(3, 0, 2), { 5, 5 }),
      ContainsSubstring("kernelWidth must be positive"));
  REQUIRE_THROWS_WITH(dimensions(Layer(3, 2, 2, 1, 0), { 5, 5 }),
      ContainsSubstring("strideHeight must be positive"));
  REQUIRE_THROWS_WITH(dimensions(Layer(3, 3, 3), { 25 }),
      ContainsSubstring("InputDimensions()"));
  REQUIRE_THROWS_WITH(Layer(3, 3, 3, 1, 1, 0, 0, "full"),
      ContainsSubstring("paddingType") && ContainsSubstring("full"));
  REQUIRE_THROWS_WITH(Layer(3, 3, 3, BayesianOptions().Sample(Sampling::Local)),
      ContainsSubstring("Sampling::Local"));

  Fixture<arma::mat, Layer> fixture(std::vector<size_t>{ 5, 5, 1 },
      Layer(3, 3, 3));
  arma::mat output;
  REQUIRE_THROWS_WITH(fixture.layer.Forward(arma::mat(24, 2), output),
      ContainsSubstring("BayesianConvolution::Forward()") &&
          ContainsSubstring("25 rows"));
  fixture.layer.Sample() = Sampling::Local;
  REQUIRE_THROWS_WITH(fixture.layer.Forward(arma::mat(25, 2), output),
      ContainsSubstring("Sampling::Local"));
}
