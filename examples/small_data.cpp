/**
 * @file examples/small_data.cpp
 *
 * Does the symmetrized objective matter with few data?  Mean-field VI, the
 * paper's estimator with K = 20, the exact gradient and the library's default,
 * trained with common random numbers and judged by the same exact L^G, by test
 * log-likelihood and by the number of active units (KL of a unit's block above
 * 1 nat).
 */
#include <symvi.hpp>
#include <symvi/information/estimators.hpp>

#include "common/csv.hpp"
#include "common/options.hpp"
#include "common/picture.hpp"
#include "common/problems.hpp"
#include "common/runs.hpp"
#include "common/units.hpp"

#include <array>

using namespace examples;

struct Setting
{
  std::string problem;
  double sigma; // Initial posterior standard deviation; the prior has 1.

  std::string Name() const { return problem + " " + Fixed(sigma, 2); }
};

//! "exact" is the gradient that "auto" stands in for, in every step.
const std::vector<std::string> methods = { "mean-field", "uniform", "exact",
  "auto" };

//! What a run gives.  A unit is active if the KL of its block is above 1 nat,
//! and in use if one of its outgoing weights has |mu| > 2 sigma.
enum Column
{
  symmetrizedElbo,
  elbo,
  information,
  testLogDensity,
  active,
  inUse,
  smallestKL
};
const char* columns = "run,symmetrized_elbo,elbo,information,test_log_density,"
                      "active_units,units_in_use,smallest_unit_kl";

//! Epochs of Adam at 1e-2, 1e-3 and 1e-4.
using Schedule = std::array<size_t, 3>;

//! Train to convergence and evaluate; the numbers are those of `columns`.
template<typename Likelihood, typename Activation>
std::vector<double> Run(const Likelihood& likelihood, const Problem& data,
    size_t units, size_t outputs, double sigma, const std::string& method,
    const Schedule& epochs, uint32_t seed)
{
  mlpack::RandGen().seed(seed);
  arma::arma_rng::set_seed(seed);
  const symvi::BayesianOptions options = symvi::BayesianOptions().InitialSigma(
      sigma);
  symvi::BayesianFFN<Likelihood> model(likelihood);
  model.template Add<symvi::BayesianLinear>(units, options);
  model.template Add<Activation>();
  model.template Add<symvi::BayesianLinear>(outputs, options);
  model.Symmetrize() = method != "mean-field";
  if (model.Symmetrize())
    model.Estimator() = symvi::MakeEstimator(method);
  double stepSize = 1e-2;
  for (size_t i = 0; i < epochs.size() && epochs[i] > 0; ++i, stepSize /= 10)
  {
    ens::Adam adam(symvi::StepSize(stepSize, 50), 50, 0.9, 0.999, 1e-8,
        epochs[i] * data.X.n_cols, -1.0);
    model.Train(data.X, data.y, adam);
  }

  model.Estimator() = symvi::ExactEstimator();
  const symvi::ElboReport report = model.Elbo(data.X, data.y, 1000);
  const double test = arma::mean(
      model.LogDensity(data.testX, data.testY, symvi::PredictOptions(500)));
  const UnitPosteriors posterior(model.BayesianLayers());
  const arma::rowvec kl = posterior.KL(1.0);
  const arma::mat strength = arma::abs(posterior.mu.tail_rows(outputs)) /
      posterior.sigma.tail_rows(outputs);
  return { report.symmetrizedElbo, report.elbo, report.information.value, test,
    double(arma::accu(kl > 1.0)),
    double(arma::accu(arma::max(strength, 0) > 2.0)), kl.min() };
}

