/**
 * @file mpi_test.cpp
 *
 * Run by mpirun: every rank runs all test cases, in the same order.
 */
#include "catch.hpp"

#include <symvi/model/bayesian_ffn.hpp>
#include <symvi/model/ensemble.hpp>
#include <symvi/model/fit.hpp>
#include <symvi/model/selection.hpp>
#include <symvi/mpi/communicator.hpp>
#include <symvi/mpi/distributed_elbo.hpp>

#include <cstring>
#include <limits>

#include "../io/scratch.hpp"

using namespace symvi;
using Catch::Matchers::ContainsSubstring;

namespace {

MpiCommunicator& Ranks()
{
  static MpiCommunicator ranks;
  return ranks;
}

//! Where rank r begins if the n points are dealt out unevenly.
size_t First(const size_t n, const size_t rank)
{
  const size_t size = Ranks().Size();
  // Rank 0 gets most: shares R, R - 1, ..., 1.
  size_t before = 0, all = 0;
  for (size_t r = 0; r < size; ++r)
  {
    before += (r < rank) ? size - r : 0;
    all += size - r;
  }
  return n * before / all;
}

template<typename MatType>
MatType Own(const MatType& all)
{
  return all.cols(First(all.n_cols, Ranks().Rank()),
      First(all.n_cols, Ranks().Rank() + 1) - 1);
}

//! The same on all ranks: three classes of points of three dimensions.
template<typename MatType>
struct Problem
{
  explicit Problem(const size_t points = 40)
  {
    RandomStream stream(7);
    X.set_size(3, points);
    stream.FillNormal(X.memptr(), X.n_elem);
    y.set_size(1, points);
    for (size_t i = 0; i < points; ++i)
      y[i] = (X(0, i) > 0) + (X(1, i) > 0);
    SeedThisThread(5);
    network.template Add<BayesianLinearType<MatType>>(5);
    network.template Add<compat::ReLU<MatType>>();
    network.template Add<BayesianLinearType<MatType>>(3);
  }

  MatType X, y;
  mlpack::FFN<CategoricalLikelihoodType<MatType>, mlpack::RandomInitialization,
      MatType>
      network;
};

//! Whether all ranks have the same bits.
template<typename MatType>
bool IsSameEverywhere(const MatType& values)
{
  const std::string bytes(reinterpret_cast<const char*>(values.memptr()),
      values.n_elem * sizeof(typename MatType::elem_type));
  const std::vector<std::string> all = Ranks().GatherAll(bytes);
  return std::all_of(all.begin(), all.end(),
      [&](const std::string& other) { return other == bytes; });
}

template<typename MatType>
double Distance(const MatType& a, const MatType& b)
{
  return double(
      arma::norm(arma::vectorise(a - b)) / arma::norm(arma::vectorise(b)));
}

using Model = BayesianFFN<CategoricalLikelihood>;

Model MakeModel()
{
  Model model;
  model.Add<BayesianLinear>(5);
  model.Add<mlpack::ReLU>();
  model.Add<BayesianLinear>(3);
  return model;
}

FitOptions Options(const size_t epochs)
{
  return FitOptions().Epochs(epochs).BatchSize(7).Validation(0.2).Seed(3);
}

} // namespace

