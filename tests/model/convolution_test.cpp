/**
 * @file convolution_test.cpp
 *
 * Convolutions among the layers of a model: the group of their maps, and all
 * that is done with a trained posterior.
 */
// mlpack 4.8 prefers another overload of Save() and Load() to the one that all
// versions have.
#if defined(__GNUC__)
  #pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif

#include "catch.hpp"

#include <symvi.hpp>

#include <symvi/information/estimators.hpp>
#include <symvi/model/prune.hpp>
#include <symvi/predict/predictive.hpp>
#include <symvi/symmetry/alignment.hpp>
#include <symvi/symmetry/permutation_group.hpp>

#include <cstdio>
#include <functional>

using namespace symvi;
using Catch::Matchers::ContainsSubstring;

namespace {

template<typename MatType = arma::mat>
using Model = BayesianFFN<CategoricalLikelihoodType<MatType>,
    mlpack::RandomInitialization, MatType>;
using LayerPtr = mlpack::Layer<arma::mat>*;

//! Wide posteriors overlap, so that permutations matter.
BayesianOptions Wide()
{
  return BayesianOptions().InitialSigma(0.6).PriorStddev(0.8);
}

//! 6 x 5 pixels of one map; every dead end of mlpack's layers in between.
struct Shape
{
  std::function<void(Model<>&)> add;
  const char* group;
};

std::vector<Shape> Shapes()
{
  return {
    // conv-flatten-dense
    { [](Model<>& m)
        {
    m.Add<BayesianConvolution>(3, 2, 3, Wide());
    m.Add<mlpack::ReLU>();
    m.Add<BayesianLinear>(2, Wide());
     },
        "S_3" },
    // conv-pool-conv-flatten-dense, the second one behind an odd function
    { [](Model<>& m)
        {
    m.Add<BayesianConvolution>(2, 3, 2, 1, 1, 1, 0, "none", true, Wide());
    m.Add<mlpack::MaxPooling>(2, 2, 1, 1);
    m.Add<mlpack::TanH>();
    m.Add<BayesianConvolution>(3, 2, 2, 2, 1, 0, 0, "none", false, Wide());
    m.Add<mlpack::MeanPooling>(2, 1, 1, 1);
    m.Add<mlpack::TanH>();
    m.Add<BayesianLinear>(2, Wide());
     },
        "S_2 x B_3" },
      // conv-conv-dense-dense, with zeros, noise and means between
      { [](Model<>& m)
          {
    m.Add<BayesianConvolution>(3, 2, 2, Wide());
    m.Add<mlpack::TanH>();
    m.Add<mlpack::Padding>(1, 0, 0, 1);
    m.Add<mlpack::Dropout>(0.3);
    m.Add<BayesianConvolution>(2, 3, 3, 1, 1, 0, 0, "same", true, Wide());
    m.Add<mlpack::PReLU>(0.1);
    m.Add<mlpack::AdaptiveMeanPooling>(1, 1);
    m.Add<BayesianLinear>(3, Wide());
    m.Add<mlpack::ReLU>();
    m.Add<BayesianLinear>(2, Wide());
       },
          "B_3 x S_2 x S_3" },
      // The order of the first maps is fixed, and the last ones are not read.
      { [](Model<>& m)
          {
    m.Add<BayesianConvolution>(3, 3, 3, Wide());
    m.Add<mlpack::BatchNorm>(2, 2);
    m.Add<BayesianConvolution>(4, 2, 2, Wide());
    m.Add<mlpack::ReLU>();
    m.Add<BayesianConvolution>(2, 3, 2, Wide());
       },
          "S_4" },
      };
}

Model<> Make(const Shape& shape)
{
  mlpack::RandomSeed(31);
  Model<> model;
  shape.add(model);
  model.InputDimensions() = { 6, 5, 1 };
  model.Reset();
  return model;
}

arma::mat Points(const size_t rows, const size_t cols)
{
  arma::arma_rng::set_seed(5);
  return arma::mat(rows, cols, arma::fill::randn);
}

//! Which layers of a network a chain's are, in terms of its Bayesian layers.
size_t IndexOf(Model<>& model, const BayesianLinearType<arma::mat>* layer)
{
  const auto layers = model.BayesianLayers();
  return std::find(layers.begin(), layers.end(), layer) - layers.begin();
}

//! The numbers given of each Bayesian layer, moved by g.
std::vector<arma::vec> Moved(Model<>& model, NetworkSymmetry<arma::mat>& group,
    const size_t chain, const Permutation& g, std::vector<arma::vec> numbers)
{
  const auto& members = group.ChainLayers(chain);
  for (size_t l = 0; l < members.size(); ++l)
  {
    arma::vec& own = numbers[IndexOf(model, members[l])];
    const arma::vec before = own;
    Apply(g, group.GetChain(chain), l, before.memptr(), own.memptr());
  }
  return numbers;
}

std::vector<arma::vec> Means(Model<>& model)
{
  std::vector<arma::vec> means;
  for (const auto* layer : model.BayesianLayers())
    means.push_back(layer->Means());
  return means;
}

//! What the network of these means makes of the points.
arma::mat Outputs(Model<>& model, const std::vector<arma::vec>& means,
    const arma::mat& points)
{
  const auto layers = model.BayesianLayers();
  for (size_t l = 0; l < layers.size(); ++l)
    std::copy(means[l].begin(), means[l].end(), layers[l]->Means().begin());
  arma::mat result;
  model.Base().SetNetworkMode(false);
  model.Base().Forward(points, result);
  return result;
}

} // namespace