std::vector<double> Run(const Setting& setting, const std::string& method,
    bool quick, uint32_t seed)
{
  const double noise = 0.2;
  const Schedule sine = quick ? Schedule{ 500, 500, 0 } :
                                Schedule{ 4000, 4000, 0 };
  if (setting.problem == "sine, tanh")
    return Run<symvi::GaussianLikelihood, symvi::compat::TanH<arma::mat>>(
        symvi::GaussianLikelihood(noise), Sine(100, 500, noise, 0, 100 + seed),
        12, 1, setting.sigma, method, sine, seed);
  if (setting.problem == "sine, ReLU")
    return Run<symvi::GaussianLikelihood, symvi::compat::ReLU<arma::mat>>(
        symvi::GaussianLikelihood(noise), Sine(100, 500, noise, 0, 100 + seed),
        12, 1, setting.sigma, method, sine, seed);
  if (setting.problem == "two moons")
    return Run<symvi::CategoricalLikelihood, symvi::compat::ReLU<arma::mat>>(
        symvi::CategoricalLikelihood(), TwoMoons(200, 1000, 0.2, 100 + seed), 8,
        2, setting.sigma, method,
        quick ? Schedule{ 300, 300, 0 } : Schedule{ 2000, 2000, 0 }, seed);
  return Run<symvi::CategoricalLikelihood, symvi::compat::ReLU<arma::mat>>(
      symvi::CategoricalLikelihood(),
      Digits(SYMVI_SOURCE_DIR "/examples/data/digits.csv", 300, 100 + seed), 12,
      10, setting.sigma, method,
      quick ? Schedule{ 100, 100, 0 } : Schedule{ 1000, 5000, 1000 }, seed);
}

std::string Key(const Setting& s, const std::string& method, size_t seed)
{
  std::string name = s.problem + "/" + Fixed(s.sigma, 2) + "/" + method + "/" +
      std::to_string(seed);
  name.erase(std::remove(name.begin(), name.end(), ','), name.end());
  return name;
}

//! One column of a method's runs, a number per seed.
std::vector<double> Values(const ResultsFile& results, const Setting& s,
    size_t method, size_t seeds, Column column)
{
  std::vector<double> values;
  for (size_t seed = 1; seed <= seeds; ++seed)
    values.push_back(results[Key(s, methods[method], seed)][column]);
  return values;
}

//! The rows of one setting, and the claim about the default estimator.
void PrintSetting(const ResultsFile& results, const Setting& s, size_t seeds,
    Claims& claims)
{
  auto column = [&](size_t m, Column c)
  { return Values(results, s, m, seeds, c); };
  auto mean = [&](size_t m, Column c) { return Summary(column(m, c)).mean; };
  for (size_t m = 0; m < methods.size(); ++m)
    std::printf("%-10s  %.2f   %-22s  %9.2f         %8.4f           %5.2f   "
                "      %5.2f          %5.1f    %5.2f\n",
        s.problem.c_str(), s.sigma, methods[m].c_str(),
        mean(m, symmetrizedElbo), mean(m, testLogDensity), mean(m, active),
        mean(m, inUse), mean(m, smallestKL), mean(m, information));
  for (const auto& [a, b] : { std::make_pair(1, 0), std::make_pair(2, 0),
           std::make_pair(3, 0), std::make_pair(3, 1), std::make_pair(3, 2) })
  {
    auto difference = [&, a = a, b = b](Column c)
    { return Summary::Paired(column(a, c), column(b, c)); };
    auto text = [&](Column c, int digits)
    { return PlusMinus(difference(c).mean, difference(c).error, digits); };
    std::printf("                   %-22s  %-16s  %-17s  %-13s  %s\n",
        (methods[a] + " - " + methods[b]).c_str(),
        text(symmetrizedElbo, 2).c_str(), text(testLogDensity, 4).c_str(),
        text(active, 2).c_str(), text(inUse, 2).c_str());
    if (a == 3)
      claims.Check(difference(symmetrizedElbo).mean >=
              -2 * difference(symmetrizedElbo).error,
          s.problem + ", sigma " + Fixed(s.sigma, 2) +
              ": L^G of auto is not below that of " + methods[b] +
              " by more than two standard errors");
  }
}

