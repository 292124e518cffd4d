/**
 * @file ensemble_test.cpp
 *
 * Ensembles: the mixture of their members, files, resuming, bounds.
 */
#include "catch.hpp"
#include "predict/normal_mixture.hpp"

#include <symvi/kernel/random_stream.hpp>
#include <symvi/model/ensemble.hpp>

#include "../io/scratch.hpp"

using namespace symvi;
using Catch::Matchers::ContainsSubstring;

namespace {

io::Dataset Data(const bool classification, const size_t n = 60)
{
  io::Dataset data;
  data.points.set_size(2, n);
  RandomStream stream(4);
  stream.FillNormal(data.points.memptr(), data.points.n_elem);
  data.points.row(1) = 100.0 + 5.0 * data.points.row(1);
  if (!classification)
  {
    arma::mat noise(1, n);
    stream.FillNormal(noise.memptr(), n);
    data.responses = 10.0 * arma::sin(data.points.row(0)) + noise;
    return data;
  }
  for (size_t i = 0; i < n; ++i)
    data.labels.push_back(data.points(0, i) > 0.3 ? "above" : "below");
  return data;
}

NetworkSpec Spec(const bool classification)
{
  NetworkSpec spec;
  spec.task = classification ? "classification" : "regression";
  spec.hidden = { 4 };
  return spec;
}

FitOptions Quick(const size_t epochs = 60)
{
  return FitOptions().Epochs(epochs).Seed(5);
}

Ensemble Fitted(const bool classification, const size_t threads = 2)
{
  Ensemble model(Spec(classification), BoundOptions(), 3);
  model.Fit(Data(classification), Quick().Validation(0.2), threads);
  return model;
}

bool SamePosterior(const Pipeline& a, const Pipeline& b)
{
  const std::vector<LayerPosterior> x = a.Posterior(), y = b.Posterior();
  for (size_t l = 0; l < x.size(); ++l)
    if (!arma::all(arma::vectorise(x[l].mean == y[l].mean)) ||
        !arma::all(arma::vectorise(x[l].sigma == y[l].sigma)))
      return false;
  return x.size() == y.size();
}

double LogAdd(const double a, const double b)
{
  return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

//! log q^G(w) of a posterior with one hidden layer of two units.
double LogSymmetrized(const std::vector<LayerPosterior>& q,
    const std::vector<arma::mat>& w)
{
  double terms[2];
  for (size_t g = 0; g < 2; ++g)
  {
    const arma::uvec order = (g == 0) ? arma::uvec{ 0, 1 } : arma::uvec{ 1, 0 };
    arma::mat last = w[1];
    last.cols(0, 1) = w[1].cols(order);
    const arma::mat first = w[0].rows(order);
    terms[g] = arma::accu(arma::log_normpdf(first, q[0].mean, q[0].sigma)) +
        arma::accu(arma::log_normpdf(last, q[1].mean, q[1].sigma));
  }
  return LogAdd(terms[0], terms[1]) - std::log(2.0);
}

} // namespace

TEST_CASE("EnsembleIsAFunctionOfItsSeed", "[model][ensemble]")
{
  const Ensemble one = Fitted(true, 1), two = Fitted(true, 3);
  for (size_t m = 0; m < 3; ++m)
  {
    INFO("member " << m);
    REQUIRE(SamePosterior(one.Member(m), two.Member(m)));
    REQUIRE(one.Member(m).Seed() == Ensemble::MemberSeed(5, m));
    // The same points were held out.
    REQUIRE(one.Member(m).InputScaling().Means() ==
        one.Member(0).InputScaling().Means());
  }
  REQUIRE_FALSE(SamePosterior(one.Member(0), one.Member(1)));
  // The first member is what a single fit with this seed gives.
  Pipeline single(Spec(true));
  single.Fit(Data(true), Quick().Validation(0.2));
  REQUIRE(SamePosterior(single, one.Member(0)));
}

TEST_CASE("EnsembleOfOneIsItsMember", "[model][ensemble]")
{
  const bool classification = GENERATE(true, false);
  const io::Dataset data = Data(classification);
  Ensemble model(Spec(classification));
  model.Fit(data, Quick());
  Pipeline single(Spec(classification));
  single.Fit(data, Quick());
  const PredictOptions options(50, 3);
  REQUIRE(arma::approx_equal(model.LogDensity(data, options),
      single.LogDensity(data, options), "absdiff", 0.0));
  const Scratch scratch;
  model.Save(scratch.Path("one.bin"));
  REQUIRE(SamePosterior(Pipeline::Load(scratch.Path("one.bin")), single));
}

TEST_CASE("EnsembleClassifiesByTheMixture", "[model][ensemble]")
{
  const io::Dataset data = Data(true);
  const Ensemble model = Fitted(true);
  const PredictOptions options(30, 9);
  const EnsembleClassification mixture = model.Classify(data.points, options);
  REQUIRE(mixture.samples == 30);
  // All draws of all members, each with the same weight.
  const arma::cube draws = model.Draws(data.points, options);
  REQUIRE(draws.n_slices == 30);
  const auto surprise = [](arma::mat p)
  { return arma::mat(arma::sum(-p % arma::log(p), 0)); };
  arma::mat mean(2, data.points.n_cols, arma::fill::zeros);
  arma::mat entropy(1, data.points.n_cols, arma::fill::zeros), within = entropy;
  for (size_t m = 0; m < 3; ++m)
  {
    arma::mat own(arma::size(mean), arma::fill::zeros);
    for (size_t s = 0; s < 10; ++s)
    {
      own += draws.slice(10 * m + s) / 10.0;
      entropy += surprise(draws.slice(10 * m + s)) / 30.0;
    }
    mean += own / 3.0;
    within += surprise(own) / 3.0;
  }
  const auto close = [](const arma::mat& a, const arma::mat& b)
  { return arma::approx_equal(a, b, "absdiff", 1e-10); };
  REQUIRE(close(mixture.probabilities, mean));
  REQUIRE(close(mixture.expectedEntropy, entropy));
  REQUIRE(close(mixture.entropy, surprise(mean)));
  REQUIRE(close(mixture.mutualInformation, surprise(mean) - entropy));
  REQUIRE(close(mixture.betweenMembers, surprise(mean) - within));
  REQUIRE(mixture.betweenMembers.max() > 1e-3);
  for (size_t i = 0; i < data.points.n_cols; ++i)
  {
    const arma::vec p = draws.tube(0, i);
    REQUIRE(mixture.variance(0, i) == Approx(arma::var(p, 1)).margin(1e-9));
    REQUIRE(model.LogDensity(data, options)[i] ==
        Approx(std::log(
            mean(data.labels[i] == model.ClassNames()[0] ? 0 : 1, i))));
  }
}

TEST_CASE("EnsembleRegressesByTheMixture", "[model][ensemble]")
{
  const io::Dataset data = Data(false);
  const Ensemble model = Fitted(false);
  PredictOptions options(30, 9);
  options.quantiles = { 0.1, 0.5 };
  const EnsembleRegression mixture = model.Regress(data.points, options);
  arma::cube means, stddevs;
  PredictOptions share(10, 0);
  arma::mat all(0, data.points.n_cols), spread = all, centres = all;
  for (size_t m = 0; m < 3; ++m)
  {
    share.seed = Ensemble::MemberSeed(9, m);
    model.Member(m).Components(data.points, share, means, stddevs);
    const RegressionPrediction<arma::mat> own = model.Member(m).Regress(
        data.points, share);
    centres = arma::join_cols(centres, own.mean);
    for (size_t s = 0; s < 10; ++s)
    {
      all = arma::join_cols(all, means.slice(s));
      spread = arma::join_cols(spread, stddevs.slice(s));
    }
  }
  for (size_t i = 0; i < data.points.n_cols; ++i)
  {
    REQUIRE(mixture.mean[i] == Approx(arma::mean(all.col(i))));
    REQUIRE(mixture.epistemicVariance[i] == Approx(arma::var(all.col(i), 1)));
    REQUIRE(mixture.betweenMembers[i] == Approx(arma::var(centres.col(i), 1)));
    REQUIRE(mixture.aleatoricVariance[i] ==
        Approx(arma::mean(arma::square(spread.col(i)))));
    const predict::NormalMixture<double> exact(all.colptr(i), spread.colptr(i),
        30);
    double density;
    REQUIRE(exact.CDF(mixture.Quantile(0.1)[i], density) == Approx(0.1));
    REQUIRE(exact.CDF(mixture.lower[i], density) == Approx(0.025));
    REQUIRE(exact.CDF(mixture.upper[i], density) == Approx(0.975));
    exact.CDF(data.responses[i], density);
    REQUIRE(model.LogDensity(data, options)[i] == Approx(std::log(density)));
  }
}

TEST_CASE("EnsembleFiles", "[model][ensemble]")
{
  const Scratch scratch;
  const std::string path = scratch.Path("three.bin");
  const Ensemble model = Fitted(true);
  model.Save(path);
  const Ensemble loaded = Ensemble::Load(path);
  REQUIRE(loaded.Size() == 3);
  for (size_t m = 0; m < 3; ++m)
    REQUIRE(SamePosterior(loaded.Member(m), model.Member(m)));
  REQUIRE_THROWS_WITH(Pipeline::Load(path),
      ContainsSubstring("is an ensemble"));
  REQUIRE_THROWS_WITH(Ensemble(std::vector<Pipeline>()),
      ContainsSubstring("at least one"));
  REQUIRE_THROWS_WITH(Ensemble({ model.Member(0), Fitted(false).Member(0) }),
      ContainsSubstring("member 2"));
  std::string bytes = scratch.Read("three.bin");
  bytes[bytes.size() / 2] ^= 1;
  scratch.Write("three.bin", bytes);
  REQUIRE_THROWS_WITH(Ensemble::Load(path), ContainsSubstring("is damaged"));
}

TEST_CASE("EnsembleResumes", "[model][ensemble]")
{
  const Scratch scratch;
  const io::Dataset data = Data(true);
  FitOptions options = Quick(20);
  Ensemble whole(Spec(true), BoundOptions(), 3);
  whole.Fit(data, options, 1);

  // The second member ends in its fifth epoch, the third is never begun.
  options.Checkpoint(scratch.Path("run"), 1);
  size_t epochs = 0;
  options
      .OnEpoch(
          [&](const EpochRecord& record, const size_t planned)
          {
    REQUIRE(planned == 60);
    epochs = record.epoch;
      })
      .Interrupted([&] { return epochs >= 25; });
  Ensemble part(Spec(true), BoundOptions(), 3);
  const std::vector<FitReport> reports = part.Fit(data, options, 1);
  REQUIRE(part.Size() == 2);
  REQUIRE(reports[0].outcome == FitOutcome::Complete);
  REQUIRE(reports[1].outcome == FitOutcome::Interrupted);
  REQUIRE(reports[1].epochs == 5);
  REQUIRE(reports[2].epochs == 0);

  options.Interrupted(nullptr).Resume(true).Seed(0);
  size_t run = 0;
  options.OnEpoch([&](const EpochRecord&, size_t) { ++run; });
  Ensemble resumed(Spec(true), BoundOptions(), 3);
  resumed.Fit(data, options, 2);
  REQUIRE(run == 35);
  for (size_t m = 0; m < 3; ++m)
    REQUIRE(SamePosterior(resumed.Member(m), whole.Member(m)));
}

TEST_CASE("AlignedMembersPredictTheSame", "[model][ensemble]")
{
  const io::Dataset data = Data(false);
  Ensemble model = Fitted(false);
  const Ensemble before = model;
  model.Align();
  const auto distance = [](const Ensemble& e, const size_t m)
  {
    double sum = 0.0;
    const auto a = e.Member(0).Posterior(), b = e.Member(m).Posterior();
    for (size_t l = 0; l < a.size(); ++l)
      sum += arma::accu(arma::square(a[l].mean - b[l].mean));
    return sum;
  };
  for (size_t m = 1; m < 3; ++m)
  {
    REQUIRE(distance(model, m) <= distance(before, m));
    // Sums over units in another order: the same function up to rounding.
    const auto network = [&](const Ensemble& e)
    {
      const auto q = e.Member(m).Posterior();
      const arma::mat hidden = arma::clamp(q[0].mean.head_cols(2) *
                  data.points.head_cols(5) +
              arma::repmat(q[0].mean.col(2), 1, 5),
          0.0, arma::datum::inf);
      return arma::mat(q[1].mean.head_cols(4) * hidden);
    };
    REQUIRE(
        arma::approx_equal(network(model), network(before), "reldiff", 1e-9));
  }
  REQUIRE(distance(model, 1) + distance(model, 2) <
      distance(before, 1) + distance(before, 2));
}

// The ELBO of the mixture of the q^G_m exceeds the mean of the L^G_m by
// I(m; w) = E log q^G_m(w) - log mean_k q^G_k(w), which lies in [0, log M]: 0
// for members that differ by a permutation, log M for members apart.
TEST_CASE("MixtureAddsAtMostLogM", "[model][ensemble]")
{
  const auto posterior = [](const double shift, const bool swapped)
  {
    arma::mat first("1 0.5 -0.2; -0.7 0.4 0.3"), last("0.6 -1.1 0.1");
    first += shift;
    if (swapped)
    {
      first.swap_rows(0, 1);
      last.swap_cols(0, 1);
    }
    return std::vector<LayerPosterior>{
      { first, arma::mat(2, 3, arma::fill::value(0.3)) },
      { last, arma::mat(1, 3, arma::fill::value(0.3)) }
    };
  };
  const auto information = [&](const double shift)
  {
    const std::vector<std::vector<LayerPosterior>> members = {
      posterior(0.0, false), posterior(shift, true)
    };
    RandomStream stream(2);
    double sum = 0.0;
    const size_t draws = 4000;
    for (size_t s = 0; s < draws; ++s)
    {
      const std::vector<LayerPosterior>& q = members[s % 2];
      std::vector<arma::mat> w;
      for (const LayerPosterior& layer : q)
      {
        arma::mat noise(arma::size(layer.mean));
        stream.FillNormal(noise.memptr(), noise.n_elem);
        w.push_back(layer.mean + layer.sigma % noise);
      }
      sum += LogSymmetrized(q, w) + std::log(2.0) -
          LogAdd(LogSymmetrized(members[0], w), LogSymmetrized(members[1], w));
    }
    return sum / double(draws);
  };
  REQUIRE(information(0.0) == Approx(0.0).margin(1e-12));
  REQUIRE(information(9.0) == Approx(std::log(2.0)));
  const double between = information(0.2);
  REQUIRE(between > 0.05);
  REQUIRE(between < std::log(2.0) - 0.05);
}

TEST_CASE("EnsembleBoundIsTheMean", "[model][ensemble]")
{
  const io::Dataset data = Data(false);
  const Ensemble model = Fitted(false);
  EvaluateOptions options;
  options.samples = 20;
  options.predict.seed = 6;
  const ElboReport mixture = model.Elbo(data, options);
  double elbo = 0.0, symmetrized = 0.0, variance = 0.0;
  for (size_t m = 0; m < 3; ++m)
  {
    options.predict.seed = Ensemble::MemberSeed(6, m);
    const ElboReport own = model.Member(m).Elbo(data, options);
    elbo += own.elbo / 3.0;
    symmetrized += own.symmetrizedElbo / 3.0;
    variance += std::pow(own.elboStandardError / 3.0, 2);
  }
  REQUIRE(mixture.elbo == Approx(elbo));
  REQUIRE(mixture.symmetrizedElbo == Approx(symmetrized));
  REQUIRE(mixture.elboStandardError == Approx(std::sqrt(variance)));
}
