/**
 * @file examples/regression_uncertainty.cpp
 *
 * Regression on one-dimensional data with a gap: the epistemic band opens in the
 * gap, the aleatoric one stays.  (Beyond the data tanh units saturate, and so
 * does the band.)
 */
#include <symvi.hpp>

#include "common/csv.hpp"
#include "common/options.hpp"
#include "common/picture.hpp"
#include "common/problems.hpp"
#include "common/runs.hpp"

using namespace examples;

int main(int argc, char** argv)
{
  const Options options(argc, argv, "regression_uncertainty",
      "mean and bands for one-dimensional data with a gap");
  const double noise = 0.1, gap = 0.7;
  const Problem data = Sine(100, 500, noise, gap, 1, 2.0);

  mlpack::RandomSeed(1);
  const symvi::BayesianOptions prior = symvi::BayesianOptions().PriorStddev(2.0);
  symvi::BayesianFFN<symvi::GaussianLikelihood> model(
      (symvi::GaussianLikelihood(noise)));
  model.Add<symvi::BayesianLinear>(20, prior);
  model.Add<mlpack::TanH>();
  model.Add<symvi::BayesianLinear>(1, prior);
  for (double stepSize : { 1e-2, 1e-3 })
  {
    ens::Adam adam(stepSize, 20);
    adam.MaxIterations() = (options.quick ? 1000 : 4000) * data.X.n_cols;
    adam.Tolerance() = -1;
    model.Train(data.X, data.y, adam);
  }

  // The predictive on a grid, and its coverage where the data are.
  const arma::mat grid = arma::linspace<arma::rowvec>(-3, 3, 301);
  const auto p = model.Predict(grid, symvi::PredictOptions(1000));
  const auto test = model.Predict(data.testX, symvi::PredictOptions(1000));
  const arma::uvec inside = arma::find(arma::abs(data.testX) > gap);
  const double coverage = symvi::IntervalCoverage(
      arma::mat(test.lower.cols(inside)), arma::mat(test.upper.cols(inside)),
      arma::mat(data.testY.cols(inside)));
  const arma::uvec here = arma::find(arma::abs(grid) > gap &&
      arma::abs(grid) < 2), hole = arma::find(arma::abs(grid) < 0.5 * gap);
  auto spread = [&](const arma::uvec& where)
      { return arma::mean(arma::vectorise(arma::sqrt(
          arma::mat(p.epistemicVariance.cols(where))))); };

  std::cout << model.Elbo(data.X, data.y);
  std::printf("mean epistemic deviation: %.3f on the data, %.3f in the gap; "
      "aleatoric %.3f\ncoverage of the 95 %% interval on test points outside of "
      "the gap: %.3f\n", spread(here), spread(hole), noise, coverage);
  CsvWriter csv(options.File("predictive.csv"),
      "x,mean,lower,upper,epistemic_variance");
  for (size_t i = 0; i < grid.n_cols; ++i)
    csv.Row(grid[i], p.mean[i], p.lower[i], p.upper[i], p.epistemicVariance[i]);

  Picture picture(options.output, "predictive");
  const arma::rowvec deviation = arma::sqrt(p.epistemicVariance);
  picture.Data("grid", grid, p.mean, p.lower, p.upper,
      arma::rowvec(p.mean - 2 * deviation), arma::rowvec(p.mean + 2 * deviation));
  picture.Data("points", data.X, data.y);
  picture << "set xlabel 'x'\nset ylabel 'y'\nset yrange [-4:4]\n"
      "plot $grid using 1:3:4 with filledcurves linecolor rgb '#cfe3f0' title "
      "'95 % interval', $grid using 1:5:6 with filledcurves linecolor rgb "
      "'#8fbfdd' title 'mean and two epistemic deviations', $grid using 1:2 "
      "with lines linetype 1 title 'mean', sin(2 * x) with lines linetype 5 "
      "dashtype 2 title 'truth', $points with points linetype 2 pointsize 0.7 "
      "title 'data'\n";
  picture.Write();

  Claims claims;
  claims.Check(spread(hole) > 2 * spread(here),
      "the epistemic band opens in the gap");
  claims.Check(coverage > 0.85, "the 95 % interval covers");
  return claims.ExitCode();
}
