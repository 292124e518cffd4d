/**
 * @file examples/evidence.cpp
 *
 * How close the bounds come to the evidence log p(Y | X) of small networks,
 * which annealed importance sampling (and quadrature for two weights) brackets:
 * L, L^G, the importance-weighted bound with q and with q^G, and Laplace's
 * approximation with and without log|G|, and for up to 6 units the bounds of a
 * Gaussian with full covariance.  And which width each of them chooses.
 */
#include <symvi.hpp>
#include <symvi/model/gaussian_posterior.hpp>
#include <symvi/model/selection.hpp>

#include "common/csv.hpp"
#include "common/options.hpp"
#include "common/problems.hpp"
#include "common/runs.hpp"
#include "evidence/annealing.hpp"
#include "evidence/laplace.hpp"
#include "evidence/small_network.hpp"

using namespace examples;

constexpr double noise = 0.2;

//! What is known of the evidence without symvi; and the bounds, which may be
//! measured anew without the rest.
enum TruthColumn
{
  low,
  high,
  exact,
  laplace,
  order
};
const char* truthColumns = "problem/activation/points/seed/units,ais_lower,"
                           "ais_upper,quadrature,laplace,log_group_order";
enum BoundColumn
{
  elbo,
  symmetrized,
  information,
  weighted,
  error,
  shape,
  plain,
  plainShape
};
const char* boundColumns =
    "problem/activation/points/seed/units,elbo,"
    "symmetrized_elbo,information,weighted,weighted_error,k,weighted_by_q,"
    "k_by_q";

enum FullColumn
{
  fullElbo,
  fullSymmetrized,
  fullWeighted,
  fullShape,
  pooledSymmetrized,
  pooledWeighted
};
const char* fullColumns = "problem/activation/points/seed/units,elbo,"
                          "symmetrized_elbo,weighted,k,"
                          "pooled_symmetrized_elbo,pooled_weighted";
constexpr size_t fullUnits = 6;

//! A data set and an activation function; all widths are fitted to it.
struct Task
{
  std::string problem;
  bool tanh;
  size_t points, seed;
  std::vector<size_t> widths;

  std::string Key(size_t units) const
  {
    return problem + "/" + (tanh ? "tanh" : "relu") + "/" +
        std::to_string(points) + "/" + std::to_string(seed) + "/" +
        std::to_string(units);
  }
};

SmallNetwork Network(const Task& task, size_t units)
{
  SmallNetwork network;
  network.tanh = task.tanh;
  network.units = units;
  network.noise = noise;
  network.classes = (task.problem == "moons");
  network.twoWeights = (task.problem == "wedge");
  const uint64_t seed = 1000 * task.points + task.seed;
  const Problem data = network.classes ?
      TwoMoons(task.points, 1, 0.2, seed) :
      Sine(task.points, 1, noise, 0.0, seed, 1.5);
  network.X = data.X;
  network.y = data.y;
  if (network.twoWeights) // |x| with the noise of the sine.
    network.y += arma::abs(data.X) - arma::sin(1.5 * data.X);
  return network;
}

template<typename Likelihood>
symvi::BayesianFFN<Likelihood> Build(const SmallNetwork& network,
    const Likelihood& likelihood)
{
  symvi::BayesianFFN<Likelihood> model(likelihood);
  if (network.twoWeights)
    model.template Add<symvi::BayesianLinearNoBias>(network.units);
  else
    model.template Add<symvi::BayesianLinear>(network.units);
  if (network.tanh)
    model.template Add<mlpack::TanH>();
  else
    model.template Add<mlpack::ReLU>();
  if (network.twoWeights)
    model.template Add<symvi::FixedLinear>(arma::mat{ { 1.0, 1.0 } });
  else
    model.template Add<symvi::BayesianLinear>(1);
  return model;
}

//! Brackets the evidence of the widths that the results lack.
void FindTruth(const Task& task, const Options& options, ResultsFile& results)
{
  for (size_t units : task.widths)
  {
    if (results.Has(task.Key(units)))
      continue;
    const SmallNetwork network = Network(task, units);
    const Bracket bracket = Anneal(network, task.seed,
        options.quick ? 200 : 400, options.Number("temperatures"), 0.3);
    results.Add(task.Key(units),
        { bracket.lower, bracket.upper,
            network.twoWeights ? Quadrature(network) : arma::datum::nan,
            Laplace(network, options.quick ? 4 : 16, task.seed),
            network.LogGroupOrder() });
  }
}

