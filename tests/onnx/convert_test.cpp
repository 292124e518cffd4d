/**
 * Networks of mlpack and symvi to descriptions and back.
 */
#include "catch.hpp"

#include <symvi/layer/fixed_linear.hpp>
#include <symvi/layer/learned_noise.hpp>
#include <symvi/onnx/convert.hpp>
#include <symvi/onnx/file.hpp>

using namespace symvi;
using Catch::Matchers::ContainsSubstring;

namespace {

template<typename MatType>
using Classifier = BayesianFFN<CategoricalLikelihoodType<MatType>,
    mlpack::RandomInitialization, MatType>;

template<typename MatType>
using PlainNetwork = mlpack::FFN<compat::NegativeLogLikelihood<MatType>,
    mlpack::RandomInitialization, MatType>;

template<typename MatType>
Classifier<MatType> MakeClassifier()
{
  mlpack::RandomSeed(3);
  Classifier<MatType> model;
  model.template Add<BayesianLinearType<MatType>>(6,
      BayesianOptions().PriorStddev(0.5).InitialSigma(0.2));
  model.template Add<symvi::compat::TanH<MatType>>();
  model.template Add<BayesianLinearNoBiasType<MatType>>(3,
      BayesianOptions().InitialSigma(0.1));
  model.Reset(4);
  return model;
}

template<typename MatType>
MatType Points()
{
  MatType X(4, 9);
  RandomStream(1).FillNormal(X.memptr(), X.n_elem);
  return X;
}

NetworkDescription ThroughFile(const NetworkDescription& d,
    const onnx::ExportMode mode)
{
  onnx::ExportOptions options;
  options.mode = mode;
  return onnx::Parse(onnx::Serialize(d, options));
}

} // namespace

TEMPLATE_TEST_CASE("A model comes back with bit-equal means", "[onnx]",
    arma::mat, arma::fmat)
{
  using Model = Classifier<TestType>;
  Model model = MakeClassifier<TestType>();
  const NetworkDescription d = onnx::Describe(model);
  REQUIRE(d.output == OutputKind::Softmax);
  REQUIRE(d.metadata.at("symvi.prior_stddev") == "0.5 1");
  REQUIRE(d.metadata.count("symvi.estimator") == 1);

  const Model back = onnx::Build<Model>(
      ThroughFile(d, onnx::ExportMode::Noise));
  REQUIRE(back.Parameters().n_elem == model.Parameters().n_elem);
  size_t start = 0;
  for (const size_t n : { size_t(30), size_t(18) })
  {
    const auto means = std::make_pair(start, start + n);
    for (size_t i = means.first; i < means.second; ++i)
      REQUIRE(back.Parameters()[i] == model.Parameters()[i]);
    // rho = softplus^-1(softplus(rho)): the same up to rounding of sigma.
    for (size_t i = start + n; i < start + 2 * n; ++i)
      REQUIRE(double(back.Parameters()[i]) ==
          Approx(double(model.Parameters()[i])).epsilon(1e-6));
    start += 2 * n;
  }
}

TEMPLATE_TEST_CASE("Means alone become a plain network or a new posterior",
    "[onnx]", arma::mat, arma::fmat)
{
  Classifier<TestType> model = MakeClassifier<TestType>();
  const NetworkDescription d = ThroughFile(onnx::Describe(model),
      onnx::ExportMode::Mean);

  auto plain = onnx::Build<PlainNetwork<TestType>>(d);
  TestType logits, expected, probabilities;
  model.Base().Predict(Points<TestType>(), logits);
  model.Likelihood().Mean(logits, expected);
  plain.Predict(Points<TestType>(), probabilities);
  REQUIRE(arma::approx_equal(probabilities, expected, "absdiff", 1e-6));
  REQUIRE(plain.Parameters()[7] == model.Parameters()[7]);

  onnx::BuildOptions options;
  options.bayesian.InitialSigma(0.02);
  auto warm = onnx::Build<Classifier<TestType>>(d, options);
  REQUIRE(warm.BayesianLayers().size() == 2);
  REQUIRE(warm.Parameters()[7] == model.Parameters()[7]);
  REQUIRE(double(warm.BayesianLayers()[1]->Sigmas()[3]) == Approx(0.02));
}

TEMPLATE_TEST_CASE("An ensemble holds the draws that Predict averages",
    "[onnx]", arma::mat, arma::fmat)
{
  const Classifier<TestType> model = MakeClassifier<TestType>();
  const TestType weights =
      Predictive<TestType>(model.Base()).Weights(PredictOptions(5, 42));
  const std::vector<NetworkDescription> members = onnx::DrawMembers(
      onnx::Describe(model), 5, 42);
  for (size_t s = 0; s < members.size(); ++s)
  {
    arma::vec all;
    for (const LayerDescription& layer : members[s].layers)
      all = arma::join_cols(all, arma::vectorise(layer.weight), layer.bias);
    REQUIRE(all.n_elem == weights.n_rows);
    // A compiler may fuse mu + sigma * eps here and not there.
    REQUIRE(arma::approx_equal(all,
        arma::conv_to<arma::vec>::from(weights.col(s)), "absdiff", 1e-6));
  }
}

