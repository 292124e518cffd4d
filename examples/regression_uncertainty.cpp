/**
 * @file examples/regression_uncertainty.cpp
 *
 * Regression on one-dimensional data with a gap: the epistemic band opens in
 * the gap, the aleatoric one stays.  (Beyond the data tanh units saturate, and
 * so does the band.)
 */
#include <symvi.hpp>

#include "common/csv.hpp"
#include "common/options.hpp"
#include "common/picture.hpp"
#include "common/problems.hpp"
#include "common/runs.hpp"

using namespace examples;

constexpr double noise = 0.1, gap = 0.7;

using Model = symvi::BayesianFFN<symvi::GaussianLikelihood>;

Model Train(const Problem& data, bool quick, uint32_t seed)
{
  mlpack::RandomSeed(seed);
  const symvi::BayesianOptions prior = symvi::BayesianOptions().PriorStddev(
      2.0);
  Model model((symvi::GaussianLikelihood(noise)));
  model.Add<symvi::BayesianLinear>(20, prior);
  model.Add<mlpack::TanH>();
  model.Add<symvi::BayesianLinear>(1, prior);
  for (double stepSize : { 1e-2, 1e-3 })
  {
    ens::Adam adam(symvi::StepSize(stepSize, 20), 20);
    adam.MaxIterations() = (quick ? 1000 : 4000) * data.X.n_cols;
    adam.Tolerance() = -1;
    model.Train(data.X, data.y, adam);
  }
  return model;
}

//! The predictive on a grid, with the data, as CSV and picture.
template<typename Prediction>
void Draw(const Options& options, const Problem& data, const arma::mat& grid,
    const Prediction& p)
{
  CsvWriter csv(options.File("predictive.csv"),
      "x,mean,lower,upper,epistemic_variance");
  for (size_t i = 0; i < grid.n_cols; ++i)
    csv.Row(grid[i], p.mean[i], p.lower[i], p.upper[i], p.epistemicVariance[i]);
  Picture picture(options.output, "predictive");
  const arma::rowvec deviation = arma::sqrt(p.epistemicVariance);
  picture.Data("grid", grid, p.mean, p.lower, p.upper,
      arma::rowvec(p.mean - 2 * deviation),
      arma::rowvec(p.mean + 2 * deviation));
  picture.Data("points", data.X, data.y);
  picture
      << "set xlabel 'x'\nset ylabel 'y'\nset xrange [-3:3]\n"
         "set yrange [-2.5:3.5]\nset key top center maxrows 3\n"
         "plot $grid using 1:3:4 with filledcurves linecolor rgb '#cfe3f0' title "
         "'95 % interval', $grid using 1:5:6 with filledcurves linecolor rgb "
         "'#8fbfdd' title 'mean and two epistemic deviations', $grid using 1:2 "
         "with lines linetype 1 title 'mean', sin(2 * x) with lines linetype 5 "
         "dashtype 2 title 'truth', $points with points linetype 2 pointsize 0.7 "
         "title 'data'\n";
  picture.Write();
}

int Experiment(const Options& options)
{
  const Problem data = Sine(100, 500, noise, gap, 1, 2.0);
  const arma::mat grid = arma::linspace<arma::rowvec>(-3, 3, 301);
  const arma::uvec covered = arma::find(arma::abs(data.testX) > gap);
  const arma::uvec here = arma::find(
                       arma::abs(grid) > gap && arma::abs(grid) < 2),
                   hole = arma::find(arma::abs(grid) < 0.5 * gap);
  const size_t seeds = options.Seeds(1, 1, 10);
  std::vector<double> onData, inGap, coverage;
  {
    Progress progress("trainings", seeds);
    for (size_t seed = 1; seed <= seeds; ++seed, progress.Step())
    {
      Model model = Train(data, options.quick, uint32_t(seed));
      const auto p = model.Predict(grid, symvi::PredictOptions(1000));
      const auto test = model.Predict(data.testX, symvi::PredictOptions(1000));
      auto deviation = [&](const arma::uvec& where)
      {
        return arma::mean(arma::vectorise(
            arma::sqrt(arma::mat(p.epistemicVariance.cols(where)))));
      };
      onData.push_back(deviation(here));
      inGap.push_back(deviation(hole));
      coverage.push_back(
          symvi::IntervalCoverage(arma::mat(test.lower.cols(covered)),
              arma::mat(test.upper.cols(covered)),
              arma::mat(data.testY.cols(covered))));
      if (seed == 1)
      {
        std::cout << model.Elbo(data.X, data.y);
        Draw(options, data, grid, p);
      }
    }
  }

  const Summary near(onData), far(inGap), covers(coverage);
  std::printf(
      "mean +- standard deviation over %zu seeds\nepistemic deviation: "
      "%s on the data, %s in the gap; noise %.2f\ncoverage of the 95 %% "
      "interval on test points outside of the gap: %s\n",
      seeds, PlusMinus(near.mean, near.stddev, 3).c_str(),
      PlusMinus(far.mean, far.stddev, 3).c_str(), noise,
      PlusMinus(covers.mean, covers.stddev, 3).c_str());
  Claims claims;
  claims.Check(far.mean > 2 * near.mean, "the epistemic band opens in the gap");
  claims.Check(covers.mean > 0.85, "the 95 % interval covers");
  return claims.ExitCode();
}

int main(int argc, char** argv)
{
  return RunExample(argc, argv, "regression_uncertainty",
      "mean and bands for one-dimensional data with a gap", Experiment);
}
