/**
 * @file tests/network/layer_traits_test.cpp
 *
 * What symvi knows about layers: mlpack's, and a user's own.
 */
#include "catch.hpp"

#include <symvi/likelihood/gaussian.hpp>
#include <symvi/model/bayesian_ffn.hpp>

#include <sstream>

using namespace symvi;

namespace {

//! A leaky rectifier of a user's own.
template<typename MatType>
class MyLayer : public mlpack::Layer<MatType>
{
 public:
  explicit MyLayer(const double slope = 0.25) : slope(slope) { }
  MyLayer* Clone() const override { return new MyLayer(*this); }
  double Slope() const { return slope; }

  void Forward(const MatType& input, MatType& output) override
  {
    output = input;
    output.transform([this](const auto x) { return x > 0 ? x : slope * x; });
  }

  void Backward(const MatType& input, const MatType& /* output */,
      const MatType& gy, MatType& g) override
  {
    g = gy;
    for (size_t i = 0; i < g.n_elem; ++i)
      g[i] *= input[i] > 0 ? 1 : slope;
  }

  template<typename Archive>
  void serialize(Archive& ar, const uint32_t /* version */)
  {
    ar(cereal::base_class<mlpack::Layer<MatType>>(this));
    ar(CEREAL_NVP(slope));
  }

 private:
  double slope;
};

//! One whose function is odd, as its traits say.
template<typename MatType>
class MyOddLayer : public MyLayer<MatType>
{
 public:
  MyOddLayer() : MyLayer<MatType>(1.0) { }
  MyOddLayer* Clone() const override { return new MyOddLayer(*this); }
};

//! Another one that nobody has described.
template<typename MatType>
class Unknown : public MyLayer<MatType>
{
 public:
  Unknown* Clone() const override { return new Unknown(*this); }
};

} // namespace

template<typename MatType>
struct symvi::LayerTraits<MyLayer<MatType>>
{
  static constexpr const char* tag = "my_layer";
  static constexpr LayerRole role = LayerRole::Pointwise;
  static PointwiseFunction Function(const MyLayer<MatType>& layer)
  {
    return { Activation::LeakyReLU, layer.Slope() };
  }
};

template<typename MatType>
struct symvi::LayerTraits<MyOddLayer<MatType>>
{
  static constexpr const char* tag = nullptr;
  static constexpr LayerRole role = LayerRole::Pointwise;
  static PointwiseFunction Function(const MyOddLayer<MatType>& /* layer */)
  {
    return { Activation::Other, 0.0, true };
  }
};

TEMPLATE_TEST_CASE("RolesOfMlpackLayers", "[network]", arma::mat, arma::fmat)
{
  const auto role = [](const mlpack::Layer<TestType>& layer)
  { return RoleOf(layer); };
  REQUIRE(role(compat::ReLU<TestType>()) == LayerRole::Pointwise);
  REQUIRE(role(compat::Mish<TestType>()) == LayerRole::Pointwise);
  REQUIRE(role(compat::PReLU<TestType>()) == LayerRole::Pointwise);
  REQUIRE(role(compat::Linear<TestType>(3)) == LayerRole::Linear);
  REQUIRE(role(compat::Linear<TestType, mlpack::L2Regularizer>(3)) ==
      LayerRole::Linear);
  REQUIRE(role(compat::LinearNoBias<TestType>(3)) == LayerRole::LinearNoBias);
  REQUIRE(role(compat::LogSoftMax<TestType>()) == LayerRole::LogSoftmax);
  REQUIRE(role(compat::Dropout<TestType>()) == LayerRole::Dropout);
  REQUIRE(role(BayesianLinearType<TestType>(3)) == LayerRole::Other);
#if SYMVI_MLPACK_LAYER_TEMPLATES
  REQUIRE(role(mlpack::GELUExact<TestType>()) == LayerRole::Pointwise);
#endif

  const auto function = [](const mlpack::Layer<TestType>& layer)
  { return FunctionOf(layer); };
  REQUIRE(function(compat::TanH<TestType>()).activation == Activation::TanH);
  REQUIRE(function(compat::LeakyReLU<TestType>(0.5)).alpha == Approx(0.5));
  REQUIRE(function(compat::ELU<TestType>(0.7)).activation == Activation::ELU);
  REQUIRE(function(compat::ELU<TestType>()).activation == Activation::Other);
  REQUIRE(function(compat::Mish<TestType>()).activation == Activation::Other);
}

