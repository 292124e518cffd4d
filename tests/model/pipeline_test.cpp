/**
 * @file pipeline_test.cpp
 *
 * Pipelines: own units, files, and refusals.
 */
#include "catch.hpp"

#include <symvi/kernel/random_stream.hpp>
#include <symvi/model/pipeline.hpp>

#include <sstream>
#include <thread>

#include "../io/scratch.hpp"

using namespace symvi;
using Catch::Matchers::ContainsSubstring;

namespace {

arma::mat RandomPoints(const size_t n)
{
  arma::mat points(3, n);
  RandomStream(4).FillNormal(points.memptr(), points.n_elem);
  points.row(1) = 1000.0 + 50.0 * points.row(1);
  return points;
}

std::vector<std::string> LabelsOf(const arma::mat& points)
{
  std::vector<std::string> labels;
  for (size_t i = 0; i < points.n_cols; ++i)
    labels.push_back(points(0, i) > 0.0 ? "above" : "below");
  return labels;
}

FitOptions Quick(const size_t epochs = 40)
{
  return FitOptions().Epochs(epochs).Seed(8);
}

Pipeline Classifier(const arma::mat& points)
{
  NetworkSpec spec;
  spec.hidden = { 6, 5 };
  Pipeline model(spec);
  model.Fit(points, LabelsOf(points), Quick().Validation(0.2));
  return model;
}

Pipeline Regression(const arma::mat& points, const std::string& noise)
{
  NetworkSpec spec;
  spec.task = "regression";
  spec.hidden = { 5 };
  spec.noise = noise;
  spec.noiseStddev = 20.0;
  Pipeline model(spec);
  model.Fit(points, arma::mat(500.0 + 100.0 * points.row(0)), Quick(300));
  return model;
}

} // namespace

TEST_CASE("PipelineClassifies", "[Pipeline]")
{
  const arma::mat points = RandomPoints(120);
  const Pipeline model = Classifier(points);
  REQUIRE(model.ClassNames() == std::vector<std::string>{ "above", "below" });
  const std::vector<std::string> predicted = model.Predict(points);
  const std::vector<std::string> truth = LabelsOf(points);
  size_t right = 0;
  for (size_t i = 0; i < truth.size(); ++i)
    right += (predicted[i] == truth[i]);
  REQUIRE(right >= 105);

  io::Dataset data;
  data.points = points;
  data.labels = truth;
  EvaluateOptions options;
  options.samples = 10;
  const Evaluation evaluation = model.Evaluate(data, options);
  REQUIRE(evaluation.Value("accuracy") == Approx(double(right) / 120.0));
  REQUIRE(evaluation.Value("log_group_order") ==
      Approx(std::log(720.0) + std::log(120.0)));
  REQUIRE(evaluation.Value("symmetrized_elbo") >= evaluation.Value("elbo"));
  REQUIRE_THROWS_AS(evaluation.Value("rmse"), std::invalid_argument);
  REQUIRE(HtmlReport(model, evaluation, "m", "d").find("<svg") !=
      std::string::npos);
  REQUIRE_THROWS_AS(model.Regress(points), std::logic_error);
}

TEST_CASE("PipelineRegressionIsInTheUnitsOfTheData", "[Pipeline]")
{
  const std::string noise = GENERATE("learned", "fixed", "heteroscedastic");
  const arma::mat points = RandomPoints(120);
  const arma::mat responses = 500.0 + 100.0 * points.row(0);
  const Pipeline model = Regression(points, noise);
  const RegressionPrediction<arma::mat> prediction = model.Regress(points);
  REQUIRE(arma::stddev(arma::vectorise(prediction.mean - responses)) < 40.0);
  if (noise == "fixed")
    REQUIRE(std::sqrt(prediction.aleatoricVariance[0]) == Approx(20.0));

  // The mean of the draws is the mean of the prediction.
  const arma::cube draws = model.Draws(points);
  REQUIRE(draws.n_rows == 1);
  REQUIRE(arma::mean(arma::vectorise(draws.tube(0, 3))) ==
      Approx(prediction.mean[3]));

  // A mixture of Gaussians, evaluated by hand, in the same units.
  io::Dataset data;
  data.points = points;
  data.responses = responses;
  if (noise == "fixed")
  {
    double density = 0.0;
    for (size_t s = 0; s < draws.n_slices; ++s)
      density += std::exp(-0.5 *
                     std::pow((responses[3] - draws(0, 3, s)) / 20.0, 2)) /
          (20.0 * std::sqrt(2.0 * M_PI));
    REQUIRE(model.LogDensity(data)[3] ==
        Approx(std::log(density / double(draws.n_slices))));
  }
}