//! Fits the widths that the results lack, and finds their bounds.
template<typename Likelihood>
void FindBounds(const Task& task, const Likelihood& likelihood,
    const Options& options, ResultsFile& results)
{
  using Model = symvi::BayesianFFN<Likelihood>;
  symvi::ModelSelection<Model> selection;
  std::vector<SmallNetwork> networks;
  for (size_t units : task.widths)
  {
    if (results.Has(task.Key(units)))
      continue;
    networks.push_back(Network(task, units));
    const SmallNetwork network = networks.back();
    selection.Add(task.Key(units),
        [=]() { return Build(network, likelihood); });
  }
  if (networks.empty())
    return;
  const arma::mat X = networks[0].X, y = networks[0].y;
  selection.Threads() = 1;
  selection.Restarts() = options.quick ? 2 : 4;
  selection.Seed() = task.seed;
  const size_t steps = options.quick ? 3000 : 8000;
  const auto adam = [&](double stepSize, size_t steps)
  {
    return ens::Adam(symvi::StepSize(stepSize, 20), 20, 0.9, 0.999, 1e-8,
        steps * 20, -1.0);
  };
  for (const symvi::SelectionResult& r : selection.Run(X, y, adam(1e-2, steps)))
  {
    Model& model = selection.Model(r.index);
    ens::Adam fine = adam(1e-3, steps);
    model.Samples() = 4;
    model.Train(X, y, fine);
    const size_t draws = options.quick ? 4000 : 10000;
    const symvi::ElboReport report = model.Elbo(X, y, draws, task.seed);
    model.Estimator() = nullptr;
    const symvi::EvidenceReport byQ = model.Evidence(X, y, draws, task.seed);
    results.Add(r.name,
        { report.elbo, report.symmetrizedElbo, report.information.value,
            report.evidence.bound, report.evidence.standardError,
            report.evidence.paretoK, byQ.bound, byQ.paretoK });
  }
}

//! The bounds of a Gaussian with full covariance, the best by L^G of several,
//! each from a mean-field fit of its own; and of the mixture of all.
template<typename Likelihood>
void FindFull(const Task& task, const Likelihood& likelihood,
    const Options& options, ResultsFile& results)
{
  const size_t steps = options.quick ? 2000 : 20000;
  for (size_t units : task.widths)
  {
    if (units > fullUnits || results.Has(task.Key(units)))
      continue;
    const SmallNetwork network = Network(task, units);
    const arma::mat &X = network.X, &y = network.y;
    std::vector<symvi::GaussianPosterior<Likelihood>> fits;
    size_t best = 0;
    std::vector<double> bounds;
    for (size_t r = 0; r < (options.quick ? 2 : 8); ++r)
    {
      auto model = Build(network, likelihood);
      const auto fit =
          symvi::FitOptions().Epochs(steps).BatchSize(X.n_cols).Seed(
              100 * task.seed + r + 1);
      model.Fit(X, y, fit);
      fits.emplace_back(model);
      fits.back().Fit(X, y, symvi::FitOptions(fit).KLWarmUp(0.0));
      bounds.push_back(fits.back().Elbo(X, y, 1000, 1).symmetrizedElbo);
      best = bounds[r] > bounds[best] ? r : best;
    }
    const size_t draws = options.quick ? 1000 : 10000;
    const symvi::ElboReport report = fits[best].Elbo(X, y, draws, task.seed);
    double pooled = arma::datum::nan, pooledBound = arma::datum::nan;
    if (report.information.exact)
    {
      const symvi::EvidenceReport pool =
          symvi::GaussianPosterior<Likelihood>::Pool(fits, X, y, draws,
              task.seed);
      pooled = arma::mean(arma::vec(pool.logWeights));
      pooledBound = pool.bound;
    }
    results.Add(task.Key(units),
        { report.elbo, report.symmetrizedElbo, report.evidence.bound,
            report.evidence.paretoK, pooled, pooledBound });
  }
}

//! All results of one network.
struct Result
{
  ResultsFile::Row known, bound, full;

  double Truth() const
  {
    return std::isnan(known[exact]) ? 0.5 * (known[low] + known[high]) :
                                      known[exact];
  }
  double Width() const { return std::abs(known[high] - known[low]); }
  bool IsGood() const { return !std::isnan(bound[error]); }
};

using Results = std::map<std::string, Result>;

