/**
 * @file tests/model/selection_test.cpp
 *
 * Ranking of candidates by the symmetrized ELBO.
 */
#include "catch.hpp"

#include <symvi/likelihood/gaussian.hpp>
#include <symvi/model/selection.hpp>

#include <cmath>

#include "../io/scratch.hpp"

using namespace symvi;
using Model = BayesianFFN<GaussianLikelihood>;

namespace {

Model Build(const size_t units, const double priorStddev)
{
  Model model((GaussianLikelihood(0.2)));
  const BayesianOptions options = BayesianOptions().PriorStddev(priorStddev);
  model.Add<BayesianLinear>(units, options);
  model.Add<mlpack::TanH>();
  model.Add<BayesianLinear>(1, options);
  return model;
}

struct Line
{
  arma::mat X = arma::linspace<arma::rowvec>(-1, 1, 40);
  arma::mat y = arma::sin(2 * X);
};

ModelSelection<Model> Candidates()
{
  ModelSelection<Model> selection;
  for (const size_t units : { 1, 3, 6 })
    selection.Add(std::to_string(units), [=]() { return Build(units, 1.0); });
  // A prior that no weight of this problem can live with.
  selection.Add("narrow prior", []() { return Build(3, 1e-3); });
  selection.ElboSamples() = 50;
  return selection;
}

} // namespace

TEST_CASE("SelectionRanksBySymmetrizedElbo", "[selection]")
{
  const Line data;
  ModelSelection<Model> selection = Candidates();
  selection.Restarts() = 2;
  selection.Threads() = 2;
  const ens::Adam adam(StepSize(1e-2, 20), 20, 0.9, 0.999, 1e-8,
      200 * data.X.n_cols, -1.0);
  const std::vector<SelectionResult> results = selection.Run(data.X, data.y,
      adam);

  REQUIRE(results.size() == 4);
  REQUIRE(results.back().name == "narrow prior");
  for (size_t i = 0; i < results.size(); ++i)
  {
    const SelectionResult& r = results[i];
    REQUIRE(r.restarts.size() == 2);
    REQUIRE(r.report.symmetrizedElbo == std::max(r.restarts[0], r.restarts[1]));
    REQUIRE(r.Lower() < r.report.symmetrizedElbo);
    REQUIRE(r.Upper() > r.report.symmetrizedElbo);
    if (i > 0)
      REQUIRE(
          r.report.symmetrizedElbo <= results[i - 1].report.symmetrizedElbo);

    // The model kept is the one that was reported.
    const ElboReport again = selection.Model(r.index).Elbo(data.X, data.y, 50);
    REQUIRE(again.symmetrizedElbo == Approx(r.report.symmetrizedElbo));
  }
}

TEST_CASE("SelectionDoesNotDependOnThreads", "[selection]")
{
  const Line data;
  const ens::Adam adam(StepSize(1e-2, 20), 20, 0.9, 0.999, 1e-8,
      20 * data.X.n_cols, -1.0);
  std::vector<SelectionResult> results[2];
  for (const size_t threads : { 1, 3 })
  {
    ModelSelection<Model> selection = Candidates();
    selection.Threads() = threads;
    results[threads > 1] = selection.Run(data.X, data.y, adam);
  }
  for (size_t i = 0; i < 4; ++i)
  {
    REQUIRE(results[0][i].name == results[1][i].name);
    REQUIRE(results[0][i].report.elbo == results[1][i].report.elbo);
  }
}

TEST_CASE("SelectionGoesOnWhereItWasCutOff", "[selection]")
{
  const Line data;
  const ens::Adam adam(StepSize(1e-2, 20), 20, 0.9, 0.999, 1e-8,
      20 * data.X.n_cols, -1.0);
  const std::vector<SelectionResult> whole = Candidates().Run(data.X, data.y,
      adam);

  // The third candidate fails; what was done before is kept.
  const Scratch scratch;
  const std::string folder = scratch.Path("selection");
  size_t built = 0;
  bool fails = true;
  const auto resume = [&](const arma::mat& y)
  {
    built = 0;
    ModelSelection<Model> selection;
    for (const size_t units : { 1, 3, 6 })
      selection.Add(std::to_string(units),
          [&, units]()
          {
        if (fails && units == 6)
          throw std::runtime_error("cut off");
        ++built;
        return Build(units, 1.0);
      });
    selection.Add("narrow prior",
        [&]()
        {
      ++built;
      return Build(3, 1e-3);
    });
    selection.ElboSamples() = 50;
    selection.Threads() = 1;
    selection.CheckpointFolder() = folder;
    std::vector<SelectionResult> results = selection.Run(data.X, y, adam);
    // The models are there, too.
    for (const SelectionResult& r : results)
      REQUIRE(selection.Model(r.index).Elbo(data.X, y, 50).symmetrizedElbo ==
          Approx(r.report.symmetrizedElbo));
    return results;
  };
  REQUIRE_THROWS_WITH(resume(data.y), "cut off");
  REQUIRE(built == 2);
  fails = false;
  const std::vector<SelectionResult> results = resume(data.y);
  REQUIRE(built == 2);
  REQUIRE(results.size() == whole.size());
  for (size_t i = 0; i < results.size(); ++i)
  {
    REQUIRE(results[i].name == whole[i].name);
    REQUIRE(results[i].index == whole[i].index);
    REQUIRE(results[i].score == whole[i].score);
    REQUIRE(results[i].tied == whole[i].tied);
    REQUIRE(results[i].restarts == whole[i].restarts);
    REQUIRE(results[i].report.elbo == whole[i].report.elbo);
    REQUIRE(results[i].report.group == whole[i].report.group);
    REQUIRE(results[i].report.evidence.logWeights ==
        whole[i].report.evidence.logWeights);
    REQUIRE(results[i].Lower() == whole[i].Lower());
    REQUIRE(results[i].Upper() == whole[i].Upper());
  }
  // Of other data it is not taken.
  REQUIRE_THROWS_WITH(resume(data.y + 1.0),
      Catch::Matchers::ContainsSubstring("another selection"));
}