TEST_CASE("PipelineContinuesTraining", "[Pipeline]")
{
  const arma::mat points = RandomPoints(60);
  Pipeline model = Classifier(points);
  const size_t before = model.History().size();
  const io::Standardizer scaling = model.InputScaling();
  model.Fit(points, LabelsOf(points), Quick(5));
  REQUIRE(model.History().size() == before + 5);
  REQUIRE(model.History().back().epoch == before + 5);
  REQUIRE(model.KeptEpoch()->epoch == before + 5);
  REQUIRE(model.InputScaling().Means() == scaling.Means());
  std::vector<std::string> unknown = LabelsOf(points);
  unknown[4] = "beside";
  REQUIRE_THROWS_WITH(model.Fit(points, unknown, Quick(5)),
      ContainsSubstring("point 5: label 'beside'"));
  REQUIRE_THROWS_AS(model.Fit(points.head_rows(2), LabelsOf(points)),
      std::invalid_argument);
}

TEST_CASE("PipelineFilesAreExactAndRepeatable", "[Pipeline]")
{
  const Scratch scratch;
  const arma::mat points = RandomPoints(60);
  for (const Pipeline& model : { Classifier(points),
           Regression(points, "learned"), Regression(points, "fixed") })
  {
    model.Save(scratch.Path("a.bin"));
    const Pipeline loaded = Pipeline::Load(scratch.Path("a.bin"));
    loaded.Save(scratch.Path("b.bin"));
    REQUIRE(scratch.Read("a.bin") == scratch.Read("b.bin"));
    const arma::cube a = model.Draws(points, PredictOptions(10));
    const arma::cube b = loaded.Draws(points, PredictOptions(10));
    REQUIRE(arma::all(arma::vectorise(a == b)));
    REQUIRE(loaded.Spec().Describe() == model.Spec().Describe());
    REQUIRE(loaded.History().size() == model.History().size());
  }
}

TEST_CASE("PriorsFallWithTheNumberOfInputs", "[Pipeline]")
{
  const arma::mat points = RandomPoints(60);
  const std::vector<LayerPrior> priors = Classifier(points).Priors();
  REQUIRE(priors.size() == 3);
  REQUIRE(priors[0].weights == Approx(2.0 / std::sqrt(3.0)));
  REQUIRE(priors[1].weights == Approx(2.0 / std::sqrt(6.0)));
  REQUIRE(priors[2].weights == Approx(4.0 / std::sqrt(5.0)));
  for (const LayerPrior& prior : priors)
    REQUIRE(prior.biases == 1.0);
  for (const LayerPrior& prior : Regression(points, "fixed").Priors())
    REQUIRE((prior.weights == 1.0 && prior.biases == 1.0));

  NetworkSpec spec;
  spec.hidden = { 4 };
  spec.priorStddev = 0.7;
  Pipeline model(spec);
  model.Fit(points, LabelsOf(points), Quick(1));
  for (const LayerPrior& prior : model.Priors())
    REQUIRE((prior.weights == 0.7 && prior.biases == 0.7));
  spec.priorStddev = -0.1;
  REQUIRE_THROWS_AS(Pipeline(spec), std::invalid_argument);
}

TEST_CASE("LearnedPriorsAreInTheFile", "[Pipeline]")
{
  const Scratch scratch;
  io::Dataset data;
  data.points = RandomPoints(60);
  data.labels = LabelsOf(data.points);
  NetworkSpec spec;
  spec.hidden = { 6 };
  Pipeline model(spec);
  const FitReport report = model.Fit(data, Quick(5).LearnPrior(true));
  model.Save(scratch.Path("a.bin"));
  const Pipeline loaded = Pipeline::Load(scratch.Path("a.bin"));
  EvaluateOptions options;
  options.samples = 3;
  const ElboReport before = model.Elbo(data, options);
  const ElboReport after = loaded.Elbo(data, options);
  REQUIRE(after.elbo == before.elbo);
  for (size_t l = 0; l < 2; ++l)
  {
    REQUIRE(loaded.Priors()[l].weights == report.priors[l].weights);
    REQUIRE(loaded.Priors()[l].biases == report.priors[l].biases);
    REQUIRE(after.priors[l].weights == report.priors[l].weights);
    REQUIRE(report.priors[l].weights != report.priors[l].biases);
  }

  // Units that are left keep them.
  model.PruneUnits(0.5);
  REQUIRE(model.Priors()[0].weights == report.priors[0].weights);
  REQUIRE(model.Priors()[0].biases == report.priors[0].biases);
}