TEST_CASE("RanksExchange", "[mpi]")
{
  MpiCommunicator& ranks = Ranks();
  const double size = double(ranks.Size());
  CHECK(ranks.Sum(double(ranks.Rank() + 1)) == size * (size + 1) / 2);
  std::string text = "from " + std::to_string(ranks.Rank());
  ranks.Broadcast(text, ranks.Size() - 1);
  CHECK(text == "from " + std::to_string(ranks.Size() - 1));
  std::string large(3000000, char('a' + ranks.Rank()));
  const std::vector<std::string> all = ranks.GatherAll(large);
  for (size_t r = 0; r < all.size(); ++r)
    CHECK(all[r] == std::string(3000000, char('a' + r)));
  CHECK(ranks.Gather("x").size() == (ranks.IsRoot() ? ranks.Size() : 0));

  // Shares of different lengths, one of them empty.
  std::vector<size_t> bounds = { 0 };
  for (size_t r = 0; r < ranks.Size(); ++r)
    bounds.push_back(bounds.back() + (r == 1 ? 0 : 1000 * r + 3));
  arma::vec values(bounds.back(), arma::fill::value(double(ranks.Rank() + 1)));
  const size_t begin = bounds[ranks.Rank()], end = bounds[ranks.Rank() + 1];
  ranks.SumShares(values.memptr(), bounds);
  const double expected = ranks.Size() == 1 ? 1.0 : size * (size + 1) / 2;
  for (size_t i = 0; i < values.n_elem; ++i)
    REQUIRE(values[i] ==
        (i >= begin && i < end ? expected : double(ranks.Rank() + 1)));
  arma::fvec gathered(bounds.back(), arma::fill::value(-1.0f));
  for (size_t i = begin; i < end; ++i)
    gathered[i] = float(i);
  ranks.GatherShares(gathered.memptr(), bounds);
  for (size_t i = 0; i < gathered.n_elem; ++i)
    REQUIRE(gathered[i] == float(i));

  // The same bits as by one process that adds all numbers in their order.
  std::vector<double> sum(1, 0.0);
  double alone = 0.0;
  for (size_t i = 0; i < 5 * ranks.Size(); ++i)
    alone += 1.0 / double(3 + i);
  ranks.InTurn(sum,
      [&]
      {
    for (size_t i = 0; i < 5; ++i)
      sum[0] += 1.0 / double(3 + 5 * ranks.Rank() + i);
  });
  CHECK(sum[0] == alone);
}

TEST_CASE("OneBadRankIsAllBad", "[mpi]")
{
  MpiCommunicator& ranks = Ranks();
  const auto failLast = [&]
  {
    if (ranks.Rank() + 1 == ranks.Size())
      throw std::invalid_argument("no such file.");
  };
  CHECK_THROWS_WITH(ranks.Agree(failLast), ContainsSubstring("no such file."));
  if (ranks.Size() > 1)
  {
    CHECK_THROWS_WITH(ranks.Agree(failLast),
        ContainsSubstring("rank " + std::to_string(ranks.Size() - 1) + " of "));
    CHECK_THROWS_AS(ranks.RequireSame("colour", std::to_string(ranks.Rank())),
        RankError);
  }
  CHECK_NOTHROW(ranks.RequireSame("colour", "blue"));
}

TEST_CASE("WorkIsShared", "[mpi]")
{
  MpiCommunicator& ranks = Ranks();
  std::vector<std::string> results(20);
  const auto done = [&](const size_t i, std::string r) { results[i] = r; };
  ranks.Share(
      20, [](const size_t i) { return std::to_string(i * i); }, done,
      [](const size_t i) { return i % 5 == 2; });
  for (size_t i = 0; i < 20; ++i)
    CHECK(results[i] ==
        ((ranks.IsRoot() && i % 5 != 2) ? std::to_string(i * i) : ""));
  CHECK_THROWS_WITH(ranks.Share(
                        9,
                        [](const size_t i) -> std::string
                        {
    if (i == 4)
      throw std::runtime_error("the fifth");
    return "";
                        },
                        done),
      ContainsSubstring("the fifth"));
  ranks.Share(
      0, [](const size_t) { return std::string(); }, done);
}

TEST_CASE("SelectionIsSharedOut", "[mpi]")
{
  const Problem<arma::mat> problem;
  const ens::Adam adam(StepSize(1e-2, 20), 20, 0.9, 0.999, 1e-8, 400, -1.0);
  const auto run = [&](Communicator& ranks, const std::string& folder)
  {
    ModelSelection<> selection;
    for (const size_t units : { 2, 4, 6 })
      selection.Add(std::to_string(units),
          [=]()
          {
        BayesianFFN<> model;
        model.Add<BayesianLinear>(units);
        model.Add<compat::TanH<arma::mat>>();
        model.Add<BayesianLinear>(3);
        return model;
      });
    selection.Restarts() = 2;
    selection.Threads() = 1;
    selection.ElboSamples() = 50;
    selection.Over(ranks);
    selection.CheckpointFolder() = folder;
    std::vector<SelectionResult> results = selection.Run(problem.X, problem.y,
        adam);
    std::vector<arma::mat> parameters;
    for (const SelectionResult& r : results)
      parameters.push_back(selection.Model(r.index).Parameters());
    return std::make_pair(results, parameters);
  };
  const auto expected = run(Communicator::Alone(), "");
  const Scratch scratch;
  std::string folder = scratch.Path("selection");
  Ranks().Broadcast(folder);
  // The second time nothing is left to do.
  for (const std::string& where : { std::string(), folder, folder })
  {
    const auto [results, parameters] = run(Ranks(), where);
    REQUIRE(results.size() == 3);
    for (size_t i = 0; i < 3; ++i)
    {
      CHECK(results[i].name == expected.first[i].name);
      CHECK(results[i].score == expected.first[i].score);
      CHECK(results[i].restarts == expected.first[i].restarts);
      CHECK(arma::approx_equal(parameters[i], expected.second[i], "absdiff",
          0.0));
    }
  }
}

