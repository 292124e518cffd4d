/**
 * @file examples/model_selection.cpp
 *
 * Choosing the hidden width and the prior scale on a small regression problem
 * by L, by L^G and by held-out log-likelihood.  A plain ELBO misses up to
 * log|G| nats, of d tanh units log(2^d d!), and so prefers narrow networks; L^G
 * does not.
 */
#include <symvi.hpp>
#include <symvi/model/selection.hpp>
#include <symvi/symmetry/permutation_group.hpp>

#include "common/csv.hpp"
#include "common/options.hpp"
#include "common/picture.hpp"
#include "common/problems.hpp"
#include "common/runs.hpp"

using namespace examples;
using Model = symvi::BayesianFFN<symvi::GaussianLikelihood>;

Model Build(size_t units, double priorStddev, double noise)
{
  const symvi::BayesianOptions options = symvi::BayesianOptions().PriorStddev(
      priorStddev);
  Model model((symvi::GaussianLikelihood(noise)));
  model.Add<symvi::BayesianLinear>(units, options);
  model.Add<mlpack::TanH>();
  model.Add<symvi::BayesianLinear>(1, options);
  return model;
}

struct Candidate
{
  size_t units;
  double prior;

  std::string Key(size_t seed) const
  {
    return std::to_string(seed) + "/" + std::to_string(units) + "/" +
        Fixed(prior, 1);
  }
};

//! What a fit of a candidate says; the first three are criteria of choice.
enum Column
{
  elbo,
  symmetrized,
  heldOut,
  lower,
  upper
};
const char* columns =
    "data_set/units/prior,elbo,symmetrized_elbo,held_out,lower,upper";
const char* criteria[] = { "L", "L^G", "held-out log p" };

//! Fits the candidates that the results lack for one data set.  Each fit is
//! seeded by itself, so that the others make no difference.
void FitMissing(const std::vector<Candidate>& candidates, size_t seed,
    const Options& options, ResultsFile& results)
{
  const double noise = options.Real("noise");
  const Problem data = Sine(60, 1000, noise, 0.0, seed);
  symvi::ModelSelection<Model> selection;
  for (const Candidate& c : candidates)
    if (!results.Has(c.Key(seed)))
      selection.Add(c.Key(seed),
          [=]() { return Build(c.units, c.prior, noise); });
  if (selection.NumCandidates() == 0)
    return;
  selection.Threads() = options.jobs;
  selection.Over(Ranks());
  selection.Restarts() = options.quick ? 1 : 2;
  selection.Seed() = seed;
  ens::Adam adam(symvi::StepSize(1e-2, 20), 20, 0.9, 0.999, 1e-8,
      (options.quick ? 1000 : 6000) * data.X.n_cols, -1.0);
  for (const symvi::SelectionResult& r : selection.Run(data.X, data.y, adam))
    results.Add(r.name,
        { r.report.elbo, r.report.symmetrizedElbo,
            arma::mean(arma::vectorise(
                selection.Model(r.index).LogDensity(data.testX, data.testY))),
            r.Lower(), r.Upper() });
}

//! The candidate that a criterion chooses on one data set.
size_t Best(const std::vector<Candidate>& candidates, size_t seed,
    const ResultsFile& results, size_t criterion)
{
  return size_t(std::max_element(candidates.begin(), candidates.end(),
                    [&](const Candidate& a, const Candidate& b) {
    return results[a.Key(seed)][criterion] < results[b.Key(seed)][criterion];
  }) - candidates.begin());
}

//! Counts pairs of candidates of different width, and those of them that L and
//! L^G rank the other way round.
std::pair<size_t, size_t> CountReversals(
    const std::vector<Candidate>& candidates, size_t seed,
    const ResultsFile& results)
{
  size_t pairs = 0, reversed = 0;
  for (const Candidate& a : candidates)
    for (const Candidate& b : candidates)
      if (a.units < b.units)
      {
        const ResultsFile::Row& x = results[a.Key(seed)];
        const ResultsFile::Row& y = results[b.Key(seed)];
        ++pairs;
        reversed += (x[elbo] - y[elbo]) * (x[symmetrized] - y[symmetrized]) < 0;
      }
  return { pairs, reversed };
}