//! Elements of the group leave the network's function alone, exchanges of
//! pixels and of maps with other maps' filters do not.
TEST_CASE("MapsMayBePermuted", "[convolution]")
{
  const arma::mat points = Points(30, 4);
  for (const Shape& shape : Shapes())
  {
    Model<> model = Make(shape);
    NetworkSymmetry<arma::mat> symmetry(std::as_const(model).Network());
    CAPTURE(shape.group);
    REQUIRE(symmetry.GroupName() == shape.group);
    const std::vector<arma::vec> means = Means(model);
    const arma::mat before = Outputs(model, means, points);
    RandomStream stream(3);
    for (size_t i = 0; i < symmetry.NumChains(); ++i)
    {
      const PermutationGroup group(symmetry.GetChain(i));
      for (size_t k = 0; k < 20; ++k)
      {
        const Permutation g = group.Sample(stream);
        const arma::mat after = Outputs(model,
            Moved(model, symmetry, i, g, means), points);
        REQUIRE(arma::abs(after - before).max() < 1e-10);
      }
    }
  }
}

//! I(g; w) of draws against the sum over the group, written as filters.
TEST_CASE("InformationOfMapsAgainstEnumeration", "[convolution]")
{
  for (const Shape& shape : Shapes())
  {
    Model<> model = Make(shape);
    NetworkSymmetry<arma::mat> symmetry(std::as_const(model).Network());
    const auto layers = model.BayesianLayers();
    const auto logDensity = [&](const std::vector<arma::vec>& w)
    {
      double sum = 0.0;
      for (size_t l = 0; l < layers.size(); ++l)
        sum -= 0.5 *
            arma::accu(arma::square(
                (w[l] - layers[l]->Means()) / layers[l]->Sigmas()));
      return sum;
    };
    const EstimatorPtr exact = MakeEstimator("exact");
    RandomStream stream(1);
    for (size_t s = 0; s < 5; ++s)
    {
      std::vector<arma::vec> w;
      for (auto* layer : layers)
      {
        layer->Draw();
        w.push_back(layer->Weights());
      }
      for (size_t i = 0; i < symmetry.NumChains(); ++i)
      {
        const PermutationGroup group(symmetry.GetChain(i));
        Permutation g = group.Identity();
        double sum = 0.0;
        do
          sum += std::exp(
              logDensity(Moved(model, symmetry, i, g, w)) - logDensity(w));
        while (group.Next(g));
        CAPTURE(shape.group, s);
        REQUIRE(exact->Evaluate(symmetry.GetChain(i), stream).value ==
            Approx(group.LogOrder() - std::log(sum))
                .epsilon(1e-9)
                .margin(1e-9));
      }
    }
  }
}

