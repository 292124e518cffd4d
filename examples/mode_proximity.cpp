/**
 * @file examples/mode_proximity.cpp
 *
 * How near is the nearest equivalent mode? [Gelberg2024, Thm. 3.1]  Relative
 * distances of random networks against width, with the paper's bound and a
 * sharper one; then the equivalent modes of trained posteriors, in units of
 * their own spread.
 */
#include <symvi.hpp>

#include "common/csv.hpp"
#include "common/options.hpp"
#include "common/picture.hpp"
#include "common/problems.hpp"
#include "common/runs.hpp"
#include "common/units.hpp"

using namespace examples;

/**
 * min over g != id of ||w - g w|| / ||w|| for N(0, 1) weights.  A cycle of
 * length k moves k pairs of units, so the closest pair, exchanged, is the
 * nearest: ||w - g w||^2 = 2 ||v_a - v_b||^2.
 */
double NearestMode(size_t width, size_t block, symvi::RandomStream& stream)
{
  arma::mat v(block, width);
  stream.FillNormal(v.memptr(), v.n_elem);
  double smallest = arma::datum::inf;
  for (size_t a = 0; a < width; ++a)
    for (size_t b = a + 1; b < width; ++b)
    {
      double distance = 0;
      for (size_t i = 0; i < block; ++i)
        distance += (v(i, a) - v(i, b)) * (v(i, a) - v(i, b));
      smallest = std::min(smallest, distance);
    }
  return std::sqrt(2 * smallest) / arma::norm(v, "fro");
}

//! Random networks with one input and one output; true if the bounds hold.
bool RandomNetworks(const Options& options, Picture& picture)
{
  const size_t inputs = 1, outputs = 1, networks = options.quick ? 20 : 200;
  const size_t widest = options.quick ? 256 : 1024;
  CsvWriter csv(options.File("width.csv"), "width,mean,max,bound,paper_bound");
  std::vector<double> widths, means, largest, bounds, paper;
  symvi::RandomStream stream(1);
  bool hold = true;
  std::printf("nearest equivalent mode ||w - g w|| / ||w||, %zu networks each\n"
              "width   mean     largest   2/sqrt(d-1)   paper's bound\n",
      networks);
  for (size_t d = 4; d <= widest; d *= 2)
  {
    std::vector<double> distances(networks);
    for (double& distance : distances)
      distance = NearestMode(d, inputs + 1 + outputs, stream);
    widths.push_back(double(d));
    means.push_back(Summary(distances).mean);
    largest.push_back(*std::max_element(distances.begin(), distances.end()));
    bounds.push_back(2.0 / std::sqrt(double(d) - 1.0));
    paper.push_back(2.0 * (inputs + outputs + 1 + 1.0 / double(d)) /
        std::log(0.5 * double(d)));
    hold = hold && largest.back() <= std::min(bounds.back(), paper.back());
    csv.Row(d, means.back(), largest.back(), bounds.back(), paper.back());
    std::printf("%5zu   %.4f   %.4f    %.4f        %.4f\n", d, means.back(),
        largest.back(), bounds.back(), paper.back());
  }
  picture.Data("width", widths, means, largest, bounds, paper);
  picture
      << "set logscale xy\nset xrange [3:1500]\n"
         "set xlabel 'hidden units'\n"
         "set ylabel '||w - g w|| / ||w||'\nset key left bottom\n"
         "plot $width using 1:2 with linespoints title 'mean', '' using 1:3 with "
         "linespoints title 'largest', '' using 1:4 with lines linetype 5 title "
         "'2 / sqrt(d - 1)', '' using 1:5 with lines linetype 5 dashtype 2 title "
         "'bound of the paper'\nunset logscale\nset autoscale x\n";
  return hold;
}

