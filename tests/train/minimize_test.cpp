/**
 * @file minimize_test.cpp
 *
 * The training loop on an objective whose minimum is known.
 */
#include "catch.hpp"

#include <symvi/kernel/random_stream.hpp>
#include <symvi/train/columns.hpp>
#include <symvi/train/train_objective.hpp>

#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <thread>

#include "../io/scratch.hpp"

using namespace symvi;

namespace {

/**
 * sum_i ||x - p_i + noise||^2 / 2: the gradient on a batch is that of the
 * batch's points, with noise that is a function of the epoch's key.
 */
template<typename MatType>
class Quadratic : public TrainObjective<MatType>
{
 public:
  using ElemType = typename MatType::elem_type;

  Quadratic(const size_t n, const bool validated) :
      points(3, n),
      parameters(3, 1, arma::fill::zeros),
      validated(validated)
  {
    RandomStream(5).FillNormal(points.memptr(), points.n_elem);
  }

  MatType& Parameters() override { return parameters; }
  size_t NumPoints() const override { return points.n_cols; }
  void Reorder(const std::vector<size_t>& order) override
  {
    PermuteColumns(points, order);
  }
  void BeginEpoch(const uint64_t key) override
  {
    stream = RandomStream(key);
    ++epochs;
  }
  void Gradient(const size_t begin, const size_t count, const double klFactor,
      MatType& gradient) override
  {
    factors.push_back(klFactor);
    MatType noise(3, 1);
    stream.FillNormal(noise.memptr(), noise.n_elem);
    gradient = ElemType(count) * (parameters + ElemType(0.1) * noise) -
        arma::sum(points.cols(begin, begin + count - 1), 1);
    if (epochs > breakAfter)
      gradient.fill(std::numeric_limits<ElemType>::quiet_NaN());
  }
  EpochRecord Terms() const override
  {
    EpochRecord record;
    record.logLikelihood = -double(arma::accu(arma::square(parameters)));
    return record;
  }
  bool HasValidation() const override { return validated; }
  // Best at the third epoch of a run.
  double Validate() override { return std::abs(double(++scores) - best); }
  std::string Description() const override { return "problem quadratic\n"; }

  MatType points, parameters;
  bool validated;
  double best = 3.0;
  size_t epochs = 0, scores = 0, breakAfter = 1000000;
  std::vector<double> factors;
  RandomStream stream;
};

FitOptions Options(const size_t epochs)
{
  return FitOptions()
      .Epochs(epochs)
      .BatchSize(4)
      .Schedule(StepSchedule::Constant(0.05))
      .KLWarmUp(0.0)
      .Seed(11)
      .Patience(0);
}

} // namespace

TEMPLATE_TEST_CASE("MinimizeFindsTheMean", "[Train]", arma::mat, arma::fmat)
{
  Quadratic<TestType> objective(30, false);
  const TestType mean = arma::mean(objective.points, 1);
  StepSchedule schedule;
  schedule.stepSize = 0.05;
  schedule.warmUp = 0.1;
  schedule.decayStart = 0.5;
  schedule.finalFactor = 1e-3;
  const FitReport report = Minimize(objective, Options(400).Schedule(schedule));
  REQUIRE(report.outcome == FitOutcome::Complete);
  REQUIRE(report.keptEpoch == 400);
  // Noise of 0.1 per step, averaged by a step size that has become small.
  REQUIRE(arma::norm(objective.parameters - mean) < 0.05);
}

TEMPLATE_TEST_CASE("ResumeIsExactFromEveryEpoch", "[Train]", arma::mat,
    arma::fmat)
{
  const bool validated = GENERATE(false, true);
  const Scratch scratch;
  const size_t epochs = 6;
  Quadratic<TestType> whole(30, validated);
  const FitReport expected = Minimize(whole, Options(epochs));
  for (size_t first = 0; first <= epochs; ++first)
  {
    const std::string file = scratch.Path("c" + std::to_string(first));
    Quadratic<TestType> start(30, validated);
    size_t steps = 0;
    // Interrupted in the middle of epoch first + 1; 8 batches per epoch.
    const FitReport part = Minimize(start,
        Options(epochs).Checkpoint(file).Interrupted(
            [&] { return ++steps > 8 * first + 3; }));
    REQUIRE(part.epochs == first);
    REQUIRE(part.outcome ==
        (first < epochs ? FitOutcome::Interrupted : FitOutcome::Complete));

    Quadratic<TestType> rest(30, validated);
    rest.scores = first;
    const FitReport report = Minimize(rest,
        Options(epochs).Seed(0).Checkpoint(file).Resume(true));
    REQUIRE(arma::all(arma::vectorise(rest.parameters == whole.parameters)));
    REQUIRE(report.keptEpoch == expected.keptEpoch);
    REQUIRE(report.seed == 11);
    REQUIRE(report.history.size() == expected.history.size());
    for (size_t i = 0; i < epochs; ++i)
      REQUIRE(report.history[i].elbo == expected.history[i].elbo);
  }
}