//! What is missing to the truth, a line per problem, activation and width.
void PrintGaps(const std::vector<Task>& tasks, const Results& results)
{
  std::printf(
      "\nlog p(Y | X) minus each, in nats: means over data sets "
      "(Laplace: medians of those that exist)\nproblem activation units runs  "
      "bracket       L     L^G   IW q   IW q^G  Laplace  with log|G|   k good  "
      "k\n");
  std::map<std::string, std::vector<const Result*>> groups;
  std::vector<std::string> names;
  for (const Task& task : tasks)
    for (size_t units : task.widths)
    {
      char name[64];
      std::snprintf(name, sizeof(name), "%-7s %-10s %5zu", task.problem.c_str(),
          task.tanh ? "tanh" : "relu", units);
      if (groups[name].empty())
        names.push_back(name);
      groups[name].push_back(&results.at(task.Key(units)));
    }
  for (const std::string& name : names)
  {
    const auto& rows = groups[name];
    double mean[4] = { 0, 0, 0, 0 }, width = 0, good = 0, k = 0;
    std::vector<double> rough, full;
    for (const Result* row : rows)
    {
      const double truth = row->Truth(), n = double(rows.size());
      const BoundColumn shown[] = { elbo, symmetrized, plain, weighted };
      for (size_t i = 0; i < 4; ++i)
        mean[i] += (truth - row->bound[shown[i]]) / n;
      width += row->Width() / n;
      good += row->IsGood();
      k += row->bound[shape] / n;
      if (!std::isnan(row->known[laplace]))
      {
        rough.push_back(truth - row->known[laplace]);
        full.push_back(rough.back() - row->known[order]);
      }
    }
    const auto median = [](const std::vector<double>& x)
    { return x.empty() ? arma::datum::nan : arma::median(arma::vec(x)); };
    std::printf("%s %4zu  %7.2f %7.2f %7.2f %6.2f  %7.2f  %7.2f  %11.2f  "
                "%2.0f/%zu  %.2f\n",
        name.c_str(), rows.size(), width, mean[0], mean[1], mean[2], mean[3],
        median(rough), median(full), good, rows.size(), k);
  }
}

//! What is missing to the truth with a full covariance.
void PrintFull(const std::vector<Task>& tasks, const Results& results)
{
  std::printf("\nGaussian with full covariance: log p(Y | X) minus each\n"
              "problem activation points units runs       L     L^G   IW q^G  "
              "L^G within 4, IW within 2   k   mixture: L^G   IW  within 4, "
              "2\n");
  std::map<std::string, std::vector<const Result*>> groups;
  std::vector<std::string> names;
  for (const Task& task : tasks)
    for (size_t units : task.widths)
    {
      const Result& row = results.at(task.Key(units));
      if (row.full.empty())
        continue;
      char name[64];
      std::snprintf(name, sizeof(name), "%-7s %-10s %6zu %5zu",
          task.problem.c_str(), task.tanh ? "tanh" : "relu", task.points,
          units);
      if (groups[name].empty())
        names.push_back(name);
      groups[name].push_back(&row);
    }
  for (const std::string& name : names)
  {
    const auto& rows = groups[name];
    arma::mat gaps(5, rows.size());
    arma::rowvec k(rows.size());
    for (size_t i = 0; i < rows.size(); ++i)
    {
      const FullColumn shown[] = { fullElbo, fullSymmetrized, fullWeighted,
        pooledSymmetrized, pooledWeighted };
      for (size_t c = 0; c < 5; ++c)
        gaps(c, i) = rows[i]->Truth() - rows[i]->full[shown[c]];
      k[i] = rows[i]->full[fullShape];
    }
    const arma::vec mean = arma::mean(gaps, 1);
    std::printf("%s %4zu  %7.2f %7.2f  %7.2f  %9d %11d  %13.2f  %12.2f "
                "%5.2f %7d %3d\n",
        name.c_str(), rows.size(), mean[0], mean[1], mean[2],
        int(arma::accu(gaps.row(1) < 4.0)), int(arma::accu(gaps.row(2) < 2.0)),
        arma::mean(k), mean[3], mean[4], int(arma::accu(gaps.row(3) < 4.0)),
        int(arma::accu(gaps.row(4) < 2.0)));
  }
}

//! How often each choice of width is that of the truth, and what it costs.
void PrintChoices(const std::vector<Task>& tasks, const Results& results)
{
  const char* names[] = { "L", "L^G", "IW q", "IW q^G", "Laplace + log|G|",
    "full, L^G", "full, IW q^G" };
  std::printf("\nchoice of width: how often it is the one of the largest "
              "evidence, and how much evidence it loses\n");
  for (size_t c = 0; c < 7; ++c)
  {
    size_t right = 0, sets = 0;
    double lost = 0;
    for (const Task& task : tasks)
    {
      if (task.widths.size() < 2)
        continue;
      double most = -arma::datum::inf, truth = -arma::datum::inf, chosen = 0;
      for (size_t units : task.widths)
      {
        const Result& row = results.at(task.Key(units));
        const double scores[] = { row.bound[elbo], row.bound[symmetrized],
          row.bound[plain], row.bound[weighted],
          row.known[laplace] + row.known[order],
          row.full.empty() ? -arma::datum::inf : row.full[fullSymmetrized],
          row.full.empty() ? -arma::datum::inf : row.full[fullWeighted] };
        truth = std::max(truth, row.Truth());
        if (scores[c] > most)
        {
          most = scores[c];
          chosen = row.Truth();
        }
      }
      // Where nothing could be chosen (Laplace), nothing is lost or right.
      if (std::isinf(most))
        continue;
      ++sets;
      right += (chosen == truth);
      lost += truth - chosen;
    }
    if (sets > 0)
      std::printf("  %-17s %zu of %zu, %.2f nats\n", names[c], right, sets,
          lost / double(sets));
  }
}

