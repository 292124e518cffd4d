/**
 * @file examples/uci.cpp
 *
 * The table that Bayesian networks are compared by: all splits of all data sets
 * in a folder, symvi with its defaults and what one would use instead.
 *
 *   uci --data FOLDER                      all sets, splits and methods
 *   uci --data FOLDER --sets concrete,yacht --methods symmetrized,plain
 *
 * Regressions have three more methods, which run only if they are named: one
 * learned noise level, and a Gaussian with and without covariances,
 *
 *   --methods "gaussian diagonal,gaussian rank 20,gaussian full"
 *
 * Sets are folders in the layout of the standard splits (regressions), CSV
 * files with labels in the last column, or folders with MNIST's four files
 * (classifications).  Started again, it does only what is missing.
 */
#include <symvi.hpp>
#include <symvi/io/chart.hpp>
#include <symvi/io/file.hpp>
#include <symvi/model/ensemble.hpp>
#include <symvi/model/gaussian_posterior.hpp>
#include <symvi/predict/metrics.hpp>

#include "common/csv.hpp"
#include "common/options.hpp"
#include "common/rival.hpp"
#include "common/runs.hpp"
#include "uci/sets.hpp"

#include <chrono>
#include <fstream>
#include <set>

using namespace examples;

const std::vector<std::string> allMethods = { "plain", "plain x5", "dropout",
  "mean-field", "mean-field x5", "symmetrized", "symmetrized x5" };

//! Those that are left out unless they are named.
const std::vector<std::string> namedMethods = { "gaussian diagonal",
  "gaussian rank 20", "gaussian full" };

//! What a run gives: RMSE and coverage of the 95 % interval of a regression,
//! error rate and calibration error of a classification.
enum Column
{
  error,
  logLikelihood,
  calibration,
  seconds
};
const char* columns = "run,error,log_likelihood,calibration,seconds";

//! Test log-likelihoods of Wu et al. (2019), Lakshminarayanan et al. (2017),
//! and Gal and Ghahramani (tuned, 2018).
struct Published
{
  const char* set;
  double mcvi, dvi, ensembles, dropout;
};
const Published published[] = { { "bostonHousing", -2.46, -2.41, -2.41, -2.40 },
  { "concrete", -3.07, -3.06, -3.06, -2.94 },
  { "energy", -1.03, -1.01, -1.38, -1.21 },
  { "kin8nm", 1.14, 1.13, 1.20, 1.14 },
  { "naval-propulsion-plant", 5.94, 6.29, 5.63, 4.45 },
  { "power-plant", -2.80, -2.80, -2.79, -2.81 },
  { "protein-tertiary-structure", -2.87, -2.85, -2.83, -2.87 },
  { "wine-quality-red", -0.92, -0.90, -0.94, -0.93 },
  { "yacht", -0.68, -0.47, -1.18, -1.25 } };

std::vector<size_t> HiddenLayers(const DataSet& set)
{
  if (set.IsMnist())
    return { 200, 100 };
  return { size_t(set.Name() == "protein-tertiary-structure" ? 100 : 50) };
}

size_t MembersOf(const std::string& method)
{
  return method.find(" x5") == std::string::npos ? 1 : 5;
}

//! symvi with its defaults.
std::vector<double> RunBayesian(const DataSet& set, const Split& split,
    const std::string& method, const bool quick, const uint64_t seed)
{
  symvi::NetworkSpec spec;
  spec.task = set.IsClassification() ? "classification" : "regression";
  const std::vector<size_t> hidden = HiddenLayers(set);
  spec.hidden.assign(hidden.begin(), hidden.end());
  symvi::BoundOptions bound;
  bound.symmetrize = method.rfind("symmetrized", 0) == 0;
  symvi::Ensemble model(spec, bound, MembersOf(method));
  model.Fit(split.train, symvi::FitOptions().Seed(seed).Epochs(quick ? 40 : 0),
      1);
  symvi::EvaluateOptions options;
  options.samples = 0;
  options.predict.seed = 1;
  const symvi::Evaluation result = model.Evaluate(split.test, options);
  if (set.IsClassification())
    return { 1.0 - result.Value("accuracy"), -result.Value("nll"),
      result.Value("ece") };
  return { result.Value("rmse"), -result.Value("nll"),
    result.Value("coverage") };
}