TEMPLATE_TEST_CASE("PartsSumToTheObjective", "[mpi]", arma::mat, arma::fmat)
{
  const double tolerance = std::is_same_v<TestType, arma::mat> ? 1e-12 : 2e-5;
  for (const std::string estimator : { "auto", "exact", "uniform", "none" })
  {
    for (const size_t samples : { 1, 3 })
    {
      Problem<TestType> one, part;
      const auto make = [&] {
        return estimator == "none" ? EstimatorPtr() : MakeEstimator(estimator);
      };
      DistributedELBO<decltype(part.network)> elbo(part.network, Own(part.X),
          Own(part.y), Ranks(), make());
      SymmetrizedELBO<decltype(one.network)> whole(one.network, one.X, one.y,
          make());
      one.network.Parameters() = TestType(part.network.Parameters());
      ForgetLayerMemory(one.network);
      REQUIRE(elbo.NumFunctions() == 40);
      // The same key as Seed() makes of 9.
      RandomStream key(9);
      elbo.Seed(9);
      whole.Seed(key.NextBits());
      elbo.Objective().Samples() = whole.Samples() = samples;
      elbo.Objective().Temperature() = whole.Temperature() = 0.7;
      TestType a, b;
      // Batches that some ranks hold nothing of; the gradient of I(g; w) is
      // held from one to the next.
      for (size_t begin = 0; begin < 40; begin += 6)
      {
        const size_t count = std::min<size_t>(6, 40 - begin);
        const double x = elbo.EvaluateWithGradient(part.network.Parameters(),
            begin, a, count);
        const double y = whole.EvaluateWithGradient(one.network.Parameters(),
            begin, b, count);
        CHECK(x == Approx(y).epsilon(tolerance));
        CHECK(Distance(a, b) < tolerance);
        CHECK(IsSameEverywhere(a));
      }
      CHECK(elbo.Terms().kl == Approx(whole.Terms().kl).epsilon(tolerance));
      elbo.Objective().Freeze();
      whole.Freeze();
      CHECK(double(elbo.EvaluateWithGradient(part.network.Parameters(), a)) ==
          Approx(
              double(whole.EvaluateWithGradient(one.network.Parameters(), b)))
              .epsilon(tolerance));
      CHECK(Distance(a, b) < tolerance);
      CHECK(double(elbo.Evaluate(part.network.Parameters())) ==
          Approx(double(whole.Evaluate(one.network.Parameters())))
              .epsilon(tolerance));
    }
  }
}

TEST_CASE("OptimizersRunOnAllRanks", "[mpi]")
{
  const auto train = [](const bool shuffle)
  {
    Problem<arma::mat> p;
    DistributedELBO<decltype(p.network)> elbo(p.network, Own(p.X), Own(p.y),
        Ranks());
    elbo.Seed(4);
    ens::Adam adam(0.01, 8, 0.9, 0.999, 1e-8, 400, 1e-9, shuffle);
    adam.Optimize(elbo, p.network.Parameters());
    return arma::mat(p.network.Parameters());
  };
  const arma::mat first = train(true);
  CHECK(IsSameEverywhere(first));
  CHECK(arma::approx_equal(train(true), first, "absdiff", 0.0));
  // One rank with all points.
  Problem<arma::mat> p;
  SymmetrizedELBO<decltype(p.network)> elbo(p.network, p.X, p.y);
  RandomStream key(4);
  elbo.Seed(key.NextBits());
  ens::Adam adam(0.01, 8, 0.9, 0.999, 1e-8, 400, 1e-9, false);
  adam.Optimize(elbo, p.network.Parameters());
  CHECK(Distance(train(false), arma::mat(p.network.Parameters())) < 1e-9);
  CHECK(Distance(first, arma::mat(p.network.Parameters())) > 1e-6);
}

