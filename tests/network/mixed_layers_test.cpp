/**
 * @file tests/network/mixed_layers_test.cpp
 *
 * The permutations that a network keeps or loses by the layers between its
 * Bayesian ones.
 */
#include "catch.hpp"

#include <symvi/information/estimator.hpp>
#include <symvi/likelihood/categorical.hpp>
#include <symvi/model/bayesian_ffn.hpp>

#include <algorithm>
#include <sstream>

using namespace symvi;
using Catch::Matchers::ContainsSubstring;

namespace {

using Model = BayesianFFN<CategoricalLikelihood>;
using LayerPtr = mlpack::Layer<arma::mat>*;

BayesianOptions Wide()
{
  return BayesianOptions().InitialSigma(0.7);
}

//! 2 - 3 - 3 - 3 - 2 units, a layer behind each hidden one.
Model Deep(LayerPtr first, LayerPtr second, LayerPtr third)
{
  Model model;
  model.Add<BayesianLinear>(3, Wide());
  model.Add(first);
  model.Add<BayesianLinear>(3, Wide());
  model.Add(second);
  model.Add<BayesianLinear>(3, Wide());
  model.Add(third);
  model.Add<BayesianLinear>(2, Wide());
  model.Reset(2);
  return model;
}

//! W and b of the layers' current draw.
struct Draw
{
  std::vector<arma::mat> weight;
  std::vector<arma::vec> bias;

  explicit Draw(const std::vector<BayesianLinearType<arma::mat>*>& layers)
  {
    for (const auto* layer : layers)
    {
      const size_t n = layer->OutSize() * layer->InSize();
      weight.push_back(arma::reshape(layer->Weights().head_rows(n),
          layer->OutSize(), layer->InSize()));
      bias.push_back(layer->Weights().tail_rows(layer->OutSize()));
    }
  }

  //! Exchange the units between layers l and l + 1, and change their signs.
  Draw Permuted(const size_t l, const arma::uvec& order,
      const arma::vec& signs) const
  {
    Draw moved = *this;
    moved.weight[l] = arma::diagmat(signs) * weight[l].rows(order);
    moved.bias[l] = signs % bias[l].elem(order);
    moved.weight[l + 1] = weight[l + 1].cols(order) * arma::diagmat(signs);
    return moved;
  }

  arma::mat Flat(const size_t l) const
  {
    return arma::join_cols(arma::vectorise(weight[l]), bias[l]);
  }
};

//! log q of a draw, without the constant that all permutations share.
double LogDensity(const std::vector<BayesianLinearType<arma::mat>*>& layers,
    const Draw& draw)
{
  double sum = 0.0;
  for (size_t l = 0; l < layers.size(); ++l)
  {
    sum -= 0.5 *
        arma::accu(arma::square(
            (draw.Flat(l) - layers[l]->Means()) / layers[l]->Sigmas()));
  }
  return sum;
}

//! All orders of three units.
std::vector<arma::uvec> Orders()
{
  std::vector<arma::uvec> orders;
  arma::uvec order = { 0, 1, 2 };
  do
    orders.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return orders;
}

//! All signs of three units, or none but 1.
std::vector<arma::vec> Signs(const bool isSigned)
{
  std::vector<arma::vec> list;
  for (size_t bits = 0; bits < (isSigned ? 8 : 1); ++bits)
    list.push_back({ (bits & 1) ? -1.0 : 1.0, (bits & 2) ? -1.0 : 1.0,
        (bits & 4) ? -1.0 : 1.0 });
  return list;
}

//! log q(w) - log 1/|G| sum_g q(g^-1 w) with G the permutations of the units
//! behind the layers named, with signs behind those in `odd`.
double Enumerate(const std::vector<BayesianLinearType<arma::mat>*>& layers,
    const std::vector<size_t>& hidden, const std::vector<size_t>& odd)
{
  std::vector<Draw> orbit = { Draw(layers) };
  for (const size_t l : hidden)
  {
    std::vector<Draw> larger;
    for (const Draw& draw : orbit)
      for (const arma::uvec& order : Orders())
        for (const arma::vec& signs :
            Signs(std::count(odd.begin(), odd.end(), l)))
          larger.push_back(draw.Permuted(l, order, signs));
    orbit = larger;
  }
  const double own = LogDensity(layers, Draw(layers));
  double sum = 0.0;
  for (const Draw& draw : orbit)
    sum += std::exp(LogDensity(layers, draw) - own);
  return -std::log(sum / double(orbit.size()));
}

//! I(g; w) of the draws that the layers hold, as training sees it.
double Information(NetworkSymmetry<arma::mat>& symmetry)
{
  const EstimatorPtr exact = MakeEstimator("exact");
  RandomStream stream(1);
  double sum = 0.0;
  for (size_t i = 0; i < symmetry.NumChains(); ++i)
    sum += exact->Evaluate(symmetry.GetChain(i), stream).value;
  return sum;
}

LayerPtr Residual(LayerPtr branch)
{
  auto* sum = new compat::AddMerge<arma::mat>();
  AddOwned<compat::AddMerge<arma::mat>, arma::mat>(*sum,
      new compat::Identity<arma::mat>());
  AddOwned<compat::AddMerge<arma::mat>, arma::mat>(*sum, branch);
  return sum;
}

} // namespace

