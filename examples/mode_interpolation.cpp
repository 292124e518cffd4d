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

//! One stochastic fit: its setting and what it reached.
struct Fit
{
  size_t d;
  double s, alpha;
  bool unitStart; // (0, I) as in the paper, or (0, s^2 I).
  double ratio = 0, logDet = 0, kl = 0;
};

//! The largest alpha at which a fit of this kind still stands in the middle.
double LastInterpolating(const std::vector<Fit>& fits, const Fit& kind)
{
  double last = 0;
  for (const Fit& f : fits)
    if (f.d == kind.d && f.s == kind.s && f.unitStart == kind.unitStart &&
        f.ratio > 0.25 && f.ratio < 0.75)
      last = std::max(last, f.alpha);
  return last;
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
  return { bisect(4.0, 6.0, [](double alpha)
        { return Mixture1d{ alpha }.Descend(0.0).mean > 0.25 * alpha; }),
      bisect(5.0, 7.0, [](double alpha)
        {
          const Mixture1d p{ alpha };
          return p.KL(p.Descend(0.5 * alpha)) < p.KL(p.Descend(0.0));
        }) };
}

//! Target, exact fit from (0, 1) and midpoint fit, for four distances.
void DrawDensities(const std::string& folder)
{
  Picture picture(folder, "densities", 1000, 650);
  picture << "set multiplot layout 2,2\nset xlabel 'z'\nset samples 400\n"
      "n(x, m, v) = exp(-(x - m)**2 / (2 * v)) / sqrt(2 * pi * v)\n";
  for (double alpha : { 2.0, 4.0, 5.0, 6.0 })
  {
    const Gaussian1d q = Mixture1d{ alpha }.Descend(0.0);
    picture << "set title 'alpha = " << alpha << " s'\nset xrange [-4:"
        << alpha + 4 << "]\nplot 0.5 * n(x, 0, 1) + 0.5 * n(x, " << alpha
        << ", 1) with filledcurves y1=0 linecolor rgb '#bbccdd' title 'target'"
        << ", n(x, " << q.mean << ", " << q.variance << ") linetype 2 title "
        << "'fit from (0, s^2)'\n";
  }
  picture.Write();
}

//! ||mu*|| / alpha, det Sigma* and KL against alpha / s, a panel for each.
void DrawFits(const std::string& folder, const std::vector<Fit>& fits, size_t d)
{
  Picture picture(folder, "fits_d" + std::to_string(d), 1300, 420);
  const std::vector<double> scales = { 0.25, 0.5, 1.0, 2.0 };
  for (size_t k = 0; k < scales.size(); ++k)
  {
    std::vector<double> x, ratio, det, kl;
    for (const Fit& f : fits)
      if (f.d == d && f.s == scales[k] && f.unitStart)
      {
        x.push_back(f.alpha / f.s);
        ratio.push_back(f.ratio);
        det.push_back(std::exp(f.logDet - 2.0 * double(d) * std::log(f.s)));
        kl.push_back(f.kl);
      }
    picture.Data("s" + std::to_string(k), x, ratio, det, kl);
  }
  picture << "set multiplot layout 1,3 title 'd = " << d << ", start (0, I)'\n"
      "set xlabel 'alpha / s'\nset xrange [0:8.5]\n";
  const char* labels[] = { "||mu*|| / alpha", "det Sigma* / s^{2d}", "KL" };
  for (size_t panel = 0; panel < 3; ++panel)
  {
    picture << "set ylabel '" << labels[panel] << "'\nplot ";
    for (size_t k = 0; k < scales.size(); ++k)
      picture << "$s" << k << " using 1:" << panel + 2
          << " with linespoints linetype " << k + 1 << " title 's = "
          << scales[k] << "', ";
    picture << "NaN\n";
  }
  picture.Write();
}