TEST_CASE("FitOverRanksIsFit", "[mpi]")
{
  const Problem<arma::mat> p(60);
  Model alone = MakeModel(), shared = MakeModel(), again = MakeModel();
  const FitReport a = alone.Fit(p.X, p.y, Options(30));
  const FitReport b = shared.Fit(Own(p.X), Own(p.y), Options(30).Over(Ranks()));
  again.Fit(Own(p.X), Own(p.y), Options(30).Over(Ranks()));
  CHECK(arma::approx_equal(again.Parameters(), shared.Parameters(), "absdiff",
      0.0));
  CHECK(IsSameEverywhere(shared.Parameters()));
  CHECK(Distance(shared.Parameters(), alone.Parameters()) < 1e-9);
  REQUIRE(a.epochs == b.epochs);
  CHECK(a.keptEpoch == b.keptEpoch);
  for (size_t i = 0; i < a.epochs; ++i)
  {
    CHECK(a.history[i].elbo == Approx(b.history[i].elbo).epsilon(1e-9));
    CHECK(a.history[i].validation ==
        Approx(b.history[i].validation).epsilon(1e-9));
  }
  const PredictOptions draws(50, 3);
  CHECK(arma::abs(alone.Predict(p.X, draws).probabilities -
            shared.Predict(p.X, draws).probabilities)
            .max() < 1e-9);
}

TEMPLATE_TEST_CASE("WideLayersAreSharedOut", "[mpi]", arma::mat, arma::fmat)
{
  // The first two of three layers are cut: they have more than 2^14 weights.
  MpiCommunicator& ranks = Ranks();
  RandomStream stream(7);
  TestType X(100, 60), y(1, 60);
  stream.FillNormal(X.memptr(), X.n_elem);
  for (size_t i = 0; i < 60; ++i)
    y[i] = (X(0, i) > 0) + (X(1, i) > 0);
  using Wide = BayesianFFN<CategoricalLikelihoodType<TestType>,
      mlpack::RandomInitialization, TestType>;
  const auto make = [](const std::string& estimator, const size_t samples)
  {
    Wide model;
    for (const size_t units : { 170, 100 })
    {
      model.template Add<BayesianLinearType<TestType>>(units);
      model.template Add<compat::ReLU<TestType>>();
    }
    model.template Add<BayesianLinearType<TestType>>(3);
    model.Estimator() = MakeEstimator(estimator);
    model.Samples() = samples;
    return model;
  };
  const double tolerance = std::is_same_v<TestType, arma::mat> ? 1e-9 : 2e-3;
  for (const size_t samples : { 1, 2 })
  {
    // The second computes the gradient of I(g; w) in every step.
    const std::string estimator = (samples == 1) ? "auto" : "uniform";
    const FitOptions options = Options(2).KLWarmUp(0.0).Schedule(
        StepSchedule::Constant(1e-3));
    Wide alone = make(estimator, samples), shared = make(estimator, samples),
         again = make(estimator, samples);
    const FitReport a = alone.Fit(X, y, options);
    const FitReport b = shared.Fit(Own(X), Own(y),
        FitOptions(options).Over(ranks));
    again.Fit(Own(X), Own(y), FitOptions(options).Over(ranks));
    CHECK(arma::approx_equal(again.Parameters(), shared.Parameters(), "absdiff",
        0.0));
    CHECK(IsSameEverywhere(shared.Parameters()));
    CHECK(Distance(shared.Parameters(), alone.Parameters()) < tolerance);
    REQUIRE(b.epochs == 2);
    for (size_t i = 0; i < 2; ++i)
    {
      CHECK(a.history[i].kl == Approx(b.history[i].kl).epsilon(tolerance));
      CHECK(a.history[i].elbo == Approx(b.history[i].elbo).epsilon(tolerance));
      CHECK(a.history[i].validation ==
          Approx(b.history[i].validation).epsilon(tolerance));
    }
  }

  // Checkpoints have the moments of all ranks.
  Scratch scratch;
  const auto options = [&](const size_t epochs)
  {
    return Options(epochs)
        .KLWarmUp(0.0)
        .Schedule(StepSchedule::Constant(1e-3))
        .Checkpoint(scratch.Path("run"), 1)
        .Over(ranks);
  };
  Wide whole = make("auto", 1), part = make("auto", 1), rest = make("auto", 1);
  whole.Fit(Own(X), Own(y), options(3));
  part.Fit(Own(X), Own(y), options(1));
  if (ranks.IsRoot())
  {
    Wide alone = make("auto", 1);
    alone.Fit(X, y, options(2).Over(Communicator::Alone()).Resume(true));
  }
  rest.Fit(Own(X), Own(y), options(3).Resume(true));
  CHECK(Distance(rest.Parameters(), whole.Parameters()) < tolerance);

  // An interruption within an epoch leaves all ranks the same parameters.
  size_t asked = 0;
  const FitReport report = rest.Fit(Own(X), Own(y),
      Options(9).Over(ranks).Interrupted(
          [&] { return ranks.Rank() + 1 == ranks.Size() && ++asked > 10; }));
  CHECK(report.outcome == FitOutcome::Interrupted);
  CHECK(IsSameEverywhere(rest.Parameters()));
}