TEST_CASE("AUsersOwnLayerWorksLikeMlpacks", "[network]")
{
  mlpack::RandomSeed(4);
  BayesianFFN<GaussianLikelihood> model(GaussianLikelihood(0.5));
  model.Add<BayesianLinear>(6);
  model.Add<MyLayer>(0.1);
  model.Add<BayesianLinear>(1);
  model.Reset(2);

  // Its units can be permuted,
  const NetworkSymmetry<arma::mat> symmetry(std::as_const(model).Network());
  REQUIRE(symmetry.LogOrder() == Approx(std::log(720.0)));
  REQUIRE(FunctionOf(*std::as_const(model).Network()[1]).alpha == 0.1);

  // and it is saved and loaded with its fields.
  std::stringstream file;
  {
    cereal::BinaryOutputArchive archive(file);
    archive(cereal::make_nvp("model", model));
  }
  BayesianFFN<GaussianLikelihood> loaded;
  {
    cereal::BinaryInputArchive archive(file);
    archive(cereal::make_nvp("model", loaded));
  }
  const arma::mat X(2, 5, arma::fill::randn);
  arma::mat before, after;
  model.Predict(X, before);
  loaded.Predict(X, after);
  REQUIRE(arma::approx_equal(before, after, "absdiff", 0.0));
}

TEST_CASE("AUsersOddLayerHasSigns", "[network]")
{
  BayesianFFN<GaussianLikelihood> model(GaussianLikelihood(0.5));
  model.Add<BayesianLinear>(6);
  model.Add<MyOddLayer>();
  model.Add<BayesianLinear>(4);
  model.Add<MyLayer>(0.1);
  model.Add<BayesianLinear>(1);
  model.Reset(2);
  const NetworkSymmetry<arma::mat> symmetry(std::as_const(model).Network());
  REQUIRE(symmetry.GroupName() == "B_6 x S_4");
  REQUIRE(symmetry.LogOrder() == Approx(std::log(720.0 * 64 * 24)));
}

TEST_CASE("AnUndescribedLayerIsNamed", "[network]")
{
  BayesianFFN<GaussianLikelihood> model;
  model.Add<BayesianLinear>(4);
  model.Add<Unknown>();
  model.Add<BayesianLinear>(1);
  model.Reset(2);
  const NetworkSymmetry<arma::mat> symmetry(std::as_const(model).Network());
  REQUIRE(symmetry.LogOrder() == 0);
  REQUIRE(symmetry.Notes().size() == 1);
  REQUIRE_THAT(symmetry.Notes()[0],
      Catch::Matchers::ContainsSubstring("Unknown"));
  std::stringstream file;
  cereal::BinaryOutputArchive archive(file);
  REQUIRE_THROWS_AS(archive(cereal::make_nvp("model", model)),
      cereal::Exception);
}

//! Every way in which mlpack::FFN takes a layer.
TEMPLATE_TEST_CASE("AddTakesLayersInEveryForm", "[network]", arma::mat,
    arma::fmat)
{
  BayesianFFN<GaussianLikelihoodType<TestType>, mlpack::RandomInitialization,
      TestType>
      model{ GaussianLikelihoodType<TestType>(1.0) };
  model.template Add<BayesianLinear>(5);
  model.template Add<BayesianLinearType>(4);
  model.template Add<mlpack::ReLU>();
  model.Add(compat::LeakyReLU<TestType>(0.3));
  const compat::ELU<TestType> elu(0.5);
  model.Add(elu);
  model.Add(new compat::TanH<TestType>());
  mlpack::Layer<TestType>* layer = new BayesianLinearType<TestType>(1);
  model.Add(layer);
  model.Reset(3);

  const auto& layers = std::as_const(model).Network();
  REQUIRE(layers.size() == 7);
  REQUIRE(layers[2]->OutputSize() == 4);
  REQUIRE(FunctionOf(*layers[2]).activation == Activation::ReLU);
  REQUIRE(FunctionOf(*layers[3]).alpha == Approx(0.3));
  REQUIRE(FunctionOf(*layers[4]).alpha == Approx(0.5));
  REQUIRE(FunctionOf(*layers[5]).activation == Activation::TanH);
  TestType out;
  model.Predict(TestType(3, 2, arma::fill::ones), out);
  REQUIRE(out.n_rows == 1);
}