int main(int argc, char** argv)
{
  const Options options(argc, argv, "mode_interpolation",
      "one Gaussian fitted to two modes [Gelberg2024, Sec. 3]");
  Claims claims;

  const auto [leaves, beaten] = ExactThresholds();
  std::printf("exact, d = 1: the descent leaves the middle at %.2f s, the "
      "middle stops being the better optimum at %.2f s\n\n", leaves, beaten);
  std::printf("alpha / s   mean / alpha   variance / s^2   KL (quadrature)\n");
  for (double alpha : { 1., 2., 3., 4., 4.5, 5., 6., 8. })
  {
    const Mixture1d p{ alpha };
    const Gaussian1d q = p.Descend(0.0);
    std::printf("%9.1f   %12.3f   %14.3f   %15.5f\n", alpha, q.mean / alpha,
        q.variance, p.KL(q));
  }

  std::vector<Fit> fits;
  const std::vector<size_t> dimensions = options.quick ?
      std::vector<size_t>{ 1 } : options.full ?
      std::vector<size_t>{ 1, 2, 20 } : std::vector<size_t>{ 1, 2 };
  const double step = options.quick ? 1.5 : options.full ? 0.2 : 0.5;
  for (size_t d : dimensions)
    for (double s : { 0.25, 0.5, 1.0, 2.0 })
      for (double distance = 1.0; distance <= 8.0; distance += step)
        for (bool unitStart : { true, false })
          if ((!options.quick || s == 1.0) && !(s == 1.0 && !unitStart))
            fits.push_back({ d, s, distance * s, unitStart });
  const size_t samples = options.quick ? 1000 : 5000;
  ForEachRun("fits", fits.size(), options.jobs, [&](size_t i)
  {
    Fit& f = fits[i];
    const StochasticFit fit(f.d, f.alpha, f.s, samples, f.unitStart ? 1.0 : f.s,
        i + 1);
    f.ratio = fit.Mean() / f.alpha;
    f.logDet = fit.LogDet();
    f.kl = fit.KL();
  });

  CsvWriter csv(options.File("fits.csv"),
      "d,s,start_sigma,alpha,mean_over_alpha,log_det_sigma,kl");
  for (const Fit& f : fits)
    csv.Row(f.d, f.s, f.unitStart ? 1.0 : f.s, f.alpha, f.ratio, f.logDet, f.kl);
  std::printf("\nlargest alpha (grid step %.2f s) at which the fit stands in the "
      "middle; paper: 1.25, 2.5, 5, 10\n   d      s   start (0, I)   "
      "start (0, s^2 I)\n", step);
  for (size_t d : dimensions)
    for (double s : { 0.25, 0.5, 1.0, 2.0 })
      if (!options.quick || s == 1.0)
        std::printf("%4zu   %4.2f   %12.2f   %16.2f\n", d, s,
            LastInterpolating(fits, { d, s, 0, true }),
            LastInterpolating(fits, { d, s, 0, s == 1.0 }));
  DrawDensities(options.output);
  for (size_t d : dimensions)
    DrawFits(options.output, fits, d);

  const Mixture1d four{ 4.0 };
  const Gaussian1d q = four.Descend(0.0);
  claims.Check(std::abs(leaves - 4.82) < 0.02 && std::abs(beaten - 5.60) < 0.02,
      "thresholds 4.82 s and 5.60 s");
  claims.Check(std::abs(q.mean - 2.0) < 1e-3 && std::abs(q.variance - 4.19) <
      5e-3 && std::abs(four.KL(q) - 0.2265) < 1e-4,
      "alpha = 4 s: middle, variance 4.19, KL 0.2265");
  for (const Fit& f : fits)
    if (f.d == 1 && f.s == 1.0 && std::abs(f.alpha - leaves) > 0.4)
      claims.Check((f.ratio > 0.4) == (f.alpha < leaves), "stochastic fit at "
          "alpha = " + Fixed(f.alpha, 1) + " agrees with quadrature");
  return claims.ExitCode();
}
