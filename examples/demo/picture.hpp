/**
 * @file examples/demo/picture.hpp
 *
 * The picture of the demonstration, as SVG: a regression with a gap in its data
 * on the left, digits of which some classes were never seen on the right.
 */
#ifndef SYMVI_EXAMPLES_DEMO_PICTURE_HPP
#define SYMVI_EXAMPLES_DEMO_PICTURE_HPP

#include <symvi/io/atomic_file.hpp>
#include <symvi/io/chart.hpp>

#include <string>
#include <vector>

namespace demo {

//! Mean and 95 % interval of a regression on a grid.
struct Band
{
  arma::vec mean, lower, upper;
};

//! Bands of a plain network and of symvi around the training points.
inline symvi::io::Chart DrawRegression(const arma::vec& x,
                                       const arma::vec& y,
                                       const arma::vec& grid,
                                       const Band& plain,
                                       const Band& bayesian)
{
  using symvi::io::Tone;
  symvi::io::Chart chart("Regression: 95 % intervals where there are no data",
      "x", "y");
  chart.FixX(grid.front(), grid.back());
  chart.FixY(-4.0, 3.0);
  chart.Band(grid, bayesian.lower, bayesian.upper, Tone::Blue, "");
  chart.Line(grid, arma::clamp(bayesian.mean, -4.0, 3.0), Tone::Blue, "symvi");
  for (const arma::vec& line : { plain.lower, plain.upper })
    chart.Line(grid, arma::clamp(line, -4.0, 3.0), Tone::Orange, "");
  chart.Line(grid, arma::clamp(plain.mean, -4.0, 3.0), Tone::Orange,
      "plain network");
  chart.Points(x, y, Tone::Grey, "training points");
  return chart;
}

//! One classifier: how certain it is of every answer, and whether it is right.
struct Answers
{
  std::string name;
  symvi::io::Tone tone;
  arma::vec uncertainty;
  arma::vec right;
};

//! Fraction of right answers if only the most certain ones are given.
inline symvi::io::Chart DrawAnswers(const std::vector<Answers>& classifiers)
{
  symvi::io::Chart chart("Digits, some classes never seen in training",
      "fraction of images answered", "fraction answered right");
  chart.FixX(0.0, 1.0);
  chart.FixY(0.4, 1.0);
  for (const Answers& c : classifiers)
  {
    const arma::uvec order = arma::stable_sort_index(c.uncertainty);
    const arma::vec count = arma::regspace(1.0, double(order.n_elem));
    const arma::vec right = arma::cumsum(c.right.elem(order)) / count;
    // The first few answers are too few for a fraction.
    const size_t first = order.n_elem / 20;
    chart.Line(count.tail(order.n_elem - first) / double(order.n_elem),
        right.tail(order.n_elem - first), c.tone, c.name);
  }
  return chart;
}

inline void WritePicture(const std::string& file,
                         const std::vector<symvi::io::Chart>& charts)
{
  symvi::io::AtomicFile output(file);
  output.Stream() << symvi::io::SvgFile(charts);
  output.Commit();
}

} // namespace demo

#endif
