/**
 * @file examples/symmetrization.cpp
 *
 * What symmetrization does [Gelberg2024, Fig. 1, Cor. 4.2, Thm. 4.3]: a
 * posterior q of two exchangeable units against q^G, and the entropy bound H^K
 * against K beside the exact entropy and the library's estimators.
 */
#include <symvi/information/estimator.hpp>

#include <armadillo>

#include "common/csv.hpp"
#include "common/options.hpp"
#include "common/picture.hpp"
#include "common/runs.hpp"

using namespace examples;

/**
 * d units with `inputs` incoming weights, a bias and one outgoing weight, means
 * N(0, 1) and one sigma for all, as a chain that estimators take.
 */
struct Units
{
  arma::mat mu[2], sigma[2], weight[2];
  symvi::SymmetricChain<double> chain;
  symvi::RandomStream stream;

  Units(size_t d, size_t inputs, double spread, uint64_t seed) : stream(seed)
  {
    const size_t sizes[2] = { d * (inputs + 1), d + 1 };
    for (size_t l = 0; l < 2; ++l)
    {
      mu[l].set_size(sizes[l], 1);
      stream.FillNormal(mu[l].memptr(), sizes[l]);
      sigma[l].set_size(sizes[l], 1);
      sigma[l].fill(spread);
      weight[l] = mu[l];
      chain.layers.push_back({ l == 0 ? d : 1, l == 0 ? inputs : d, true,
          mu[l].memptr(), sigma[l].memptr(), weight[l].memptr() });
    }
    symvi::HiddenUnits hidden;
    hidden.size = d;
    chain.hidden.push_back(hidden);
  }

  void Draw()
  {
    for (size_t l = 0; l < 2; ++l)
    {
      stream.FillNormal(weight[l].memptr(), weight[l].n_elem);
      weight[l] = mu[l] + sigma[l] % weight[l];
    }
  }
};

//! Mean and standard error of the estimates of I(g; w) over draws of w from
//! each of `posteriors` posteriors.  These and the draws are the same for every
//! estimator.
Summary Information(double sigma, symvi::InformationEstimator& estimator,
    size_t posteriors, size_t draws)
{
  std::vector<double> values;
  for (size_t p = 0; p < posteriors; ++p)
  {
    Units units(8, 3, sigma, 7 + p);
    symvi::RandomStream permutations(1 + p);
    for (size_t i = 0; i < draws; ++i)
    {
      units.Draw();
      values.push_back(estimator.Evaluate(units.chain, permutations).value);
    }
  }
  return Summary(values);
}

//! q and q^G of (w_1, w_2), the weights of f(x) = ReLU(w_1 x) + ReLU(w_2 x).
void DrawDensities(const std::string& folder)
{
  Picture picture(folder, "densities", 1000, 460);
  picture
      << "n(x, m, s) = exp(-(x - m)**2 / (2 * s**2)) / (sqrt(2 * pi) * s)\n"
         "q(x, y) = n(x, 1.2, 0.45) * n(y, -0.4, 0.3)\n"
         "set multiplot layout 1,2\nset size square\nset xrange [-2.5:2.5]\n"
         "set yrange [-2.5:2.5]\nset xlabel 'w_1'\nset ylabel 'w_2'\n"
         "set isosamples 151\nset samples 151\nset view map\nunset colorbox\n"
         "set palette defined (0 'white', 1 '#0072b2', 2 '#002244')\n"
         "set title 'q'\nsplot q(x, y) with pm3d\n"
         "set title 'q^G = (q(w_1, w_2) + q(w_2, w_1)) / 2'\n"
         "splot 0.5 * (q(x, y) + q(y, x)) with pm3d\n";
  picture.Write();
}

int Experiment(const Options& options)
{
  const size_t posteriors = options.Seeds(1, 1, 5);
  const size_t draws = options.quick ? 400 : 4000;
  const size_t largest = options.quick ? 64 : 4096;
  Claims claims;
  CsvWriter csv(options.File("information.csv"), "sigma,estimator,k,i,error");
  Picture picture(options.output, "information", 900, 560);
  picture << "set logscale x 2\nset xlabel 'K'\nset ylabel "
             "'H^K - H(q)  (nats)'\nset key outside below maxcols 2\n"
             "set yrange [0:11.5]\n";
  std::string plots = "log(x) with lines dashtype 3 linecolor 5 title 'log K'";

  std::printf("8 units, log|G| = %.3f nats; I = H(q^G) - H(q), %zu draws of "
              "%zu posterior(s)\n",
      std::lgamma(9.0), draws, posteriors);
  size_t line = 0;
  Progress progress("standard deviations", 3);
  for (double sigma : { 0.3, 0.7, 1.2 })
  {
    const Summary exact = Information(sigma, *symvi::MakeEstimator("exact"),
        posteriors, draws);
    std::printf("\nsigma %.1f\n  exact            I = %s\n", sigma,
        PlusMinus(exact.mean, exact.error, 3).c_str());
    csv.Row(sigma, "exact", 0, exact.mean, exact.error);

    std::vector<double> ks, means;
    bool bound = true;
    for (size_t k = 1; k <= largest; k *= 2)
    {
      const Summary h = Information(sigma, *symvi::MakeEstimator("uniform", k),
          posteriors, draws);
      csv.Row(sigma, "uniform", k, h.mean, h.error);
      bound = bound &&
          h.mean <= std::min(std::log(double(k)), exact.mean) +
                  4 * std::hypot(h.error, exact.error) &&
          (means.empty() ||
              h.mean >= means.back() - 4 * std::hypot(h.error, exact.error));
      ks.push_back(double(k));
      means.push_back(h.mean);
      if (k == 4 || k == 64 || k == largest)
        std::printf("  paper, K = %4zu   I^K = %s\n", k,
            PlusMinus(h.mean, h.error, 3).c_str());
    }
    claims.Check(bound,
        "sigma " + Fixed(sigma, 1) +
            ": I^K grows with K and stays below I and log K");
    for (const char* name : { "importance", "auto" })
    {
      const Summary e = Information(sigma, *symvi::MakeEstimator(name),
          posteriors, draws);
      std::printf("  %-15s  I = %s\n", name,
          PlusMinus(e.mean, e.error, 3).c_str());
      csv.Row(sigma, name, 20, e.mean, e.error);
      if (std::string(name) == "importance" || std::string(name) == "auto")
        claims.Check(std::abs(e.mean - exact.mean) <
                0.1 + 4 * std::hypot(e.error, exact.error),
            std::string(name) + " agrees with exact");
    }
    const std::string block = "sigma" + std::to_string(++line);
    picture.Data(block, ks, means);
    plots += ", $" + block + " with linespoints linetype " +
        std::to_string(line) + " title 'sigma " + Fixed(sigma, 1) +
        ", uniform', " + Fixed(exact.mean, 6) + " with lines linetype " +
        std::to_string(line) + " dashtype 2 title 'sigma " + Fixed(sigma, 1) +
        ", exact and auto'";
    progress.Step();
  }
  picture << "plot [1:" << largest << "] " << plots << "\n";
  picture.Write();
  DrawDensities(options.output);
  return claims.ExitCode();
}

int main(int argc, char** argv)
{
  return RunExample(argc, argv, "symmetrization",
      "q, q^G and the entropy bound H^K [Gelberg2024, Sec. 4]", Experiment);
}