//! L^G minus that of mean-field VI, a point for each run.
void Draw(const std::string& folder, const ResultsFile& results,
    const std::vector<Setting>& settings, size_t seeds)
{
  Picture picture(folder, "differences", 1100, 560);
  std::string ticks;
  std::vector<double> x[4], y[4];
  for (size_t i = 0; i < settings.size(); ++i)
  {
    const Setting& s = settings[i];
    ticks += (i ? ", \"" : "\"") + s.problem + "\\n" + Fixed(s.sigma, 2) +
        "\" " + std::to_string(i);
    const std::vector<double> base = Values(results, s, 0, seeds,
        symmetrizedElbo);
    for (const size_t m : { 1, 3 })
      for (size_t k = 0; k < seeds; ++k)
      {
        x[m].push_back(double(i) + (m == 1 ? -0.15 : 0.15));
        y[m].push_back(
            Values(results, s, m, seeds, symmetrizedElbo)[k] - base[k]);
      }
  }
  for (const size_t m : { 1, 3 })
    picture.Data("m" + std::to_string(m), x[m], y[m]);
  picture
      << "set nonlinear y via asinh(y) inverse sinh(y)\n"
         "set ytics (-300, -100, -30, -10, -3, -1, 0, 1, 3, 10, 30, 100, 300)\n"
         "set xtics ("
      << ticks
      << ")\n"
         "set xrange [-0.6:"
      << double(settings.size()) - 0.4
      << "]\n"
         "set bmargin 5\nset offsets graph 0, graph 0, graph 0.05, graph 0.05\n"
         "set xlabel 'problem and initial standard deviation' offset 0,-1\n"
         "set ylabel 'L^G minus that of mean-field VI, nats'\nset key top left\n"
         "plot 0 linecolor rgb '#888888', $m1 linetype 2 title 'uniform, K = 20', "
         "$m3 linetype 1 title 'auto'\n";
  picture.Write();
}

int Experiment(const Options& options)
{
  const size_t seeds = options.Seeds(4, 10, 20);
  const std::string only = options.quick ? "two moons 0.70" :
                                           options["problem"];
  std::vector<Setting> settings;
  for (const char* problem :
      { "sine, tanh", "sine, ReLU", "two moons", "digits" })
    for (double sigma : { 0.05, 0.7 })
    {
      const Setting s{ problem, sigma };
      if (only == "all" || s.Name().rfind(only, 0) == 0)
        settings.push_back(s);
    }
  if (settings.empty())
    throw std::invalid_argument(
        "--problem must be all or the beginning of a "
        "setting's name, as 'two moons' or 'digits 0.70', but is " +
        only);

  if (options.quick)
    std::filesystem::remove(options.File("runs.csv"));
  ResultsFile results(options.File("runs.csv"), columns);
  struct Job
  {
    const Setting* setting;
    const std::string* method;
    size_t seed;
  };
  std::vector<Job> jobs;
  for (size_t seed = 1; seed <= seeds; ++seed)
    for (const Setting& s : settings)
      for (const std::string& method : methods)
        if (!results.Has(Key(s, method, seed)))
          jobs.push_back({ &s, &method, seed });
  ForEachRun("runs", jobs.size(), options.jobs,
      [&](size_t i)
      {
    const Job& j = jobs[i];
    results.Add(Key(*j.setting, *j.method, j.seed),
        Run(*j.setting, *j.method, options.quick, uint32_t(j.seed)));
  });

  Claims claims;
  std::printf(
      "%zu seeds; means, and paired differences +- standard error\n"
      "problem     sigma  method or difference     exact L^G       test log p "
      "        active units   units in use   smallest KL   I(g; w)\n",
      seeds);
  for (const Setting& s : settings)
    PrintSetting(results, s, seeds, claims);
  Draw(options.output, results, settings, seeds);
  return claims.ExitCode();
}

int main(int argc, char** argv)
{
  return RunExample(argc, argv, "small_data",
      "four objectives on small data sets, by the same exact L^G", Experiment,
      { { "problem", "all" } });
}
