/**
 * @file examples/mode_interpolation.cpp
 *
 * Mode interpolation [Gelberg2024, Sec. 3, App. A]: a Gaussian fitted by the
 * reverse KL to 1/2 N(0, s^2 I) + 1/2 N(alpha u, s^2 I) settles between the
 * modes while they are close, alpha < 4.82 s, and on one of them beyond.
 */
#include "common/csv.hpp"
#include "common/options.hpp"
#include "common/picture.hpp"
#include "common/runs.hpp"
#include "mode_interpolation_fit.hpp"

using namespace examples;

const std::vector<double> scales = { 0.25, 0.5, 1.0, 2.0 };

//! One stochastic fit: its setting and what it reached.
struct Fit
{
  size_t d;
  double s, alpha;
  bool unitStart; // (0, I) as in the paper, or (0, s^2 I).
  size_t seed;
  double ratio = 0, logDet = 0, kl = 0;

  void Run(size_t samples)
  {
    const StochasticFit fit(d, alpha, s, samples, unitStart ? 1.0 : s, seed);
    ratio = fit.Mean() / alpha;
    logDet = fit.LogDet();
    kl = fit.KL();
  }

  bool InTheMiddle() const { return ratio > 0.25 && ratio < 0.75; }
};

//! The alpha up to which fits of one kind stand in the middle, between 3 s and
//! 8 s and to 0.05 s, by bisection over stochastic fits.
double Threshold(Fit fit, size_t samples)
{
  double low = 3 * fit.s, high = 8 * fit.s;
  while (high - low > 0.05 * fit.s)
  {
    fit.alpha = 0.5 * (low + high);
    fit.Run(samples);
    (fit.InTheMiddle() ? low : high) = fit.alpha;
  }
  return 0.5 * (low + high);
}

//! Where the exact descent leaves the middle, and where the middle is beaten.
std::pair<double, double> ExactThresholds()
{
  auto bisect = [](double low, double high, auto interpolates)
  {
    while (high - low > 1e-3)
    {
      const double mid = 0.5 * (low + high);
      (interpolates(mid) ? low : high) = mid;
    }
    return 0.5 * (low + high);
  };
  return { bisect(4.0, 6.0,
               [](double alpha)
               { return Mixture1d{ alpha }.Descend(0.0).mean > 0.25 * alpha; }),
    bisect(5.0, 7.0,
        [](double alpha)
        {
    const Mixture1d p{ alpha };
    return p.KL(p.Descend(0.5 * alpha)) < p.KL(p.Descend(0.0));
    }) };
}

//! Target, exact fit from (0, 1) and midpoint fit, for four distances.
void DrawDensities(const std::string& folder)
{
  Picture picture(folder, "densities", 1000, 650);
  picture << "set multiplot layout 2,2\nset xlabel 'z / s'\n"
             "set ylabel 'density'\n"
             "set yrange [0:0.48]\nset samples 400\n"
             "n(x, m, v) = exp(-(x - m)**2 / (2 * v)) / sqrt(2 * pi * v)\n";
  for (double alpha : { 2.0, 4.0, 5.0, 6.0 })
  {
    const Gaussian1d q = Mixture1d{ alpha }.Descend(0.0);
    picture
        << "set title 'alpha = " << alpha << " s'\nset xrange [-4:" << alpha + 4
        << "]\nplot 0.5 * n(x, 0, 1) + 0.5 * n(x, " << alpha
        << ", 1) with filledcurves y1=0 linecolor rgb '#bbccdd' title 'target'"
        << ", n(x, " << q.mean << ", " << q.variance << ") linetype 2 title "
        << "'fit from (0, s^2)'\n";
  }
  picture.Write();
}

//! ||mu*|| / alpha, det Sigma* and KL against alpha, a panel for each.
void DrawFits(const std::string& folder, const std::vector<Fit>& fits, size_t d)
{
  Picture picture(folder, "fits_d" + std::to_string(d), 1400, 460);
  for (size_t k = 0; k < scales.size(); ++k)
  {
    std::vector<double> x, ratio, det, kl;
    for (const Fit& f : fits)
      if (f.d == d && f.s == scales[k] && f.seed == 1)
      {
        x.push_back(f.alpha);
        ratio.push_back(f.ratio);
        det.push_back(std::exp(f.logDet - 2.0 * double(d) * std::log(f.s)));
        kl.push_back(f.kl);
      }
    picture.Data("s" + std::to_string(k), x, ratio, det, kl);
  }
  picture
      << "set multiplot layout 1,3 title 'd = " << d
      << ", start (0, I)'\n"
         "set xlabel 'alpha'\nset xrange [0:10.5]\nset key below maxrows 1\n";
  const char* labels[] = { "||mu*|| / alpha", "det Sigma* / s^{2d}",
    "KL, nats" };
  for (size_t panel = 0; panel < 3; ++panel)
  {
    picture << "set ylabel '" << labels[panel] << "'\nplot ";
    for (size_t k = 0; k < scales.size(); ++k)
      picture << "$s" << k << " using 1:" << panel + 2
              << " with linespoints linetype " << k + 1
              << " pointsize 0.8 title "
              << "'s = " << scales[k] << "', ";
    picture << "NaN\n";
  }
  picture.Write();
}

