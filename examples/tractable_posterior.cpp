/**
 * @file examples/tractable_posterior.cpp
 *
 * The two-weight network whose posterior can be drawn [Gelberg2024, Sec. 5,
 * Tables 2 and 3]: mean-field VI, the paper's SGM and the exact symmetrized
 * ELBO, by the paper's protocol and run to convergence.
 */
#include <symvi.hpp>

#include "common/csv.hpp"
#include "common/options.hpp"
#include "common/picture.hpp"
#include "common/runs.hpp"
#include "tractable_network.hpp"

#include <array>
#include <map>

using namespace examples;

// Not stated in the paper; see docs/experiments.md.
constexpr double noiseVariance = 5.0, priorStddev = 0.1, initialSigma = 0.05,
                 meanStddev = 0.25;

//! Methods: L itself, the paper's estimator with K = 20, L^G by enumeration.
const char* methods[] = { "mean-field", "uniform", "exact" };

//! MSE of the average of 1000 models, average MSE of 1000 models, posterior.
struct Outcome
{
  double mse, modelMse;
  TwoWeights q;
};

//! The runs of one method at one alpha, a number per seed.
struct Runs
{
  std::vector<double> mse, modelMse, elbo, symmetrizedElbo;
};

double Mse(const arma::mat& f, const arma::mat& y)
{
  return arma::accu(arma::square(f - y)) / double(y.n_elem);
}

//! One training run.  A seed means the same start, data order and noise for
//! every method.
Outcome Train(const TractableNetwork& data, const TractableNetwork& test,
    const std::string& method, size_t epochs, uint64_t seed)
{
  mlpack::RandGen().seed(uint32_t(seed));
  arma::arma_rng::set_seed(seed);
  arma::mat start(2, 1);
  symvi::RandomStream(seed).FillNormal(start.memptr(), 2);

  mlpack::FFN<symvi::GaussianLikelihood> network(
      symvi::GaussianLikelihood(std::sqrt(noiseVariance)));
  network.Add<symvi::BayesianLinearNoBias>(2,
      symvi::BayesianOptions()
          .PriorStddev(priorStddev)
          .InitialSigma(initialSigma)
          .Means(meanStddev * start)
          .Evaluation(symvi::EvaluationMode::Draw));
  network.Add<mlpack::ReLU>();
  network.Add<symvi::FixedLinear>(arma::mat{ { 1.0, 1.0 } });

  const bool symmetrize = method != "mean-field";
  symvi::SymmetrizedELBO<decltype(network)> elbo(network, data.X, data.y,
      symmetrize ? symvi::MakeEstimator(method) : nullptr);
  ens::Adam adam(symvi::StepSize(5e-3, 10), 10, 0.9, 0.999, 1e-8,
      epochs * data.X.n_cols, -1.0);
  adam.Optimize(elbo, network.Parameters());

  arma::mat mean(1, test.X.n_cols, arma::fill::zeros), f;
  double modelMse = 0;
  for (size_t s = 0; s < 1000; ++s)
  {
    network.Predict(test.X, f);
    mean += f / 1000;
    modelMse += Mse(f, test.y) / 1000;
  }
  const arma::mat& p = network.Parameters(); // [mu; rho]
  return { Mse(mean, test.y), modelMse,
    TwoWeights(p.rows(0, 1), arma::log1p(arma::exp(p.rows(2, 3))), data) };
}

//! Posterior, mean-field fit and symmetrized fit, a column per alpha.
void Draw(const std::string& folder, const std::vector<TractableNetwork>& data,
    const std::vector<std::vector<Outcome>>& fits, const std::string& name)
{
  Picture picture(folder, name, 1300, 1050);
  picture << "set multiplot layout 3,4\nset view map\nunset colorbox\n"
             "set isosamples 121\nset samples 121\nset size square\nunset key\n"
             "set xtics 0.2\nset ytics 0.2\nset xlabel 'w_1'\n"
             "set ylabel 'w_2' offset 1.5,0\n"
             "set palette defined (0 'white', 1 '#0072b2', 2 '#002244')\n"
             "r(x) = x > 0 ? x : 0\n"
             "n(x, m, s) = exp(-(x - m)**2 / (2 * s**2)) / s\n";
  for (size_t row = 0; row < 3; ++row)
    for (size_t i = 0; i < data.size(); ++i)
    {
      const TractableNetwork& d = data[i];
      picture << "set xrange [-0.4:0.4]\nset yrange [-0.4:0.4]\nset title '";
      if (row == 0)
        picture << "posterior, alpha = " << d.alpha << "'\nsplot exp(-("
                << d.positive << " * (" << d.alpha << " - r(x) - r(y))**2 + "
                << d.negative << " * (" << d.alpha << " - r(-x) - r(-y))**2) / "
                << 2 * d.noiseVariance << " - (x**2 + y**2) / "
                << 2 * d.priorStddev * d.priorStddev << ") with pm3d\n";
      else
      {
        const TwoWeights& q = fits[i][row == 1 ? 0 : 2].q;
        picture << (row == 1 ? "mean-field q" : "symmetrized q^G, exact")
                << "'\nf(x, y) = n(x, " << q.mu[0] << ", " << q.sigma[0]
                << ") * n(y, " << q.mu[1] << ", " << q.sigma[1]
                << ")\nsplot f(x, y)" << (row == 1 ? "" : " + f(y, x)")
                << " with pm3d\n";
      }
    }
  picture.Write();
}