TEST_CASE("DamagedPipelineFilesAreRefused", "[Pipeline]")
{
  const Scratch scratch;
  const arma::mat points = RandomPoints(60);
  Classifier(points).Save(scratch.Path("a.bin"));
  const std::string bytes = scratch.Read("a.bin");
  RandomStream stream(6);
  for (size_t i = 0; i < 600; ++i)
  {
    std::string damaged = bytes;
    const size_t at = (i % 4 == 3) ? stream.NextIndex(40) :
                                     stream.NextIndex(bytes.size());
    switch (i % 3)
    {
    case 0: damaged.resize(at); break;
    case 1: damaged.erase(at, 1 + stream.NextIndex(20)); break;
    default: damaged[at] = char(damaged[at] ^ (1 << stream.NextIndex(8)));
    }
    scratch.Write("b.bin", damaged);
    REQUIRE_THROWS_WITH(Pipeline::Load(scratch.Path("b.bin")),
        ContainsSubstring(scratch.Path("b.bin")));
  }
  scratch.Write("b.bin", "symvi model 1\n" + bytes.substr(14));
  REQUIRE_THROWS_WITH(Pipeline::Load(scratch.Path("b.bin")),
      ContainsSubstring("has format version 1, but this version of symvi "
                        "reads version 2."));
  REQUIRE_THROWS_WITH(Pipeline::Load(scratch.Path("none")),
      ContainsSubstring("No such file"));
}

TEST_CASE("PipelinePosteriorAndPruning", "[Pipeline]")
{
  const arma::mat points = RandomPoints(60);
  Pipeline model = Classifier(points);
  const std::vector<LayerPosterior> layers = model.Posterior();
  REQUIRE(layers.size() == 3);
  REQUIRE(layers[0].mean.n_rows == 6);
  REQUIRE(layers[0].mean.n_cols == 4);

  // Distances and the nearest mode by their definitions.
  const arma::mat in = layers[0].mean.t(), s = layers[0].sigma.t();
  const arma::mat out = layers[1].mean.head_cols(6);
  const arma::mat t = layers[1].sigma.head_cols(6);
  const double expected = std::sqrt(
      arma::accu(arma::square(in.col(1) - in.col(4)) /
          (arma::square(s.col(1)) + arma::square(s.col(4)))) +
      arma::accu(arma::square(out.col(1) - out.col(4)) /
          (arma::square(t.col(1)) + arma::square(t.col(4)))));
  REQUIRE(model.UnitDistances(0)(1, 4) == Approx(expected));
  REQUIRE(model.NearestModes(3).size() == 3);

  const Pipeline copy = Pipeline::FromPosterior(model.Spec(), layers,
      arma::vec(), io::LabelCodec::Ordered(model.ClassNames()),
      model.InputScaling(), model.TargetScaling());
  REQUIRE(arma::approx_equal(copy.Classify(points).probabilities,
      model.Classify(points).probabilities, "absdiff", 1e-10));

  const PruneReport report = model.PruneUnits(0.5);
  REQUIRE(report.pruned == 5);
  REQUIRE(model.Spec().hidden[0] + model.Spec().hidden[1] == 6);
  model.Predict(points);
  REQUIRE(model.PruneWeights(0.3).pruned > 0);
}

TEST_CASE("PipelineStreamsAreFiles", "[Pipeline]")
{
  const Pipeline model = Classifier(RandomPoints(60));
  std::ostringstream out;
  model.Write(out);
  std::istringstream in(out.str());
  std::ostringstream again;
  Pipeline::Read(in).Write(again);
  REQUIRE(again.str() == out.str());
  std::istringstream part(out.str().substr(0, 100));
  REQUIRE_THROWS_WITH(Pipeline::Read(part),
      ContainsSubstring("'stream' is truncated"));
}

TEST_CASE("PipelineTakesTheOrderOfTheClasses", "[Pipeline]")
{
  io::Dataset data;
  data.points = RandomPoints(60);
  data.labels = LabelsOf(data.points);
  data.classNames = { "below", "unseen", "above" };
  Pipeline model;
  model.Fit(data, Quick());
  REQUIRE(model.ClassNames() == data.classNames);
  const arma::mat mean = arma::mean(model.Classify(data.points).probabilities,
      1);
  REQUIRE(mean[1] < mean[0]);
  REQUIRE(mean[1] < mean[2]);
  data.classNames = { "below", "other" };
  REQUIRE_THROWS_WITH(Pipeline().Fit(data, Quick()),
      ContainsSubstring("label 'above'"));
}