//! Thresholds and what quadrature gives; returns the exact ones.
std::pair<double, double> PrintExact()
{
  const auto [leaves, beaten] = ExactThresholds();
  std::printf("exact, d = 1: the descent leaves the middle at %.2f s, the "
              "middle stops being the better optimum at %.2f s\n\n",
      leaves, beaten);
  std::printf("alpha / s   mean / alpha   variance / s^2   KL (quadrature)\n");
  for (double alpha : { 1., 2., 3., 4., 4.5, 5., 6., 8. })
  {
    const Mixture1d p{ alpha };
    const Gaussian1d q = p.Descend(0.0);
    std::printf("%9.1f   %12.3f   %14.3f   %15.5f\n", alpha, q.mean / alpha,
        q.variance, p.KL(q));
  }
  return { leaves, beaten };
}

//! The thresholds of every kind of fit; those from (0, I) are the paper's.
void PrintThresholds(const Options& options, const std::vector<Fit>& kinds,
    const std::vector<double>& thresholds)
{
  CsvWriter csv(options.File("thresholds.csv"),
      "d,s,start_sigma,seed,threshold");
  std::printf(
      "\nalpha up to which the stochastic fit stands in the middle (to "
      "0.05 s)\n   d      s   start         threshold    in units of s   "
      "paper\n");
  for (size_t i = 0; i < kinds.size(); ++i)
  {
    const Fit& f = kinds[i];
    csv.Row(f.d, f.s, f.unitStart ? 1.0 : f.s, f.seed, thresholds[i]);
    std::printf("%4zu   %4.2f   %-11s   %9.3f    %13.2f   %s\n", f.d, f.s,
        f.unitStart ? "(0, I)" : "(0, s^2 I)", thresholds[i],
        thresholds[i] / f.s, f.unitStart ? Fixed(5 * f.s, 2).c_str() : "");
  }
}

int Experiment(const Options& options)
{
  const auto [leaves, beaten] = PrintExact();
  const std::vector<size_t> dimensions = options.quick ?
      std::vector<size_t>{ 1 } :
      options.full ? std::vector<size_t>{ 1, 2, 20 } :
                     std::vector<size_t>{ 1, 2 };
  const double step = options.quick ? 1.5 : 0.5;
  const size_t samples = options.quick ? 1000 : 5000;

  std::vector<Fit> fits, kinds;
  for (size_t seed = 1; seed <= options.Seeds(1, 1, 1); ++seed)
    for (size_t d : dimensions)
      for (double s : scales)
        if (!options.quick || s == 1.0)
        {
          for (double alpha = 1.0; alpha <= 10.0; alpha += step)
            fits.push_back({ d, s, alpha, true, seed });
          for (bool unitStart : { true, false })
            if (unitStart || s != 1.0)
              kinds.push_back({ d, s, 0.0, unitStart, seed });
        }
  std::vector<double> thresholds(kinds.size());
  ForEachRun("fits", fits.size(), options.jobs,
      [&](size_t i) { fits[i].Run(samples); });
  ForEachRun("thresholds", kinds.size(), options.jobs,
      [&](size_t i) { thresholds[i] = Threshold(kinds[i], samples); });

  CsvWriter csv(options.File("fits.csv"),
      "d,s,seed,alpha,mean_over_alpha,log_det_sigma,kl");
  for (const Fit& f : fits)
    csv.Row(f.d, f.s, f.seed, f.alpha, f.ratio, f.logDet, f.kl);
  PrintThresholds(options, kinds, thresholds);
  DrawDensities(options.output);
  for (size_t d : dimensions)
    DrawFits(options.output, fits, d);

  Claims claims;
  const Mixture1d four{ 4.0 };
  const Gaussian1d q = four.Descend(0.0);
  claims.Check(std::abs(leaves - 4.82) < 0.02 && std::abs(beaten - 5.60) < 0.02,
      "thresholds 4.82 s and 5.60 s");
  claims.Check(std::abs(q.mean - 2.0) < 1e-3 &&
          std::abs(q.variance - 4.19) < 5e-3 &&
          std::abs(four.KL(q) - 0.2265) < 1e-4,
      "alpha = 4 s: middle, variance 4.19, KL 0.2265");
  for (const Fit& f : fits)
    if (f.d == 1 && f.s == 1.0 && std::abs(f.alpha - leaves) > 0.4)
      claims.Check((f.ratio > 0.4) == (f.alpha < leaves),
          "stochastic fit at alpha = " + Fixed(f.alpha, 1) +
              " agrees with quadrature");
  return claims.ExitCode();
}

int main(int argc, char** argv)
{
  return RunExample(argc, argv, "mode_interpolation",
      "one Gaussian fitted to two modes [Gelberg2024, Sec. 3]", Experiment);
}
