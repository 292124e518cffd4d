/**
 * @file examples/small_data.cpp
 *
 * Does the symmetrized objective matter with few data?  Mean-field VI, the
 * paper's estimator with K = 20 and the library's default, trained with common
 * random numbers and judged by the same exact L^G, by test log-likelihood and by
 * the number of active units (KL of a unit's block above 1 nat).
 */
#include <symvi.hpp>

#include "common/csv.hpp"
#include "common/options.hpp"
#include "common/problems.hpp"
#include "common/runs.hpp"
#include "common/units.hpp"

using namespace examples;

struct Setting
{
  std::string problem;
  double sigma; // Initial posterior standard deviation; the prior has 1.
};

const std::vector<std::string> methods = { "mean-field", "uniform", "auto" };
const char* columns = "run,symmetrized_elbo,elbo,information,test_log_density,"
    "active_units";

//! Train to convergence and evaluate; the numbers are those of `columns`.
template<typename Likelihood, typename Activation>
std::vector<double> Run(const Likelihood& likelihood, const Problem& data,
                        size_t units, size_t outputs, double sigma,
                        const std::string& method, size_t epochs, uint32_t seed)
{
  mlpack::RandGen().seed(seed);
  arma::arma_rng::set_seed(seed);
  const symvi::BayesianOptions options =
      symvi::BayesianOptions().InitialSigma(sigma);
  symvi::BayesianFFN<Likelihood> model(likelihood);
  model.template Add<symvi::BayesianLinear>(units, options);
  model.template Add<Activation>();
  model.template Add<symvi::BayesianLinear>(outputs, options);
  model.Symmetrize() = method != "mean-field";
  if (model.Symmetrize())
    model.Estimator() = symvi::AnyEstimator(method, 20);
  for (double stepSize : { 1e-2, 1e-3 })
  {
    ens::Adam adam(stepSize, 50, 0.9, 0.999, 1e-8, epochs * data.X.n_cols, -1.0);
    model.Train(data.X, data.y, adam);
  }

  model.Estimator() = symvi::AnyEstimator("exact");
  const symvi::ElboReport report = model.Elbo(data.X, data.y, 1000);
  const double test = arma::mean(model.LogDensity(data.testX, data.testY,
      symvi::PredictOptions(500)));
  const arma::rowvec kl = UnitPosteriors(model.BayesianLayers()).KL(1.0);
  return { report.symmetrizedElbo, report.elbo, report.information.value, test,
      double(arma::accu(kl > 1.0)) };
}

std::vector<double> Run(const Setting& setting, const std::string& method,
                        bool quick, uint32_t seed)
{
  const double noise = 0.2;
  if (setting.problem == "sine, tanh")
    return Run<symvi::GaussianLikelihood, mlpack::TanH>(
        symvi::GaussianLikelihood(noise), Sine(100, 500, noise, 0, 100 + seed),
        12, 1, setting.sigma, method, quick ? 500 : 4000, seed);
  if (setting.problem == "sine, ReLU")
    return Run<symvi::GaussianLikelihood, mlpack::ReLU>(
        symvi::GaussianLikelihood(noise), Sine(100, 500, noise, 0, 100 + seed),
        12, 1, setting.sigma, method, quick ? 500 : 4000, seed);
  if (setting.problem == "two moons")
    return Run<symvi::CategoricalLikelihood, mlpack::ReLU>(
        symvi::CategoricalLikelihood(), TwoMoons(200, 1000, 0.2, 100 + seed), 8,
        2, setting.sigma, method, quick ? 300 : 2000, seed);
  return Run<symvi::CategoricalLikelihood, mlpack::ReLU>(
      symvi::CategoricalLikelihood(), Digits(SYMVI_SOURCE_DIR
      "/examples/data/digits.csv", 300, 100 + seed), 12, 10, setting.sigma,
      method, quick ? 100 : 1000, seed);
}

int main(int argc, char** argv)
{
  const Options options(argc, argv, "small_data",
      "three objectives on small data sets, by the same exact L^G");
  const size_t seeds = options.Seeds(4, 10, 20);
  std::vector<Setting> settings;
  for (const char* problem : { "sine, tanh", "sine, ReLU", "two moons",
      "digits" })
    for (double sigma : { 0.05, 0.7 })
      if (!options.quick || (problem == std::string("two moons") && sigma > 0.5))
        settings.push_back({ problem, sigma });

  if (options.quick)
    std::filesystem::remove(options.File("runs.csv"));
  ResultsFile results(options.File("runs.csv"), columns);
  auto key = [](const Setting& s, const std::string& method, size_t seed)
  {
    std::string name = s.problem + "/" + Fixed(s.sigma, 2) + "/" + method + "/" +
        std::to_string(seed);
    name.erase(std::remove(name.begin(), name.end(), ','), name.end());
    return name;
  };
  struct Job { const Setting* setting; const std::string* method; size_t seed; };
  std::vector<Job> jobs;
  for (size_t seed = 1; seed <= seeds; ++seed)
    for (const Setting& s : settings)
      for (const std::string& method : methods)
        if (!results.Has(key(s, method, seed)))
          jobs.push_back({ &s, &method, seed });
  ForEachRun("runs", jobs.size(), options.jobs, [&](size_t i)
  {
    const Job& j = jobs[i];
    results.Add(key(*j.setting, *j.method, j.seed), Run(*j.setting, *j.method,
        options.quick, uint32_t(j.seed)));
  });

  Claims claims;
  std::printf("%zu seeds; means, and paired differences +- standard error\n"
      "problem     sigma  method or difference     exact L^G          "
      "test log p        active units\n", seeds);
  for (const Setting& s : settings)
  {
    auto column = [&](size_t m, size_t i)
    {
      std::vector<double> values;
      for (size_t seed = 1; seed <= seeds; ++seed)
        values.push_back(results[key(s, methods[m], seed)][i]);
      return values;
    };
    for (size_t m = 0; m < 3; ++m)
      std::printf("%-10s  %.2f   %-22s  %9.2f          %8.4f          %5.2f\n",
          s.problem.c_str(), s.sigma, methods[m].c_str(),
          Summary(column(m, 0)).mean, Summary(column(m, 3)).mean,
          Summary(column(m, 4)).mean);
    for (const auto& [a, b] : { std::make_pair(1, 0), std::make_pair(2, 0),
        std::make_pair(2, 1) })
    {
      Summary d[3] = { Summary::Paired(column(a, 0), column(b, 0)),
          Summary::Paired(column(a, 3), column(b, 3)),
          Summary::Paired(column(a, 4), column(b, 4)) };
      std::printf("                   %-22s  %-17s  %-18s  %s\n",
          (methods[a] + " - " + methods[b]).c_str(),
          PlusMinus(d[0].mean, d[0].error, 2).c_str(),
          PlusMinus(d[1].mean, d[1].error, 4).c_str(),
          PlusMinus(d[2].mean, d[2].error, 2).c_str());
      if (a == 2)
        claims.Check(d[0].mean > -2 * d[0].error - 0.1, s.problem + ", sigma " +
            Fixed(s.sigma, 2) + ": L^G of auto is not below that of " +
            methods[b]);
    }
  }
  return claims.ExitCode();
}