//! I(g; w) of what remains against all permutations, draw by draw.
TEST_CASE("RemainingGroupsAgainstEnumeration", "[network]")
{
  using M = arma::mat;
  mlpack::RandomSeed(81);
  const auto check = [](Model model, const std::vector<size_t>& hidden,
                         const std::vector<size_t>& odd, const char* name)
  {
    const auto layers = model.BayesianLayers();
    NetworkSymmetry<M> symmetry(std::as_const(model).Network());
    REQUIRE(symmetry.LogOrder() ==
        Approx(hidden.size() * std::log(6.0) + odd.size() * std::log(8.0)));
    REQUIRE(symmetry.GroupName() == name);
    REQUIRE(symmetry.Notes().size() == 3 - hidden.size());
    for (size_t s = 0; s < 20; ++s)
    {
      for (auto* layer : layers)
        layer->Draw();
      REQUIRE(Information(symmetry) ==
          Approx(Enumerate(layers, hidden, odd)).epsilon(1e-8).margin(1e-8));
    }
  };
  check(Deep(new compat::Dropout<M>(0.4), new compat::PReLU<M>(0.1),
            new compat::ReLU<M>()),
      { 0, 1, 2 }, { 0 }, "B_3 x S_3 x S_3");
  check(Deep(new compat::ReLU<M>(), new compat::BatchNorm<M>(),
            new compat::PReLU<M>(0.1)),
      { 0, 2 }, {}, "S_3 x S_3");
  check(Deep(new compat::LayerNorm<M>(), new compat::Dropout<M>(0.4),
            new compat::Linear<M>(3)),
      { 1 }, { 1 }, "B_3");
  check(Deep(Residual(new compat::TanH<M>()),
            Residual(new compat::Linear<M>(3)), new compat::Softmax<M>()),
      { 0, 2 }, { 0 }, "B_3 x S_3");
  check(Deep(new compat::TanH<M>(), new compat::ReLU<M>(),
            new compat::Elliot<M>()),
      { 0, 1, 2 }, { 0, 2 }, "B_3 x S_3 x B_3");
  check(Deep(new compat::BatchNorm<M>(), new compat::LayerNorm<M>(),
            new compat::Add<M>()),
      {}, {}, "trivial");
}

//! Changes of sign are symmetries exactly behind odd functions.
TEST_CASE("FunctionsUnderSigns", "[network]")
{
  using M = arma::mat;
  mlpack::RandomSeed(84);
  const M X(2, 5, arma::fill::randn);
  const auto change = [&](LayerPtr between)
  {
    const bool keeps = KeepsSigns(*between);
    Model model;
    model.Add<BayesianLinear>(3);
    model.Add(between);
    model.Add<BayesianLinear>(2);
    model.Reset(2);
    M before, after;
    model.Base().SetNetworkMode(false);
    model.Base().Forward(X, before);
    const auto layers = model.BayesianLayers();
    M W(layers[0]->Means().memptr(), 3, 3, false, true);
    M V(layers[1]->Means().memptr(), 2, 3, false, true);
    W.row(1) *= -1;
    V.col(1) *= -1;
    model.Base().Forward(X, after);
    const double difference = arma::abs(after - before).max();
    REQUIRE(keeps == (difference < 1e-12));
    return keeps;
  };
  REQUIRE(change(new compat::TanH<M>()));
  REQUIRE(change(new compat::Identity<M>()));
  REQUIRE(change(new compat::Elliot<M>()));
  REQUIRE(change(new compat::HardTanH<M>()));
  REQUIRE(change(new compat::LeakyReLU<M>(1.0)));
  REQUIRE(change(new compat::Dropout<M>(0.5)));
  using Softsign = mlpack::BaseLayer<mlpack::SoftsignFunction, M>;
  RegisterLayer<Softsign>();
  REQUIRE(change(new Softsign()));
  REQUIRE(change(Residual(new compat::TanH<M>())));
  REQUIRE_FALSE(change(new compat::HardTanH<M>(2.0, -0.1)));
  REQUIRE_FALSE(change(new compat::ReLU<M>()));
  REQUIRE_FALSE(change(new compat::LeakyReLU<M>(0.5)));
  REQUIRE_FALSE(change(new compat::Sigmoid<M>()));
  REQUIRE_FALSE(change(new compat::LiSHT<M>()));
  REQUIRE_FALSE(change(new compat::Softmax<M>()));
  REQUIRE_FALSE(change(Residual(new compat::ReLU<M>())));
  // Noise that also shifts, which evaluation mode does not show.
  REQUIRE_FALSE(KeepsSigns(compat::AlphaDropout<M>(0.5)));
  REQUIRE(KeepsUnits(compat::AlphaDropout<M>(0.5)));
}