//! Exchange distances of all pairs of units of one trained posterior.
std::vector<double> TrainedDistances(size_t units, size_t epochs, uint32_t seed)
{
  mlpack::RandGen().seed(seed);
  arma::arma_rng::set_seed(seed);
  const Problem data = Sine(100, 1, 0.2, 0.0, seed);
  symvi::BayesianFFN<symvi::GaussianLikelihood> model(
      (symvi::GaussianLikelihood(0.2)));
  model.Add<symvi::BayesianLinear>(units);
  model.Add<mlpack::TanH>();
  model.Add<symvi::BayesianLinear>(1);
  model.Symmetrize() = false; // Plain mean-field VI.
  ens::Adam adam(symvi::StepSize(1e-2, 50), 50, 0.9, 0.999, 1e-8,
      epochs * data.X.n_cols, -1.0);
  model.Train(data.X, data.y, adam);
  const UnitPosteriors posterior(model.BayesianLayers());
  std::vector<double> distances;
  for (size_t a = 0; a < units; ++a)
    for (size_t b = a + 1; b < units; ++b)
      distances.push_back(posterior.Distance(a, b));
  return distances;
}

int Experiment(const Options& options)
{
  Claims claims;
  Picture picture(options.output, "proximity", 1200, 480);
  picture << "set multiplot layout 1,2\n";
  claims.Check(RandomNetworks(options, picture),
      "both bounds hold, for every network");

  // Beyond 4.82 posterior deviations a Gaussian sits on one mode, within it
  // interpolates (see mode_interpolation).
  const double threshold = 4.82;
  const size_t seeds = options.Seeds(2, 10, 50);
  const std::vector<size_t> widths = options.quick ?
      std::vector<size_t>{ 4, 16 } :
      std::vector<size_t>{ 4, 8, 16, 32, 64 };
  std::vector<std::vector<double>> distances(seeds * widths.size());
  ForEachRun("trainings", distances.size(), options.jobs,
      [&](size_t i)
      {
    distances[i] = TrainedDistances(widths[i / seeds],
        options.quick ? 300 : 3000, uint32_t(i % seeds + 1));
  });
  CsvWriter csv(options.File("trained.csv"), "width,seed,distance");
  std::printf(
      "\ntrained posteriors: distance of w from g w, g an exchange of "
      "two units, in posterior deviations (%zu seeds)\nwidth   nearest   "
      "median   pairs within %.2f\n",
      seeds, threshold);
  picture << "set xlabel 'distance in posterior deviations'\n"
             "set ylabel 'fraction of pairs below'\nset logscale x\n"
             "set key left top\n";
  std::string plot;
  std::vector<double> nearestMean;
  for (size_t w = 0; w < widths.size(); ++w)
  {
    std::vector<double> all, nearest;
    for (size_t seed = 0; seed < seeds; ++seed)
    {
      const std::vector<double>& d = distances[w * seeds + seed];
      nearest.push_back(*std::min_element(d.begin(), d.end()));
      all.insert(all.end(), d.begin(), d.end());
      for (double distance : d)
        csv.Row(widths[w], seed + 1, distance);
    }
    std::sort(all.begin(), all.end());
    std::vector<double> rank(all.size());
    for (size_t i = 0; i < rank.size(); ++i)
      rank[i] = double(i + 1) / double(rank.size());
    const double within = double(std::lower_bound(all.begin(), all.end(),
                                     threshold) -
                              all.begin()) /
        double(all.size());
    nearestMean.push_back(Summary(nearest).mean);
    std::printf("%5zu   %7.2f   %6.2f   %5.1f %%\n", widths[w],
        nearestMean.back(), all[all.size() / 2], 100 * within);
    picture.Data("trained" + std::to_string(w), all, rank);
    plot += (w ? ", $trained" : "plot $trained") + std::to_string(w) +
        " with steps linetype " + std::to_string(w + 1) + " title '" +
        std::to_string(widths[w]) + " units'";
  }
  claims.Check(nearestMean.back() < nearestMean.front(),
      "wider networks have nearer equivalent modes");
  picture << "set arrow from " << threshold << ", graph 0 to " << threshold
          << ", graph 1 nohead dashtype 2\nset label 'interpolates below "
          << threshold << "' at " << 1.15 * threshold << ", graph 0.05\n"
          << plot << "\n";
  picture.Write();
  return claims.ExitCode();
}

int main(int argc, char** argv)
{
  return RunExample(argc, argv, "mode_proximity",
      "the nearest equivalent mode [Gelberg2024, Thm. 3.1]", Experiment);
}