TEST_CASE("Plain networks with every activation are described", "[onnx]")
{
  mlpack::RandomSeed(5);
  mlpack::FFN<mlpack::MeanSquaredError> network;
  network.Add<mlpack::Linear>(5);
  network.Add<mlpack::ReLU>();
  network.Add<mlpack::LinearNoBias>(5);
  network.Add<mlpack::LeakyReLU>(0.1);
  network.Add<mlpack::Dropout>(0.5);
  network.Add<mlpack::Linear>(5);
  network.Add<mlpack::ELU>(0.7);
  network.Add<mlpack::Linear>(5);
  network.Add<mlpack::SoftPlus>();
  network.Add<mlpack::Linear>(5);
  network.Add<mlpack::GELU>();
  network.Add<mlpack::Linear>(5);
  network.Add<mlpack::TanH>();
  network.Add<mlpack::Linear>(5);
  network.Add<mlpack::Sigmoid>();
  network.Add<mlpack::Linear>(2);
  network.Add<mlpack::Identity>();
  network.Reset(4);
  const NetworkDescription d = ThroughFile(onnx::Describe(network),
      onnx::ExportMode::Mean);
  REQUIRE(d.layers.size() == 8);
  REQUIRE(d.output == OutputKind::Raw);

  auto back = onnx::Build<mlpack::FFN<mlpack::MeanSquaredError>>(d);
  arma::mat expected, results;
  network.Predict(Points<arma::mat>(), expected);
  back.Predict(Points<arma::mat>(), results);
  REQUIRE(arma::approx_equal(results, expected, "absdiff", 1e-12));
}

TEST_CASE("Last layers and likelihoods set the output", "[onnx]")
{
  const auto output = [](mlpack::Layer<arma::mat>* last)
  {
    mlpack::FFN<> network;
    network.Add<mlpack::Linear>(2);
    symvi::AddOwned(network, last);
    network.Reset(3);
    return onnx::Describe(network).output;
  };
  REQUIRE(output(new compat::Softmax<arma::mat>()) == OutputKind::Softmax);
  REQUIRE(
      output(new compat::LogSoftMax<arma::mat>()) == OutputKind::LogSoftmax);
  REQUIRE(output(new compat::Sigmoid<arma::mat>()) == OutputKind::Bernoulli);
  REQUIRE(output(new compat::Identity<arma::mat>()) == OutputKind::Raw);

  BayesianFFN<GaussianLikelihood> fixed(GaussianLikelihood(0.3));
  fixed.Add<BayesianLinear>(2);
  fixed.Reset(3);
  const NetworkDescription d = onnx::Describe(fixed);
  REQUIRE(d.noise == NoiseKind::Fixed);
  REQUIRE(d.noiseStddev[1] == 0.3);
  REQUIRE(onnx::Build<BayesianFFN<GaussianLikelihood>>(d)
              .Likelihood()
              .NoiseStddev() == 0.3);
  REQUIRE_THROWS_AS(onnx::Build<BayesianFFN<CategoricalLikelihood>>(d),
      std::invalid_argument);
}

TEST_CASE("Learned noise comes back", "[onnx]")
{
  using Model = BayesianFFN<HeteroscedasticGaussianLikelihood>;
  Model model;
  model.Add<FixedLinear>(arma::mat{ { 1, 2, 0 }, { 0, 1, 0.5 } });
  model.Add<BayesianLinear>(2);
  model.Add<LearnedNoise>(0.4);
  model.Reset(3);
  const NetworkDescription d = onnx::Describe(model);
  REQUIRE(d.noise == NoiseKind::Homoscedastic);
  REQUIRE(d.noiseStddev[0] == Approx(0.4).epsilon(1e-5));
  REQUIRE_FALSE(d.layers[0].IsBayesian());

  const Model back = onnx::Build<Model>(
      ThroughFile(d, onnx::ExportMode::Sampling));
  const NetworkDescription again = onnx::Describe(back);
  REQUIRE(again.noiseStddev[1] == Approx(d.noiseStddev[1]).epsilon(1e-12));
  REQUIRE_FALSE(again.layers[0].IsBayesian());
  REQUIRE(again.layers[0].weight(1, 2) == 0.5);
}

TEST_CASE("What cannot be described is named", "[onnx]")
{
  const auto complaint = [](mlpack::Layer<arma::mat>* layer)
  {
    mlpack::FFN<> network;
    network.Add<mlpack::Linear>(4);
    symvi::AddOwned(network, layer);
    network.Add<mlpack::Linear>(2);
    network.Reset(3);
    try
    {
      onnx::Describe(network);
    }
    catch (const std::invalid_argument& e)
    {
      return std::string(e.what());
    }
    return std::string();
  };
  REQUIRE_THAT(complaint(new compat::Mish<arma::mat>()),
      ContainsSubstring("layer 1") && ContainsSubstring("MishFunction"));
  // An ELU without arguments is a SELU, which no operator of ours computes.
  REQUIRE_THAT(complaint(new compat::ELU<arma::mat>()),
      ContainsSubstring("ELU"));
  REQUIRE_THAT(complaint(new compat::Softmax<arma::mat>()),
      ContainsSubstring("layer 2") && ContainsSubstring("output"));

  mlpack::FFN<> untrained;
  untrained.Add<mlpack::Linear>(4);
  REQUIRE_THROWS_AS(onnx::Describe(untrained), std::logic_error);
}

TEST_CASE("A standardisation must be acknowledged", "[onnx]")
{
  NetworkDescription d = onnx::Describe(MakeClassifier<arma::mat>());
  d.inputMean = { 1, 2, 3, 4 };
  d.inputScale = { 2, 2, 4, 4 };
  REQUIRE_THROWS_AS(onnx::Build<Classifier<arma::mat>>(d),
      std::invalid_argument);
  onnx::BuildOptions options;
  options.standardised = true;
  REQUIRE_NOTHROW(onnx::Build<Classifier<arma::mat>>(d, options));
  const arma::mat z = onnx::StandardiseInput(d,
      arma::mat(4, 2, arma::fill::value(5.0)));
  REQUIRE(z(0, 1) == 2.0);
  REQUIRE(z(3, 0) == 0.25);
}
