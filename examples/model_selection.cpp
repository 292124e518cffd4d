/**
 * @file examples/model_selection.cpp
 *
 * Choosing the hidden width and the prior scale on a small regression problem
 * by L, by L^G and by held-out log-likelihood.  A plain ELBO misses up to log d!
 * nats of a layer of d units and so prefers narrow networks; L^G does not.
 */
#include <symvi.hpp>
#include <symvi/model/selection.hpp>

#include "common/csv.hpp"
#include "common/options.hpp"
#include "common/picture.hpp"
#include "common/problems.hpp"
#include "common/runs.hpp"

using namespace examples;
using Model = symvi::BayesianFFN<symvi::GaussianLikelihood>;

constexpr double noise = 0.1;

Model Build(size_t units, double priorStddev)
{
  const symvi::BayesianOptions options =
      symvi::BayesianOptions().PriorStddev(priorStddev);
  Model model((symvi::GaussianLikelihood(noise)));
  model.Add<symvi::BayesianLinear>(units, options);
  model.Add<mlpack::TanH>();
  model.Add<symvi::BayesianLinear>(1, options);
  return model;
}

//! What one fit of a candidate says: L, L^G and held-out log-likelihood.
struct Scores
{
  std::vector<double> elbo, symmetrized, heldOut; // A number per data set.
};

int main(int argc, char** argv)
{
  const Options options(argc, argv, "model_selection",
      "hidden width and prior scale by L, by L^G and by held-out data");
  const size_t seeds = options.Seeds(1, 5, 10);
  const std::vector<size_t> widths = options.quick ?
      std::vector<size_t>{ 2, 4, 12 } :
      std::vector<size_t>{ 1, 2, 3, 4, 6, 8, 12, 16, 24 };
  const std::vector<double> priors = options.quick ? std::vector<double>{ 1.0 } :
      std::vector<double>{ 0.5, 1.0, 2.0 };

  UseOneBlasThread();
  std::vector<Scores> scores(widths.size() * priors.size());
  bool bracketed = true;
  CsvWriter csv(options.File("scores.csv"),
      "data_set,units,prior,elbo,symmetrized_elbo,lower,upper,held_out");
  Progress progress("data sets", seeds);
  for (size_t seed = 1; seed <= seeds; ++seed)
  {
    const Problem data = Sine(60, 1000, noise, 0.0, seed);
    symvi::ModelSelection<Model> selection;
    for (size_t units : widths)
      for (double prior : priors)
        selection.Add(std::to_string(units) + " units, prior " +
            Fixed(prior, 1), [=]() { return Build(units, prior); });
    selection.Threads() = options.jobs;
    selection.Restarts() = options.quick ? 1 : 2;
    selection.Seed() = seed;
    ens::Adam adam(1e-2, 20, 0.9, 0.999, 1e-8,
        (options.quick ? 1000 : 6000) * data.X.n_cols, -1.0);
    for (const symvi::SelectionResult& r : selection.Run(data.X, data.y, adam))
    {
      const double heldOut = arma::accu(selection.Model(r.index).LogDensity(
          data.testX, data.testY)) / double(data.testX.n_cols);
      Scores& s = scores[r.index];
      s.elbo.push_back(r.report.elbo);
      s.symmetrized.push_back(r.report.symmetrizedElbo);
      s.heldOut.push_back(heldOut);
      csv.Row(seed, widths[r.index / priors.size()], priors[r.index %
          priors.size()], r.report.elbo, r.report.symmetrizedElbo, r.Lower(),
          r.Upper(), heldOut);
      bracketed = bracketed && r.Lower() <= r.Upper() && r.report.elbo <=
          r.report.symmetrizedElbo + 1e-9 && r.report.symmetrizedElbo <=
          r.report.elbo + r.report.logGroupOrder + 1e-9;
    }
    progress.Step();
  }

  // The mean over data sets, and how often each criterion chose a candidate.
  std::printf("means over %zu data sets of 60 points; in brackets how often a "
      "criterion chose the candidate\nunits  prior   L                L^G      "
      "        log d!   held-out log p a point\n", seeds);
  std::vector<std::vector<size_t>> chosen(3, std::vector<size_t>(scores.size()));
  double meanWidth[3] = { 0, 0, 0 };
  for (size_t i = 0; i < seeds; ++i)
    for (size_t k = 0; k < 3; ++k)
    {
      auto value = [&](const Scores& s)
          { return (k == 0 ? s.elbo : k == 1 ? s.symmetrized : s.heldOut)[i]; };
      const size_t best = std::max_element(scores.begin(), scores.end(),
          [&](const Scores& a, const Scores& b) { return value(a) < value(b); })
          - scores.begin();
      ++chosen[k][best];
      meanWidth[k] += double(widths[best / priors.size()]) / double(seeds);
    }
  Picture picture(options.output, "evidence", 1200, 450);
  for (size_t p = 0; p < priors.size(); ++p)
  {
    std::vector<double> x, columns[6];
    for (size_t w = 0; w < widths.size(); ++w)
    {
      const size_t c = w * priors.size() + p;
      const Summary s[3] = { Summary(scores[c].elbo),
          Summary(scores[c].symmetrized), Summary(scores[c].heldOut) };
      std::printf("%5zu  %5.1f   %8.2f [%zu]     %8.2f [%zu]     %6.2f   %8.4f "
          "[%zu]\n", widths[w], priors[p], s[0].mean, chosen[0][c], s[1].mean,
          chosen[1][c], std::lgamma(double(widths[w]) + 1), s[2].mean,
          chosen[2][c]);
      x.push_back(double(widths[w]));
      for (size_t k = 0; k < 3; ++k)
      {
        columns[2 * k].push_back(s[k].mean);
        columns[2 * k + 1].push_back(s[k].error);
      }
    }
    picture.Data("prior" + std::to_string(p), x, columns[0], columns[1],
        columns[2], columns[3], columns[4], columns[5]);
  }
  picture << "set multiplot layout 1,3\nset xlabel 'hidden units'\nset logscale "
      "x 2\nset xrange [0.8:32]\nset key bottom\n";
  const char* titles[] = { "L, nats", "L^G, nats", "held-out log p a point" };
  for (size_t k = 0; k < 3; ++k)
  {
    picture << "set title '" << titles[k] << "'\nplot ";
    for (size_t p = 0; p < priors.size(); ++p)
      picture << "$prior" << p << " using 1:" << 2 * k + 2 << ":" << 2 * k + 3
          << " with yerrorlines linetype " << p + 1 << " title 'prior "
          << priors[p] << "', ";
    picture << "NaN\n";
  }
  picture.Write();
  std::printf("mean width chosen: %.1f by L, %.1f by L^G, %.1f by held-out "
      "data\n", meanWidth[0], meanWidth[1], meanWidth[2]);

  Claims claims;
  claims.Check(bracketed, "L <= L^G <= L + log|G| for every candidate");
  claims.Check(meanWidth[0] <= meanWidth[1],
      "L does not choose wider networks than L^G");
  return claims.ExitCode();
}