TEST_CASE("CheckpointsSuitAnyNumberOfRanks", "[mpi]")
{
  MpiCommunicator& ranks = Ranks();
  const Problem<arma::mat> p(60);
  Scratch scratch;
  const std::string path = scratch.Path("run");
  const auto options = [&](const size_t epochs)
  {
    return Options(epochs)
        .KLWarmUp(0.0)
        .Schedule(StepSchedule::Constant(0.01))
        .Checkpoint(path, 5);
  };
  Model whole = MakeModel(), part = MakeModel(), rest = MakeModel();
  whole.Fit(Own(p.X), Own(p.y), options(20).Over(ranks));
  CHECK(scratch.Files() == (ranks.IsRoot() ? 1 : 0));
  part.Fit(Own(p.X), Own(p.y), options(10).Over(ranks));
  rest.Fit(Own(p.X), Own(p.y), options(20).Over(ranks).Resume(true));
  CHECK(arma::approx_equal(rest.Parameters(), whole.Parameters(), "absdiff",
      0.0));
  // Written by all, resumed by one, and the other way round.
  MakeModel().Fit(Own(p.X), Own(p.y), options(10).Over(ranks));
  if (ranks.IsRoot())
  {
    Model alone = MakeModel();
    alone.Fit(p.X, p.y, options(15).Resume(true));
  }
  Model last = MakeModel();
  last.Fit(Own(p.X), Own(p.y), options(20).Over(ranks).Resume(true));
  CHECK(Distance(last.Parameters(), whole.Parameters()) < 1e-9);
  // Other data are refused by all.
  const Problem<arma::mat> other(61);
  CHECK_THROWS_WITH(last.Fit(Own(other.X), Own(other.y),
                        options(30).Over(ranks).Resume(true)),
      ContainsSubstring("belongs to another run"));
}

TEST_CASE("PipelinesAgreeOnScalingAndClasses", "[mpi]")
{
  MpiCommunicator& ranks = Ranks();
  const Problem<arma::mat> p(60);
  io::Dataset all, own;
  all.points = 3.0 * p.X + 1.0;
  const char* names[] = { "2", "10", "1.50" };
  for (size_t i = 0; i < 60; ++i)
    all.labels.push_back(i == 59 ? "1.5" : names[size_t(p.y[i])]);
  own.points = Own(all.points);
  own.labels.assign(all.labels.begin() + First(60, ranks.Rank()),
      all.labels.begin() + First(60, ranks.Rank() + 1));
  NetworkSpec spec;
  spec.hidden = { 4 };
  Pipeline alone(spec), shared(spec);
  alone.Fit(all, Options(20));
  shared.Fit(own, Options(20).Over(ranks));
  CHECK(shared.ClassNames() == alone.ClassNames());
  CHECK(shared.InputScaling().Means() == alone.InputScaling().Means());
  CHECK(shared.InputScaling().Scales() == alone.InputScaling().Scales());
  CHECK(shared.TrainedPoints() == alone.TrainedPoints());
  CHECK(arma::abs(shared.Classify(all.points).probabilities -
            alone.Classify(all.points).probabilities)
            .max() < 1e-9);

  // Regressions with learned noise, too.
  spec.task = "regression";
  for (const char* noise : { "heteroscedastic", "learned" })
  {
    spec.noise = noise;
    Pipeline a(spec), b(spec);
    const arma::mat y = all.points.rows(0, 1) % all.points.rows(1, 2);
    a.Fit(all.points, y, Options(20));
    b.Fit(Own(all.points), Own(y), Options(20).Over(ranks));
    CHECK(b.TargetScaling().Means() == a.TargetScaling().Means());
    CHECK(Distance(b.Regress(all.points).mean, a.Regress(all.points).mean) <
        1e-8);
  }
}