TEST_CASE("SelectionByOtherCriteria", "[selection]")
{
  const Line data;
  const arma::mat heldOutX = arma::linspace<arma::rowvec>(-0.9, 0.9, 15);
  const arma::mat heldOutY = arma::sin(2 * heldOutX);
  const ens::Adam adam(StepSize(1e-2, 20), 20, 0.9, 0.999, 1e-8,
      200 * data.X.n_cols, -1.0);
  for (const SelectionCriterion criterion :
      { SelectionCriterion::Evidence, SelectionCriterion::HeldOut })
  {
    ModelSelection<Model> selection = Candidates();
    selection.Criterion() = criterion;
    selection.HoldOut(heldOutX, heldOutY);
    const std::vector<SelectionResult> results = selection.Run(data.X, data.y,
        adam);
    REQUIRE(results.back().name == "narrow prior");
    REQUIRE(results.front().tied);
    REQUIRE(!results.back().tied ==
        (criterion == SelectionCriterion::HeldOut ||
            results.back().report.evidence.IsGood()));
    for (size_t i = 0; i < results.size(); ++i)
    {
      const SelectionResult& r = results[i];
      REQUIRE(r.criterion == criterion);
      REQUIRE(r.restarts == std::vector<double>{ r.score });
      REQUIRE(r.heldOut.size() == 15);
      if (i > 0)
        REQUIRE(r.score <= results[i - 1].score);
      REQUIRE(r.Lower() < r.score);
      REQUIRE(r.Upper() > r.score);
      if (criterion == SelectionCriterion::Evidence)
        REQUIRE(r.score == r.report.evidence.bound);
      else
        REQUIRE(r.score ==
            Approx(arma::accu(
                selection.Model(r.index).LogDensity(heldOutX, heldOutY))));
    }
  }
}

TEST_CASE("SelectionSaysWhenCandidatesAreTied", "[selection]")
{
  // Held-out points: paired differences, whatever all points have in common.
  std::vector<SelectionResult> results(3);
  for (size_t c = 0; c < 3; ++c)
  {
    results[c].criterion = SelectionCriterion::HeldOut;
    results[c].index = c;
    for (size_t i = 0; i < 100; ++i)
    {
      // Candidate 1 is better by 0.1 per point; candidate 2 by 0.01 +- 0.1.
      const double common = 10.0 * std::sin(double(i));
      results[c].heldOut.push_back(common + (c == 0 ? 0.0 : 0.1) +
          (c == 2 ? 0.01 + ((i % 2) ? 0.1 : -0.1) : 0.0));
      results[c].score += results[c].heldOut.back();
    }
  }
  RankCandidates(results);
  REQUIRE(results[0].index == 2);
  REQUIRE(results[1].index == 1);
  REQUIRE(results[0].tied);
  REQUIRE(results[1].tied);
  REQUIRE(!results[2].tied);
  REQUIRE(results[2].Upper() > results[0].Lower());

  // Evidence: by the intervals; without a good k there is no upper end.
  std::vector<double> spread;
  for (size_t i = 0; i < 1000; ++i)
    spread.push_back(std::sin(double(i)));
  std::vector<SelectionResult> bounds(3);
  for (size_t c = 0; c < 3; ++c)
  {
    bounds[c].criterion = SelectionCriterion::Evidence;
    bounds[c].index = c;
    bounds[c].report.evidence = SummarizeEvidence(spread);
    bounds[c].report.evidence.Shift(c == 0 ? 1.0 : 0.0);
    bounds[c].score = bounds[c].report.evidence.bound;
  }
  bounds[2].report.evidence.paretoK = 1.0;
  RankCandidates(bounds);
  REQUIRE(bounds[0].index == 0);
  REQUIRE(bounds[1].index == 1);
  REQUIRE(!bounds[1].tied);
  REQUIRE(bounds[2].tied);
  REQUIRE(std::isinf(bounds[2].Upper()));
}

TEST_CASE("SelectionRefusesNonsense", "[selection]")
{
  const Line data;
  const ens::Adam adam;
  ModelSelection<Model> selection;
  REQUIRE_THROWS_AS(selection.Run(data.X, data.y, adam), std::invalid_argument);
  REQUIRE_THROWS_AS(selection.Add("nothing", nullptr), std::invalid_argument);
  REQUIRE_THROWS_AS(selection.Model(0), std::out_of_range);

  selection.Criterion() = SelectionCriterion::HeldOut;
  selection.Add("line", []() { return Build(2, 1.0); });
  REQUIRE_THROWS_AS(selection.Run(data.X, data.y, adam), std::logic_error);
  selection.Criterion() = SelectionCriterion::Evidence;

  // A failure in a thread reaches the caller.
  selection.Add("empty", []() { return Model((GaussianLikelihood(1.0))); });
  REQUIRE_THROWS_AS(selection.Run(data.X, data.y, adam), std::invalid_argument);
}