TEST_CASE("PipelineWeightsAreThoseOfTheDraws", "[Pipeline]")
{
  NetworkSpec spec;
  spec.task = "regression";
  spec.hidden = { 4 };
  spec.noise = "learned";
  Pipeline model(spec);
  const arma::mat points = RandomPoints(30);
  model.Fit(points, arma::mat(points.row(1)), Quick());
  const PredictOptions options(5, 9);
  const std::vector<arma::cube> weights = model.Weights(options);
  const arma::cube draws = model.Draws(points, options);
  REQUIRE(weights.size() == 2);
  arma::mat scaled = points;
  model.InputScaling().Apply(scaled);
  const arma::mat one(1, points.n_cols, arma::fill::ones);
  for (size_t s = 0; s < 5; ++s)
  {
    const arma::mat hidden = arma::clamp(weights[0].slice(s) *
            arma::join_cols(scaled, one),
        0.0, arma::datum::inf);
    arma::mat output = weights[1].slice(s) * arma::join_cols(hidden, one);
    model.TargetScaling().Revert(output);
    REQUIRE(arma::approx_equal(output, draws.slice(s), "reldiff", 1e-10));
  }
}

TEST_CASE("PipelineAlignsItsUnits", "[Pipeline]")
{
  const arma::mat points = RandomPoints(60);
  const Pipeline model = Classifier(points);
  std::vector<LayerPosterior> layers = model.Posterior();
  // Both hidden layers in reverse order.
  for (size_t l = 0; l < 3; ++l)
    for (arma::mat* values : { &layers[l].mean, &layers[l].sigma })
    {
      if (l < 2)
        *values = arma::flipud(*values);
      if (l > 0)
        values->head_cols(values->n_cols - 1) = arma::mat(
            arma::fliplr(values->head_cols(values->n_cols - 1)));
    }
  Pipeline moved = Pipeline::FromPosterior(model.Spec(), layers, arma::vec(),
      io::LabelCodec::Ordered(model.ClassNames()), model.InputScaling(),
      model.TargetScaling());
  const arma::mat before = moved.Classify(points).probabilities;
  const Permutation g = moved.AlignTo(model);
  REQUIRE(g.Layers() == 2);
  for (size_t h = 0; h < 2; ++h)
    for (size_t a = 0; a < g.Size(h); ++a)
      REQUIRE(g(h, a) == g.Size(h) - 1 - a);
  for (size_t l = 0; l < 3; ++l)
    REQUIRE(arma::approx_equal(moved.Posterior()[l].mean,
        model.Posterior()[l].mean, "absdiff", 0.0));
  // Other draws of the same distribution.
  REQUIRE(arma::approx_equal(moved.Classify(points).probabilities, before,
      "absdiff", 0.1));
  REQUIRE_THROWS_WITH(moved.AlignTo(Pipeline()),
      ContainsSubstring("is not fitted"));
}

TEST_CASE("PipelineRegressionWithoutAnInterval", "[Pipeline]")
{
  const arma::mat points = RandomPoints(60);
  const Pipeline model = Regression(points, "learned");
  PredictOptions options(20);
  options.interval = 0.0;
  const RegressionPrediction<arma::mat> without = model.Regress(points,
      options);
  REQUIRE(without.lower.is_empty());
  options.interval = 0.9;
  REQUIRE(arma::approx_equal(model.Regress(points, options).mean, without.mean,
      "absdiff", 0.0));
}

TEST_CASE("PipelinesOfSeveralThreadsComeOutAsAlone", "[Pipeline]")
{
  const arma::mat points = RandomPoints(60);
  const arma::mat alone = Classifier(points).Posterior()[0].mean;
  std::vector<arma::mat> means(3);
  std::vector<std::thread> threads;
  for (arma::mat& mean : means)
    threads.emplace_back(
        [&points, &mean] { mean = Classifier(points).Posterior()[0].mean; });
  for (std::thread& thread : threads)
    thread.join();
  for (const arma::mat& mean : means)
    REQUIRE(arma::approx_equal(mean, alone, "absdiff", 0.0));
}

TEST_CASE("PipelineRefusesBadData", "[Pipeline]")
{
  const arma::mat points = RandomPoints(30);
  Pipeline model;
  REQUIRE_THROWS_AS(model.Predict(points), std::exception);
  REQUIRE_THROWS_WITH(
      model.Fit(points, std::vector<std::string>(30, "same"), Quick(1)),
      ContainsSubstring("holds only the class 'same'"));
  REQUIRE_THROWS_AS(model.Fit(points, arma::mat(points.row(0)), Quick(1)),
      std::invalid_argument);
  REQUIRE(!model.IsFitted());

  NetworkSpec spec;
  spec.task = "regression";
  Pipeline regression(spec);
  REQUIRE_THROWS_WITH(
      regression.Fit(points, arma::mat(1e200 * points.row(0)), Quick(1)),
      ContainsSubstring("too large"));
  spec.activation = "cosine";
  REQUIRE_THROWS_AS(Pipeline(spec), std::invalid_argument);
}