TEST_CASE("GradientWithConvolutions", "[convolution]")
{
  const arma::mat X = Points(30, 9);
  const arma::mat y = arma::floor(2 * arma::mat(1, 9, arma::fill::randu));
  for (size_t k = 0; k < 2; ++k)
    for (const char* name : { "uniform", "exact" })
    {
      mlpack::RandomSeed(33);
      mlpack::FFN<CategoricalLikelihood> network;
      network.Add<BayesianConvolution>(3, 2, 2, Wide());
      network.Add<mlpack::TanH>();
      network.Add<mlpack::MeanPooling>(2, 2, 2, 2);
      if (k == 1)
      {
        network.Add<BayesianConvolution>(2, 2, 2, 1, 1, 1, 0, "none", true,
            Wide());
        network.Add<mlpack::TanH>();
      }
      network.Add<BayesianLinear>(2, Wide());
      network.InputDimensions() = { 6, 5, 1 };
      SymmetrizedELBO<decltype(network)> elbo(network, X, y,
          MakeEstimator(name, 5));
      elbo.Temperature() = 5; // Make I(g; w) large against the data term.
      elbo.FullGradient() = true;
      elbo.Freeze();
      arma::mat& parameters = network.Parameters();
      arma::mat gradient, numeric(parameters.n_rows, 1);
      elbo.EvaluateWithGradient(parameters, 2, gradient, 5);
      const double h = 3e-6;
      for (size_t j = 0; j < parameters.n_elem; ++j)
      {
        const double value = parameters[j];
        parameters[j] = value + h;
        const double up = elbo.Evaluate(parameters, 2, 5);
        parameters[j] = value - h;
        const double down = elbo.Evaluate(parameters, 2, 5);
        parameters[j] = value;
        numeric[j] = (up - down) / (2 * h);
      }
      CAPTURE(k, name);
      REQUIRE(arma::norm(gradient - numeric) / arma::norm(numeric) <= 1e-6);
    }
}

TEST_CASE("WhatFixesMapsIsNamed", "[convolution]")
{
  const auto notes = [](const std::vector<size_t>& dimensions,
                         const std::function<void(Model<>&)>& add)
  {
    Model<> model;
    model.Add<BayesianConvolution>(4, 2, 2);
    add(model);
    model.InputDimensions() = dimensions;
    model.Reset();
    const NetworkSymmetry<arma::mat> symmetry(std::as_const(model).Network());
    REQUIRE(symmetry.GroupName() == "trivial");
    REQUIRE(symmetry.Notes().size() == 1);
    return symmetry.Notes()[0];
  };
  using M = arma::mat;
  using Valid = mlpack::NaiveConvolution<mlpack::ValidConvolution>;
  using Full = mlpack::NaiveConvolution<mlpack::FullConvolution>;
  REQUIRE_THAT(notes({ 6, 5, 1 },
                   [](Model<>& m)
                   {
    LayerPtr grouped = new compat::GroupedConvolution<M, Valid, Full, Valid>(4,
        2, 2, 2);
    m.Add(grouped);
    m.Add<BayesianLinear>(2);
  }),
      ContainsSubstring("4 units") && ContainsSubstring("GroupedConvolution"));
  // Pixels of several images with the same maps.
  REQUIRE_THAT(
      notes({ 3, 3, 1, 2 }, [](Model<>& m) { m.Add<BayesianLinear>(2); }),
      ContainsSubstring("BayesianLinear"));

  // A convolution over the outputs of a dense layer.
  Model<> model;
  model.Add<BayesianLinear>(6);
  model.Add<mlpack::ReLU>();
  model.Add<BayesianConvolution>(2, 3, 1);
  model.Reset(4);
  const NetworkSymmetry<M> symmetry(std::as_const(model).Network());
  REQUIRE(symmetry.GroupName() == "trivial");
  REQUIRE_THAT(symmetry.Notes().at(0),
      ContainsSubstring("6 units") && ContainsSubstring("BayesianConvolution"));
  // Pooling over dense units mixes them.
  REQUIRE_FALSE(KeepsUnits(compat::MeanPooling<M>(2, 1)));
  REQUIRE(KeepsUnits(compat::MeanPooling<M>(2, 1), true));
}