//! All runs at one alpha: prints, saves and checks them; the first seed's fits
//! are given back for the picture.
std::vector<Outcome> RunAlpha(double alpha, size_t epochs, size_t seeds,
    size_t jobs, CsvWriter& csv, Claims& claims)
{
  // [Gelberg2024]: MSE of mean-field and SGM (Table 2), L of mean-field (3).
  const std::map<double, std::array<double, 3>> paper = {
    { 0.05, { 0.11, 0.09, -0.022 } }, { 0.1, { 0.12, 0.09, -0.025 } },
    { 0.15, { 0.13, 0.10, -0.032 } }, { 0.2, { 0.18, 0.12, -0.042 } }
  };
  const double points = 100; // An ELBO a point, without log p's constant.
  auto normalized = [&](const std::vector<double>& sum)
  {
    return Summary(sum).mean / points +
        0.5 * std::log(2 * M_PI * noiseVariance);
  };
  const std::vector<double> zeros(seeds);
  std::vector<Runs> runs(3, Runs{ zeros, zeros, zeros, zeros });
  std::vector<double> evidence(seeds);
  std::vector<std::vector<Outcome>> fits(seeds);
  ForEachRun("alpha " + Fixed(alpha, 2), seeds, jobs,
      [&](size_t seed)
      {
    const TractableNetwork data(alpha, 100, noiseVariance, priorStddev,
        1000 + seed),
        test(alpha, 1000, 1, 1, 5000 + seed);
    evidence[seed] = data.LogEvidence();
    for (size_t m = 0; m < 3; ++m)
    {
      fits[seed].push_back(Train(data, test, methods[m], epochs, seed + 1));
      const Outcome& fit = fits[seed].back();
      runs[m].mse[seed] = fit.mse;
      runs[m].modelMse[seed] = fit.modelMse;
      runs[m].elbo[seed] = fit.q.elbo;
      runs[m].symmetrizedElbo[seed] = fit.q.symmetrizedElbo;
    }
  });

  bool ordered = true;
  for (size_t m = 0; m < 3; ++m)
  {
    const Runs& r = runs[m];
    for (size_t i = 0; i < seeds; ++i)
    {
      csv.Row(alpha, i, methods[m], r.mse[i], r.modelMse[i], r.elbo[i],
          r.symmetrizedElbo[i], evidence[i]);
      const double information = r.symmetrizedElbo[i] - r.elbo[i];
      ordered = ordered && information > -1e-6 &&
          information < std::log(2.0) + 1e-6 &&
          r.symmetrizedElbo[i] < evidence[i] + 1e-3;
    }
    const Summary mse(r.mse), modelMse(r.modelMse),
        gain = Summary::Paired(r.symmetrizedElbo, runs[0].symmetrizedElbo);
    std::printf("%5.2f  %8.2f  %-10s  %s  %s  %8.3f  %8.3f  %7.4f  %7.4f  %s",
        alpha, Summary(evidence).mean, methods[m],
        PlusMinus(mse.mean, mse.error, 4).c_str(),
        PlusMinus(modelMse.mean, modelMse.error, 4).c_str(),
        Summary(r.elbo).mean, Summary(r.symmetrizedElbo).mean,
        normalized(r.elbo), normalized(r.symmetrizedElbo),
        m == 0 ? "" : PlusMinus(gain.mean, gain.error, 3).c_str());
    if (epochs == 10)
      std::printf("  (paper: MSE %.2f%s)", paper.at(alpha)[m > 0],
          m == 0 ? (", L " + Fixed(paper.at(alpha)[2], 3)).c_str() : "");
    std::printf("\n");
  }
  const Summary gain = Summary::Paired(runs[2].symmetrizedElbo,
      runs[0].symmetrizedElbo);
  claims.Check(ordered,
      "alpha " + Fixed(alpha, 2) +
          ": L <= L^G <= log evidence and L^G - L <= log 2 in every run");
  if (epochs > 10)
    claims.Check(gain.mean >
            (alpha < 0.12 ? 3 * gain.error : -2 * gain.error - 1e-2),
        "alpha " + Fixed(alpha, 2) + ": the exact term " +
            (alpha < 0.12 ? "raises" : "does not lower") + " L^G");
  return fits[0];
}

int Experiment(const Options& options)
{
  const size_t seeds = options.Seeds(5, 100, 400);
  Claims claims;
  for (size_t epochs : { size_t(10), size_t(options.quick ? 200 : 1000) })
  {
    const std::string name = epochs == 10 ? "protocol" : "converged";
    CsvWriter csv(options.File(name + ".csv"),
        "alpha,seed,method,mse,model_mse,elbo,symmetrized_elbo,evidence");
    std::printf(
        "\n%s: %zu epochs, %zu seeds; nats, mean +- standard error\n"
        "alpha  evidence  method      MSE of average     average MSE       "
        "L         exact L^G  normalized L, L^G  L^G minus mean-field's, "
        "paired\n",
        name.c_str(), epochs, seeds);
    std::vector<TractableNetwork> data;
    std::vector<std::vector<Outcome>> fits;
    for (double alpha : { 0.05, 0.1, 0.15, 0.2 })
    {
      fits.push_back(RunAlpha(alpha, epochs, seeds, options.jobs, csv, claims));
      data.emplace_back(alpha, 100, noiseVariance, priorStddev, 1000);
    }
    Draw(options.output, data, fits, name);
  }
  return claims.ExitCode();
}

int main(int argc, char** argv)
{
  return RunExample(argc, argv, "tractable_posterior",
      "two weights, exact posterior [Gelberg2024, Sec. 5]", Experiment);
}
