/**
 * @file save_test.cpp
 *
 * Saving and loading models through mlpack's own functions.
 */
// mlpack 4.8 prefers another overload of Save() and Load() to the one that all
// versions have.
#if defined(__GNUC__)
  #pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif

#include "catch.hpp"

#include <symvi.hpp>

#include <cstdio>
#include <fstream>
#include <sstream>

using namespace symvi;

namespace {

//! A file name that is removed at the end.
struct Scratch
{
  explicit Scratch(const std::string& name) :
      name("symvi_save_test_" + name) { }
  ~Scratch() { std::remove(name.c_str()); }
  std::string name;
};

std::string ReadAll(const std::string& name)
{
  std::ifstream in(name, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void WriteAll(const std::string& name, const std::string& text)
{
  std::ofstream(name, std::ios::binary) << text;
}

//! One of each layer that can be saved in a regression network.
BayesianFFN<HeteroscedasticGaussianLikelihood> DeepModel()
{
  BayesianFFN<HeteroscedasticGaussianLikelihood> model;
  model.Add<mlpack::Linear>(4);
  model.Add<mlpack::LeakyReLU>(0.1);
  model.Add<BayesianLinear>(5, BayesianOptions().PriorStddev(0.6));
  model.Add<mlpack::TanH>();
  model.Add<BayesianLinearNoBias>(3);
  model.Add<mlpack::GELU>();
  model.Add<FixedLinear>(arma::mat("1 1 2"));
  model.Add<LearnedNoise>(0.5);
  model.Symmetrize() = true;
  model.Samples() = 2;
  model.Estimator() = MakeEstimator("auto", 7);
  model.Reset(3);
  return model;
}

} // namespace

TEST_CASE("SaveAndLoadBitForBit", "[model]")
{
  mlpack::RandomSeed(61);
  auto model = DeepModel();
  const arma::mat X(3, 10, arma::fill::randn), y(1, 10, arma::fill::randn);
  ens::Adam adam(StepSize(1e-2, 5), 5);
  adam.MaxIterations() = 100;
  model.Train(X, y, adam);
  arma::mat expected;
  model.Predict(X, expected);

  for (const char* extension : { "bin", "json", "xml" })
  {
    Scratch file(std::string("model.") + extension);
    REQUIRE(mlpack::data::Save(file.name, "model", model, true));
    decltype(model) loaded;
    REQUIRE(mlpack::data::Load(file.name, "model", loaded, true));
    arma::mat p;
    loaded.Predict(X, p);
    CAPTURE(extension);
    REQUIRE(arma::approx_equal(p, expected, "absdiff", 0));
    REQUIRE(loaded.Samples() == 2);
    REQUIRE(EstimatorPermutations(*loaded.Estimator()) == 7);
    REQUIRE(loaded.BayesianLayers()[0]->PriorStddev() == 0.6);
    REQUIRE(
        loaded.Elbo(X, y).symmetrizedElbo == model.Elbo(X, y).symmetrizedElbo);

    // Training goes on in the same way from both.
    auto copy = model;
    ens::Adam first(StepSize(1e-2, 5), 5), second(StepSize(1e-2, 5), 5);
    first.MaxIterations() = second.MaxIterations() = 50;
    mlpack::RandomSeed(3);
    copy.Train(X, y, first);
    mlpack::RandomSeed(3);
    loaded.Train(X, y, second);
    REQUIRE(arma::approx_equal(copy.Parameters(), loaded.Parameters(),
        "absdiff", 0));
  }
}

TEST_CASE("BadModelFilesAreExceptions", "[model]")
{
  mlpack::RandomSeed(62);
  auto model = DeepModel();
  const arma::mat before = model.Parameters();
  const arma::mat X(3, 4, arma::fill::randn);
  for (const std::string extension : { "bin", "json", "xml" })
  {
    CAPTURE(extension);
    Scratch file("bad." + extension);
    REQUIRE(mlpack::data::Save(file.name, "model", model, true));
    const std::string good = ReadAll(file.name);

    // Truncated anywhere.
    for (size_t part = 0; part < 20; ++part)
    {
      WriteAll(file.name, good.substr(0, good.size() * part / 20));
      decltype(model) loaded;
      REQUIRE_THROWS(mlpack::data::Load(file.name, "model", loaded, true));
      // What was there stays usable.
      auto kept = model;
      REQUIRE_THROWS(mlpack::data::Load(file.name, "model", kept, true));
      arma::mat p;
      REQUIRE_NOTHROW(kept.Predict(X, p));
      REQUIRE(arma::approx_equal(kept.Parameters(), before, "absdiff", 0));
    }

    // A line or a byte is lost or another one.
    for (size_t part = 0; part < 40; ++part)
    {
      std::string text = good;
      const size_t at = text.size() * part / 40;
      if (part % 2 == 0)
        text[at] = char(text[at] ^ 1);
      else
        text.erase(at, text.find('\n', at) - at + 1);
      WriteAll(file.name, text);
      auto loaded = model;
      try
      {
        mlpack::data::Load(file.name, "model", loaded, true);
      }
      catch (const std::exception&)
      { }
      REQUIRE(arma::approx_equal(loaded.Parameters(), before, "absdiff", 0));
    }

    // Foreign.
    WriteAll(file.name, "x,y\n1,2\n3,4\n5,6\n7,8\n9,10\n11,12\n13,14\n");
    decltype(model) loaded;
    REQUIRE_THROWS(mlpack::data::Load(file.name, "model", loaded, true));
  }

  // Another element type.
  Scratch file("type.bin");
  REQUIRE(mlpack::data::Save(file.name, "model", model, true));
  BayesianFFN<HeteroscedasticGaussianLikelihoodType<arma::fmat>,
      mlpack::RandomInitialization, arma::fmat>
      floats;
  REQUIRE_THROWS(mlpack::data::Load(file.name, "model", floats, true));
}

TEST_CASE("SaveAndLoadNameTheFile", "[model]")
{
  mlpack::RandomSeed(65);
  auto model = DeepModel();
  Scratch file("named.bin");
  model.Save(file.name);
  decltype(model) loaded;
  loaded.Load(file.name);
  REQUIRE(arma::approx_equal(loaded.Parameters(), model.Parameters(), "absdiff",
      0));

  std::string bytes = ReadAll(file.name);
  bytes[bytes.size() / 2] = char(bytes[bytes.size() / 2] ^ 4);
  WriteAll(file.name, bytes);
  REQUIRE_THROWS_WITH(loaded.Load(file.name),
      "'" + file.name + "' is damaged.");
  WriteAll(file.name, bytes.substr(0, 100));
  REQUIRE_THROWS_WITH(loaded.Load(file.name),
      "'" + file.name + "' is truncated.");
  REQUIRE(arma::approx_equal(loaded.Parameters(), model.Parameters(), "absdiff",
      0));
}

TEST_CASE("NewerFormatIsRefused", "[model]")
{
  mlpack::RandomSeed(63);
  auto model = DeepModel();
  Scratch file("newer.json");
  REQUIRE(mlpack::data::Save(file.name, "model", model, true));
  std::string text = ReadAll(file.name);
  const std::string field = "\"format\": 2";
  REQUIRE(text.find(field) != std::string::npos);
  text.replace(text.find(field), field.size(), "\"format\": 3");
  std::istringstream in(text);
  cereal::JSONInputArchive archive(in);
  decltype(model) loaded;
  REQUIRE_THROWS_WITH(archive(cereal::make_nvp("model", loaded)),
      Catch::Matchers::ContainsSubstring("format 3"));
}

namespace {

//! A layer that nobody has described to symvi.
template<typename MatType = arma::mat>
class Undescribed : public compat::Identity<MatType>
{
 public:
  Undescribed* Clone() const override { return new Undescribed(*this); }
};

//! A network with one of mlpack's layers in front, trained for a moment, must
//! predict the same after it was saved and loaded, unless the layer draws noise
//! of its own.
template<typename MatType, typename LayerType>
void CheckSaved(LayerType* layer, const std::vector<size_t>& dimensions,
    const bool deterministic = true)
{
  BayesianFFN<GaussianLikelihoodType<MatType>, mlpack::RandomInitialization,
      MatType>
      model{ GaussianLikelihoodType<MatType>(1.0) };
  model.InputDimensions() = dimensions;
  model.Add(layer);
  model.template Add<BayesianLinear>(1);
  size_t rows = 1;
  for (const size_t size : dimensions)
    rows *= size;
  const MatType X(rows, 8, arma::fill::randu), y(1, 8, arma::fill::randn);
  ens::Adam adam(StepSize(1e-2, 4), 4);
  adam.MaxIterations() = 16;
  model.Train(X, y, adam);
  MatType expected, p;
  model.Predict(X, expected);
  for (const char* extension : { "bin", "json", "xml" })
  {
    INFO(LayerName(*std::as_const(model).Network()[0]) << ", " << extension);
    Scratch file(std::string("layer.") + extension);
    REQUIRE(mlpack::data::Save(file.name, "model", model, true));
    decltype(model) loaded;
    REQUIRE(mlpack::data::Load(file.name, "model", loaded, true));
    REQUIRE(arma::approx_equal(loaded.Parameters(), model.Parameters(),
        "absdiff", 0));
    loaded.Predict(X, p);
    if (deterministic)
      REQUIRE(arma::approx_equal(p, expected, "absdiff", 0));
  }
}

} // namespace

TEMPLATE_TEST_CASE("LayersOfMlpackAreSaved", "[model]", arma::mat, arma::fmat)
{
  mlpack::RandomSeed(64);
  using M = TestType;
  const std::vector<size_t> vector = { 6 }, image = { 6, 6, 2 };
  CheckSaved<M>(new compat::BatchNorm<M>(), vector);
  CheckSaved<M>(new compat::BatchNorm<M>(2, 2), image);
  CheckSaved<M>(new compat::LayerNorm<M>(), vector);
  CheckSaved<M>(new compat::Add<M>(), vector);
  CheckSaved<M>(new compat::PReLU<M>(0.2), vector);
  CheckSaved<M>(new compat::Dropout<M>(0.3), vector);
  CheckSaved<M>(new compat::AlphaDropout<M>(), vector);
  CheckSaved<M>(new compat::CReLU<M>(), vector);
  CheckSaved<M>(new compat::LiSHT<M>(), vector);
  CheckSaved<M>(new compat::Softmin<M>(), vector);
  CheckSaved<M>(new compat::NoisyLinear<M>(3), vector, false);
  CheckSaved<M>(new compat::Concatenate<M>(M(2, 1, arma::fill::ones)), vector);
  CheckSaved<M>(new compat::Linear3D<M>(3), { 3, 4 });
  CheckSaved<M>(new compat::MaxPooling<M>(2, 2, 2, 2), image);
  CheckSaved<M>(new compat::MeanPooling<M>(2, 2, 2, 2), image);
  CheckSaved<M>(new compat::AdaptiveMaxPooling<M>(2, 2), image);
  CheckSaved<M>(new compat::AdaptiveMeanPooling<M>(2, 2), image);
  CheckSaved<M>(new compat::Padding<M>(1, 1, 1, 1), image);
  CheckSaved<M>(new compat::Repeat<M>({ 1, 2, 1 }), image);
  using Default = typename RebindLayer<
#if SYMVI_MLPACK_LAYER_TEMPLATES
      mlpack::Convolution<M>
#else
      mlpack::Convolution
#endif
      ,
      M>::Type;
  CheckSaved<M>(new Default(3, 3, 3, 1, 1, 1, 1), image);
  using Valid = mlpack::NaiveConvolution<mlpack::ValidConvolution>;
  using Full = mlpack::NaiveConvolution<mlpack::FullConvolution>;
  CheckSaved<M>(new compat::Convolution<M, Valid, Full, Valid>(3, 3, 3), image);

  // Containers, and containers inside them.
  auto* sum = new compat::AddMerge<M>();
  AddOwned<compat::AddMerge<M>, M>(*sum, new compat::Identity<M>());
  auto* concat = new compat::Concat<M>(0);
  AddOwned<compat::Concat<M>, M>(*concat, new compat::Linear<M>(2));
  AddOwned<compat::Concat<M>, M>(*concat, new compat::Linear<M>(4));
  AddOwned<compat::AddMerge<M>, M>(*sum, concat);
  CheckSaved<M>(sum, vector);
}

TEST_CASE("LayersThatCannotBeSavedAreNamed", "[model]")
{
  mlpack::RandomSeed(64);
  BayesianFFN<GaussianLikelihood> model;
  model.Add<Undescribed>();
  model.Add<BayesianLinear>(1);
  // It is said before training begins,
  std::ostringstream log;
  std::streambuf* const console = std::clog.rdbuf(log.rdbuf());
  const arma::mat X(2, 6, arma::fill::randn), y(1, 6, arma::fill::randn);
  model.Prepare(X, y);
  std::clog.rdbuf(console);
  REQUIRE(log.str().find("Undescribed") != std::string::npos);
  // and where a failure is not fatal, it is none.
  Scratch file("undescribed.bin");
  REQUIRE_FALSE(mlpack::data::Save(file.name, "model", model, false));
  REQUIRE_THROWS(mlpack::data::Save(file.name, "model", model, true));
}