TEMPLATE_TEST_CASE("PredictionsOfConvolutionsAreOrdinaryPasses",
    "[convolution]", arma::mat, arma::fmat)
{
  using M = TestType;
  using Convolution = BayesianConvolutionType<M>;
  mlpack::RandomSeed(34);
  for (const std::vector<size_t>& input :
      std::vector<std::vector<size_t>>{ { 7, 6, 2 }, { 7, 6, 1, 2 } })
    for (const bool inFront : { false, true })
    {
      Model<M> model;
      if (inFront)
        model.template Add<compat::ReLU<M>>();
      model.template Add<Convolution>(3, 2, 3, 1, 1, 1, 0, "none", true,
          Wide());
      model.template Add<compat::TanH<M>>();
      model.template Add<compat::MaxPooling<M>>(2, 2, 2, 2);
      model.template Add<Convolution>(2, 2, 2, 2, 1, 0, 0, "none", false,
          Wide());
      model.template Add<compat::ReLU<M>>();
      model.template Add<BayesianLinearType<M>>(3, Wide());
      model.InputDimensions() = input;
      model.Reset();
      const M points = arma::conv_to<M>::from(Points(84, 11));

      PredictOptions options(6, 3);
      options.pointsPerChunk = 9;
      options.pointsPerTile = 4;
      options.drawsPerBlock = 4;
      const Predictive<M> predictive(std::as_const(model));
      const auto draws = predictive.Draws(points, options);
      const M weights = predictive.Weights(options);
      for (size_t s = 0; s < options.samples; ++s)
      {
        Model<M> own = model;
        size_t used = 0;
        for (auto* layer : own.BayesianLayers())
        {
          const size_t n = layer->PosteriorSize();
          layer->Means() = weights.submat(used, s, used + n - 1, s);
          used += n;
        }
        M expected;
        own.Base().SetNetworkMode(false);
        own.Base().Forward(points, expected);
        REQUIRE(arma::abs(expected - draws.slice(s)).max() <
            (std::is_same_v<M, arma::mat> ? 1e-12 : 2e-4));
      }
      // The same functions with permuted maps.
      options.fromSymmetrized = true;
      const auto moved = predictive.Draws(points, options);
      REQUIRE(arma::abs(moved - draws).max() <
          (std::is_same_v<M, arma::mat> ? 1e-12 : 2e-4));
    }
}

namespace {

//! Images 6 x 6: a bright row or a bright column.
void Lines(arma::mat& X, arma::mat& y, const size_t n)
{
  arma::arma_rng::set_seed(8);
  X = 0.5 * arma::mat(36, n, arma::fill::randn);
  y.set_size(1, n);
  for (size_t i = 0; i < n; ++i)
  {
    y[i] = double(i % 2);
    arma::mat image(X.colptr(i), 6, 6, false, true);
    const size_t at = (i / 2) % 6;
    if (i % 2)
      image.row(at) += 1.5;
    else
      image.col(at) += 1.5;
  }
}

Model<> LineModel()
{
  Model<> model;
  model.Add<BayesianConvolution>(4, 3, 3, 1, 1, 1, 1);
  model.Add<mlpack::ReLU>();
  model.Add<mlpack::MaxPooling>(2, 2, 2, 2);
  model.Add<BayesianConvolution>(3, 2, 2);
  model.Add<mlpack::ReLU>();
  model.Add<BayesianLinear>(2);
  model.InputDimensions() = { 6, 6, 1 };
  return model;
}

} // namespace