//! A permutation is a symmetry exactly where the network does not notice it.
TEST_CASE("FunctionsUnderPermutations", "[network]")
{
  using M = arma::mat;
  mlpack::RandomSeed(82);
  const M X(2, 5, arma::fill::randn);
  const auto change = [&](LayerPtr between)
  {
    const bool keeps = KeepsUnits(*between);
    Model model;
    model.Add<BayesianLinear>(3);
    model.Add(between);
    model.Add<BayesianLinear>(2);
    model.Reset(2);
    // Trained parameters differ from unit to unit.
    const size_t own = std::as_const(model).Network()[1]->WeightSize();
    if (own > 1)
      model.Parameters().rows(18, 17 + own).randu();
    M before, after;
    model.Base().SetNetworkMode(false);
    model.Base().Forward(X, before);
    // Exchange units 0 and 2: rows and bias of the first layer, columns of the
    // second; the means are what a forward pass uses here.
    const auto layers = model.BayesianLayers();
    M W(layers[0]->Means().memptr(), 3, 3, false, true);
    M V(layers[1]->Means().memptr(), 2, 3, false, true);
    W.swap_rows(0, 2);
    V.swap_cols(0, 2);
    model.Base().Forward(X, after);
    const double difference = arma::abs(after - before).max();
    REQUIRE(keeps == (difference < 1e-12));
    return keeps;
  };
  REQUIRE(change(new compat::ReLU<M>()));
  REQUIRE(change(new compat::PReLU<M>(0.3)));
  REQUIRE(change(new compat::Dropout<M>(0.5)));
  REQUIRE(change(new compat::Softmax<M>()));
  REQUIRE(change(Residual(new compat::TanH<M>())));
  REQUIRE_FALSE(change(Residual(new compat::Linear<M>(3))));
  REQUIRE_FALSE(change(new compat::BatchNorm<M>()));
  REQUIRE_FALSE(change(new compat::LayerNorm<M>()));
  REQUIRE_FALSE(change(new compat::Add<M>()));
  REQUIRE_FALSE(change(new compat::Linear<M>(3)));
}

TEST_CASE("MixedNetworksTrainAndSayWhatTheyLost", "[network]")
{
  using M = arma::mat;
  mlpack::RandomSeed(83);
  M X(2, 200, arma::fill::randn), y(1, 200);
  for (size_t i = 0; i < X.n_cols; ++i)
    y[i] = X(0, i) * X(1, i) > 0;
  Model model;
  model.Add<BayesianLinear>(12);
  model.Add<mlpack::PReLU>();
  model.Add<mlpack::BatchNorm>();
  model.Add<BayesianLinear>(8);
  model.Add<mlpack::ReLU>();
  model.Add<mlpack::Dropout>(0.1);
  model.Add<BayesianLinear>(2);
  ens::Adam adam(StepSize(1e-2, 20), 20);
  adam.MaxIterations() = 60 * X.n_cols;
  model.Train(X, y, adam);

  const ElboReport report = model.Elbo(X, y);
  REQUIRE(report.logGroupOrder == Approx(std::lgamma(9.0)));
  REQUIRE(report.notes.size() == 2);
  REQUIRE_THAT(report.notes[0], ContainsSubstring("12 units"));
  REQUIRE_THAT(report.notes[0], ContainsSubstring("BatchNorm"));
  REQUIRE_THAT(report.notes[1], ContainsSubstring("not a bound"));
  std::ostringstream text;
  text << report;
  REQUIRE_THAT(text.str(), ContainsSubstring("BatchNorm"));

  // Guessing costs log 2 = 0.69 nats per point.
  REQUIRE(model.Evaluate(X, y) < 0.35 * double(X.n_cols));
}

TEST_CASE("RecurrentLayersAreNotAdded", "[network]")
{
  Model model;
  REQUIRE_THROWS_WITH(model.Add<mlpack::LSTM>(4), ContainsSubstring("LSTM"));
  REQUIRE(std::as_const(model).Network().empty());
}