int Experiment(const Options& options)
{
  const size_t seeds = options.Seeds(1, 3, 10);
  std::vector<Task> tasks;
  for (size_t seed = 1; seed <= seeds; ++seed)
  {
    const auto wanted = [&](const char* problem)
    { return options["problems"].find(problem) != std::string::npos; };
    if (wanted("wedge"))
      tasks.push_back({ "wedge", false, 20, seed, { 2 } });
    for (size_t points :
        options.quick ? std::vector<size_t>{ 20 } : options.Numbers("points"))
      for (const char* problem : { "sine", "moons" })
        for (bool tanh : { false, true })
        {
          if (!wanted(problem))
            continue;
          tasks.push_back({ problem, tanh, points, seed,
              options.quick ? std::vector<size_t>{ 2, 3 } :
                              options.Numbers("units") });
        }
  }
  if (options.quick)
    for (const char* file : { "truth.csv", "bounds.csv", "full.csv" })
      std::filesystem::remove(options.File(file));
  ResultsFile truths(options.File("truth.csv"), truthColumns);
  ResultsFile bounds(options.File("bounds.csv"), boundColumns);
  ResultsFile fulls(options.File("full.csv"), fullColumns);
  ForEachRun("data sets", tasks.size(), options.jobs,
      { &truths, &bounds, &fulls },
      [&](size_t i)
      {
    if (tasks[i].problem == "moons")
    {
      FindBounds(tasks[i], symvi::BernoulliLikelihood(), options, bounds);
      FindFull(tasks[i], symvi::BernoulliLikelihood(), options, fulls);
    }
    else
    {
      FindBounds(tasks[i], symvi::GaussianLikelihood(noise), options, bounds);
      FindFull(tasks[i], symvi::GaussianLikelihood(noise), options, fulls);
    }
    FindTruth(tasks[i], options, truths);
  });
  Results results;
  for (const Task& task : tasks)
    for (size_t units : task.widths)
    {
      const std::string key = task.Key(units);
      results[key] = { truths[key], bounds[key],
        fulls.Has(key) ? fulls[key] : ResultsFile::Row() };
    }
  PrintGaps(tasks, results);
  PrintFull(tasks, results);
  PrintChoices(tasks, results);

  size_t runs = 0, good = 0, close = 0, allClose = 0, narrow = 0;
  bool ordered = true, below = true, agrees = true;
  for (const auto& [key, row] : results)
  {
    const double truth = row.Truth();
    const bool isClose = std::abs(truth - row.bound[weighted]) < 1.0;
    ++runs;
    good += row.IsGood();
    close += row.IsGood() && isClose;
    allClose += isClose;
    narrow += (row.Width() < 0.5);
    ordered = ordered && row.bound[elbo] <= row.bound[symmetrized] + 1e-6 &&
        row.bound[plain] <= row.bound[weighted] + 1e-6;
    // exp(-7) is a probability below 1e-3 for each run.
    below = below && row.bound[weighted] < truth + 0.5 * row.Width() + 7.0 &&
        (row.full.empty() ||
            row.full[fullWeighted] < truth + 0.5 * row.Width() + 7.0) &&
        !(!row.full.empty() &&
            row.full[pooledWeighted] > truth + 0.5 * row.Width() + 7.0);
    agrees = agrees &&
        (std::isnan(row.known[exact]) ||
            (row.known[exact] > row.known[low] - 0.5 &&
                row.known[exact] < row.known[high] + 0.5));
  }
  std::printf(
      "\nbracket of the truth below 0.5 nats: %zu of %zu runs\n"
      "k good: %zu of %zu runs; IW q^G within 1 nat of the truth: %zu of "
      "these, %zu of all\n",
      narrow, runs, good, runs, close, allClose);
  Claims claims;
  claims.Check(agrees, "annealing brackets quadrature, within 0.5 nats");
  claims.Check(ordered, "L <= L^G, and q^G gives no smaller a bound than q");
  claims.Check(below, "no bound is clearly above the truth");
  return claims.ExitCode();
}

int main(int argc, char** argv)
{
  return RunExample(argc, argv, "evidence",
      "bounds of log p(Y | X) against annealed importance sampling", Experiment,
      { { "units", "2 4 8 12" }, { "points", "20 60 200" },
          { "problems", "wedge sine moons" }, { "temperatures", "6400" } });
}