//! A mean-field posterior with one learned noise level, and the Gaussian with
//! covariances that training goes on to from there.
std::vector<double> RunGaussian(const Split& split, const std::string& method,
    const bool quick, const uint64_t seed)
{
  const symvi::io::Standardizer inputs(split.train.points);
  const symvi::io::Standardizer targets(split.train.responses);
  arma::mat X = split.train.points, y = split.train.responses;
  arma::mat testX = split.test.points, testY = split.test.responses;
  inputs.Apply(X);
  inputs.Apply(testX);
  targets.Apply(y);
  targets.Apply(testY);
  const size_t epochs = quick ? 20 : 0;

  symvi::BayesianFFN<symvi::GaussianLikelihood> model;
  model.Add<symvi::BayesianLinear>(50);
  model.Add<mlpack::ReLU>();
  model.Add<symvi::BayesianLinear>(1);
  model.Fit(X, y, symvi::FitOptions().Seed(seed).Epochs(epochs));
  const auto scores = [&](const auto& prediction, const arma::rowvec& density)
  {
    // In the units of the target.
    const arma::mat scale = arma::stddev(split.train.responses, 0, 1);
    return std::vector<double>{
      symvi::RootMeanSquaredError(prediction.mean, testY) * scale[0],
      arma::mean(density) - std::log(scale[0]),
      symvi::IntervalCoverage(prediction.lower, prediction.upper, testY)
    };
  };
  const symvi::PredictOptions draws(1000, 1);
  if (method == "gaussian diagonal")
    return scores(model.Predict(testX, draws),
        model.LogDensity(testX, testY, draws));
  symvi::GaussianOptions options;
  options.rank = (method == "gaussian full") ? 0 : 20;
  symvi::GaussianPosterior posterior(model, options);
  posterior.Samples() = 1;
  posterior.Fit(X, y, posterior.Defaults().Seed(seed).Epochs(epochs));
  return scores(posterior.Predict(testX, draws),
      posterior.LogDensity(testX, testY, draws));
}

//! Rivals on classes: probabilities are means over networks and passes.
std::vector<double> RunRivalClasses(const Split& split, arma::mat X,
    const arma::mat& testX, const RivalOptions& options, const uint64_t seed)
{
  const symvi::io::LabelCodec codec(split.train.labels);
  Rival<symvi::CategoricalLikelihood> rival(X,
      codec.Encode(split.train.labels, "labels"), codec.Classes(), options,
      seed);
  const arma::mat labels = codec.Encode(split.test.labels, "labels");
  const arma::cube logits = rival.Outputs(testX);
  arma::mat p(logits.n_rows, logits.n_cols, arma::fill::zeros);
  for (size_t s = 0; s < logits.n_slices; ++s)
  {
    arma::mat own = logits.slice(s);
    own.each_row() -= arma::max(own, 0);
    own = arma::exp(own);
    own.each_row() /= arma::sum(own, 0);
    p += own / double(logits.n_slices);
  }
  return { 1.0 - symvi::Accuracy(p, labels),
    -symvi::NegativeLogLikelihood(p, labels),
    symvi::ExpectedCalibrationError(p, labels) };
}

//! Rivals on responses: a mixture of Gaussians, their variance the squared
//! error of each network on held-out points.
std::vector<double> RunRivalResponses(const Split& split, const arma::mat& X,
    const arma::mat& testX, const RivalOptions& options, const uint64_t seed)
{
  const symvi::io::Standardizer scaling(split.train.responses);
  arma::mat y = split.train.responses;
  scaling.Apply(y);
  Rival<symvi::GaussianLikelihood> rival(X, y, y.n_rows, options, seed);
  arma::cube means = rival.Outputs(testX);
  arma::cube variances(arma::size(means));
  const size_t passes = means.n_slices / options.members;
  for (size_t s = 0; s < means.n_slices; ++s)
  {
    scaling.Revert(means.slice(s));
    variances.slice(s).fill(std::sqrt(rival.HeldOutErrors()[s / passes]));
    scaling.RevertScale(variances.slice(s));
  }
  variances = arma::square(variances);
  const arma::mat& truth = split.test.responses;
  const arma::mat mean = arma::mean(means, 2);
  const arma::mat centred = arma::mean(arma::square(means), 2);
  const arma::mat half = 1.96 *
      arma::sqrt(
          centred - arma::square(mean) + arma::mat(arma::mean(variances, 2)));
  return { symvi::RootMeanSquaredError(mean, truth),
    -symvi::MixtureNegativeLogLikelihood(means, variances, truth),
    symvi::IntervalCoverage(arma::mat(mean - half), arma::mat(mean + half),
        truth) };
}