TEST_CASE("CheckpointsOfOtherRunsAreRefused", "[Train]")
{
  const Scratch scratch;
  const std::string file = scratch.Path("c");
  Quadratic<arma::mat> objective(30, false);
  Minimize(objective, Options(2).Checkpoint(file));
  REQUIRE_THROWS_WITH(
      Minimize(objective,
          Options(4).BatchSize(5).Checkpoint(file).Resume(true)),
      Catch::Matchers::ContainsSubstring(
          "belongs to another run: 'batch_size 4' there"));

  // Damage anywhere is found.
  const std::string bytes = scratch.Read("c");
  RandomStream stream(3);
  for (size_t i = 0; i < 300; ++i)
  {
    std::string damaged = bytes;
    const size_t at = stream.NextIndex(bytes.size());
    if (i % 3 == 0)
      damaged.resize(at);
    else
      damaged[at] = char(damaged[at] ^ (1 << stream.NextIndex(8)));
    scratch.Write("d", damaged);
    REQUIRE_THROWS_AS(
        Minimize(objective,
            Options(4).Checkpoint(scratch.Path("d")).Resume(true)),
        std::invalid_argument);
  }
}

TEST_CASE("EarlyStoppingWaitsForTheWarmUp", "[Train]")
{
  Quadratic<arma::mat> objective(30, true);
  const FitReport report = Minimize(objective, Options(100).Patience(5));
  REQUIRE(report.outcome == FitOutcome::EarlyStop);
  REQUIRE(report.keptEpoch == 3);
  REQUIRE(report.epochs == 8);

  Quadratic<arma::mat> slow(30, true);
  const FitReport waited = Minimize(slow,
      Options(100).KLWarmUp(0.1).Patience(5));
  REQUIRE(waited.epochs == 15);
  REQUIRE(waited.keptEpoch == 3);
  // The weight of the KL grows to 1 over the warm-up and stays there.
  REQUIRE(slow.factors.front() == Approx(1.0 / 80.0));
  REQUIRE(slow.factors[79] == Approx(1.0));
  REQUIRE(slow.factors.back() == 1.0);
}

TEST_CASE("TimeLimitEndsTraining", "[Train]")
{
  Quadratic<arma::mat> objective(30, false);
  const FitReport report = Minimize(objective,
      Options(1000000).TimeLimit(0.05).OnEpoch(
          [](const EpochRecord&, const size_t planned)
          {
    REQUIRE(planned == 1000000);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }));
  REQUIRE(report.outcome == FitOutcome::TimeLimit);
  REQUIRE(report.epochs < 1000);
  REQUIRE(report.seconds >= 0.05);
}

TEST_CASE("DivergenceIsAnErrorAndLeavesTheParameters", "[Train]")
{
  const Scratch scratch;
  Quadratic<arma::mat> objective(30, false);
  objective.breakAfter = 2;
  objective.parameters.fill(0.5);
  REQUIRE_THROWS_WITH(
      Minimize(objective, Options(5).Checkpoint(scratch.Path("c"), 1)),
      Catch::Matchers::ContainsSubstring(
          "diverged in epoch 3; try a smaller step size than 0.05"));
  REQUIRE(arma::all(arma::vectorise(objective.parameters == 0.5)));
}

TEST_CASE("OptionsAreChecked", "[Train]")
{
  Quadratic<arma::mat> objective(30, false);
  using Catch::Matchers::ContainsSubstring;
  REQUIRE_THROWS_WITH(Minimize(objective, Options(1).BatchSize(31)),
      ContainsSubstring("at most the number of training points, 30, but is "
                        "31"));
  REQUIRE_THROWS_WITH(Minimize(objective, Options(1).StepSize(-1.0)),
      ContainsSubstring("step size must be positive and finite, but is -1"));
  REQUIRE_THROWS_WITH(Minimize(objective, Options(1).Validation(1.0)),
      ContainsSubstring("must lie in [0, 1), but is 1"));
  FitOptions options;
  options.Complete(1000);
  REQUIRE(options.BatchSize() == 32);
  REQUIRE(options.Epochs() == 1563);
  FitOptions large;
  large.Complete(32000);
  REQUIRE(large.Epochs() == 100);
}

TEST_CASE("ScheduleHasThreeParts", "[Train]")
{
  REQUIRE(StepSchedule::Constant(0.3).IsConstant());
  REQUIRE(StepSchedule::Constant(0.3)(0.01) == 0.3);
  const StepSchedule schedule = { 0.01, 0.2, 0.5, 0.01 };
  REQUIRE(schedule(0.1) == Approx(0.005));
  REQUIRE(schedule(0.3) == 0.01);
  REQUIRE(schedule(0.5) == 0.01);
  REQUIRE(schedule(1.0) == Approx(1e-4));
  // Geometric: equal factors.
  REQUIRE(
      schedule(0.7) / schedule(0.6) == Approx(schedule(1.0) / schedule(0.9)));
}