TEST_CASE("MembersAndPredictionsAreSharedOut", "[mpi]")
{
  MpiCommunicator& ranks = Ranks();
  const Problem<arma::mat> p(60);
  io::Dataset data;
  data.points = p.X;
  for (const double label : p.y)
    data.labels.push_back(std::to_string(int(label)));
  NetworkSpec spec;
  spec.hidden = { 4 };
  Ensemble alone(spec, BoundOptions(), 3), shared(spec, BoundOptions(), 3);
  alone.Fit(data, Options(10), 1);
  const std::vector<FitReport> reports = shared.Fit(data,
      Options(10).Over(ranks));
  REQUIRE(shared.Size() == 3);
  CHECK(reports[2].epochs == 10);
  CHECK(reports[2].history.size() == 10);
  std::ostringstream a, b;
  alone.Write(a);
  shared.Write(b);
  CHECK(a.str() == b.str());

  const PredictOptions options(30, 8);
  const EnsembleClassification one = alone.Classify(p.X, options);
  const EnsembleClassification all = Classify(shared,
      ranks.IsRoot() ? p.X : arma::mat(), options, ranks);
  if (ranks.IsRoot())
  {
    CHECK(Distance(all.probabilities, one.probabilities) < 1e-12);
    CHECK(Distance(all.mutualInformation, one.mutualInformation) < 1e-9);
    CHECK(all.samples == one.samples);
  }
  // Fewer points than ranks.
  const EnsembleClassification single = Classify(shared,
      ranks.IsRoot() ? arma::mat(p.X.col(0)) : arma::mat(), options, ranks);
  if (ranks.IsRoot())
    CHECK(Distance(single.probabilities, arma::mat(one.probabilities.col(0))) <
        1e-12);
}

TEST_CASE("FaultsEndAllRanks", "[mpi]")
{
  MpiCommunicator& ranks = Ranks();
  const Problem<arma::mat> p(60);
  const bool isLast = ranks.Rank() + 1 == ranks.Size();
  Model model = MakeModel();

  arma::mat X = Own(p.X);
  if (isLast)
    X(0, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(
      model.Fit(X, Own(p.y), Options(5).Validation(0.0).Over(ranks)),
      ContainsSubstring("NaN"));
  // Large numbers on one rank: the parameters of all overflow.
  X = Own(p.X);
  if (isLast)
    X.fill(1.7e308);
  CHECK_THROWS_WITH(
      model.Fit(X, Own(p.y), Options(5).Validation(0.0).Over(ranks)),
      ContainsSubstring("diverged"));
  CHECK_THROWS_WITH(
      model.Fit(Own(p.X), Own(p.y), Options(5).StepSize(-1.0).Over(ranks)),
      ContainsSubstring("step size"));
  if (ranks.Size() == 1)
    return;
  // Options that differ.
  CHECK_THROWS_WITH(model.Fit(Own(p.X), Own(p.y),
                        Options(5).StepSize(isLast ? 0.02 : 0.01).Over(ranks)),
      ContainsSubstring("same"));
  // More ranks than points.
  CHECK_THROWS_WITH(
      model.Fit(ranks.IsRoot() ? arma::mat(p.X.cols(0, 9)) : arma::mat(3, 0),
          ranks.IsRoot() ? arma::mat(p.y.cols(0, 9)) : arma::mat(1, 0),
          Options(5).Over(ranks)),
      ContainsSubstring("start fewer ranks"));
  // An interruption of one rank ends all after the same step.
  size_t asked = 0;
  const FitReport report = model.Fit(Own(p.X), Own(p.y),
      Options(50).Over(ranks).Interrupted(
          [&] { return isLast && ++asked > 20; }));
  CHECK(report.outcome == FitOutcome::Interrupted);
  CHECK(
      ranks.Sum(double(report.epochs)) == double(ranks.Size() * report.epochs));
  CHECK(IsSameEverywhere(model.Parameters()));
  // A callback that throws on rank 0.
  CHECK_THROWS_WITH(model.Fit(Own(p.X), Own(p.y),
                        Options(5).Over(ranks).OnEpoch(
                            [&](const EpochRecord&, size_t)
                            {
    if (ranks.IsRoot())
      throw std::runtime_error("no disk");
                        })),
      ContainsSubstring("no disk"));
}