TEST_CASE("ConvolutionsTrainAndReport", "[convolution]")
{
  mlpack::RandomSeed(35);
  arma::mat X, y, Xtest, ytest, probabilities;
  Lines(X, y, 400);
  Model<> model = LineModel();
  model.Fit(X, y, FitOptions().Epochs(40));
  model.Predict(X, probabilities);
  REQUIRE(Accuracy(probabilities, y) > 0.9);

  const ElboReport report = model.Elbo(X, y);
  REQUIRE(report.logGroupOrder == Approx(std::lgamma(5.0) + std::lgamma(4.0)));
  REQUIRE(report.notes.empty());
  REQUIRE(report.symmetrizedElbo >= report.elbo);
  REQUIRE(report.symmetrizedElbo <= report.elbo + report.logGroupOrder);

  // Files, as they are and as what goes on from there.
  for (const char* extension : { "bin", "json", "xml" })
  {
    const std::string file = std::string("symvi_convolution_test.") + extension;
    REQUIRE(mlpack::data::Save(file, "model", model, true));
    Model<> loaded;
    REQUIRE(mlpack::data::Load(file, "model", loaded, true));
    std::remove(file.c_str());
    arma::mat again;
    loaded.Predict(X, again);
    CAPTURE(extension);
    REQUIRE(arma::approx_equal(again, probabilities, "absdiff", 0));
    REQUIRE(
        loaded.Elbo(X, y).symmetrizedElbo == model.Elbo(X, y).symmetrizedElbo);
  }
}

TEMPLATE_TEST_CASE("SavedConvolutionsPredictTheSame", "[convolution]",
    arma::mat, arma::fmat)
{
  using M = TestType;
  mlpack::RandomSeed(38);
  Model<M> model;
  model.template Add<BayesianConvolutionType<M>>(3, 2, 3, 2, 1, 1, 0, "none",
      false, Wide());
  model.template Add<compat::TanH<M>>();
  model.template Add<BayesianConvolutionType<M>>(2, 2, 2, 1, 1, 0, 0, "same");
  model.template Add<BayesianLinearType<M>>(2);
  model.InputDimensions() = { 6, 5, 2 };
  model.Reset();
  const M points = arma::conv_to<M>::from(Points(60, 4));
  M expected, again;
  model.Predict(points, expected);
  for (const char* extension : { "bin", "json", "xml" })
  {
    const std::string file = std::string("symvi_convolution_saved.") +
        extension;
    REQUIRE(mlpack::data::Save(file, "model", model, true));
    Model<M> loaded;
    REQUIRE(mlpack::data::Load(file, "model", loaded, true));
    std::remove(file.c_str());
    loaded.Predict(points, again);
    CAPTURE(extension);
    REQUIRE(arma::approx_equal(again, expected, "absdiff", 0));
  }
}

TEST_CASE("ConvolutionsAreConverted", "[convolution]")
{
  mlpack::RandomSeed(36);
  mlpack::FFN<mlpack::NegativeLogLikelihood> network;
  // mlpack 4.6 exchanges the strides of its Convolution.
  const size_t strideHeight = SYMVI_MLPACK_LAYER_TEMPLATES ? 1 : 2;
  network.Add<mlpack::Convolution>(3, 3, 2, 2, strideHeight, 1, 0);
  network.Add<mlpack::ReLU>();
  network.Add<mlpack::Convolution>(4, 2, 2, 1, 1, 0, 0, "same", false);
  network.Add<mlpack::ReLU>();
  network.Add<mlpack::Linear>(2);
  network.Add<mlpack::LogSoftMax>();
  network.InputDimensions() = { 6, 5, 2 };
  network.Reset();
  network.Parameters().randn();
  const arma::mat points = Points(60, 7);
  arma::mat expected, result;
  network.Predict(points, expected);

  ConvertOptions options;
  options.relativeSigma = 0.2;
  options.priorStddev = 0.7;
  Model<> model = ToBayesian<CategoricalLikelihood>(network,
      CategoricalLikelihood(), options);
  const auto layers = model.BayesianLayers();
  REQUIRE(layers.size() == 3);
  const auto* first = dynamic_cast<const BayesianConvolutionType<arma::mat>*>(
      layers[0]);
  REQUIRE(first != nullptr);
  REQUIRE(first->PriorStddev() == 0.7);
  REQUIRE(first->HasBias());
  REQUIRE_FALSE(layers[1]->HasBias());
  REQUIRE(arma::approx_equal(arma::mat(layers[0]->Sigmas()),
      arma::mat(arma::max(0.2 * arma::abs(layers[0]->Means()),
          arma::mat(layers[0]->PosteriorSize(), 1, arma::fill::value(1e-3)))),
      "reldiff", 1e-9));
  model.Base().SetNetworkMode(false);
  model.Base().Forward(points, result);
  arma::mat logits = result;
  logits.each_row() -= arma::log(arma::sum(arma::exp(result)));
  // mlpack's LogSoftMax approximates the exponential function.
  REQUIRE(arma::abs(logits - expected).max() < 1e-4);

  // And back.
  auto plain = ToDeterministic<mlpack::NegativeLogLikelihood>(model);
  arma::mat again;
  plain.Predict(points, again);
  REQUIRE(arma::abs(again - result).max() < 1e-10);
  REQUIRE(arma::approx_equal(plain.Parameters(), network.Parameters(),
      "absdiff", 0));
}