std::vector<double> RunRival(const DataSet& set, const Split& split,
    const std::string& method, const bool quick, const double dropout,
    const uint64_t seed)
{
  RivalOptions options;
  options.hidden = HiddenLayers(set);
  options.members = MembersOf(method);
  options.dropout = (method == "dropout") ? dropout : 0.0;
  if (quick)
    options.steps = 400;
  const symvi::io::Standardizer scaling(split.train.points);
  arma::mat X = split.train.points, testX = split.test.points;
  scaling.Apply(X);
  scaling.Apply(testX);
  return set.IsClassification() ?
      RunRivalClasses(split, X, testX, options, seed) :
      RunRivalResponses(split, X, testX, options, seed);
}

//! A regression in the standard layout and a table of labels, for --quick.
void WriteExampleData(const std::string& folder)
{
  const std::string set = folder + "/waves";
  std::filesystem::create_directories(set);
  symvi::RandomStream stream(1);
  arma::mat data(150, 3);
  stream.FillNormal(data.memptr(), data.n_elem);
  data.col(2) = arma::sin(2 * data.col(0)) + 0.5 * data.col(1) +
      0.1 * data.col(2);
  data.save(set + "/data.txt", arma::raw_ascii);
  arma::mat("0; 1").save(set + "/index_features.txt", arma::raw_ascii);
  arma::mat("2").save(set + "/index_target.txt", arma::raw_ascii);
  arma::mat("2").save(set + "/n_splits.txt", arma::raw_ascii);
  for (size_t k = 0; k < 2; ++k)
  {
    const arma::vec order = arma::conv_to<arma::vec>::from(
        arma::shift(arma::regspace<arma::uvec>(0, 149), int(50 * k)));
    arma::mat(order.head(15))
        .save(set + "/index_test_" + std::to_string(k) + ".txt",
            arma::raw_ascii);
    arma::mat(order.tail(135))
        .save(set + "/index_train_" + std::to_string(k) + ".txt",
            arma::raw_ascii);
  }
  std::ofstream labels(folder + "/quadrants.csv");
  for (size_t i = 0; i < 120; ++i)
    labels << data(i, 0) << ',' << data(i, 1) << ','
           << (data(i, 0) * data(i, 1) > 0 ? "same" : "other") << '\n';
}

std::set<std::string> Words(const std::string& text)
{
  std::set<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');)
    words.insert(word);
  return words;
}

std::string Key(const DataSet& set, const size_t split,
    const std::string& method)
{
  return set.Name() + "/" + std::to_string(split) + "/" + method;
}

//! Mean and standard error of one column.
Summary Of(const ResultsFile& results, const DataSet& set, const size_t splits,
    const std::string& method, const Column column)
{
  std::vector<double> values;
  for (size_t k = 0; k < splits; ++k)
    values.push_back(results[Key(set, k, method)][column]);
  return Summary(values);
}

//! The table of one set, as text and CSV, and its picture.
symvi::io::Chart Report(const ResultsFile& results, const DataSet& set,
    const size_t splits, const std::vector<std::string>& methods,
    CsvWriter& csv)
{
  const bool classes = set.IsClassification();
  std::printf("\n%s, %zu splits\n%-16s %18s %18s %12s %8s\n",
      set.Name().c_str(), splits, "", classes ? "error rate" : "RMSE",
      "log-likelihood", classes ? "calibration" : "coverage", "seconds");
  symvi::io::Chart chart(set.Name(), classes ? "error rate" : "RMSE",
      "test log-likelihood");
  for (const std::string& method : methods)
  {
    const Summary e = Of(results, set, splits, method, error);
    const Summary l = Of(results, set, splits, method, logLikelihood);
    const Summary c = Of(results, set, splits, method, calibration);
    const double time = Of(results, set, splits, method, seconds).mean;
    std::printf("%-16s %18s %18s %12.3f %8.1f\n", method.c_str(),
        PlusMinus(e.mean, e.error, 4).c_str(),
        PlusMinus(l.mean, l.error, 3).c_str(), c.mean, time);
    csv.Row(set.Name(), method, splits, e.mean, e.error, l.mean, l.error,
        c.mean, time);
    const symvi::io::Tone tone = method[0] == 's' ? symvi::io::Tone::Blue :
        method[0] == 'm'                          ? symvi::io::Tone::Orange :
        method[0] == 'd'                          ? symvi::io::Tone::Green :
                                                    symvi::io::Tone::Grey;
    chart.Guide(e.mean - e.error, l.mean, e.mean + e.error, l.mean);
    chart.Guide(e.mean, l.mean - l.error, e.mean, l.mean + l.error);
    chart.Points(arma::vec{ e.mean }, arma::vec{ l.mean }, tone,
        MembersOf(method) == 1 ? method : "");
  }
  for (const Published& p : published)
    if (set.Name() == p.set)
      std::printf("%-16s %18s MCVI %.2f, DVI %.2f, ensembles %.2f, dropout "
                  "%.2f\n",
          "published", "", p.mcvi, p.dvi, p.ensembles, p.dropout);
  return chart;
}