//! L, L^G and held-out data against width, a line for each prior.
void Draw(const std::string& folder, const std::vector<Candidate>& candidates,
    const std::vector<std::vector<Summary>>& scores)
{
  Picture picture(folder, "evidence", 1300, 460);
  std::map<double, std::vector<size_t>> priors;
  for (size_t c = 0; c < candidates.size(); ++c)
    priors[candidates[c].prior].push_back(c);
  std::string plots[3];
  for (const auto& [prior, members] : priors)
  {
    const std::string block = "prior" + std::to_string(int(10 * prior));
    std::vector<double> x, means[3], errors[3];
    for (size_t c : members)
    {
      x.push_back(double(candidates[c].units));
      for (size_t k = 0; k < 3; ++k)
      {
        means[k].push_back(scores[c][k].mean);
        errors[k].push_back(scores[c][k].error);
      }
    }
    picture.Data(block, x, means[0], errors[0], means[1], errors[1], means[2],
        errors[2]);
    for (size_t k = 0; k < 3; ++k)
      plots[k] += (plots[k].empty() ? "plot $" : ", $") + block +
          " using 1:" + std::to_string(2 * k + 2) + ":" +
          std::to_string(2 * k + 3) + " with yerrorlines title 'prior " +
          Fixed(prior, 1) + "'";
  }
  // One or two units do not fit at all and would flatten everything else.
  picture << "set multiplot layout 1,3\nset xlabel 'hidden units'\n"
             "set logscale x 2\nset xrange [1.6:32]\n"
             "set xtics (2, 3, 4, 6, 8, 12, 16, 24)\n"
             "set key bottom\n";
  const char* ranges[] = { "[-270:0]", "[-270:0]", "[-2:1]" };
  for (size_t k = 0; k < 3; ++k)
    picture << "set ylabel '" << criteria[k] << (k < 2 ? ", nats" : " a point")
            << "'\nset yrange " << ranges[k] << "\n"
            << plots[k] << "\n";
  picture.Write();
}

int Experiment(const Options& options)
{
  const size_t seeds = options.Seeds(1, 5, 10);
  std::vector<Candidate> candidates;
  for (size_t units : options.quick ? std::vector<size_t>{ 2, 4, 12 } :
                                      options.Numbers("units"))
    for (double prior : { 0.5, 1.0, 2.0 })
      if (!options.quick || prior == 1.0)
        candidates.push_back({ units, prior });

  UseOneBlasThread();
  if (options.quick)
    std::filesystem::remove(options.File("scores.csv"));
  ResultsFile results(options.File("scores.csv"), columns);
  {
    Progress progress("data sets", Ranks().IsRoot() ? seeds : 0);
    for (size_t seed = 1; seed <= seeds; ++seed, progress.Step())
      FitMissing(candidates, seed, options, results);
  }

  // How often each criterion chose a candidate, and the widths chosen.
  std::vector<std::vector<size_t>> chosen(3,
      std::vector<size_t>(candidates.size()));
  double width[3] = { 0, 0, 0 };
  size_t pairs = 0, reversed = 0;
  for (size_t seed = 1; seed <= seeds; ++seed)
  {
    std::printf("data set %zu:", seed);
    for (size_t k = 0; k < 3; ++k)
    {
      const size_t best = Best(candidates, seed, results, k);
      ++chosen[k][best];
      width[k] += double(candidates[best].units) / double(seeds);
      std::printf("%s %s chooses %zu units, prior %.1f", k ? ";" : "",
          criteria[k], candidates[best].units, candidates[best].prior);
    }
    std::printf("\n");
    const auto [p, n] = CountReversals(candidates, seed, results);
    pairs += p;
    reversed += n;
  }
  bool bracketed = true;
  std::vector<std::vector<Summary>> scores;
  std::printf(
      "\nmeans over %zu data sets of 60 points; in brackets how often "
      "a criterion chose the candidate\nunits  prior   L                "
      "L^G              log|G|   held-out log p a point\n",
      seeds);
  for (size_t c = 0; c < candidates.size(); ++c)
  {
    const double logOrder =
        symvi::PermutationGroup({ candidates[c].units }, true).LogOrder();
    std::vector<double> values[3];
    for (size_t seed = 1; seed <= seeds; ++seed)
    {
      const ResultsFile::Row& row = results[candidates[c].Key(seed)];
      for (size_t k = 0; k < 3; ++k)
        values[k].push_back(row[k]);
      const double information = row[symmetrized] - row[elbo];
      bracketed = bracketed && row[lower] <= row[upper] &&
          information > -1e-6 && information < logOrder + 1e-6;
    }
    scores.push_back(
        { Summary(values[0]), Summary(values[1]), Summary(values[2]) });
    std::printf("%5zu  %5.1f   %8.2f [%zu]     %8.2f [%zu]     %6.2f   %8.4f "
                "[%zu]\n",
        candidates[c].units, candidates[c].prior, scores[c][elbo].mean,
        chosen[0][c], scores[c][symmetrized].mean, chosen[1][c], logOrder,
        scores[c][heldOut].mean, chosen[2][c]);
  }
  std::printf(
      "mean width chosen: %.1f by L, %.1f by L^G, %.1f by held-out "
      "data\npairs of candidates of different width that L and L^G rank the "
      "other way round: %zu of %zu\n",
      width[0], width[1], width[2], reversed, pairs);
  Draw(options.output, candidates, scores);

  Claims claims;
  claims.Check(bracketed, "L <= L^G <= L + log|G| for every candidate");
  claims.Check(width[0] <= width[1],
      "L does not choose wider networks than L^G");
  return claims.ExitCode();
}

int main(int argc, char** argv)
{
  return RunExample(argc, argv, "model_selection",
      "hidden width and prior scale by L, by L^G and by held-out data",
      Experiment, { { "units", "1 2 3 4 6 8 12 16 24" }, { "noise", "0.1" } });
}