TEST_CASE("MapsArePruned", "[convolution]")
{
  mlpack::RandomSeed(37);
  Model<> model = LineModel();
  model.Reset();
  model.Symmetrize() = false;
  // Map 2 of the first convolution is read by nobody: its block of four
  // columns of the second one's 3 x 16 weights; map 1 of the second neither:
  // four of the 2 x 12 weights behind it.
  const auto layers = model.BayesianLayers();
  layers[1]->Means().rows(2 * 12, 3 * 12 - 1).zeros();
  layers[2]->Means().rows(1 * 8, 2 * 8 - 1).zeros();
  const std::vector<arma::vec> ratios = UnitSignalToNoise(model);
  REQUIRE(ratios.size() == 2);
  REQUIRE(ratios[0].n_elem == 4);
  REQUIRE(ratios[0](2) == 0);
  REQUIRE(ratios[1](1) == 0);
  REQUIRE(arma::accu(ratios[0] == 0) + arma::accu(ratios[1] == 0) == 2);

  const arma::mat points = Points(36, 5);
  const arma::mat before = Outputs(model, Means(model), points);
  double klBefore = 0, klAfter = 0;
  for (const auto* layer : model.BayesianLayers())
    klBefore += layer->KL();
  const PruneReport report = PruneUnits(model, 2.0 / 7);
  REQUIRE(report.pruned == 2);
  REQUIRE(report.unitsLeft == std::vector<size_t>({ 3, 2 }));
  REQUIRE(
      arma::abs(Outputs(model, Means(model), points) - before).max() < 1e-12);
  for (const auto* layer : model.BayesianLayers())
    klAfter += layer->KL();
  REQUIRE(report.klRemoved == Approx(klBefore - klAfter));
}

TEST_CASE("CanonicalFormOfMaps", "[convolution]")
{
  for (const Shape& shape : Shapes())
  {
    Model<> model = Make(shape);
    NetworkSymmetry<arma::mat> symmetry(std::as_const(model).Network());
    for (auto* layer : model.BayesianLayers())
      layer->Draw();
    const std::vector<arma::vec> means = Means(model);
    RandomStream stream(4);
    const Permutation g = PermutationGroup(symmetry.GetChain(0)).Sample(stream);
    const std::vector<arma::vec> form = Moved(model, symmetry, 0,
        CanonicalForm(symmetry.GetChain(0)), means);
    Outputs(model, Moved(model, symmetry, 0, g, means), Points(30, 1));
    const std::vector<arma::vec> other = Moved(model, symmetry, 0,
        CanonicalForm(symmetry.GetChain(0)), Means(model));
    for (size_t l = 0; l < form.size(); ++l)
      REQUIRE(arma::approx_equal(form[l], other[l], "absdiff", 0));
  }
}