int Experiment(const Options& options)
{
  std::string folder = options["data"];
  if (options.quick)
    WriteExampleData(folder = options.File("data"));
  else if (folder.empty())
    throw std::invalid_argument("--data is needed, a folder of data sets");
  const std::set<std::string> wantedSets = Words(options["sets"]);
  const std::set<std::string> wantedMethods = Words(options["methods"]);
  std::vector<DataSet> sets;
  for (DataSet& set : DataSetsIn(folder))
    if (wantedSets.empty() || wantedSets.count(set.Name()))
      sets.push_back(std::move(set));
  std::vector<std::string> methods;
  for (const std::string& method : allMethods)
    if (wantedMethods.empty() || wantedMethods.count(method))
      methods.push_back(method);
  for (const std::string& method : namedMethods)
    if (wantedMethods.count(method))
      methods.push_back(method);
  if (sets.empty() || methods.empty())
    throw std::invalid_argument("--sets and --methods must leave something to "
                                "do");
  const auto splits = [&](const DataSet& set)
  { return std::min(set.Splits(), options.Number("splits")); };

  ResultsFile results(options.File("runs.csv"), columns);
  struct Job
  {
    const DataSet* set;
    size_t split;
    std::string method;
  };
  std::vector<Job> jobs;
  for (const DataSet& set : sets)
    for (size_t k = 0; k < splits(set); ++k)
      for (const std::string& method : methods)
        if (!results.Has(Key(set, k, method)))
          jobs.push_back({ &set, k, method });
  ForEachRun("runs", jobs.size(), options.jobs, { &results },
      [&](const size_t i)
      {
    const Job& job = jobs[i];
    const Split split = job.set->GetSplit(job.split);
    const auto start = std::chrono::steady_clock::now();
    const bool bayesian = job.method[0] == 'm' || job.method[0] == 's';
    std::vector<double> row = job.method[0] == 'g' ?
        RunGaussian(split, job.method, options.quick, job.split + 1) :
        bayesian ?
        RunBayesian(*job.set, split, job.method, options.quick, job.split + 1) :
        RunRival(*job.set, split, job.method, options.quick,
            options.Real("dropout"), job.split + 1);
    row.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count());
    results.Add(Key(*job.set, job.split, job.method), row);
  });

  CsvWriter csv(options.File("table.csv"),
      "set,method,splits,error,"
      "error_standard_error,log_likelihood,log_likelihood_standard_error,"
      "calibration,seconds");
  std::vector<symvi::io::Chart> charts;
  for (const DataSet& set : sets)
    charts.push_back(Report(results, set, splits(set), methods, csv));
  symvi::io::AtomicFile picture(options.File("table.svg"));
  picture.Stream() << symvi::io::SvgFile(charts);
  picture.Commit();
  std::printf("\npicture: %s\n", options.File("table.svg").c_str());

  Claims claims;
  bool finite = true;
  for (const DataSet& set : sets)
    for (const std::string& method : methods)
      finite = finite &&
          std::isfinite(
              Of(results, set, splits(set), method, logLikelihood).mean);
  claims.Check(finite, "every log-likelihood is finite");
  return claims.ExitCode();
}

int main(int argc, char** argv)
{
  return RunExample(argc, argv, "uci",
      "the standard regression table, and classifications, against rivals",
      Experiment,
      { { "data", "" }, { "sets", "" }, { "methods", "" }, { "splits", "20" },
          { "dropout", "0.05" } });
}
